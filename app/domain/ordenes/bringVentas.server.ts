import type { Fuente, Mercado } from '~/domain/mercados/mercado';
import type { Db } from '~db/client.server';
import { knownVentas } from './knownVentas.server';
import { saveVentas } from './saveVentas.server';

/** Reads sales by their id and writes them, whatever is known of them. Returns how many are ours. */
export async function bringVentas(
  db: Db,
  { market }: Pick<Fuente, 'market'>,
  mercado: Mercado,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const known = await knownVentas(db, market, ids);
  const now = new Date();
  const read = await Promise.all(ids.map((id) => mercado.readVenta(id, known.get(id), now)));
  const ventas = read.filter((venta) => venta !== null);
  await db.transaction().execute((trx) => saveVentas(trx, market, ventas));
  return ventas.length;
}

/**
 * Looks at a marketplace for a number nobody here knows yet, be it an order or a cart, and brings its sales. False when it is not there or
 * is not ours. Fails like the client when the marketplace cannot be asked.
 */
export async function bringNumero(db: Db, fuente: Fuente, numero: string, timeoutMs?: number): Promise<boolean> {
  const mercado = fuente.open(db, { timeoutMs });
  const ids = (await mercado.findNumero?.(numero)) ?? [];
  return (await bringVentas(db, fuente, mercado, ids)) > 0;
}
