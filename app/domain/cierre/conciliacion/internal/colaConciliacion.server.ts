import { sql } from 'kysely';
import type { Cola } from '~/platform/hoy/cola';
import { countInSql } from '~/platform/hoy/countCosas.server';
import { DIA } from '~/platform/hoy/reloj';
import { ATRASADA, PENDIENTE } from '../listPorLiberar.server';
import { POR_IDENTIFICAR } from '../listSueltos.server';
import { CLASE_DE_SUELTO_LABEL } from '../suelto';
import { DEPOSITO_DIFIERE } from './difiere.server';

const PLAZOS = { aviso: 0, mal: 7 * DIA };

/** The queue of deposits that nobody has explained yet, and of reports that are late. */
export const depositosConDiferencia: Cola = {
  clave: 'depositosConDiferencia',
  titulo: 'Depósitos por conciliar',
  clase: 'dinero',
  icono: 'balanza',
  pantallas: ['conciliacion'],
  ver: 'Abrir Conciliación',
  // A late report is no row of the list.
  cuenta: ['pendiente', 'pendientes'],
  plazos: PLAZOS,
  necesita: 'ventas',
  frescoMs: 20_000,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select deposito.id::text as id, 'Depósito de ' || to_char(deposito.importe, 'FM$999,999,990.00') as titulo,
          case when abs(deposito.sin_explicar) > r.tolerancia then 'No se explican ' || to_char(abs(deposito.sin_explicar), 'FM$999,999,990.00')
               else 'Hay ventas con diferencia: la mayor es de ' || to_char(deposito.mayor, 'FM$999,999,990.00') end as detalle,
          'conciliacion?ver=' || deposito.id as a, deposito.fecha as desde, null::timestamptz as vence
        from deposito, conciliacion_regla r
        where ${DEPOSITO_DIFIERE} and deposito.motivo is null and deposito.reclamado_en is null and deposito.fecha > ${mirada.ahora}::timestamptz - interval '90 days'
        union all
        select 'reporte:' || p.id, 'Reporte de liquidación', coalesce(p.error, 'Se pidió y no ha llegado'), 'conciliacion', p.hasta, null
        from liquidacion_reporte p, conciliacion_regla r
        where p.estado <> 'leido' and exists (select from credential c where c.account = p.cuenta) and p.hasta > ${mirada.ahora}::timestamptz - interval '90 days' and p.hasta < ${mirada.ahora}::timestamptz - make_interval(days => r.dias)`,
      PLAZOS,
      mirada,
    ),
};

/** The queue of sales whose money the marketplace did not release on the day that it named. */
export const liberacionesAtrasadas: Cola = {
  clave: 'liberacionesAtrasadas',
  titulo: 'Dinero que no se liberó',
  clase: 'dinero',
  icono: 'balanza',
  pantallas: ['conciliacion'],
  ver: 'Ver lo que no se liberó',
  vistas: { conciliacion: '?por=liberar&vista=atrasadas&cuales=atrasadas' },
  plazos: PLAZOS,
  necesita: 'ventas',
  frescoMs: 20_000,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select orden.id::text as id, 'Orden ' || orden.num_orden as titulo,
          'Faltan ' || to_char(libro_venta.por_liberar, 'FM$999,999,990.00') as detalle,
          'conciliacion?por=liberar&q=' || orden.num_orden as a, orden.liberacion_en as desde, null::timestamptz as vence
        from libro_venta join orden on orden.id = libro_venta.orden_id
        where ${PENDIENTE} and ${ATRASADA}`,
      PLAZOS,
      mirada,
    ),
};

const QUE_ES = sql.join(
  Object.entries(CLASE_DE_SUELTO_LABEL).map(([clase, label]) => sql`when ${sql.lit(clase)} then ${sql.lit(label)}`),
  sql` `,
);

/** The queue of money in settlements that is of no sale here. A sale that was paid out and never came is among it, once its search ended. */
export const dineroSinIdentificar: Cola = {
  clave: 'dineroSinIdentificar',
  titulo: 'Dinero sin identificar',
  clase: 'dinero',
  icono: 'balanza',
  pantallas: ['conciliacion'],
  ver: 'Ver lo que falta identificar',
  vistas: { conciliacion: '?por=sueltos&vista=porIdentificar&cuales=porIdentificar&rango=todas' },
  plazos: PLAZOS,
  necesita: 'ventas',
  frescoMs: 20_000,
  mira: (db, mirada) =>
    countInSql(
      db,
      sql`select suelto.id::text as id, coalesce(suelto.numero, case suelto.clase ${QUE_ES} end) as titulo,
          case when suelto.numero is not null then case suelto.clase ${QUE_ES} end || ' · ' else '' end
            || case when suelto.importe < 0 then 'Se cobraron ' else 'Llegaron ' end || to_char(abs(suelto.importe), 'FM$999,999,990.00')
            || coalesce(' · ' || suelto.hallazgo, '') as detalle,
          'conciliacion?por=sueltos&vista=porIdentificar&cuales=porIdentificar&rango=todas&ver=' || suelto.id as a, suelto.hasta as desde, null::timestamptz as vence
        from suelto where ${POR_IDENTIFICAR}`,
      PLAZOS,
      mirada,
    ),
};
