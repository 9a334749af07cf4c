import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';
import { siguen, VENTAS_SIN_SURTIR } from '../seguidas.server';

/** Ages after which an oversale is urgent: the buyer has paid, and each hour fewer suppliers can still send in time. */
const PLAZOS = { aviso: 1 * HORA, mal: 4 * HORA };

/** The queue of products of which more was sold than their supplier has, by however many listings. Another sale of the product is another row. */
export const sobreventas: Cola = {
  clave: 'sobreventas',
  titulo: 'Vendido de más',
  clase: 'dinero',
  icono: 'alerta',
  pantallas: ['publicaciones'],
  ver: 'Ver las publicaciones con sobreventa',
  vistas: { publicaciones: '?vista=sobreventa&cuales=sobreventa' },
  plazos: PLAZOS,
  necesita: 'ventas',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select producto_id || ':' || extract(epoch from max(ultima))::bigint as id, (array_agg(titulo order by id))[1] as titulo,
          case when max(sobreventa) = 1 then 'Falta 1 pieza' else 'Faltan ' || max(sobreventa) || ' piezas' end || coalesce(' de ' || max(label), '') as detalle,
          'publicaciones?cuales=sobreventa&ver=' || (array_agg(id order by id))[1] as a, max(ultima) as desde, null::timestamptz as vence
        from (
          select p.id, p.producto_id, p.titulo, p.sobreventa, proveedor.label,
            coalesce((select max(o.fecha_creacion) ${VENTAS_SIN_SURTIR}), p.leida_en) as ultima
          from publicacion p left join oferta on oferta.producto_id = p.producto_id left join proveedor on proveedor.value = p.proveedor
          where p.sobreventa > 0 and ${siguen}) una
        group by producto_id`,
      PLAZOS,
      mirada,
    ),
};
