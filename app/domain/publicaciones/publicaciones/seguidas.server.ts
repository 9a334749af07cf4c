import { sql } from 'kysely';
import { caducada } from '~/domain/compras/catalogo/columnas.server';

/** Age of the sales that a supplier may still count in its stock. */
const DIAS_DE_VENTA = 15;

/** Condition over listings `p`: their price and stock are ours to tell. */
export const siguen = sql<boolean>`(p.auto_sync and p.ausente_desde is null and not p.stock_ajeno and p.variantes <= 1
  and p.estatus not in ('closed', 'under_review', 'inactive', 'CANCELLED', 'FATAL', 'errorXML', 'errorCreatedFeed'))`;

/** Condition over a product and its offer: the offer is too old to count, gone from the catalogue, or no longer sold. */
export const noCuenta = sql<boolean>`coalesce(${caducada} or producto.ausente_desde is not null or not producto.en_venta, true)`;

/** Sales of the product of a listing `p` that its supplier still counts: neither sent nor bought before the supplier told its stock. */
export const VENTAS_SIN_SURTIR = sql`from articulo a join orden o on o.id = a.orden_id
  where lower(a.sku) in (select lower(q.sku) from publicacion q where q.producto_id = p.producto_id and q.sku is not null)
    and o.clase = 'normal' and o.fecha_creacion > now() - make_interval(days => ${DIAS_DE_VENTA})
    and o.estatus not in ('enviado', 'entregado', 'enCamino', 'enSucursal', 'not_delivered', 'devuelto', 'enDevolucion', 'cancelado')
    and not exists (select from pedido_linea l join pedido d on d.id = l.pedido_id
      where l.orden_id = o.id and l.producto_id = p.producto_id and d.solicitado_en <= coalesce(oferta.existencia_en, oferta.leida_en))`;

/** Number of pieces of those sales. */
export const comprometidas = sql<number>`coalesce((select sum(a.cantidad)::int ${VENTAS_SIN_SURTIR}), 0)`;
