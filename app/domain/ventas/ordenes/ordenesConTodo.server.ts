import { sql, type RawBuilder } from 'kysely';
import type { InstantRange } from '~/core/time';
import type { Db, Trx } from '~db/client.server';
import { COTIZACION } from './listOrdenes.server';

type ArticuloLeido = {
  itemId: string | null;
  tasaIva: string;
  importe: string;
  nombre: string;
  sku: string | null;
  cantidad: number;
  precioUnitario: string;
  comision: string | null;
};
type FacturaLeida = { _id: string; proveedor: string; folio: string; monto: string };
/** A payment of the buyer, by the names of Mercado Libre. */
type PagoLeido = {
  id: string;
  operation_type: string | null;
  status: string | null;
  payment_method_id: string | null;
  transaction_amount: number | null;
};
type PedidoLeido = {
  proveedor: string;
  idPedido: string;
  error: string | null;
  folioFactura: string | null;
  pedidoWeb: string | null;
  estatus: string;
};
type PagoDeProveedor = { _id: string; folio: string; proveedor: string };

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
      'orden.formaPago',
      'orden.compradorId',
      'orden.comprador',
      'orden.envioAdicional',
      COTIZACION.as('cotizacion'),
      'envio.marketId as envioMarketId',
      'envio.cobrado as envioCobrado',
      'envio.costo as envioCosto',
      'envio.estatus as envioEstatus',
      'factura.numOrden as facturaNumOrden',
      'factura.rfc as facturaRfc',
      sql<string | null>`factura.serie || '-' || factura.folio`.as('facturaFolio'),
      sql<
        ArticuloLeido[]
      >`coalesce((select jsonb_agg(jsonb_build_object('nombre', a.nombre, 'sku', a.sku, 'cantidad', a.cantidad, 'itemId', a.item_id,
        'importe', a.importe::text, 'tasaIva', a.tasa_iva::text,
        'precioUnitario', a.precio_unitario::text, 'comision', a.comision::text) order by a.posicion)
        from articulo a where a.orden_id = orden.id), '[]')`.as('articulos'),
      sql<
        FacturaLeida[]
      >`coalesce((select jsonb_agg(jsonb_build_object('_id', f.id, 'proveedor', f.proveedor, 'folio', f.folio, 'monto', f.monto::text)
        order by f.fecha_creacion) from proveedor_factura f where f.orden_id = orden.id), '[]')`.as(
        'proveedorFacturas',
      ),
      sql<
        PagoLeido[]
      >`coalesce((select jsonb_agg(jsonb_build_object('id', p ->> 'id', 'operation_type', p ->> 'operation_type',
        'status', p ->> 'status', 'payment_method_id', p ->> 'payment_method_id', 'transaction_amount', p -> 'transaction_amount'))
        from jsonb_array_elements(case jsonb_typeof(orden.datos -> 'payments') when 'array' then orden.datos -> 'payments' end) p), '[]')`.as(
        'pagos',
      ),
      sql<PedidoLeido[]>`coalesce((select jsonb_agg(jsonb_build_object('proveedor', p.proveedor, 'idPedido', p.folio,
        'error', coalesce(p.errores[1], case when p.estado = 'rechazado' then coalesce(p.detalle, p.motivo) end),
        'folioFactura', p.factura_folio, 'pedidoWeb', p.folio_proveedor, 'estatus', p.estado) order by p.numero)
        from pedido p where p.id in (select l.pedido_id from pedido_linea l where l.orden_id = orden.id)), '[]')`.as(
        'pedidos',
      ),
      sql<
        PagoDeProveedor[]
      >`coalesce((select jsonb_agg(jsonb_build_object('_id', p.id, 'folio', p.folio, 'proveedor', p.proveedor)
        order by p.creado_en, p.id) from pago_orden po join pago p on p.id = po.pago_id where po.orden_id = orden.id), '[]')`.as(
        'proveedorPagos',
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
