import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { HORA } from '~/platform/hoy/reloj';

/** Ages after which a promotion below our floor is urgent: every sale of it loses meanwhile. */
const PLAZOS = { aviso: 1 * HORA, mal: 6 * HORA };

/** SQL: the promotions (`m`) that run, or are about to, and leave less than our floor. */
export const BAJO_EL_PISO = sql<boolean>`(m.bajo and m.corre_desde is not null)`;

/** The queue of listings that a promotion sells below our floor, or will. A promotion that begins later is another wait. */
export const promocionesBajoElPiso: Cola = {
  clave: 'promocionesBajoElPiso',
  titulo: 'Promociones bajo el piso',
  clase: 'dinero',
  icono: 'porcentaje',
  pantallas: ['publicaciones'],
  ver: 'Ver las publicaciones en promoción bajo el piso',
  vistas: { publicaciones: '?vista=bajoElPiso&cuales=bajoElPiso' },
  plazos: PLAZOS,
  necesita: 'ventas',
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`
        select max(m.id::text) as id, p.titulo,
          (array_agg(case when m.queda < 0 then 'Se perderían ' else 'Quedarían ' end || case when m.estima = '{}' then '' else '≈ ' end
            || to_char(abs(m.queda), 'FM$999,999,990.00') || coalesce(' a $' || to_char(m.precio, 'FM999,999,990.00'), '') || '. ' || m.nombre order by m.queda, m.id))[1] as detalle,
          'publicaciones?cuales=bajoElPiso&ver=' || p.id as a, min(m.corre_desde) as desde, null::timestamptz as vence
        from publicacion_promocion m join publicacion p on p.id = m.publicacion_id
        where ${BAJO_EL_PISO} and p.ausente_desde is null group by p.id, p.titulo`,
      PLAZOS,
      mirada,
    ),
};
