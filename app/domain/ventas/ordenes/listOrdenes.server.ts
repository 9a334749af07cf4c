import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { currentMonth, nombreOfRango, readRango, searchWords, type ListFilter, type Rango } from '~/core/list';
import { TODAS } from '~/core/periodo';
import { listFields, rangoFields } from '~/core/listFields';
import { diezDigitosOf } from '~/core/telefono';
import { addDays, civilDay, spanRange, type InstantRange } from '~/core/time';
import type { Identificador } from '~/core/identificador';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import type { Db, Trx } from '~db/client.server';
import type { DB } from '~db/types';
import type { ReglaFactura } from '~db/columns';
import { numeroOfEnvio } from '~/domain/ventas/envios/envio';
import { DIAS_ACTIVAS } from './activas';
import { ACORDADA, estatusLabel, estatusVisible } from './estatus';
import { ladosOfOrdenes } from './lados.server';
import { CLASE_LABEL, type Clase } from './orden';
import { POR_DECIDIR } from './devueltas.server';
import { ATORADA, POR_ENVIAR } from './internal/porEnviar.server';
import { MARKETS } from '~/core/market';

/** Columns by which every list of sales can be sorted. A list that is spread from `common` has them all. */
export const SORTS = ['fecha', 'orden', 'titulo', 'pagado'] as const;

/** Returns the schema of the query string of a list of sales. `byDefault` gives the range of days where the address names none. */
export const filterOf = (byDefault: () => Rango) =>
  z
    .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
    .transform((fields) => ({ ...fields, ...readRango(fields, byDefault()) }));

const sorts = {
  fecha: sql.ref('orden.fechaCreacion'),
  orden: sql`${sql.ref('orden.numOrden')} collate "C"`,
  titulo: sql.ref('orden.titulo'),
  pagado: sql.ref('orden.pagado'),
};

/** A query that chooses sales, without columns yet. */
export type Ordenes = SelectQueryBuilder<DB, 'orden', Record<never, never>>;

/**
 * SQL: whether a sale holds the words of a search. What can be read as a telephone is looked for as its ten digits, as the sale keeps one. Written without
 * spaces it is looked for as it stands too: half a number of Amazon has ten digits as well. Groups of digits alone would be in thousands of numbers of sales.
 * `todas` as in `contains`.
 */
export function holdsWords(q: string, options?: { todas: boolean }): RawBuilder<boolean> {
  const telefono = diezDigitosOf(q);
  const dichas = contains('orden.busqueda', q, options);
  if (telefono === null || telefono === q) return dichas;
  const marcado = contains('orden.busqueda', telefono);
  return searchWords(q).length > 1 ? marcado : sql`(${dichas} or ${marcado})`;
}

/**
 * Chooses the sales of a range of days that hold the words of a search: in their number or title, in what tells of their buyer, in the folio, RFC or legal name
 * of what invoices them, or in a folio of their suppliers. `enteros` outranks range and words: the sales that a whole identifier names are found whatever their day.
 */
export function inRange(db: Db | Trx, { q, desde, hasta }: ListFilter & Rango, enteros: RawBuilder<unknown> | null) {
  return ordenesOf(db, spanRange(desde, hasta), q, enteros);
}

/** Chooses sales like `inRange`, between two instants. */
export function ordenesOf(
  db: Db | Trx,
  { from, to }: InstantRange,
  q: string,
  enteros: RawBuilder<unknown> | null,
): Ordenes {
  const ordenes: Ordenes = db.selectFrom('orden');
  if (enteros) return ordenes.where(sql<boolean>`orden.id in (${enteros})`);
  const enRango = ordenes.where('orden.fechaCreacion', '>=', from).where('orden.fechaCreacion', '<', to);
  return q === '' ? enRango : enRango.where(holdsWords(q));
}

/**
 * Returns SQL for the ids of the sales that a whole identifier names: their number, the RFC or folio of their factura, or a folio of their suppliers. A
 * number is looked for in its own indices: its digits are in every other number, so trigrams would find all of them first.
 */
