import { sql } from 'kysely';
import type { Cola } from '~/domain/hoy/cola';
import { contarEnSql } from '~/domain/hoy/contar.server';
import { HORA } from '~/domain/hoy/reloj';

const PLAZOS = { aviso: 0, mal: 4 * HORA };

/** Sales that ended after something was bought for them: cancel it with the supplier while that can be done, else it comes back to us. An order that lapses has its own clock. */
export const canceladasConPedido: Cola = {
  clave: 'canceladasConPedido',
  titulo: 'Ventas canceladas con pedido',
  icono: 'ordenCancelada',
  pantallas: ['ordenes', 'ordenesActivas'],
  ver: 'Ver las ordenes',
  plazos: PLAZOS,
  mira: (db, mirada) =>
    contarEnSql(
      db,
      sql`select p.id::text as id, (array_agg(o.titulo order by o.market_id))[1] as titulo,
          p.num_orden || ' · ' || min(v.label) || ' ' || coalesce(p.folio_proveedor, p.folio) ||
            case when p.estado = 'solicitado' and p.vence_en is not null then ' · vence solo si nadie lo confirma' else ' · cancélalo con el proveedor' end as detalle,
          'ordenes?ver=' || min(o.id::text) as a, max(coalesce(o.cambio_en, o.actualizada_en)) as desde, p.vence_en as vence
        from pedido p join proveedor v on v.value = p.proveedor join pedido_linea l on l.pedido_id = p.id join orden o on o.id = l.orden_id
        where p.estado in ('enviando', 'incierto', 'solicitado', 'confirmado', 'facturado', 'guiaEnviada')
        group by p.id having bool_or(o.estatus = 'cancelado' or o.situacion in ('cancelada', 'devuelta') or o.clase in ('cancelada', 'devuelta'))`,
      PLAZOS,
      mirada,
    ),
};
