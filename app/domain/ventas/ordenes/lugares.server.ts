import type { Market } from '~/core/market';
import { fuenteOf, readDocumento } from '~/domain/mercados/registro.server';
import type { LugarDeArticulo } from '~/domain/mercados/venta';
import type { Db, Trx } from '~db/client.server';

/** Returns the names of the places from which a marketplace takes the pieces of a sale, by the position of the line. A store that we do not know goes by its number. */
export async function nombresDeLugares(
  db: Db | Trx,
  market: Market,
  lugares: readonly LugarDeArticulo[],
): Promise<Map<number, string[]>> {
  const nombres = new Map<number, string[]>();
  if (lugares.length === 0) return nombres;
  const lista = (await fuenteOf(market).almacenes?.read(db))?.lista ?? [];
  for (const { posicion, tienda, nodo } of lugares) {
    const suya = lista.find((one) => one.id === tienda || (tienda === null && one.nodo === nodo));
    const nombre = suya?.nombre ?? tienda ?? nodo;
    if (nombre !== null) nombres.set(posicion, [...new Set([...(nombres.get(posicion) ?? []), nombre])]);
  }
  return nombres;
}

/** Returns the names of the places from which a marketplace takes the pieces of these sales, each once. */
export async function lugaresDeOrdenes(db: Db | Trx, market: Market, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const ordenes = await db
    .selectFrom('orden')
    .select('datos')
    .where('id', 'in', [...ids])
    .orderBy('marketId')
    .execute();
  const lugares = ordenes.flatMap(({ datos }) => readDocumento(market, datos).lugares);
  return [...new Set([...(await nombresDeLugares(db, market, lugares)).values()].flat())];
}