export function ordenesEnteras(entero: Identificador): RawBuilder<unknown> {
  const { clase, texto } = entero;
  const deProveedor = sql`select orden_id as id from proveedor_factura where lower(folio) = lower(${texto})`;
  switch (clase) {
    case 'numero':
      return sql`select id from orden where num_orden = ${texto} union select id from orden where market in (${sql.join(MARKETS)}) and market_id = ${texto}`;
    case 'rfc':
      return sql`select id from orden where ${contains('orden.busqueda', texto)}`;
    case 'documento':
      return sql`select fo.orden_id as id from factura f join factura_orden fo on fo.factura_id = f.id where f.serie = ${entero.serie} and f.folio = ${entero.folio} union ${deProveedor}`;
    case 'folio':
      return deProveedor;
  }
}

/** SQL over `orden` for the folio of the supplier's quotation or order: a living pedido tells it, else a person did. */
export const COTIZACION = sql<string | null>`coalesce(
  (select string_agg(distinct p.folio_proveedor, ', ') from pedido_linea l join pedido p on p.id = l.pedido_id
    where l.orden_id = orden.id and p.folio_proveedor is not null and p.estado not in ('cancelado', 'rechazado', 'vencido')),
  (select c.folio from cotizacion c where c.orden_id = orden.id))`;
/** SQL over `orden` for the number of payments to its suppliers. */
export const PAGOS = sql<number>`(select count(*)::int from pago_orden po where po.orden_id = orden.id)`;
/** SQL over `orden`: a payment to its suppliers has a file. */
export const CON_ARCHIVOS = sql<boolean>`exists (
  select from pago_orden po join pago_archivo pa on pa.pago_id = po.pago_id where po.orden_id = orden.id)`;

/** Selects what every list of sales shows of a sale: the sale itself, its shipment, and the factura that holds it now. */
export const rows = (db: Db | Trx) =>
  db
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .leftJoin('fiscalClaim', 'fiscalClaim.ordenId', 'orden.id')
    .leftJoin('factura', 'factura.id', 'fiscalClaim.facturaId')
    .leftJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
    .select(['libroVenta.queda', 'libroVenta.certeza'])
    .select([
      'orden.id',
      'orden.market',
      'orden.numOrden',
      'orden.packId',
      'orden.fechaCreacion',
      'orden.titulo',
      'orden.pagado',
      'orden.pagadoAbs',
      'orden.estatus',
      'orden.acordada',
      'orden.clase',
      'orden.situacion',
      'orden.meliResale',
      'orden.facturado',
      'orden.comprador',
      'envio.marketId as envio',
      'envio.estatus as envioEstatus',
      'envio.subestatus as envioSubestatus',
      'fiscalClaim.kind as reclamada',
      'factura.id as facturaId',
      'factura.rfc',
      sql<string | null>`${sql.ref('factura.serie')} || '-' || ${sql.ref('factura.folio')}`.as('folio'),
      sql<FacturaDeProveedor[]>`coalesce((
      select jsonb_agg(jsonb_build_object('folio', f.folio, 'linkFactura', p.link_factura, 'reglaFactura', p.regla_factura, 'sufijoFactura', p.sufijo_factura) order by f.fecha_creacion)
      from proveedor_factura f join proveedor p on p.value = f.proveedor where f.orden_id = orden.id), '[]')`.as(
        'proveedorFacturas',
      ),
      COTIZACION.as('cotizacion'),
      PAGOS.as('pagos'),
      CON_ARCHIVOS.as('conArchivos'),
      sql<(string | null)[]>`array(select distinct lower(a.proveedor) from articulo a where a.orden_id = orden.id)`.as(
        'proveedores',
      ),
    ]);

/** Returns the row of one sale; undefined when no sale has that id. */
export async function readFila(db: Db | Trx, id: string) {
  return rows(db).where('orden.id', '=', id).executeTakeFirst();
}

/** Returns the row of a sale by either of its numbers; of a cart, the row of its first order. */
export async function readFilaOfNumero(db: Db | Trx, numOrden: string) {
  return rows(db)
    .where((is) => is.or([is('orden.numOrden', '=', numOrden), is('orden.marketId', '=', numOrden)]))
    .orderBy('orden.fechaCreacion')
    .orderBy('orden.marketId')
    .limit(1)
    .executeTakeFirst();
}

/** A supplier's invoice in a row of a list: its folio, and how the address of its page is made. */
type FacturaDeProveedor = {
  folio: string;
  linkFactura: string | null;
  reglaFactura: ReglaFactura;
  sufijoFactura: string | null;
};

