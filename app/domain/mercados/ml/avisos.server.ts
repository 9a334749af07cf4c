import { z } from 'zod';
import { env } from '~/core/env.server';
import { isStorable } from '~/core/text';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { Id } from '~/integrations/mercadolibre/wire';
import type { Aviso, AvisoLeido, Avisos, Mercado } from '../mercado';
import { envioOf } from './internal/envio';
import { detail } from '../detail';

/**
 * The notices of Mercado Libre that we follow, by their topic: what a notice is about, and the resource it may point at. A resource is never an
 * address to visit: only the id inside it is believed. `noun` begins the resource in the one spelling that the inbox keeps.
 */
const TOPICS = {
  orders_v2: { sobre: 'venta', noun: 'orders', resource: /^\/?orders\/(\d{1,20})$/ },
  shipments: { sobre: 'envio', noun: 'shipments', resource: /^\/?shipments\/(\d{1,20})$/ },
  payments: { sobre: 'pago', noun: 'collections', resource: /^\/?collections\/(\d{1,20})$/ },
  questions: { sobre: 'pregunta', noun: 'questions', resource: /^\/?questions\/(\d{1,20})$/ },
  // The path before `claims` was added later.
  post_purchase: {
    sobre: 'reclamo',
    noun: 'claims',
    resource: /^\/?(?:post-purchase\/)?(?:v\d\/)?claims\/(\d{1,20})$/,
  },
  items: { sobre: 'publicacion', noun: 'items', resource: /^\/?items\/(MLM\d{1,20})$/ },
  // The vendor's sample of this topic names it 'items': either of them has the price read again.
  items_prices: {
    sobre: 'publicacion',
    noun: 'items',
    resource: /^\/?items\/(MLM\d{1,20})(?:\/(?:prices|sale_price))?$/,
  },
  // The pieces of a user product by place, whatever listing sells them.
  'stock-location': {
    sobre: 'piezas',
    noun: 'user-products',
    resource: /^\/?user-products\/([A-Z]{3,5}\d{1,20})(?:\/stock)?$/,
  },
} as const satisfies Record<string, { sobre: AvisoLeido['sobre']; noun: string; resource: RegExp }>;
type Topic = keyof typeof TOPICS;
const isTopic = (topic: string): topic is Topic => Object.hasOwn(TOPICS, topic);
/** The topics to subscribe the application to: a notice that nobody reads only costs both sides. */
export const TOPICOS = Object.keys(TOPICS) as readonly string[];
/** The topics that are asked for when our door was closed. Listings are read by their last changes anyway. */
const PERDIDOS = Object.keys(TOPICS).filter((topic) => topic !== 'items');

/** Returns what a notice is about, with its resource in the one spelling; undefined when we do not follow it. */
export function parseAviso(topic: string, resource: string): AvisoLeido | undefined {
  if (!isTopic(topic)) return undefined;
  const { sobre, noun, resource: pattern } = TOPICS[topic];
  const id = pattern.exec(resource)?.[1];
  return id === undefined ? undefined : { topic, resource: `/${noun}/${id}`, sobre, id };
}

/** A name inside a notice. Anybody who knows the address of the door may write a notice, so a text that the database cannot keep is no name. */
const Nombre = Id.refine((id) => id.length <= 100 && isStorable(id));

/** A notice as it comes in, or as it stands among those that found our door closed. */
const Noticia = z.object({
  _id: Nombre.nullish().catch(null),
  id: Nombre.nullish().catch(null),
  topic: z.string(),
  resource: z.string(),
  user_id: Nombre.nullish(),
  application_id: Id.nullish(),
});

/** A notice of ours. `account` is the seller it names; `id` is the marketplace's name of the notice, which may come again. */
export type Noticia = { aviso: Aviso; account: string | null; id: string | null };

/**
 * Reads a notice, whether it came in or was fetched. Undefined for a notice of another application, or about something we do not follow. The
 * caller compares `account` with the linked one.
 */
export function readNoticia(json: unknown): Noticia | undefined {
  const { success, data } = Noticia.safeParse(json);
  if (!success) return undefined;
  if (data.application_id != null && data.application_id !== env().MERCADOLIBRE_CLIENT_ID) return undefined;
  const aviso = parseAviso(data.topic, data.resource);
  return aviso && { aviso, account: data.user_id ?? null, id: data._id ?? data.id ?? null };
}

/** The notices of Mercado Libre, as any marketplace tells them. */
export function avisosMl(ml: Mercadolibre): Avisos {
  return {
    parse: parseAviso,
    ofVenta: (marketId) => ({ topic: 'orders_v2', resource: `/orders/${marketId}` }),
    async readEnvio(id) {
      const { doc, raw } = await ml.getShipment(id);
      const costs = await detail(() => ml.getShipmentCosts(id), 'costo del envío', []);
      const envio = envioOf(doc, raw, { costs, payments: null }, await ml.seller());
      return { envio, ventas: () => ml.getShipmentOrders(id) };
    },
    async ventasOfPago(id) {
      const { order } = await ml.getPayment(id);
      return order?.id && order.type === 'mercadolibre' ? [order.id] : [];
    },
  };
}

/** The notices that found our door closed, which Mercado Libre keeps for the application. */
export function perdidosMl(ml: Mercadolibre): NonNullable<Mercado['perdidos']> {
  return {
    topics: PERDIDOS,
    async list(topic, offset) {
      const seller = await ml.seller();
      const notices = await ml.missedFeeds(env().MERCADOLIBRE_CLIENT_ID, topic, offset);
      return notices.map((notice) => {
        // The answer holds the notices of the application: those of other accounts too.
        const noticia = readNoticia({ ...notice, topic });
        const ours = noticia && (noticia.account === null || noticia.account === seller);
        return {
          clave: `${notice._id ?? notice.id} ${notice.resource} ${notice.sent?.toISOString()}`,
          aviso: ours ? noticia.aviso : undefined,
          sent: notice.sent ?? null,
        };
      });
    },
  };
}
