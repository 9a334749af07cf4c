import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import { EN_ESPERA, PAGADA_SIN_ENTREGAR, ULTIMA_DECISION } from '../devueltas.server';

const PLAZOS = { aviso: 3 * DIA, mal: 15 * DIA };

/** The queue of sales that the marketplace paid us though they were not fulfilled: somebody says whether the money is ours. */
export const pagadasSinEntregar: Cola = {
  clave: 'pagadasSinEntregar',
  titulo: 'Pagadas y no entregadas',
  icono: 'ordenCancelada',
  pantallas: ['ordenesCanceladas'],
  ver: 'Ver las que esperan una decisión',
  vistas: { ordenesCanceladas: '?vista=porDecidir&cuales=porDecidir&rango=todas' },
  plazos: PLAZOS,
  necesita: 'ventas',
  frescoMs: 20_000,
  mira: (db, mirada) =>
    countInSql(
      db,
      // A sale that is asked about again is another wait.
      sql`select orden.id::text || coalesce(':' || d.id, '') as id, orden.titulo,
          orden.num_orden || ' · se recibieron ' || to_char(orden.liquidado, 'FM$999,999,990.00') as detalle,
          'ordenesCanceladas?vista=porDecidir&cuales=porDecidir&rango=todas&ver=' || orden.id as a,
          coalesce(d.hasta::timestamptz, conciliacion.fecha, orden.fecha_creacion) as desde, null::timestamptz as vence
        from orden ${ULTIMA_DECISION} left join conciliacion on conciliacion.orden_id = orden.id
        where orden.en_pie > 0 and ${PAGADA_SIN_ENTREGAR} and not ${EN_ESPERA}`,
      PLAZOS,
      mirada,
    ),
};