/** A row of a list of sales, in pesos. */
export type OrdenRow = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

/** Returns the code of the state that a list shows of a sale. */
export const estatusOf = (orden: Pick<OrdenRow, 'market' | 'estatus' | 'envioEstatus' | 'envioSubestatus'>): string =>
  estatusVisible(
    orden,
    orden.envioEstatus === null ? null : { estatus: orden.envioEstatus, subestatus: orden.envioSubestatus },
  );

/** The columns of a sale in Excel. Each list picks its own, in its own order. */
export const COLUMNAS = {
  fecha: { header: 'Fecha', tipo: 'fechaHora', valor: (orden) => orden.fechaCreacion },
  numero: { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (orden) => orden.numOrden },
  titulo: { header: 'Título', tipo: 'texto', ancho: 60, valor: (orden) => orden.titulo },
  paquete: { header: 'Paquete', tipo: 'texto', ancho: 20, valor: (orden) => orden.packId },
  cotizacion: { header: 'Cotización', tipo: 'texto', ancho: 20, valor: (orden) => orden.cotizacion },
  envio: {
    header: 'Envío',
    tipo: 'texto',
    ancho: 16,
    valor: ({ envio, acordada }) => (envio === null ? (acordada ? ACORDADA : null) : numeroOfEnvio(envio)),
  },
  pagado: { header: 'Monto Pagado', tipo: 'pesos', ancho: 14, valor: (orden) => orden.pagado },
  cancelado: { header: 'Monto cancelado', tipo: 'pesos', ancho: 16, valor: (orden) => orden.pagadoAbs },
  queda: { header: 'Queda', tipo: 'pesos', ancho: 14, valor: (orden) => orden.queda },
  certeza: { header: 'Certeza', tipo: 'texto', ancho: 14, valor: (orden) => orden.certeza },
  estatus: { header: 'Estatus', tipo: 'texto', ancho: 18, valor: (orden) => estatusLabel(estatusOf(orden)) },
  clase: { header: 'Clase', tipo: 'texto', ancho: 16, valor: (orden) => CLASE_LABEL[orden.clase] },
  factura: { header: 'Factura de cliente', tipo: 'texto', ancho: 18, valor: (orden) => orden.folio ?? 'No Facturado' },
  rfc: { header: 'RFC', tipo: 'texto', ancho: 16, valor: (orden) => orden.rfc },
  proveedor: {
    header: 'Facturas de proveedores',
    tipo: 'texto',
    ancho: 26,
    valor: (orden) => orden.proveedorFacturas.map(({ folio }) => folio).join(', '),
  },
  facturado: { header: 'Total de proveedores', tipo: 'pesos', ancho: 18, valor: (orden) => orden.facturado },
} as const satisfies Record<string, ExcelColumn<OrdenRow>>;

const sufijo = nombreOfRango;
/** The parts that all lists of sales share. A list of another noun that shows sales is spread from them too. */
export const common = {
  id: 'orden.id',
  idsGrow: true,
  sorts,
  rows,
  enteros: ordenesEnteras,
  // Programs are told the folio alone: the page that shows an invoice is for who looks at a screen.
  lineas: {
    proveedorFacturas: sql`coalesce((
      select jsonb_agg(jsonb_build_object('folio', f.folio) order by f.fecha_creacion) from proveedor_factura f where f.orden_id = fila.id), '[]')`,
  },
};

