import { Refused } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import type { Db } from '~db/client.server';
import { bringOrdenes } from './inbox.server';

/**
 * Looks at Mercado Libre for a number nobody here knows yet, be it an order or a cart, and brings its sales. False when it is not there or
 * is not ours. Fails like the client when the marketplace cannot be asked.
 */
export async function bringNumero(db: Db, ml: Mercadolibre, numero: string): Promise<boolean> {
  if (!/^\d{10,20}$/.test(numero)) return false;
  const pack = await orNothing(ml.getPack(numero));
  const order = pack ? undefined : await orNothing(ml.getOrder(numero));
  const ids = pack?.orders.map(({ id }) => id) ?? (order ? [order.doc.id] : []);
  // The other orders of a cart hang on the same number.
  const cart = order?.doc.pack_id ? await orNothing(ml.getPack(order.doc.pack_id)) : undefined;
  return (await bringOrdenes(db, ml, [...new Set([...ids, ...(cart?.orders.map(({ id }) => id) ?? [])])])) > 0;
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
