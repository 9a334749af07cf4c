import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';

/** Time since the supplier invoiced. Suppliers give some days of credit: a reminder after a week, late after a month. */
const PLAZOS = { aviso: 7 * 24 * HORA, mal: 30 * 24 * HORA };

/** Pedidos that a supplier invoiced more than a week ago and that nobody paid. */
export const pedidosSinPago: Cola = {
  clave: 'pedidosSinPago',
  titulo: 'Pedidos sin pago',
  icono: 'archivos',
  pantallas: ['cotizaciones'],
  ver: 'Ver las cotizaciones',
  plazos: PLAZOS,
  necesita: 'productos',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select p.id::text as id,
          v.label || ' facturó ' || coalesce(p.factura_folio, p.folio_proveedor, p.folio) || ' y no tiene pago' as titulo,
          'Venta ' || p.num_orden as detalle,
          'cotizaciones?ver=' || (
            select l.orden_id from pedido_linea l where l.pedido_id = p.id order by l.posicion limit 1) as a,
          p.factura_en as desde, null::timestamptz as vence
        from pedido p join proveedor v on v.value = p.proveedor
        where p.estado in ('facturado', 'guiaEnviada', 'enviado')
          and p.factura_en <= ${mirada.ahora}::timestamptz - ${PLAZOS.aviso} * interval '1 ms'
          and p.factura_en >= ${mirada.ahora}::timestamptz - interval '91 days'
          and not exists (
            select from pedido_linea l join pago_orden po on po.orden_id = l.orden_id where l.pedido_id = p.id)`,
      PLAZOS,
      mirada,
    ),
};
