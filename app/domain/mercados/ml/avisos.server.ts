import { z } from 'zod';
import { env } from '~/core/env.server';
import { isStorable } from '~/core/text';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { Id } from '~/integrations/mercadolibre/wire';
import type { Aviso, Avisos, Mercado } from '../mercado';
import { envioOf } from './internal/envio';
import { detail } from '../detail';

/** Subjects of Mercado Libre's notices that we follow: sales, what buyers ask and claim, and what is on sale. */
const TOPICS = ['orders_v2', 'shipments', 'payments', 'questions', 'post_purchase', 'items'] as const;
/** Those that are asked for when our door was closed: what is on sale is read by its last changes anyway. */
const PERDIDOS = TOPICS.filter((topic) => topic !== 'items');
type Topic = (typeof TOPICS)[number];

/** What a notice may point at. A resource is never an address to visit: only the id inside it is believed. */
const RESOURCES: Record<Topic, RegExp> = {
  orders_v2: /^\/?orders\/(\d{1,20})$/,
  shipments: /^\/?shipments\/(\d{1,20})$/,
  payments: /^\/?collections\/(\d{1,20})$/,
  questions: /^\/?questions\/(\d{1,20})$/,
  // What stands before it was added later.
  post_purchase: /^\/?(?:post-purchase\/)?(?:v\d\/)?claims\/(\d{1,20})$/,
  items: /^\/?items\/(MLM\d{1,20})$/,
};
/** The first word of each resource, in the one spelling. */
const NOUNS: Record<Topic, string> = {
  orders_v2: 'orders',
  shipments: 'shipments',
  payments: 'collections',
  questions: 'questions',
  post_purchase: 'claims',
  items: 'items',
};

/** The resource in one spelling, or undefined when the notice is none of ours. */
export function parseAviso(topic: string, resource: string): (Aviso & { topic: Topic }) | undefined {
  const known = TOPICS.find((one) => one === topic);
  const id = known && RESOURCES[known].exec(resource)?.[1];
  return known && id ? { topic: known, resource: `/${NOUNS[known]}/${id}` } : undefined;
}

/** Anybody who knows the door may write one: what the database cannot keep is no name. */
const Nombre = Id.refine((id) => id.length <= 100 && isStorable(id));

/** A notice as it comes in, or as it stands among those that found our door closed. The names of its fields are all that is believed of its shape. */
const Noticia = z.object({
  _id: Nombre.nullish().catch(null),
  id: Nombre.nullish().catch(null),
  topic: z.string(),
  resource: z.string(),
  user_id: Nombre.nullish(),
  application_id: Id.nullish(),
});

/** `account`: whose notice it says it is. `id`: the marketplace's name of it; the same one may come again. */
export type Noticia = { aviso: Aviso; account: string | null; id: string | null };

/**
 * The one door of notices, whether they come in or are fetched: of our application, about something we follow. Undefined otherwise. Whose account it is about is compared
 * where the linked one is known.
 */
export function readNoticia(json: unknown): Noticia | undefined {
  const { success, data } = Noticia.safeParse(json);
  if (!success) return undefined;
  if (data.application_id != null && data.application_id !== env().MERCADOLIBRE_CLIENT_ID) return undefined;
  const aviso = parseAviso(data.topic, data.resource);
  return aviso && { aviso, account: data.user_id ?? null, id: data._id ?? data.id ?? null };
}

const none = () => Promise.resolve([]);
const idOf = (resource: string) => resource.split('/')[2]!;

export function avisosMl(ml: Mercadolibre): Avisos {
  return {
    parse: parseAviso,
    ofVenta: (marketId) => ({ topic: 'orders_v2', resource: `/orders/${marketId}` }),
    ventaOf: ({ topic, resource }) => (topic === 'orders_v2' ? idOf(resource) : undefined),
    envioOf: ({ topic, resource }) => (topic === 'shipments' ? idOf(resource) : undefined),
    publicacionOf: ({ topic, resource }) => (topic === 'items' ? idOf(resource) : undefined),
    async read({ topic, resource }) {
      const id = idOf(resource);
      switch (topic) {
        case 'shipments': {
          const { doc, raw } = await ml.getShipment(id);
          const costs = await detail(() => ml.getShipmentCosts(id), 'costo del envío', []);
          const envio = envioOf(doc, raw, { costs, payments: null }, await ml.seller());
          return { envio, ventas: () => ml.getShipmentOrders(id) };
        }
        case 'payments': {
          const { order } = await ml.getPayment(id);
          const ventas = order?.id && order.type === 'mercadolibre' ? [order.id] : [];
          return { ventas: () => Promise.resolve(ventas) };
        }
        case 'questions':
          return { pregunta: id, ventas: none };
        case 'post_purchase':
          return { reclamo: id, ventas: none };
        default:
          return { ventas: () => Promise.resolve([id]) };
      }
    },
  };
}

export function perdidosMl(ml: Mercadolibre): NonNullable<Mercado['perdidos']> {
  return {
    topics: PERDIDOS,
    async list(topic, offset) {
      const seller = await ml.seller();
      const notices = await ml.missedFeeds(env().MERCADOLIBRE_CLIENT_ID, topic, offset);
      return notices.map((notice) => {
        // The answer is the application's: those of other accounts stand in it too.
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
