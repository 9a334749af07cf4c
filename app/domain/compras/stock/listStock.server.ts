import { sql } from 'kysely';
import { z } from 'zod';
import { nombreOfRango, readRango, type Rango } from '~/core/list';
import { listFields, minutoFields } from '~/core/listFields';
import { rowOf } from '~/core/table';
import { addDays, monthOf, spanRange } from '~/core/time';
import { contains, defineList } from '~/platform/lists/list.server';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';
import { ordenesEnteras } from '~/domain/ventas/ordenes/listOrdenes.server';
import type { Db, Trx } from '~db/client.server';
import {
  ESTADO_LABEL,
  ESTADOS,
  type EstadoDeStock,
  parseCodigo,
  parseFolio,
  ERROR_PROVEEDOR,
  nombreOfPieza,
} from './pieza';
import { modeloOfPieza, productosOfPiezas } from './internal/modelo.server';
import type { Money } from '~/core/money';

const SORTS = ['fecha', 'costo'] as const;

/** Returns the range from the first day of the month six months ago to the last day of this month. */
export function seisMeses(now = new Date()): Rango {
  const { last, first } = monthOf(now);
  let desde = first;
  for (let n = 0; n < 6; n++) desde = `${addDays(desde, -1).slice(0, 7)}-01`;
  return { desde: `${desde}T00:00`, hasta: `${last}T23:59` };
}

const Filter = z
  .object({
    ...listFields(SORTS, '-fecha'),
    ...minutoFields,
    estado: z
      .enum(['', ...ESTADOS])
      .optional()
      .catch('')
      .transform((estado) => estado ?? ''),
    proveedor: z
      .string()
      .regex(/^[a-z0-9_-]{1,40}$/)
      .catch(''),
  })
  .transform((fields) => ({ ...fields, ...readRango(fields, seisMeses()) }));

/** Columns that every view of a piece shows. */
export const rows = (db: Db | Trx) =>
  db
    .selectFrom('stockInterno')
    .leftJoin('orden', 'orden.id', 'stockInterno.ordenId')
    .leftJoin('producto', 'producto.id', 'stockInterno.productoId')
    .leftJoin('proveedor', 'proveedor.value', 'stockInterno.proveedor')
    .select([
      'stockInterno.id',
      'stockInterno.folio',
      'stockInterno.estado',
      'stockInterno.costo',
      'stockInterno.recuperado',
      'stockInterno.facturaFolio',
      'stockInterno.facturaId',
      'stockInterno.creadaEn',
      'stockInterno.version',
      'stockInterno.descripcion',
      'stockInterno.proveedor',
      'stockInterno.productoId',
      'stockInterno.observaciones',
      'orden.numOrden',
      'orden.market',
      'producto.nombre as productoNombre',
      modeloOfPieza,
      'producto.link',
      'proveedor.label as proveedorLabel',
      sql<string | null>`(select v.num_orden from orden v where v.id = stock_interno.venta_id)`.as('ventaNumOrden'),
    ]);

