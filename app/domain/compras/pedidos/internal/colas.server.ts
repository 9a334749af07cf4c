import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { EN_EL_PROVEEDOR } from '../pedido';
import { PLAZOS_CON_VENTA_CANCELADA, PLAZOS_POR_CONFIRMAR, SIN_FOLIO } from './plazos';
import { SIN_CONFIRMAR, sinFolio } from './esperan.server';

/**
 * Sales that were cancelled or returned after something was bought for them. The pedido has to be cancelled with the supplier in time, else the goods
 * come back to us. A pedido that lapses keeps its own clock.
 */
export const canceladasConPedido: Cola = {
  clave: 'canceladasConPedido',
  titulo: 'Ventas canceladas con pedido',
  clase: 'dinero',
  icono: 'ordenCancelada',
  pantallas: ['ordenes', 'ordenesActivas'],
  ver: '',
  plazos: PLAZOS_CON_VENTA_CANCELADA,
  necesita: 'ventas',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select p.id::text as id, (array_agg(o.titulo order by o.market_id))[1] as titulo,
          p.num_orden || ' · ' || min(v.label) || ' ' || coalesce(p.folio_proveedor, p.folio) ||
            case when p.estado = 'solicitado' and p.vence_en is not null
              then ' · vence solo si nadie lo confirma' else ' · cancélalo con el proveedor' end as detalle,
          'ordenes?ver=' || min(o.id::text) as a, max(coalesce(o.cambio_en, o.actualizada_en)) as desde,
          p.vence_en as vence
        from pedido p
        join proveedor v on v.value = p.proveedor
        join pedido_linea l on l.pedido_id = p.id
        join orden o on o.id = l.orden_id
        where p.estado in (${sql.join(EN_EL_PROVEEDOR.map((estado) => sql.lit(estado)))})
        group by p.id
        having bool_or(o.estatus = 'cancelado' or o.clase in ('cancelada', 'devuelta')
          or (o.situacion in ('cancelada', 'devuelta') and not o.conservada))`,
      PLAZOS_CON_VENTA_CANCELADA,
      mirada,
    ),
};

/** Pedidos sent by letter whose folio the supplier has not told after a day. A letter does not tell whether it was read. */
export const pedidosSinFolio: Cola = {
  clave: 'pedidosSinFolio',
  titulo: 'Pedidos sin folio',
  clase: 'comprador',
  icono: 'confirmar',
  pantallas: ['ordenesPorConfirmar'],
  ver: 'Ver los pedidos sin folio',
  vistas: { ordenesPorConfirmar: '?vista=sinFolio&cuales=sinFolio' },
  plazos: SIN_FOLIO,
  necesita: 'productos',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select pedido.id::text as id, proveedor.label || ' no ha dado el folio de ' || pedido.folio as titulo,
          'Venta ' || pedido.num_orden as detalle, 'ordenesPorConfirmar?ver=' || pedido.id as a,
          pedido.solicitado_en as desde, null::timestamptz as vence
        from pedido join proveedor on proveedor.value = pedido.proveedor
        where pedido.descartado_en is null and ${sinFolio(sql`${mirada.ahora}::timestamptz`)}`,
      SIN_FOLIO,
      mirada,
    ),
};

/**
 * 'Ordenes por confirmar'. A pedido that lapses has its own deadline; others are as old as they are. A pedido that went by letter waits for its
 * supplier, and after a day for people (`pedidosSinFolio`).
 */
export const porConfirmar: Cola = {
  clave: 'porConfirmar',
  titulo: 'Ordenes por confirmar',
  clase: 'comprador',
  icono: 'confirmar',
  pantallas: ['ordenesPorConfirmar'],
  ver: 'Ver las ordenes por confirmar',
  vistas: { ordenesPorConfirmar: '?vista=porConfirmar&cuales=porConfirmar' },
  lote: { lista: 'ordenesPorConfirmar', hacer: ['confirmarPedidos'] },
  plazos: PLAZOS_POR_CONFIRMAR,
  necesita: 'productos',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select pedido.id::text as id, orden.titulo,
          proveedor.label || ' · ' || pedido.folio || ' · ' || pedido.num_orden as detalle,
          'ordenesPorConfirmar?ver=' || pedido.id as a, pedido.creado_en as desde, pedido.vence_en as vence
        from pedido
        join proveedor on proveedor.value = pedido.proveedor
        join orden on orden.id = (
          select l.orden_id from pedido_linea l where l.pedido_id = pedido.id order by l.posicion limit 1)
        where pedido.descartado_en is null and ${SIN_CONFIRMAR}`,
      PLAZOS_POR_CONFIRMAR,
      mirada,
    ),
};
