import { sql, type RawBuilder } from 'kysely';
import type { InstantRange } from '~/core/time';
import type { Db, Trx } from '~db/client.server';

type ArticuloLeido = {
  nombre: string;
  sku: string | null;
  cantidad: number;
  precioUnitario: string;
  comision: string;
};
type FacturaLeida = { proveedor: string; folio: string; monto: string };

/** Selects sales with their articulos, their shipment, their factura and their suppliers' invoices. Amounts inside a list are text. */
export function ordenesConTodo(db: Db | Trx) {
  return db
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .leftJoin('fiscalClaim', 'fiscalClaim.ordenId', 'orden.id')
    .leftJoin('factura', 'factura.id', 'fiscalClaim.facturaId')
    .select([
      'orden.id',
      'orden.market',
      'orden.marketId',
      'orden.numOrden',
      'orden.packId',
      'orden.fechaCreacion',
      'orden.titulo',
      'orden.estatus',
      'orden.marketStatus',
      'orden.tags',
      'orden.clase',
      'orden.pagado',
      'orden.pagadoAbs',
      'orden.comision',
      'orden.retencion',
      'orden.envioPropio',
      'orden.costoEnvio',
      'envio.marketId as envioMarketId',
      'envio.cobrado as envioCobrado',
      'envio.costo as envioCosto',
      'envio.estatus as envioEstatus',
      'factura.numOrden as facturaNumOrden',
      'factura.rfc as facturaRfc',
      sql<string | null>`factura.serie || '-' || factura.folio`.as('facturaFolio'),
      sql<
        ArticuloLeido[]
      >`coalesce((select jsonb_agg(jsonb_build_object('nombre', a.nombre, 'sku', a.sku, 'cantidad', a.cantidad,
        'precioUnitario', a.precio_unitario::text, 'comision', a.comision::text) order by a.posicion)
        from articulo a where a.orden_id = orden.id), '[]')`.as('articulos'),
      sql<
        FacturaLeida[]
      >`coalesce((select jsonb_agg(jsonb_build_object('proveedor', f.proveedor, 'folio', f.folio, 'monto', f.monto::text)
        order by f.fecha_creacion) from proveedor_factura f where f.orden_id = orden.id), '[]')`.as(
        'proveedorFacturas',
      ),
    ]);
}

export type OrdenConTodo = Awaited<ReturnType<ReturnType<typeof ordenesConTodo>['execute']>>[number];

/** Selects the sales of a range that meet a condition, the newest first. */
export const ordenesOfRango = (db: Db | Trx, { from, to }: InstantRange, condicion: RawBuilder<boolean> | null) =>
  ordenesConTodo(db)
    .where('orden.fechaCreacion', '>=', from)
    .where('orden.fechaCreacion', '<=', to)
    .$if(condicion !== null, (ordenes) => ordenes.where(condicion!))
    .orderBy('orden.fechaCreacion', 'desc')
    .orderBy('orden.id', 'desc');

/** Selects the sales of a number, which may be a cart's or an order's. */
export const ordenesOfNumero = (db: Db | Trx, numero: string) =>
  ordenesConTodo(db)
    .where((is) => is.or([is('orden.numOrden', '=', numero), is('orden.marketId', '=', numero)]))
    .orderBy('orden.fechaCreacion')
    .orderBy('orden.id')
    .limit(200)
    .execute();

/** Selects one sale by its id. */
export const ordenConTodo = (db: Db | Trx, id: string) =>
  ordenesConTodo(db).where('orden.id', '=', id).executeTakeFirst();
