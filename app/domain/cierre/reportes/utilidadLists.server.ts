import { sql } from 'kysely';
import { z } from 'zod';
import type { Money } from '~/core/money';
import { currentMonth, readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { civilDay, dayRange, monthRange, nombreOfMes } from '~/core/time';
import { isMes } from '~/core/text';
import { defineList, type ExcelColumn } from '~/platform/lists/list.server';
import { ordenesOf, ordenesEnteras, type Ordenes } from '~/domain/ventas/ordenes/listOrdenes.server';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { recibeDe } from '~/domain/ventas/ordenes/recibe.server';
import type { Db, Trx } from '~db/client.server';

/** Sorts of the lists of profit. The rule of profit is the column `orden.utilidad` (migration 20261120_1700); these lists only show and add it. */
const SORTS = [
  'fecha',
  'orden',
  'pagado',
  'cancelado',
  'comision',
  'envio',
  'retencion',
  'factura',
  'utilidad',
  'proveedor',
] as const;

const cancelado = sql`case when ${sql.ref('orden.clase')} in ('cancelada', 'devuelta') then ${sql.ref('orden.pagadoAbs')} else 0 end`;

const sorts = {
  fecha: sql.ref('orden.fechaCreacion'),
  orden: sql`${sql.ref('orden.numOrden')} collate "C"`,
  pagado: sql.ref('orden.pagado'),
  cancelado,
  comision: sql.ref('orden.comision'),
  envio: sql.ref('orden.costoEnvio'),
  retencion: sql.ref('orden.retencion'),
  factura: sql.ref('orden.facturado'),
  utilidad: sql.ref('orden.utilidad'),
  proveedor: sql.ref('orden.proveedor'),
};

/**
 * Estimated profit of a sale whose profit is not known: with its suppliers' invoices while its marketplace has not told the commission, else from the prices of
 * its living pedidos. Null when nothing was ordered, or when a price is not known.
 */
const ESTIMADA = sql<Money | null>`case
  when ${sql.ref('orden.utilidad')} is not null then null
  when ${sql.ref('orden.facturasProveedor')} > 0 then round(${recibeDe('orden')} - ${sql.ref('orden.facturado')}, 2)
  when ${sql.ref('orden.clase')} not in ('cancelada', 'devuelta') then (
    select case when bool_and(l.precio is not null and (l.moneda = 'MXN' or l.tipo_cambio is not null)) then
      round(${recibeDe('orden')} - sum(l.cantidad * l.precio * case when l.moneda = 'MXN' then 1 else l.tipo_cambio end) * 1.16, 2) end
    from pedido_linea l join pedido p on p.id = l.pedido_id
    where l.orden_id = ${sql.ref('orden.id')} and p.estado not in ('borrador', 'cancelado', 'rechazado', 'vencido'))
  end`;

const rows = (db: Db | Trx) =>
  db.selectFrom('orden').select([
    'orden.id',
    'orden.market',
    'orden.numOrden',
    'orden.fechaCreacion',
    'orden.titulo',
    'orden.clase',
    'orden.pagado',
    'orden.comision',
    'orden.costoEnvio',
    'orden.retencion',
    'orden.facturado',
    'orden.facturasProveedor',
    'orden.utilidad',
    // Final once both are there: what the marketplace paid out, and the invoice of the supplier.
    sql<boolean>`${sql.ref('orden.utilidad')} is not null and ${sql.ref('orden.liquidado')} is not null`.as(
      'definitiva',
    ),
    ESTIMADA.as('estimada'),
    // People know a supplier by its name; a code that the catalogue lost is better than nothing.
    sql<
      string | null
    >`coalesce((select label from proveedor where value = lower(${sql.ref('orden.proveedor')})), ${sql.ref('orden.proveedor')})`.as(
      'proveedor',
    ),
    sql<Money>`${cancelado}`.as('cancelado'),
    sql<
      string | null
    >`(select string_agg(folio, ', ' order by fecha_creacion, id) from proveedor_factura where orden_id = ${sql.ref('orden.id')})`.as(
      'folios',
    ),
  ]);

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

const total = <const As extends string>(column: string, as: As) =>
  sql<string>`coalesce(sum(${sql.ref(column)}), 0)`.as(as);
const totales = [
  total('orden.pagado', 'pagado'),
  sql<string>`coalesce(sum(${cancelado}), 0)`.as('cancelado'),
  total('orden.comision', 'comision'),
  total('orden.costoEnvio', 'costoEnvio'),
  total('orden.retencion', 'retencion'),
  total('orden.facturado', 'facturado'),
  total('orden.utilidad', 'utilidad'),
] as const;

/** Tells how sure a profit is: settled, worked out from what is known so far, or unknown. */
const situacionOf = ({ definitiva, utilidad, estimada }: Pick<Row, 'definitiva' | 'utilidad' | 'estimada'>) =>
  definitiva ? 'Final' : utilidad === null && estimada === null ? 'Sin datos' : 'Estimada';

const columnas: ExcelColumn<Row>[] = [
  { header: 'Fecha', tipo: 'fechaHora', valor: (orden) => orden.fechaCreacion },
  { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (orden) => orden.numOrden },
  { header: 'Título', tipo: 'texto', ancho: 50, valor: (orden) => orden.titulo },
  { header: 'Clase', tipo: 'texto', ancho: 14, valor: (orden) => CLASE_LABEL[orden.clase] },
  { header: 'Monto pagado', tipo: 'pesos', valor: (orden) => orden.pagado },
  { header: 'Monto cancelado', tipo: 'pesos', valor: (orden) => orden.cancelado },
  { header: 'Comisión', tipo: 'pesos', valor: (orden) => orden.comision },
  { header: 'Costo envío', tipo: 'pesos', valor: (orden) => orden.costoEnvio },
  { header: 'Retención', tipo: 'pesos', valor: (orden) => orden.retencion },
  { header: 'Factura', tipo: 'pesos', valor: (orden) => (orden.facturasProveedor > 0 ? orden.facturado : null) },
  { header: 'Utilidad', tipo: 'pesos', valor: (orden) => orden.utilidad },
  { header: 'Situación', tipo: 'texto', ancho: 12, valor: situacionOf },
  { header: 'Utilidad estimada', tipo: 'pesos', valor: (orden) => orden.estimada },
  { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (orden) => orden.proveedor },
  { header: 'No. de factura', tipo: 'texto', ancho: 24, valor: (orden) => orden.folios },
];

const HOJA = 'Reporte Mensual';
const common = {
  id: 'orden.id',
  idsGrow: true,
  sorts,
  rows,
  totales: (ordenes: Ordenes) => ordenes.select([...totales]),
};

/** Filter by the code of a supplier; without it, all suppliers. */
const proveedor = z
  .string()
  .regex(/^[a-z0-9]{2,20}$/)
  .optional()
  .catch(undefined);

const deProveedor = (ordenes: Ordenes, codigo: string | undefined) =>
  codigo === undefined
    ? ordenes
    : ordenes.where(sql<boolean>`lower(${sql.ref('orden.proveedor')} collate "C") = ${codigo}`);

/** Returns the name of a period for the file: 'noviembre 2026' for a whole month, else its two days. */
function nombreOfRango(desde: string, hasta: string): string {
  const mes = desde.slice(0, 7);
  const { from, to } = monthRange(mes);
  const range = dayRange(desde, hasta);
  return range.from.getTime() === from.getTime() && range.to.getTime() === to.getTime()
    ? nombreOfMes(mes)
    : `${desde} a ${hasta}`;
}

/** 'Llenar reporte': the sales of a range. */
export const llenarReporteList = defineList({
  ...common,
  lista: 'llenarReporte',
  titulo: 'Llenar reporte',
  filtro: z
    .object({ ...listFields(SORTS, '-fecha'), ...rangoFields, proveedor })
    .transform((fields) => ({ ...fields, ...readRango(fields, currentMonth()) })),
  propios: { proveedor: (codigo) => `Proveedor: ${codigo}` },
  enteros: ordenesEnteras,
  matches: (db, { desde, hasta, q, proveedor: uno }, enteros) =>
    deProveedor(ordenesOf(db, dayRange(desde, hasta), q, enteros), uno),
  excel: { hoja: HOJA, columnas, sumas: true, sufijo: ({ desde, hasta }) => nombreOfRango(desde, hasta) },
});

/** 'Mensual': the sales of one month. */
export const mensualList = defineList({
  ...common,
  lista: 'mensual',
  titulo: 'Mensual',
  filtro: z
    .object({ ...listFields(SORTS, '-fecha'), mes: z.string().refine(isMes).optional().catch(undefined), proveedor })
    .transform((fields) => ({ ...fields, mes: fields.mes ?? civilDay(new Date()).slice(0, 7) })),
  propios: { mes: nombreOfMes, proveedor: (codigo) => `Proveedor: ${codigo}` },
  // The report of a month keeps its month, whatever is searched in it.
  matches: (db, { mes, q, proveedor: uno }) => deProveedor(ordenesOf(db, monthRange(mes), q, null), uno),
  excel: { hoja: HOJA, columnas, sumas: true, sufijo: ({ mes }) => nombreOfMes(mes) },
});
