import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

/** Returns, by the id of a product, the facts that no list shows: our limit of pieces, its page at the supplier, and when it came and last changed. */
export async function datosDeProductos(db: Db | Trx, ids: readonly string[]) {
  const filas = await db
    .selectFrom('producto')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .where('producto.id', '=', sql<string>`any(${ids}::uuid[])`)
    .select([
      'producto.id',
      'producto.productoMaximo',
      'producto.link',
      'producto.creadoEn',
      sql<Date>`greatest(producto.cambiado_en, oferta.leida_en)`.as('actualizadoEn'),
    ])
    .execute();
  return new Map(filas.map((fila) => [fila.id, fila]));
}
