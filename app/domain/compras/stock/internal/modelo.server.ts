import { sql } from 'kysely';
import { PRODUCTO_DE_ARTICULO } from '~/domain/compras/catalogo/delArticulo.server';
import type { Db } from '~db/client.server';

/** Returns the model of a piece: of its product, or of the article it came back from where that product is not in the catalogue. Reads `stock_interno` and `producto`. */
export const modeloOfPieza = sql<string | null>`coalesce(producto.modelo, (
  select a.modelo from articulo a
  where stock_interno.producto_id is null and a.orden_id = stock_interno.orden_id and a.nombre = stock_interno.descripcion
  order by a.posicion limit 1))`.as('modelo');

/** Returns the products of pieces that came back before the catalogue had them, by piece: each is the one that the article of its sale names today. */
export async function productosOfPiezas(
  db: Db,
  piezas: readonly { id: string; productoId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = piezas.flatMap(({ id, productoId }) => (productoId === null ? [id] : []));
  if (ids.length === 0) return new Map();
  const filas = await db
    .selectFrom('stockInterno')
    .innerJoin('articulo', (join) =>
      join
        .onRef('articulo.ordenId', '=', 'stockInterno.ordenId')
        .onRef('articulo.nombre', '=', 'stockInterno.descripcion'),
    )
    .distinctOn('stockInterno.id')
    .select(['stockInterno.id', PRODUCTO_DE_ARTICULO.as('productoId')])
    .where('stockInterno.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('stockInterno.id')
    .orderBy('articulo.posicion')
    .execute();
  return new Map(filas.flatMap(({ id, productoId }) => (productoId === null ? [] : [[id, productoId]])));
}
