import { sql } from 'kysely';
import { z } from 'zod';
import { readRango, type Rango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange } from '~/core/time';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import { ladosOfVentas } from '~/domain/compras/catalogo/retratos.server';
import { MERCADOS } from '~/domain/mercados/mercados';
import type { Db, Trx } from '~db/client.server';
import { nosToca } from './internal/colaReclamos.server';
import { ESTATUS_RECLAMO, recursoDe, tipoDe } from './reclamo';

const rows = (db: Db | Trx) =>
  db
    .selectFrom('reclamo')
    .leftJoin('orden', (on) =>
      on.onRef('orden.market', '=', 'reclamo.market').onRef('orden.marketId', '=', 'reclamo.ordenMarketId'),
    )
    .select([
      'reclamo.id',
      'reclamo.market',
      'reclamo.marketId',
      'reclamo.ordenMarketId',
      'reclamo.recurso',
      'reclamo.recursoId',
      'reclamo.estatus',
      'reclamo.tipo',
      'reclamo.etapa',
      'reclamo.responsable',
      'reclamo.titulo',
      'reclamo.venceEn',
      'reclamo.fecha',
      'reclamo.actualizadoEn',
      'orden.numOrden',
      'orden.id as ordenId',
    ]);

export type ReclamoRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

const COLUMNAS: ExcelColumn<ReclamoRow>[] = [
  { header: 'Fecha', tipo: 'fechaHora', valor: (reclamo) => reclamo.fecha },
  { header: 'Número de reclamo', tipo: 'texto', ancho: 16, valor: (reclamo) => reclamo.marketId },
  { header: 'Orden', tipo: 'texto', ancho: 20, valor: (reclamo) => reclamo.numOrden ?? reclamo.ordenMarketId },
  { header: 'Tienda', tipo: 'texto', ancho: 16, valor: (reclamo) => MERCADOS[reclamo.market].label },
  { header: 'Estatus', tipo: 'texto', ancho: 12, valor: (reclamo) => ESTATUS_RECLAMO[reclamo.estatus] },
  { header: 'Tipo', tipo: 'texto', ancho: 18, valor: (reclamo) => tipoDe(reclamo.tipo) },
  { header: 'Recurso', tipo: 'texto', ancho: 12, valor: (reclamo) => recursoDe(reclamo.recurso) },
  { header: 'Vence', tipo: 'fechaHora', valor: (reclamo) => reclamo.venceEn },
];

/** 'Reclamos': what waits for us comes first by its day, then what is open without one, and what ended last. */
export const reclamosList = defineList({
  lista: 'reclamos',
  titulo: 'Reclamos',
  todas: 'Todos',
  filtro: z
    .object({ ...listFields(['fecha', 'vence'], 'vence'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields) })),
  id: 'reclamo.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('reclamo.fecha'),
    vence: sql`case when reclamo.estatus = 'abierto' then coalesce(reclamo.vence_en, '9999-12-31') else 'infinity' end`,
  },
  rows,
  matches(db, { q, desde, hasta }) {
    const { from, to } = dayRange(desde, hasta);
    return (
      db
        .selectFrom('reclamo')
        // What has not ended is of every month.
        .where(sql<boolean>`(reclamo.estatus = 'abierto' or (reclamo.fecha >= ${from} and reclamo.fecha < ${to}))`)
        .$if(q !== '', (reclamos) => reclamos.where(contains('reclamo.busqueda', q)))
    );
  },
  cuales: {
    abiertos: { nombre: 'Abiertos', donde: sql<boolean>`reclamo.estatus = 'abierto'` },
    nuestros: { nombre: 'Nos tocan', donde: nosToca('reclamo') },
  },
  alLado: (db, reclamos) =>
    ladosOfVentas(
      db,
      'orden',
      reclamos.map(({ ordenId }) => ordenId),
    ),
  totales: (reclamos) =>
    reclamos.select(sql<number>`count(*) filter (where reclamo.estatus = 'abierto')`.as('abiertos')),
  excel: { hoja: 'Reclamos', sufijo: ({ desde, hasta }: Rango) => `${desde} a ${hasta}`, columnas: COLUMNAS },
});
