import { sql } from 'kysely';
import { z } from 'zod';
import { writeCount } from '~/core/count';
import { currentMonth, readRango } from '~/core/list';
import { rangoFields } from '~/core/listFields';
import { MARKET_LABEL } from '~/core/market';
import type { Money } from '~/core/money';
import { dayRange } from '~/core/time';
import type { ExcelColumn } from '~/platform/lists/list.server';
import { createSheet } from '~/platform/lists/xlsx.server';
import type { Db, Trx } from '~db/client.server';
import type { Market } from '~db/columns';
import { POR, type Por, VER } from './utilidadPor';

const palabra = <T extends string>(words: Record<T, string>, omision: NoInfer<T>) =>
  z.enum(Object.keys(words) as [T, ...T[]]).catch(omision);

/** The range and division that are asked for; the present month by product without one. */
export const PedidoDeUtilidad = z
  .object({ ...rangoFields, por: palabra(POR, 'producto'), ver: palabra(VER, 'mejores') })
  .transform(({ por, ver, ...fields }) => ({ por, ver, ...readRango(fields, currentMonth()) }));
export type PedidoDeUtilidad = z.output<typeof PedidoDeUtilidad>;

/** Profit of some sales, as their ledgers tell it. */
type Utilidad = {
  ventas: number;
  /** Sales whose profit is known or estimated: `queda` is of these. */
  conUtilidad: number;
  /** Those of them whose profit is estimated in part. */
  estimadas: number;
  /** What was paid of the sales that stand. */
  pagado: Money;
  /** Null where nobody knows what any of them leaves. */
  queda: Money | null;
  /** Sales that were cancelled or came back. */
  volvieron: number;
  /** Those of them whose profit is known or estimated, and what they left: a loss is what they cost. */
  conVolvieron: number;
  quedaVolvieron: Money | null;
};

export type FilaDeUtilidad = Utilidad & {
  clave: string;
  /** Name as people read it. */
  nombre: string;
  /** The SKU of a product; null of a basket, and of anything else. */
  sku: string | null;
  market: Market | null;
  /** Pieces of the sales that stand; a basket counts as one. */
  piezas: number;
};

export type UtilidadPor = {
  filas: FilaDeUtilidad[];
  /** Rows that there are, shown or not. */
  todas: number;
  total: Utilidad;
};

/** SQL: the columns of `Utilidad` over rows with the columns of `venta`. */
const CIFRAS = sql`
  count(*)::int as ventas, count(queda)::int as con_utilidad, (count(*) filter (where certeza = 'estimada'))::int as estimadas,
  coalesce(sum(pagado), 0) as pagado, sum(queda) as queda, (count(*) filter (where volvio))::int as volvieron,
  (count(queda) filter (where volvio))::int as con_volvieron, sum(queda) filter (where volvio) as queda_volvieron`;

/** SQL: key and name of a row by what divides the sales. */
const GRUPO: Readonly<Record<Por, { clave: ReturnType<typeof sql>; nombre: ReturnType<typeof sql>; market: boolean }>> =
  {
    producto: { clave: sql`clave`, nombre: sql`coalesce(titulo, 'Sin artículos')`, market: true },
    proveedor: {
      clave: sql`coalesce(proveedor, '')`,
      nombre: sql`coalesce((select label from proveedor p where p.value = grupo.clave), nullif(grupo.clave, ''), 'Sin proveedor')`,
      market: false,
    },
    mercado: { clave: sql`market`, nombre: sql`grupo.clave`, market: true },
    categoria: {
      clave: sql`case when lineas > 1 then 'varias' else coalesce(categoria, '') end`,
      nombre: sql`case grupo.clave when 'varias' then 'Varios artículos' when '' then 'Sin categoría'
      else coalesce((select nombre from categoria c where c.market = grupo.market and c.categoria_id = grupo.clave), grupo.clave) end`,
      market: true,
    },
  };

const ORDEN = {
  mejores: sql`queda desc nulls last, pagado desc`,
  peores: sql`queda nulls last, pagado desc`,
  devueltos: sql`volvieron desc, queda_volvieron nulls last`,
  sinSaber: sql`ventas - con_utilidad desc, pagado desc`,
} as const;

/**
 * Returns the profit of the sales of a range by product, supplier, marketplace or category: sums of what the ledger of each sale says, and no sum of its own. A
 * sale of several lines is a basket, since the marketplace charges and settles the sale: a division by line would be ours. Its supplier is that of its
 * first line.
 */
