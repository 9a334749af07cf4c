import { atOnce } from '~/core/atOnce';
import type { Fuente, Mercado } from '~/domain/mercados/mercado';
import type { VentaLeida } from '~/domain/mercados/venta';
import type { Db } from '~db/client.server';
import { knownVentas } from './internal/knownVentas.server';
import { saveVentas } from './internal/saveVentas.server';

/** Reads sales by their number at the marketplace and writes them. Returns how many are ours. Fails like the client when one cannot be read. */
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

/** A sale as `bringEach` left it: `venta` is null for a sale that is not ours, `error` is why it could not be read or written. */
export type Traida = { venta?: VentaLeida | null; error?: unknown };

/**
 * Reads sales by their number, `readers` at once, and writes all of them in one transaction, or one by one when that fails. A sale that fails holds back
 * no other.
 */
export async function bringEach(
  db: Db,
  { market }: Pick<Fuente, 'market'>,
  mercado: Mercado,
  ids: readonly string[],
  readers: number,
): Promise<Map<string, Traida>> {
  if (ids.length === 0) return new Map();
  const known = await knownVentas(db, market, ids);
  const now = new Date();
  const traidas = new Map(
    await atOnce(readers, ids, async (id): Promise<[string, Traida]> => {
      try {
        return [id, { venta: await mercado.readVenta(id, known.get(id), now) }];
      } catch (error) {
        return [id, { error }];
      }
    }),
  );
  const write = (ventas: VentaLeida[]) => db.transaction().execute((trx) => saveVentas(trx, market, ventas));
  const ventas = [...traidas.values()].flatMap(({ venta }) => venta ?? []);
  if (ventas.length === 0) return traidas;
  try {
    await write(ventas);
  } catch (error) {
    if (ventas.length === 1) traidas.set(ventas[0]!.marketId, { error });
    else
      for (const venta of ventas)
        await write([venta]).catch((one: unknown) => traidas.set(venta.marketId, { error: one }));
  }
  return traidas;
}

/**
 * Looks at a marketplace for a number that nobody here knows yet, of an order or of a cart, and brings its sales. Returns false when the number is not
 * there or not ours. Fails like the client when the marketplace cannot be asked.
 */
export async function bringNumero(db: Db, fuente: Fuente, numero: string, timeoutMs?: number): Promise<boolean> {
  const mercado = fuente.open(db, { timeoutMs });
  const ids = (await mercado.findNumero?.(numero)) ?? [];
  return (await bringVentas(db, fuente, mercado, ids)) > 0;
}
