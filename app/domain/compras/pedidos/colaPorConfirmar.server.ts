import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';
import { POR_CONFIRMAR } from './pedido';

/** A sale that is not bought on its day does not leave on it. */
const PLAZOS = { aviso: 12 * HORA, mal: 24 * HORA };

/**
 * 'Ordenes por confirmar': what a supplier keeps for two days has its own clock, the rest is as old as its pedido. What went by letter waits for its supplier, and
 * for people after a day (`pedidosSinFolio`).
 */
export const porConfirmar: Cola = {
  clave: 'porConfirmar',
  titulo: 'Ordenes por confirmar',
  icono: 'confirmar',
  pantallas: ['ordenesPorConfirmar'],
  ver: 'Ver las ordenes por confirmar',
  plazos: PLAZOS,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select pedido.id::text as id, orden.titulo, proveedor.label || ' · ' || pedido.folio || ' · ' || pedido.num_orden as detalle,
          'ordenesPorConfirmar?ver=' || pedido.id as a, pedido.creado_en as desde, pedido.vence_en as vence
        from pedido join proveedor on proveedor.value = pedido.proveedor
          join orden on orden.id = (select l.orden_id from pedido_linea l where l.pedido_id = pedido.id order by l.posicion limit 1)
        where pedido.descartado_en is null and pedido.estado in (${sql.join(POR_CONFIRMAR.map((estado) => sql.lit(estado)))})
          and pedido.estado <> 'enviando' and not (pedido.estado = 'solicitado' and pedido.via = 'correo')`,
      PLAZOS,
      mirada,
    ),
};
