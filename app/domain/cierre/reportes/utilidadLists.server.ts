import { sql, type SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import type { Money } from '~/core/money';
import { currentMonth, readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { civilDay, dayRange, monthRange, nombreOfMes, type InstantRange } from '~/core/time';
import { isMes } from '~/core/text';
import { defineList, type ExcelColumn } from '~/platform/lists/list.server';
import { ordenesOf, ordenesEnteras, type Ordenes } from '~/domain/ventas/ordenes/listOrdenes.server';
import { CLASE_LABEL } from '~/domain/ventas/ordenes/orden';
import { SIN_PROVEEDOR } from './sinProveedor';
import { porqueOf } from '~/domain/ventas/libro/dinero';
import type { Db, Trx } from '~db/client.server';
import type { Certeza } from '~db/columns';
import type { DB } from '~db/types';

/** Sorts of the lists of profit. The ledger of a sale tells its profit (`libro_venta.queda`); these lists only show and add it. */
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
  comision: sql.ref('libroVenta.comision'),
  envio: sql.ref('libroVenta.envio'),
  retencion: sql.ref('libroVenta.retencion'),
  factura: sql.ref('orden.facturado'),
  utilidad: sql.ref('libroVenta.queda'),
  proveedor: sql.ref('orden.proveedor'),
};

/** Days after which what is estimated or unknown of a sale should have been told: the marketplace charged it, and its supplier sent the invoice. */
const SABER_DIAS = 10;
/** SQL: a sale that stands, and of which something should be known by now. */
export const FALTA_SABER = sql<boolean>`(libro_venta.certeza <> 'conocida' and libro_venta.fecha < now() - make_interval(days => ${sql.lit(SABER_DIAS)})
  and orden.clase not in ('cancelada', 'devuelta') and orden.pagado > 0)`;

/** SQL: what is left of a sale whose ledger is so sure of it; null of any other. */
const DE_CERTEZA = (certeza: Certeza) =>
  sql<Money | null>`case when ${sql.ref('libroVenta.certeza')} = ${sql.lit(certeza)} then ${sql.ref('libroVenta.queda')} end`;

/** SQL: what else the marketplace keeps or gives back, so that paid less the parts is what arrives: refunds, coupons and other charges. Null until the sale is reckoned. */
const OTROS = sql<Money | null>`(orden.pagado - libro_venta.comision - coalesce(libro_venta.envio, 0) - libro_venta.retencion - libro_venta.recibe)`;

const rows = (db: Db | Trx) =>
  db
    .selectFrom('orden')
    .innerJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
    .select([
      'orden.id',
      'orden.market',
      'orden.numOrden',
      'orden.fechaCreacion',
      'orden.titulo',
      'orden.clase',
      'orden.pagado',
      'libroVenta.comision',
      'libroVenta.envio as costoEnvio',
      'libroVenta.retencion',
      OTROS.as('otros'),
      'libroVenta.costo',
      'orden.facturado',
      'orden.facturasProveedor',
      DE_CERTEZA('conocida').as('utilidad'),
      DE_CERTEZA('estimada').as('estimada'),
      // Final once both are there: what the marketplace paid out, and the invoice of the supplier.
      sql<boolean>`${sql.ref('libroVenta.certeza')} = 'conocida' and ${sql.ref('libroVenta.liquidada')}`.as(
        'definitiva',
      ),
      'libroVenta.estima',
      'libroVenta.falta',
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

type ConLibro = SelectQueryBuilder<DB, 'orden' | 'libroVenta', Record<never, never>>;
type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

const total = <const As extends string>(column: string, as: As) =>
  sql<string>`coalesce(sum(${sql.ref(column)}), 0)`.as(as);
const DE_VENTAS = [
  total('orden.pagado', 'pagado'),
  sql<string>`coalesce(sum(${cancelado}), 0)`.as('cancelado'),
  total('orden.facturado', 'facturado'),
] as const;
const DE_LIBROS = [
  total('libroVenta.comision', 'comision'),
  total('libroVenta.envio', 'costoEnvio'),
  sql<number>`count(*) filter (where ${sql.ref('libroVenta.envio')} is null)::int`.as('sinEnvio'),
  total('libroVenta.retencion', 'retencion'),
  sql<string>`coalesce(sum(${DE_CERTEZA('conocida')}), 0)`.as('utilidad'),
  sql<number>`count(${DE_CERTEZA('conocida')})::int`.as('conUtilidad'),
  sql<string>`coalesce(sum(${DE_CERTEZA('estimada')}), 0)`.as('estimada'),
  sql<number>`count(${DE_CERTEZA('estimada')})::int`.as('conEstimada'),
] as const;

/** Returns the sums of a range that nothing narrows: sales and ledgers are read at once, each from its own index, where joining them costs as much again. */
async function sumRange(db: Db, { from, to }: InstantRange, corte: string | null) {
  const [ventas, libros] = await Promise.all([
    db
      .selectFrom('orden')
      .where('fechaCreacion', '>=', from)
      .where('fechaCreacion', '<', to)
      .$if(corte !== null, (is) => is.where('id', '<=', corte!))
      .select([...DE_VENTAS, sql<number>`count(*)::int`.as('registros')])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('libroVenta')
      .where('fecha', '>=', from)
      .where('fecha', '<', to)
      .$if(corte !== null, (is) => is.where('ordenId', '<=', corte!))
      .select([...DE_LIBROS])
      .executeTakeFirstOrThrow(),
  ]);
  return { ...ventas, ...libros };
}

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
  { header: 'Otros', tipo: 'pesos', valor: (orden) => orden.otros },
  { header: 'Costo', tipo: 'pesos', valor: (orden) => orden.costo },
  { header: 'Factura', tipo: 'pesos', valor: (orden) => (orden.facturasProveedor > 0 ? orden.facturado : null) },
  { header: 'Utilidad', tipo: 'pesos', valor: (orden) => orden.utilidad },
  { header: 'Situación', tipo: 'texto', ancho: 12, valor: situacionOf },
  { header: 'Utilidad estimada', tipo: 'pesos', valor: (orden) => orden.estimada },
  { header: 'Por qué', tipo: 'texto', ancho: 60, valor: (orden) => porqueOf(orden).join(' ') || null },
  { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (orden) => orden.proveedor },
  { header: 'No. de factura', tipo: 'texto', ancho: 24, valor: (orden) => orden.folios },
];

const HOJA = 'Reporte Mensual';
const PIERDEN = { nombre: 'Pierden dinero', donde: sql<boolean>`libro_venta.queda < 0` };
const common = {
  id: 'orden.id',
  idsGrow: true,
  sorts,
  rows,
  cuales: { pierden: PIERDEN },
  totales: (ordenes: ConLibro) => ordenes.select([...DE_VENTAS, ...DE_LIBROS]),
};

/** Filter by the code of a supplier; without it, all suppliers. */
const proveedor = z
  .string()
  .regex(/^[a-z0-9]{2,20}$/)
  .optional()
  .catch(undefined);

const nombreOfFiltro = (codigo: string) =>
  codigo === SIN_PROVEEDOR.value ? SIN_PROVEEDOR.label : `Proveedor: ${codigo}`;

/** Sales with their ledgers, of one supplier where one is asked for. Both sides name the range: the ledgers of a month are read from their own index. */
function withLibro(
  ordenes: Ordenes,
  { from, to }: InstantRange,
  enteros: unknown,
  codigo: string | undefined,
): ConLibro {
  const conLibro = ordenes
    .innerJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
    .$if(enteros === null, (is) => is.where('libroVenta.fecha', '>=', from).where('libroVenta.fecha', '<', to));
  if (codigo === undefined) return conLibro;
  return conLibro.where(
    codigo === SIN_PROVEEDOR.value
      ? sql<boolean>`not exists (select from proveedor where value = lower(${sql.ref('orden.proveedor')}))`
      : sql<boolean>`lower(${sql.ref('orden.proveedor')} collate "C") = ${codigo}`,
  );
}

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
  cuales: { pierden: PIERDEN, faltaSaber: { nombre: 'Falta saber', donde: FALTA_SABER, rango: 'ultimos91' } },
  filtro: z
    .object({ ...listFields(SORTS, '-fecha'), ...rangoFields, proveedor })
    .transform((fields) => ({ ...fields, ...readRango(fields, currentMonth()) })),
  propios: { proveedor: nombreOfFiltro },
  enteros: ordenesEnteras,
  contadas: (db, { desde, hasta, proveedor: uno }, corte) =>
    uno === undefined ? sumRange(db, dayRange(desde, hasta), corte) : undefined,
  matches: (db, { desde, hasta, q, proveedor: uno }, enteros) =>
    withLibro(ordenesOf(db, dayRange(desde, hasta), q, enteros), dayRange(desde, hasta), enteros, uno),
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
  propios: { mes: nombreOfMes, proveedor: nombreOfFiltro },
  contadas: (db, { mes, proveedor: uno }, corte) =>
    uno === undefined ? sumRange(db, monthRange(mes), corte) : undefined,
  // The report of a month keeps its month, whatever is searched in it.
  matches: (db, { mes, q, proveedor: uno }) =>
    withLibro(ordenesOf(db, monthRange(mes), q, null), monthRange(mes), null, uno),
  excel: { hoja: HOJA, columnas, sumas: true, sufijo: ({ mes }) => nombreOfMes(mes) },
});