/** 'Stock Interno': the pieces that came back. */
export const stockInternoList = defineList({
  lista: 'stockInterno',
  titulo: 'Stock Interno',
  filtro: Filter,
  id: 'stockInterno.id',
  idsGrow: true,
  sorts: {
    fecha: sql.ref('stockInterno.creadaEn'),
    costo: sql.ref('stockInterno.costo'),
  },
  enteros(entero) {
    if (entero.clase === 'rfc') return undefined;
    if (entero.clase === 'numero')
      return sql`select s.id from stock_interno s, (${ordenesEnteras(entero)}) o where s.orden_id = o.id or s.venta_id = o.id`;
    const [folio, codigo] = [parseFolio(entero.texto), parseCodigo(entero.texto)];
    if (folio) return sql`select id from stock_interno where folio = ${folio}`;
    return codigo
      ? sql`select pieza_id from stock_etiqueta where codigo = ${codigo}`
      : sql`select id from stock_interno where lower(factura_folio) = lower(${entero.texto})`;
  },
  matches(db, { q, desde, hasta, estado, proveedor }, enteros) {
    const piezas = db
      .selectFrom('stockInterno')
      .$if(estado !== '', (todas) => todas.where('stockInterno.estado', '=', estado as EstadoDeStock))
      .$if(proveedor !== '', (todas) => todas.where('stockInterno.proveedor', '=', proveedor));
    if (enteros) return piezas.where(sql<boolean>`stock_interno.id in (${enteros})`);
    const { from, to } = spanRange(desde, hasta);
    return piezas
      .where('stockInterno.creadaEn', '>=', from)
      .where('stockInterno.creadaEn', '<', to)
      .$if(q !== '', (enRango) => enRango.where(contains('stockInterno.busqueda', q)));
  },
  rows,
  alLado: async (db, piezas) => {
    const suyos = await productosOfPiezas(db, piezas);
    return ladosOf(
      db,
      piezas.map(({ id, productoId }) => productoId ?? suyos.get(id) ?? null),
    );
  },
  totales: (piezas) => piezas.select(sql<string>`coalesce(sum(${sql.ref('stockInterno.costo')}), 0)`.as('costo')),
  cuales: {
    disponibles: { nombre: 'Disponibles', donde: sql<boolean>`stock_interno.estado = 'disponible'` },
    porRevisar: { nombre: 'Por revisar', donde: sql<boolean>`stock_interno.estado = 'enRevision'` },
  },
  propios: {
    estado: (valor) => rowOf(ESTADO_LABEL, valor) ?? valor,
    proveedor: (valor) => valor,
  },
  excel: {
    hoja: 'Stock Interno',
    sufijo: nombreOfRango,
    columnas: [
      { header: 'Fecha', tipo: 'fechaHora', valor: (pieza) => pieza.creadaEn },
      { header: 'Folio', tipo: 'texto', ancho: 18, valor: (pieza) => pieza.folio },
      { header: 'No. Orden', tipo: 'texto', ancho: 20, valor: (pieza) => pieza.numOrden },
      { header: 'Nombre', tipo: 'texto', ancho: 40, valor: (pieza) => nombreOfPieza(pieza) },
      { header: 'Costo', tipo: 'pesos', ancho: 14, valor: (pieza) => pieza.costo },
      { header: 'Monto recuperado', tipo: 'pesos', ancho: 16, valor: (pieza) => pieza.recuperado },
      { header: 'Estatus', tipo: 'texto', ancho: 20, valor: (pieza) => ESTADO_LABEL[pieza.estado] },
      { header: 'Folio Factura', tipo: 'texto', ancho: 18, valor: (pieza) => pieza.facturaFolio },
      { header: 'Modelo', tipo: 'texto', ancho: 20, valor: (pieza) => pieza.modelo },
      { header: 'Proveedor', tipo: 'texto', ancho: 18, valor: (pieza) => pieza.proveedorLabel ?? ERROR_PROVEEDOR },
      { header: 'Vendida en', tipo: 'texto', ancho: 20, valor: (pieza) => pieza.ventaNumOrden },
      { header: 'Observaciones', tipo: 'texto', ancho: 40, valor: (pieza) => pieza.observaciones },
    ],
  },
});

/** Returns the returned pieces of a sale or of a product, by the id of either, the newest first. */
export const piezasOf = (db: Db | Trx, id: string) =>
  rows(db)
    .where((is) => is.or([is('stockInterno.ordenId', '=', id), is('stockInterno.productoId', '=', id)]))
    .orderBy('stockInterno.id', 'desc')
    .limit(500)
    .execute();

export type ValorDeEstado = { estado: EstadoDeStock; piezas: number; costo: Money };
export type ValorDeProveedor = { proveedor: string | null; piezas: number; costo: Money; estados: ValorDeEstado[] };

/**
 * Returns pieces and cost of the stock by supplier and state, the most valuable supplier first. Sold, returned and written-off pieces are left out.
 */
export async function valorEnBodega(db: Db): Promise<ValorDeProveedor[]> {
  const { rows } = await sql<ValorDeEstado & { proveedor: string | null; suyas: number; suyo: Money }>`
    with v as (
      select estado, proveedor, count(*) as piezas, sum(costo) as costo
      from stock_interno
      where estado in ('enRevision', 'disponible', 'reservado', 'danado')
      group by 1, 2)
    select p.label as proveedor, v.estado, v.piezas::int, v.costo,
      sum(v.piezas) over suyo::int as suyas, sum(v.costo) over suyo as suyo
    from v
    join stock_estado e on e.value = v.estado left join proveedor p on p.value = v.proveedor
    window suyo as (partition by v.proveedor)
    order by suyo desc, p.label nulls last, e.posicion`.execute(db);
  const valor: ValorDeProveedor[] = [];
  for (const { proveedor, suyas, suyo, ...estado } of rows) {
    const last = valor.at(-1);
    if (last && last.proveedor === proveedor) last.estados.push(estado);
    else valor.push({ proveedor, piezas: suyas, costo: suyo, estados: [estado] });
  }
  return valor;
}
