import { env } from '~/core/env.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import type { Aviso, Avisos, Mercado } from '../mercado';
import { envioOf } from './envio';
import { detail } from './reader.server';

/** Subjects of Mercado Libre's notices that concern sales. */
const TOPICS = ['orders_v2', 'shipments', 'payments'] as const;
type Topic = (typeof TOPICS)[number];

/** What a notice may point at. A resource is never an address to visit: only the id inside it is believed. */
const RESOURCES: Record<Topic, RegExp> = {
  orders_v2: /^\/?orders\/(\d{1,20})$/,
  shipments: /^\/?shipments\/(\d{1,20})$/,
  payments: /^\/?collections\/(\d{1,20})$/,
};

/** The resource in one spelling, or undefined when the notice is none of ours. */
export function parseAviso(topic: string, resource: string): (Aviso & { topic: Topic }) | undefined {
  const known = TOPICS.find((one) => one === topic);
  const id = known && RESOURCES[known].exec(resource)?.[1];
  return known && id ? { topic: known, resource: `/${resource.replace(/^\//, '').split('/')[0]}/${id}` } : undefined;
}

export function avisosMl(ml: Mercadolibre): Avisos {
  return {
    parse: parseAviso,
    ofVenta: (marketId) => ({ topic: 'orders_v2', resource: `/orders/${marketId}` }),
    async read({ topic, resource }) {
      const id = resource.split('/')[2]!;
      switch (topic) {
        case 'shipments': {
          const { doc, raw } = await ml.getShipment(id);
          const costs = await detail(() => ml.getShipmentCosts(id));
          return { envio: envioOf(doc, raw, costs, await ml.seller()), ventas: () => ml.getShipmentOrders(id) };
        }
        case 'payments': {
          const { order } = await ml.getPayment(id);
          const ventas = order?.id && order.type === 'mercadolibre' ? [order.id] : [];
          return { ventas: () => Promise.resolve(ventas) };
        }
        default:
          return { ventas: () => Promise.resolve([id]) };
      }
    },
  };
}

export function perdidosMl(ml: Mercadolibre): NonNullable<Mercado['perdidos']> {
  return {
    topics: TOPICS,
    list: async (topic, offset) =>
      (await ml.missedFeeds(env().MERCADOLIBRE_CLIENT_ID, topic, offset)).map((notice) => ({ ...notice, topic })),
  };
}
