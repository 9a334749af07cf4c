import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Identificador } from '~/core/identificador';
import { readRango } from '~/core/list';
import { listFields, rangoFields } from '~/core/listFields';
import { dayRange } from '~/core/time';
import { contains, defineList, type ExcelColumn } from '~/platform/lists/list.server';
import { folioOfOtraVigente } from '~/domain/facturacion/cancelacion/porAtender.server';
import { motivoOfNota } from '~/domain/facturacion/cfdi/documento';

const SORTS = ['fecha', 'folio', 'orden', 'rfc', 'razonSocial', 'cancelada', 'total'] as const;

const FacturasFilter = z
  .object({ ...listFields(SORTS, '-fecha'), ...rangoFields })
  .transform((fields) => ({ ...fields, ...readRango(fields) }));

type DeNota = { origenFolio: string | null; origenUuid: string | null; motivo: string | null };

const NOTA_EXCEL: ExcelColumn<DeNota>[] = [
  { header: 'Factura', tipo: 'texto', ancho: 12, valor: (nota) => nota.origenFolio },
  { header: 'UUID relacionado', tipo: 'texto', ancho: 40, valor: (nota) => nota.origenUuid },
  { header: 'Motivo', tipo: 'texto', ancho: 16, valor: (nota) => motivoOfNota(nota.motivo) },
];

/** The list of facturas to customers, individual and global. */
export const facturasList = comprobantesList({
  lista: 'facturasClientes',
  titulo: 'Facturas de clientes',
  hoja: 'Facturas',
  notas: false,
});

/** The list of credit notes (CFDI of egreso), each with the factura it takes back from. */
export const notasCreditoList = comprobantesList({
  lista: 'facturasClientes.notas',
  titulo: 'Notas de crédito',
  hoja: 'Notas de crédito',
  notas: true,
});

type Which = { lista: string; titulo: string; hoja: string; notas: boolean };

function comprobantesList({ lista, titulo, hoja, notas }: Which) {
  return defineList({
    lista,
    titulo,
    filtro: FacturasFilter,
    id: 'factura.id',
    idsGrow: true,
    enteros: facturasEnteras,
    cuales: {
      vigentes: { nombre: 'Vigentes', donde: sql<boolean>`factura.estatus = 'vigente'` },
      canceladas: { nombre: 'Canceladas', donde: sql<boolean>`factura.estatus = 'cancelada'` },
    },
    sorts: {
      fecha: sql.ref('factura.fechaTimbrado'),
      folio: sql.ref('factura.folio'),
      orden: sql.ref('factura.numOrden'),
      rfc: sql`${sql.ref('factura.rfc')} collate "C"`,
      razonSocial: sql.ref('factura.razonSocial'),
      cancelada: sql`(${sql.ref('factura.estatus')} = 'cancelada')`,
      total: sql.ref('factura.total'),
    },
    matches(db, filtro, enteros) {
      const { from, to } = dayRange(filtro.desde, filtro.hasta);
      const facturas = db.selectFrom('factura').where('factura.tipo', notas ? '=' : '<>', sql.lit('notaCredito'));
      if (enteros) return facturas.where(sql<boolean>`factura.id in (${enteros})`);
      const enRango = facturas.where('factura.fechaTimbrado', '>=', from).where('factura.fechaTimbrado', '<', to);
      return filtro.q === '' ? enRango : enRango.where(contains('factura.busqueda', filtro.q));
    },
    rows: (db) =>
      db
        .selectFrom('factura')
        .select([
          'factura.id',
          'factura.fechaTimbrado',
          sql<string>`${sql.ref('factura.serie')} || '-' || ${sql.ref('factura.folio')}`.as('folio'),
          'factura.market',
          'factura.numOrden',
          'factura.rfc',
          'factura.razonSocial',
          'factura.estatus',
          'factura.total',
          'factura.origenId',
          'factura.motivo',
          deOrigen(sql`o.serie || '-' || o.folio`).as('origenFolio'),
          deOrigen(sql`o.uuid`).as('origenUuid'),
          folioOfOtraVigente('factura').as('otraVigente'),
        ]),
    totales: (facturas) =>
      facturas.select(({ fn }) => [
        sql<string>`coalesce(sum(${sql.ref('factura.total')}) filter (where ${sql.ref('factura.estatus')} <> 'cancelada'), 0)`.as(
          'total',
        ),
        fn.countAll<number>().filterWhere('factura.estatus', '=', 'cancelada').as('canceladas'),
      ]),
    excel: {
      hoja,
      sufijo: ({ desde, hasta }) => `${desde} a ${hasta}`,
      columnas: [
        { header: 'Fecha de timbrado', tipo: 'fechaHora', valor: (factura) => factura.fechaTimbrado },
        { header: 'Folio', tipo: 'texto', ancho: 12, valor: (factura) => factura.folio },
        { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (factura) => factura.numOrden },
        ...(notas ? NOTA_EXCEL : []),
        { header: 'RFC', tipo: 'texto', ancho: 16, valor: (factura) => factura.rfc },
        { header: 'Razón social', tipo: 'texto', ancho: 44, valor: (factura) => factura.razonSocial },
        {
          header: 'Cancelada',
          tipo: 'texto',
          ancho: 11,
          valor: (factura) => (factura.estatus === 'cancelada' ? 'Sí' : 'No'),
        },
        { header: 'Total', tipo: 'pesos', ancho: 14, valor: (factura) => factura.total },
      ],
    },
  });
}

/** A query of the facturas with an identifier that was typed whole; undefined for a kind of identifier that facturas lack. */
export function facturasEnteras(entero: Identificador) {
  switch (entero.clase) {
    case 'numero':
      return sql`select id from factura where num_orden = ${entero.texto}`;
    case 'rfc':
      return sql`select id from factura where ${contains('factura.busqueda', entero.texto)} and rfc = ${entero.texto}`;
    case 'documento':
      return sql`select id from factura where serie = ${entero.serie} and folio = ${entero.folio}`;
    case 'folio':
      return undefined;
  }
}

/** A column of the factura that a credit note takes back from; null for other documents. */
const deOrigen = (what: RawBuilder<unknown>) =>
  sql<string | null>`(select ${what} from factura o where o.id = factura.origen_id)`;
