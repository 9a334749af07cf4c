import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import type { EstadoDeStock } from './pieza';

/** Returns, by the id of a piece, what lists leave out: its sale and product, the code of its supplier, its invoice's file, and its states in time. */
export async function datosDePiezas(db: Db | Trx, ids: readonly string[]) {
  const filas = await db
    .selectFrom('stockInterno')
    .leftJoin('orden', 'orden.id', 'stockInterno.ordenId')
    .leftJoin('producto', 'producto.id', 'stockInterno.productoId')
    .leftJoin('archivo', 'archivo.id', 'stockInterno.facturaId')
    .where('stockInterno.id', '=', sql<string>`any(${ids}::uuid[])`)
    .select([
      'stockInterno.id',
      'stockInterno.ordenId',
      'orden.market',
      'orden.marketId',
      'stockInterno.productoId',
      'stockInterno.proveedor',
      'producto.proveedor as productoProveedor',
      'producto.idProveedor',
      'stockInterno.facturaId',
      'archivo.tipo as facturaTipo',
      sql<string | null>`coalesce(${sql.ref('stockInterno.facturaNombre')}, ${sql.ref('archivo.nombre')})`.as(
        'facturaNombre',
      ),
      sql<
        { a: EstadoDeStock; en: string }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('a', m.a, 'en', m.en) order by m.id)
        from stock_movimiento m where m.pieza_id = stock_interno.id), '[]')`.as('estados'),
    ])
    .execute();
  return new Map(filas.map((fila) => [fila.id, fila]));
}
