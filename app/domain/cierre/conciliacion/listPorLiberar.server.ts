import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import type { Money } from '~/core/money';
import { MERCADOS } from '~/domain/mercados/mercados';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import { RECIBE_ESTIMADO } from '~/domain/ventas/libro/recibe.server';
import { contains, defineList } from '~/platform/lists/list.server';
import { estatusDeLiberacion } from './concepto';

/** The marketplace holds the money, and its reports go back to the day of the sale: of an older one nobody here can tell whether it was paid out. */
export const PENDIENTE = sql<boolean>`(libro_venta.por_liberar > 0 and not libro_venta.liquidada and exists (
  select from (select market, min(desde) as desde from liquidacion_reporte where estado = 'leido' group by market) r
  where r.market = orden.market and r.desde <= libro_venta.fecha))`;
/** The day that the marketplace named has passed, and a report that was read goes beyond it by the days that a release may take. */
export const ATRASADA = sql<boolean>`exists (
  select from (select market, max(hasta) as hasta from liquidacion_reporte where estado = 'leido' group by market) r
  where r.market = orden.market and r.hasta > orden.liberacion_en + make_interval(days => (select dias from conciliacion_regla)))`;
/** The day has passed, and no report that was read goes far enough to tell. */
const ESPERA = sql<boolean>`(coalesce(orden.liberacion_en < now(), false) and not ${ATRASADA})`;

/** 'Por liberar': the money of sales that a marketplace has and no settlement told yet, by the day on which it is to be released. */
export const porLiberarList = defineList({
  lista: 'conciliacion.porLiberar',
  titulo: 'Por liberar',
  todas: 'Todas',
  id: 'libroVenta.ordenId',
  idsGrow: true,
  filtro: z.object(listFields(['libera', 'fecha', 'monto'], 'libera')),
  cuales: { atrasadas: { nombre: 'Atrasadas', donde: ATRASADA } },
  sorts: {
    libera: sql`coalesce(orden.liberacion_en, 'infinity')`,
    fecha: sql.ref('libroVenta.fecha'),
    monto: sql.ref('libroVenta.porLiberar'),
  },
  enteros: (entero) => (entero.clase === 'numero' ? ordenesEnteras(entero) : undefined),
  matches(db, { q }, enteros) {
    const todas = db.selectFrom('libroVenta').innerJoin('orden', 'orden.id', 'libroVenta.ordenId').where(PENDIENTE);
    if (enteros) return todas.where(sql<boolean>`libro_venta.orden_id in (${enteros})`);
    return todas.$if(q !== '', (is) => is.where(contains('orden.busqueda', q)));
  },
  rows: (db) =>
    db
      .selectFrom('libroVenta')
      .innerJoin('orden', 'orden.id', 'libroVenta.ordenId')
      .select(['libroVenta.ordenId as id', 'orden.market', 'orden.numOrden', 'orden.titulo', 'libroVenta.fecha'])
      .select(['orden.liberacionEn as libera', ATRASADA.as('atrasada'), ESPERA.as('espera')])
      .select(RECIBE_ESTIMADO.as('estimado'))
      .select(sql<Money>`${sql.ref('libroVenta.porLiberar')}`.as('porLiberar')),
  totales: (ventas) => ventas.select(sql<string>`coalesce(sum(libro_venta.por_liberar), 0)`.as('porLiberar')),
  excel: {
    hoja: 'Por liberar',
    columnas: [
      { header: 'Se libera', tipo: 'fechaHora', valor: (venta) => venta.libera },
      { header: 'Fecha', tipo: 'fechaHora', valor: (venta) => venta.fecha },
      { header: 'Mercado', tipo: 'texto', ancho: 16, valor: (venta) => MERCADOS[venta.market].label },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (venta) => venta.numOrden },
      { header: 'Título', tipo: 'texto', ancho: 50, valor: (venta) => venta.titulo },
      { header: 'Por liberar', tipo: 'pesos', valor: (venta) => venta.porLiberar },
      { header: 'Estimado', tipo: 'texto', ancho: 10, valor: (venta) => (venta.estimado ? 'Sí' : 'No') },
      { header: 'Estatus', tipo: 'texto', ancho: 14, valor: estatusDeLiberacion },
    ],
  },
});
