import { sql } from 'kysely';
import { z } from 'zod';
import { readRango } from '~/core/list';
import { listFields, proveedorField, rangoFields } from '~/core/listFields';
import type { Money } from '~/core/money';
import { dayRange, ZONA_HORARIA } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';
import { desdeElMesAnterior } from './pago';

const SORTS = ['fecha', 'proveedor', 'folio', 'total'] as const;

const APLICADO = sql<Money>`(select coalesce(sum(v.pide), 0) from pago_de_orden v where v.pago_id = pago.id)`;
const RESTANTE = sql<Money | null>`pago.total - ${APLICADO}`;
/** Day of a payment; the day of its registration while nobody knows its own. */
const DIA = sql`coalesce(pago.fecha, (pago.creado_en at time zone ${sql.lit(ZONA_HORARIA)})::date)`;

const filtro = z
  .object({
    ...listFields(SORTS, '-fecha'),
    ...rangoFields,
    proveedor: proveedorField,
  })
  .transform((fields) => ({ ...fields, ...readRango(fields, desdeElMesAnterior()) }));

/** 'Pagos a proveedores': payments against the invoices they pay. */
export const pagosList = defineList({
  lista: 'pagosProveedores',
  titulo: 'Pagos a proveedores',
  todas: 'Todos',
  filtro,
  propios: { proveedor: (valor) => `Proveedor: ${valor}` },
  id: 'pago.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('pago.creadoEn'),
    proveedor: sql`${sql.ref('pago.proveedor')} collate "C"`,
    folio: sql`lower(${sql.ref('pago.folio')}) collate "C"`,
    total: sql.ref('pago.total'),
  },
  enteros: (entero) =>
    entero.clase === 'numero'
      ? sql`select pago_id as id from pago_orden where orden_id in (${ordenesEnteras(entero)})`
      : entero.clase === 'rfc'
        ? undefined
        : sql`
            select id from pago where lower(folio) = lower(${entero.texto})
            union select id from pago where upper(clave_rastreo) = upper(${entero.texto})`,
  matches(db, { q, desde, hasta, proveedor }, enteros) {
    const pagos = db.selectFrom('pago');
    if (enteros) return pagos.where(sql<boolean>`pago.id in (${enteros})`);
    const { from, to } = dayRange(desde, hasta);
    return pagos
      .where('pago.creadoEn', '>=', from)
      .where('pago.creadoEn', '<', to)
      .$if(proveedor !== undefined, (suyos) => suyos.where('pago.proveedor', '=', proveedor!))
      .$if(q !== '', (found) => found.where(contains('pago.busqueda', q)));
  },
  rows: (db) =>
    db
      .selectFrom('pago')
      .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
      .leftJoin('usuario', 'usuario.id', 'pago.usuarioId')
      .select([
        'pago.id',
        'pago.folio',
        'pago.fecha',
        'pago.total',
        'pago.claveRastreo',
        'pago.banco',
        'pago.creadoEn',
        'pago.version',
        'pago.proveedor',
        'proveedor.label as proveedorLabel',
        'usuario.usuario',
        APLICADO.as('aplicado'),
        RESTANTE.as('restante'),
        sql<number>`(select count(*)::int from pago_orden po where po.pago_id = pago.id)`.as('ordenes'),
        sql<number>`(select count(*)::int from pago_archivo pa where pa.pago_id = pago.id)`.as('archivos'),
      ]),
  totales: (pagos) =>
    pagos.select([
      sql<string>`coalesce(sum(pago.total), 0)`.as('total'),
      sql<string>`coalesce(sum(${APLICADO}), 0)`.as('aplicado'),
      sql<string>`coalesce(sum(${RESTANTE}), 0)`.as('restante'),
    ]),
  excel: {
    hoja: 'Pagos a proveedores',
    sufijo: ({ desde, hasta }) => `${desde} a ${hasta}`,
    columnas: [
      { header: 'Fecha creacion', tipo: 'fechaHora', valor: (pago) => pago.creadoEn },
      { header: 'Usuario alta', tipo: 'texto', ancho: 18, valor: (pago) => pago.usuario },
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (pago) => pago.proveedorLabel },
      { header: 'Folio', tipo: 'texto', ancho: 24, valor: (pago) => pago.folio },
      { header: 'Fecha del pago', tipo: 'texto', ancho: 14, valor: (pago) => pago.fecha },
      { header: 'Clave de rastreo', tipo: 'texto', ancho: 28, valor: (pago) => pago.claveRastreo },
      { header: 'Banco', tipo: 'texto', ancho: 18, valor: (pago) => pago.banco },
      { header: 'Total', tipo: 'pesos', ancho: 14, valor: (pago) => pago.total },
      { header: 'Facturas', tipo: 'pesos', ancho: 14, valor: (pago) => pago.aplicado },
      { header: 'Queda', tipo: 'pesos', ancho: 14, valor: (pago) => pago.restante },
      { header: 'Ordenes', tipo: 'numero', valor: (pago) => pago.ordenes },
    ],
  },
});

/** Returns the same payments summed by supplier and week, the last week first. A week begins on Monday. */
export function semanasOfPagos(db: Db | Trx, { desde, hasta, proveedor }: z.output<typeof filtro>) {
  const { from, to } = dayRange(desde, hasta);
  const semana = sql<string>`date_trunc('week', ${DIA})::date`;
  return db
    .selectFrom('pago')
    .innerJoin('proveedor', 'proveedor.value', 'pago.proveedor')
    .select([
      semana.as('semana'),
      'proveedor.label',
      sql<number>`count(*)::int`.as('pagos'),
      sql<Money>`coalesce(sum(pago.total), 0)`.as('total'),
      sql<Money>`coalesce(sum(${APLICADO}), 0)`.as('aplicado'),
      sql<Money>`coalesce(sum(${RESTANTE}), 0)`.as('restante'),
    ])
    .where('pago.creadoEn', '>=', from)
    .where('pago.creadoEn', '<', to)
    .$if(proveedor !== undefined, (suyos) => suyos.where('pago.proveedor', '=', proveedor!))
    .groupBy([sql`1`, 'proveedor.label'])
    .orderBy(sql`1`, 'desc')
    .orderBy('proveedor.label')
    .execute();
}