export async function readUtilidadPor(
  db: Db | Trx,
  { por, ver, desde, hasta }: PedidoDeUtilidad,
  limite: number,
): Promise<UtilidadPor> {
  const { from, to } = dayRange(desde, hasta);
  const grupo = GRUPO[por];
  // Lines are read only where the division asks for them.
  const porLineas = por === 'producto' || por === 'categoria';
  const { rows } = await sql<FilaDeUtilidad & { deTotal: boolean; todas: number }>`
    -- In the order of the indices that are asked for each of them.
    with venta as materialized (
      select o.id, o.market, lower(o.proveedor collate "C") as proveedor, o.clase in ('cancelada', 'devuelta') as volvio, o.pagado, l.queda, l.certeza
      from orden o join libro_venta l on l.orden_id = o.id
      where o.fecha_creacion >= ${from} and o.fecha_creacion < ${to} and l.fecha >= ${from} and l.fecha < ${to}
      order by o.id
    ),
    ${
      porLineas
        ? sql`
    linea as (
      select v.id, count(*) as lineas, any_value(a.cantidad) as cantidad, any_value(a.sku) as sku, any_value(a.item_id) as item_id, any_value(a.nombre) as titulo,
        any_value(coalesce(lower(a.sku collate "C"), a.item_id, a.nombre)) as clave
      from venta v join articulo a on a.orden_id = v.id group by v.id
    ),
    clase as (
      select d.market, d.item_id, d.sku, (
        select p.categoria_id from publicacion p where p.market = d.market and p.clave in (d.item_id, d.sku) and p.categoria_id is not null limit 1) as categoria
      from (select distinct v.market, coalesce(l.item_id, '') as item_id, coalesce(l.sku, '') as sku from venta v join linea l using (id)
        where l.lineas = 1 and ${sql.lit(por)} = 'categoria') d
    ),
    suelta as (
      select v.*, coalesce(l.lineas, 0) as lineas, case when l.lineas = 1 then l.cantidad else 1 end as piezas, c.categoria,
        case when l.lineas = 1 then l.sku end as sku,
        case when l.lineas > 1 then l.titulo || ' y ' || (l.lineas - 1) || ' más' else l.titulo end as titulo,
        case when l.lineas = 1 then l.clave
          when l.lineas > 1 then (
            select string_agg(coalesce(lower(sku collate "C"), item_id, nombre) || ' ×' || cantidad, ' + '
              order by lower(sku collate "C"), item_id, nombre, cantidad)
            from articulo where orden_id = v.id)
          else '' end collate "C" as clave
      from venta v left join linea l using (id)
        left join clase c on l.lineas = 1 and c.market = v.market and c.item_id = coalesce(l.item_id, '') and c.sku = coalesce(l.sku, '')
    ),`
        : sql`
    suelta as (
      select v.*, 0 as lineas, 1 as piezas, null::text as categoria, null::text as sku, null::text as titulo, '' as clave from venta v
    ),`
    }
    grupo as (
      select ${grupo.clave} as clave, ${grupo.market ? sql`market` : sql`null::text as market`}, max(sku) as sku, max(titulo) as titulo,
        coalesce(sum(piezas) filter (where not volvio), 0)::int as piezas, ${CIFRAS}
      from suelta group by 1, 2
    ),
    elegida as (
      select *, count(*) over ()::int as todas, row_number() over (order by ${ORDEN[ver]}, clave, market) as lugar from grupo
      ${ver === 'devueltos' ? sql`where volvieron > 0` : ver === 'sinSaber' ? sql`where con_utilidad < ventas` : sql``}
      order by lugar limit ${limite}
    )
    select grupo.clave, grupo.market, ${por === 'producto' ? sql`grupo.sku` : sql`null::text as sku`}, ${grupo.nombre} as nombre, grupo.piezas,
      grupo.ventas, grupo.con_utilidad, grupo.estimadas, grupo.pagado, grupo.queda, grupo.volvieron, grupo.con_volvieron, grupo.queda_volvieron,
      grupo.todas, false as de_total, grupo.lugar
    from elegida grupo
    union all
    select '', null, null, '', 0, cifras.*, 0, true, 0 from (select ${CIFRAS} from venta) cifras
    order by lugar`.execute(db);
  const filas = rows.filter(({ deTotal }) => !deTotal);
  return {
    filas: filas.map(({ deTotal: _, todas: __, ...fila }) => ({
      ...fila,
      nombre: por === 'mercado' ? MARKET_LABEL[fila.market!] : fila.nombre,
    })),
    todas: filas[0]?.todas ?? 0,
    total: rows.find(({ deTotal }) => deTotal)!,
  };
}

/** Rows of a sheet at most: more than any range of sales has products. */
const MAX_HOJA = 100_000;

const COLUMNAS: ExcelColumn<FilaDeUtilidad>[] = [
  { header: 'Nombre', tipo: 'texto', ancho: 60, valor: ({ nombre }) => nombre },
  { header: 'SKU', tipo: 'texto', ancho: 30, valor: ({ sku }) => sku },
  { header: 'Mercado', tipo: 'texto', ancho: 16, valor: ({ market }) => market && MARKET_LABEL[market] },
  { header: 'Ventas', tipo: 'numero', valor: ({ ventas }) => ventas },
  { header: 'Monto pagado', tipo: 'pesos', valor: ({ pagado }) => pagado },
  { header: 'Utilidad', tipo: 'pesos', valor: ({ queda }) => queda },
  {
    header: 'De cuántas ventas',
    tipo: 'texto',
    ancho: 22,
    valor: ({ conUtilidad, ventas, estimadas }) =>
      `${writeCount(conUtilidad)} de ${writeCount(ventas)}${estimadas > 0 ? ` (${writeCount(estimadas)} estimadas)` : ''}`,
  },
  { header: 'Devueltas y canceladas', tipo: 'numero', valor: ({ volvieron }) => volvieron },
  { header: 'Lo que dejaron', tipo: 'pesos', valor: ({ quedaVolvieron }) => quedaVolvieron },
];

/** Writes the profit of a range as Excel, every row of it. */
export async function writeUtilidadPor(db: Db, pedido: PedidoDeUtilidad): Promise<Buffer> {
  const { filas } = await readUtilidadPor(db, pedido, MAX_HOJA);
  const sheet = await createSheet<FilaDeUtilidad>({
    hoja: `Por ${POR[pedido.por].toLowerCase()}`,
    columnas: COLUMNAS,
    sumas: true,
  });
  for (const fila of filas) await sheet.write(fila);
  return sheet.finish();
}