/** 'Ordenes': every sale of a range. */
export const ordenesList = defineList({
  ...common,
  alLado: ladosOfOrdenes,
  lista: 'ordenes',
  titulo: 'Ordenes',
  filtro: filterOf(currentMonth),
  matches: inRange,
  cuales: {
    sinFacturar: {
      nombre: 'Sin facturar',
      donde: sql<boolean>`orden.clase not in ('cancelada', 'devuelta') and not orden.meli_resale
        and not exists (select from fiscal_claim claim where claim.orden_id = orden.id)`,
    },
    porEnviar: { nombre: 'Por enviar hoy', donde: POR_ENVIAR, rango: 'ultimos91' },
    conProblema: { nombre: 'Con problema', donde: sql<boolean>`orden.clase <> 'normal'` },
    pierdenDinero: {
      nombre: 'Pierden dinero',
      donde: sql<boolean>`exists (select from libro_venta l where l.orden_id = orden.id and l.queda < 0)`,
    },
  },
  totales: (ordenes) =>
    ordenes.select([
      sql<string>`coalesce(sum(${sql.ref('orden.pagado')}), 0)`.as('pagado'),
      sql<string>`coalesce(sum(${sql.ref('orden.facturado')}), 0)`.as('facturado'),
    ]),
  excel: {
    hoja: 'Ordenes',
    sufijo,
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.numero,
      COLUMNAS.titulo,
      COLUMNAS.paquete,
      COLUMNAS.envio,
      COLUMNAS.cotizacion,
      COLUMNAS.pagado,
      COLUMNAS.estatus,
      COLUMNAS.clase,
      COLUMNAS.factura,
      COLUMNAS.rfc,
      COLUMNAS.proveedor,
      COLUMNAS.facturado,
      COLUMNAS.queda,
      COLUMNAS.certeza,
    ],
  },
});

/** 'Ordenes canceladas': sales that were cancelled or came back. They count 0 as paid, so the list shows what was paid at first (`pagadoAbs`). */
export const canceladasList = defineList({
  ...common,
  alLado: ladosOfOrdenes,
  lista: 'ordenesCanceladas',
  titulo: 'Ordenes canceladas',
  filtro: filterOf(currentMonth),
  sorts: { ...sorts, pagado: sql.ref('orden.pagadoAbs') },
  matches: (db, filtro, enteros) =>
    inRange(db, filtro, enteros).where('orden.clase', 'in', [sql.lit<Clase>('cancelada'), sql.lit<Clase>('devuelta')]),
  cuales: { porDecidir: { nombre: 'Por decidir', donde: POR_DECIDIR, rango: TODAS } },
  totales: (ordenes) =>
    ordenes.select([
      sql<string>`coalesce(sum(${sql.ref('orden.pagadoAbs')}), 0)`.as('cancelado'),
      sql<string>`coalesce(sum(${sql.ref('orden.pagado')}), 0)`.as('pagado'),
      sql<string>`coalesce(sum(${sql.ref('orden.facturado')}), 0)`.as('facturado'),
    ]),
  excel: {
    hoja: 'Ordenes canceladas',
    sufijo,
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.numero,
      COLUMNAS.titulo,
      COLUMNAS.paquete,
      COLUMNAS.envio,
      COLUMNAS.cotizacion,
      COLUMNAS.pagado,
      COLUMNAS.cancelado,
      COLUMNAS.estatus,
      COLUMNAS.clase,
      COLUMNAS.factura,
      COLUMNAS.rfc,
      COLUMNAS.proveedor,
      COLUMNAS.facturado,
    ],
  },
});

/** Returns the last 91 days, up to today. */
function lastDays(now = new Date()): Rango {
  const hasta = civilDay(now);
  return { desde: addDays(hasta, -DIAS_ACTIVAS), hasta };
}

/** 'Ordenes activas': sales in preparation, which are still to be sent. */
export const activasList = defineList({
  ...common,
  alLado: ladosOfOrdenes,
  lista: 'ordenesActivas',
  titulo: 'Ordenes activas',
  filtro: filterOf(lastDays),
  matches: (db, filtro, enteros) => inRange(db, filtro, enteros).where('orden.estatus', '=', sql.lit('enPreparacion')),
  cuales: {
    porEnviar: { nombre: 'Por enviar hoy', donde: POR_ENVIAR, rango: 'ultimos91' },
    atoradas: { nombre: 'Más de 24 h en preparación', donde: ATORADA, rango: 'ultimos91' },
  },
  totales: (ordenes) => ordenes.select(sql<string>`coalesce(sum(${sql.ref('orden.pagado')}), 0)`.as('pagado')),
  excel: {
    hoja: 'Ordenes activas',
    sufijo,
    columnas: [
      COLUMNAS.fecha,
      COLUMNAS.titulo,
      COLUMNAS.numero,
      COLUMNAS.envio,
      COLUMNAS.cotizacion,
      COLUMNAS.pagado,
      COLUMNAS.estatus,
    ],
  },
});
