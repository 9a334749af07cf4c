import { sql, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import type { Money } from '~/core/money';
import { nombreOfMes } from '~/core/time';
import { isMes } from '~/core/text';
import type { Db, Trx } from '~db/client.server';
import {
  acreditadoEnPartes,
  COBRADO_DE_MAS,
  devueltasConNota,
  netoOf,
  overFacturas,
  porFacturar,
  porNotaOfRefacturacion,
  porNotaParcial,
} from './mes.server';
import { askedAgain } from '~/platform/effects/subjects.server';
import { ESTADO_DE_PARTIDA, motivoOf } from './lote';

const SORTS = ['fecha', 'orden', 'importe'] as const;
const MesFilter = z.object({ ...listFields(SORTS, 'fecha'), mes: z.string().refine(isMes).catch('') });
type MesFilter = z.infer<typeof MesFilter>;

const PAGADO = sql<Money>`orden.pagado_abs`;
/** The amount that a factura still charges for an orden, notes of a part deducted. The oldest facturas charge the payment of the orden. */
const chargedBy = (facturaId: string) =>
  sql<Money>`(coalesce((select fo.importe from factura_orden fo where fo.factura_id = ${sql.ref(facturaId)}
    and fo.orden_id = orden.id), orden.pagado_abs) - ${acreditadoEnPartes(facturaId)})`;

/** The sums of a table: Total as paid, Sub-Total as a CFDI of these sales would have it, and I.V.A as their difference. */
function sumas(importe: RawBuilder<Money>) {
  const neto = sql<Money>`round(coalesce(sum(${netoOf(importe)}), 0), 2)`;
  const total = sql<Money>`coalesce(sum(${importe}), 0)`;
  return [neto.as('subTotal'), sql<Money>`${total} - ${neto}`.as('iva'), total.as('total')] as const;
}

/** A hash of the rows of a table, whatever their order, and the newest of them. Two reads with equal hash, number and sum saw the same sales. */
const cualesOf = (id: 'orden.id' | 'refacturacion.id') =>
  [
    sql<string>`coalesce(bit_xor(uuid_hash_extended(${sql.ref(id)}, 0)), 0)::text`.as('cuales'),
    sql<Date | null>`max(orden.fecha_creacion)`.as('ultima'),
  ] as const;

const sorts = (importe: RawBuilder<Money>) => ({
  fecha: sql.ref('orden.fechaCreacion'),
  orden: sql.ref('orden.numOrden'),
  importe,
});
const search = ({ q }: MesFilter) => (q === '' ? sql<boolean>`true` : contains('orden.busqueda', q));
const SALE = ['orden.fechaCreacion', 'orden.market', 'orden.numOrden', 'orden.marketId', 'orden.titulo'] as const;

type Sale = { fechaCreacion: Date; numOrden: string; titulo: string; importe: Money };
const saleColumns = <Row extends Sale>(): ExcelColumn<Row>[] => [
  { header: 'Fecha de creación', tipo: 'fechaHora', valor: (venta) => venta.fechaCreacion },
  { header: 'Venta', tipo: 'texto', ancho: 20, valor: (venta) => venta.numOrden },
  { header: 'Artículo', tipo: 'texto', ancho: 50, valor: (venta) => venta.titulo },
];
const importeColumn = { header: 'Monto pagado', tipo: 'pesos', valor: (venta: Sale) => venta.importe } as const;
const sufijo = ({ mes }: MesFilter) => (mes === '' ? '' : nombreOfMes(mes));

/** The sales of a month for its global. */
const ordenesDelMesList = defineList({
  lista: 'facturacionGeneral.ordenes',
  titulo: 'Ordenes por facturar',
  filtro: MesFilter,
  id: 'orden.id',
  idsGrow: true,
  sorts: sorts(PAGADO),
  matches: (db, filtro) =>
    db
      .selectFrom('orden')
      .where(filtro.mes === '' ? sql<boolean>`false` : porFacturar(filtro.mes))
      .where(search(filtro)),
  rows: (db) => db.selectFrom('orden').select([...SALE, 'orden.id', PAGADO.as('importe')]),
  totales: (ordenes) => ordenes.select([...sumas(PAGADO), ...cualesOf('orden.id')]),
  excel: { hoja: 'Ordenes', sufijo, columnas: [...saleColumns(), importeColumn] },
});

const DE_LA_GLOBAL = chargedBy('refacturacion.globalId');
const FOLIO = sql<string>`factura.serie || '-' || factura.folio`;
const FOLIO_DEL_CLIENTE = sql<string>`(select f.serie || '-' || f.folio from factura f
  where f.id = refacturacion.factura_id)`;

/** The sales of a month's globals that were invoiced to their customer later, and wait for a credit note. */
const refacturacionList = defineList({
  lista: 'facturacionGeneral.refacturacion',
  titulo: 'Refacturacion',
  filtro: MesFilter,
  id: 'refacturacion.id',
  idsGrow: true,
  sorts: sorts(DE_LA_GLOBAL),
  matches: (db, filtro) =>
    db
      .selectFrom('refacturacion')
      .innerJoin('orden', 'orden.id', 'refacturacion.ordenId')
      .innerJoin('factura', 'factura.id', 'refacturacion.globalId')
      .where(filtro.mes === '' ? sql<boolean>`false` : porNotaOfRefacturacion(filtro.mes))
      .where(search(filtro)),
  rows: (db) =>
    db
      .selectFrom('refacturacion')
      .innerJoin('orden', 'orden.id', 'refacturacion.ordenId')
      .innerJoin('factura', 'factura.id', 'refacturacion.globalId')
      .select([
        ...SALE,
        'refacturacion.id',
        'orden.id as ordenId',
        DE_LA_GLOBAL.as('importe'),
        FOLIO.as('folioGlobal'),
        FOLIO_DEL_CLIENTE.as('folio'),
      ]),
  totales: (filas) => filas.select([...sumas(DE_LA_GLOBAL), ...cualesOf('refacturacion.id')]),
  excel: {
    hoja: 'Refacturacion',
    sufijo,
    columnas: [
      ...saleColumns(),
      { header: 'Factura global', tipo: 'texto', valor: (venta) => venta.folioGlobal },
      { header: 'Factura del cliente', tipo: 'texto', valor: (venta) => venta.folio },
      importeColumn,
    ],
  },
});

/** The amount that the facturas of an orden give back: the sum of both, when two stand. */
const DE_SUS_FACTURAS = overFacturas(
  sql<Money>`sum(coalesce(factura_orden.importe, orden.pagado_abs) - ${acreditadoEnPartes('factura_orden.factura_id')})`,
);
const SUS_FOLIOS = overFacturas(sql<string>`string_agg(${FOLIO}, ', ' order by factura.fecha_timbrado, factura.folio)`);

/** The sales of a month that were invoiced and came back, and wait for a credit note. */
const devueltasList = defineList({
  lista: 'facturacionGeneral.devueltas',
  titulo: 'Ordenes Devueltas',
  filtro: MesFilter,
  id: 'orden.id',
  idsGrow: true,
  sorts: sorts(DE_SUS_FACTURAS),
  matches: (db, filtro) =>
    db
      .selectFrom('orden')
      .where(filtro.mes === '' ? sql<boolean>`false` : devueltasConNota(filtro.mes))
      .where(search(filtro)),
  rows: (db) =>
    db
      .selectFrom('orden')
      .select([...SALE, 'orden.id', 'orden.clase', DE_SUS_FACTURAS.as('importe'), SUS_FOLIOS.as('folio')]),
  totales: (ordenes) => ordenes.select([...sumas(DE_SUS_FACTURAS), ...cualesOf('orden.id')]),
  excel: {
    hoja: 'Ordenes Devueltas',
    sufijo,
    columnas: [
      ...saleColumns(),
      { header: 'Factura', tipo: 'texto', valor: (venta) => venta.folio },
      { header: 'Estado', tipo: 'texto', valor: (venta) => (venta.clase === 'cancelada' ? 'Cancelada' : 'Devuelta') },
      importeColumn,
    ],
  },
});

const conFactura = (db: Db | Trx) =>
  db
    .selectFrom('orden')
    .innerJoin('facturaOrden', 'facturaOrden.ordenId', 'orden.id')
    .innerJoin('factura', 'factura.id', 'facturaOrden.facturaId');

/** The sales of a month of which a part was given back after their factura, and wait for the credit note of that part. */
const parcialesList = defineList({
  lista: 'facturacionGeneral.parciales',
  titulo: 'Ordenes Devueltas en Parte',
  filtro: MesFilter,
  id: 'orden.id',
  idsGrow: true,
  sorts: sorts(COBRADO_DE_MAS),
  matches: (db, filtro) =>
    conFactura(db)
      .where(filtro.mes === '' ? sql<boolean>`false` : porNotaParcial(filtro.mes))
      .where(search(filtro)),
  rows: (db) =>
    // An orden has one document that holds it: its claim names that one.
    conFactura(db)
      .innerJoin('fiscalClaim', (join) =>
        join.onRef('fiscalClaim.ordenId', '=', 'orden.id').onRef('fiscalClaim.facturaId', '=', 'factura.id'),
      )
      .select([
        ...SALE,
        'orden.id',
        COBRADO_DE_MAS.as('importe'),
        FOLIO.as('folio'),
        sql<Money>`factura_orden.importe`.as('cobrado'),
        PAGADO.as('pagado'),
      ]),
  totales: (ordenes) => ordenes.select([...sumas(COBRADO_DE_MAS), ...cualesOf('orden.id')]),
  excel: {
    hoja: 'Devueltas en parte',
    sufijo,
    columnas: [
      ...saleColumns(),
      { header: 'Factura', tipo: 'texto', valor: (venta) => venta.folio },
      { header: 'Cobrado en la factura', tipo: 'pesos', valor: (venta) => venta.cobrado },
      { header: 'Pagado', tipo: 'pesos', valor: (venta) => venta.pagado },
      { header: 'Por acreditar', tipo: 'pesos', valor: (venta) => venta.importe },
    ],
  },
});

/** The lists of a month, by the table of its screen. */
export const listasDelMes = {
  ordenes: ordenesDelMesList,
  refacturacion: refacturacionList,
  devueltas: devueltasList,
  parciales: parcialesList,
} as const;

const NADIE = '00000000-0000-0000-0000-000000000000';
const LOTE_SORTS = ['referencia', 'estado', 'folio', 'total'] as const;
const LoteFilter = z.object({
  ...listFields(LOTE_SORTS, 'estado'),
  lote: z.uuid().catch(NADIE),
  /** Month of the page; it names the Excel. */ mes: z.string().refine(isMes).catch(''),
});

/** The items of a batch with their outcome, failures first. An item that was tried again shows its last effect. */
export const loteList = defineList({
  lista: 'facturacionGeneral.lote',
  titulo: 'Resultado',
  filtro: LoteFilter,
  id: 'effect.id',
  idsGrow: true,
  sorts: {
    referencia: sql.ref('effect.ref'),
    estado: sql`array_position(array['refused', 'cancelled', 'manual', 'unknown', 'queued', 'sending', 'done'], effect.state)`,
    folio: sql.ref('factura.folio'),
    total: sql.ref('factura.total'),
  },
  matches: (db, { lote, q }) =>
    db
      .selectFrom('effect')
      .innerJoin('batch', 'batch.id', 'effect.batchId')
      .leftJoin('factura', 'factura.effectId', 'effect.id')
      .where('effect.batchId', '=', lote)
      .where('batch.clave', '<>', '')
      .where(({ not }) => not(askedAgain('effect', { inBatch: true })))
      .$if(q !== '', (partidas) =>
        partidas.where(
          sql<boolean>`position(f_norm(${q}) in f_norm(effect.ref || ' ' || coalesce(effect.reason, ''))) > 0`,
        ),
      ),
  rows: (db) =>
    db
      .selectFrom('effect')
      .innerJoin('batch', 'batch.id', 'effect.batchId')
      .leftJoin('factura', 'factura.effectId', 'effect.id')
      .select([
        'effect.id',
        'effect.type',
        'effect.ref',
        'effect.state',
        'effect.reason',
        'effect.detail',
        'effect.sends',
        'factura.id as facturaId',
        'factura.serie',
        'factura.folio',
        'factura.uuid',
        'factura.total',
      ]),
  totales: (partidas) => partidas.select(sql<Money>`coalesce(sum(factura.total), 0)`.as('total')),
  excel: {
    hoja: 'Resultado',
    sufijo: ({ mes }) => (mes === '' ? '' : nombreOfMes(mes)),
    columnas: [
      { header: 'Referencia', tipo: 'texto', ancho: 34, valor: (partida) => partida.ref },
      { header: 'Estado', tipo: 'texto', ancho: 20, valor: (partida) => ESTADO_DE_PARTIDA[partida.state] },
      {
        header: 'Folio',
        tipo: 'texto',
        ancho: 12,
        valor: (partida) => (partida.serie === null ? null : `${partida.serie}-${partida.folio}`),
      },
      { header: 'Folio fiscal (UUID)', tipo: 'texto', ancho: 40, valor: (partida) => partida.uuid },
      { header: 'Total', tipo: 'pesos', valor: (partida) => partida.total },
      { header: 'Motivo', tipo: 'texto', ancho: 90, valor: motivoOf },
    ],
  },
});
