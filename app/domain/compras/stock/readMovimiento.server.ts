import type { Db } from '~db/client.server';

/** One movement of a piece, by its number; undefined when there is none. */
export function readMovimiento(db: Db, id: string) {
  return db
    .selectFrom('stockMovimiento')
    .innerJoin('stockInterno', 'stockInterno.id', 'stockMovimiento.piezaId')
    .where('stockMovimiento.id', '=', id as never)
    .select([
      'stockMovimiento.piezaId',
      'stockInterno.folio',
      'stockInterno.proveedor',
      'stockInterno.productoId',
      'stockInterno.ordenId',
      'stockMovimiento.ventaId',
      'stockMovimiento.de',
      'stockMovimiento.a',
      'stockMovimiento.en',
      'stockMovimiento.detalle',
    ])
    .executeTakeFirst();
}
