import { sql } from 'kysely';
import { z } from 'zod';
import { listFields } from '~/core/listFields';
import { MARKET_LABEL, MARKETS } from '~/core/market';
import { rowOf } from '~/core/table';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { contains, defineList } from '~/platform/lists/list.server';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import type { Db, Trx } from '~db/client.server';
import { DE_PRODUCTO } from './columnas.server';
import { ladosOf } from './retratos.server';
import {
  preciosOf,
  type PreciosDeProducto,
  EXISTENCIA_LABEL,
  EXISTENCIAS,
  palabrasOf,
  SIN_PRECIO_LABEL,
  skuOf,
  type ConExistencia,
} from './producto';
import { lockCatalogo } from './internal/lockCatalogo.server';

const SORTS = ['vendidas', 'existencia', 'alta'] as const;

const Filter = z.object({
  ...listFields(SORTS, '-vendidas'),
  proveedor: z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/)
    .catch(''),
  existencia: z
    .enum(['', ...EXISTENCIAS])
    .optional()
    .catch('')
    .transform((existencia) => existencia ?? ''),
});

const PIEZAS: Record<ConExistencia, ReturnType<typeof sql<boolean>>> = {
  con: sql<boolean>`coalesce(oferta.existencia, -1) > 0`,
  sin: sql<boolean>`coalesce(oferta.existencia, -1) = 0`,
  sinDato: sql<boolean>`coalesce(oferta.existencia, -1) < 0`,
};

/**
 * The words of a search, those that say most first: a pasted title has more words than are searched for, and codes and long words identify a product
 * best.
 */
const lasQueDicen = (palabras: string) =>
  palabras
    .split(' ')
    .sort((a, b) => says(b) - says(a))
    .join(' ');
const says = (palabra: string) => palabra.length + (/\d{2}/.test(palabra) ? 100 : 0);

/** Condition on `producto` that a text means: the product of a whole sku, else the products that hold each of its words. */
export function meaningOf(q: string) {
  const sku = skuOf(q);
  return sku
    ? sql<boolean>`(producto.proveedor = ${sku.proveedor}
        and (lower(producto.modelo) = ${sku.modelo.toLowerCase()} or producto.id_proveedor = ${sku.modelo}))`
    : contains('producto.busqueda', lasQueDicen(palabrasOf(q)));
}

/** 'Productos': everything that suppliers sell, the most sold first. */
export const productosList = defineList({
  lista: 'productos',
  titulo: 'Productos',
  todas: 'Todos',
  filtro: Filter,
  id: 'producto.id',
  idsGrow: true,
  sorts: {
    vendidas: sql.ref('producto.piezasVendidas'),
    existencia: sql`coalesce(oferta.existencia, -1)`,
    alta: sql.ref('producto.id'),
  },
  matches: (db, { q, proveedor, existencia, orden }) =>
    db
      .selectFrom('producto')
      // Joined only when the filter or the sort needs it: most windows are found in the index of one table.
      .$if(existencia !== '' || orden.endsWith('existencia'), (productos) =>
        productos.innerJoin('oferta', 'oferta.productoId', 'producto.id'),
      )
      .$if(proveedor !== '', (productos) => productos.where('producto.proveedor', '=', proveedor))
      .$if(existencia !== '', (productos) => productos.where(rowOf(PIEZAS, existencia)!))
      .$if(q !== '', (productos) => productos.where(meaningOf(q))),
  texto: { columna: 'producto.busqueda', palabras: (q) => (skuOf(q) ? null : lasQueDicen(palabrasOf(q))) },
  rows: (db) =>
    db
      .selectFrom('producto')
      .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
      .leftJoin('oferta', 'oferta.productoId', 'producto.id')
      .select([
        ...DE_PRODUCTO,
        'producto.version',
        'producto.modeloFabricante',
        'producto.productoMaximo',
        'producto.autoOrden',
        'producto.precioLista',
      ]),
  completa: async (db) => {
    const reglas = await readReglas(db);
    return ({ propias, estimadas, ...producto }) => ({
      ...producto,
      precios: preciosOf(reglas, { ...producto, propias, estimadas }),
    });
  },
  alLado: (db, productos) =>
    ladosOf(
      db,
      productos.map(({ id }) => id),
    ),
  totales: (productos) =>
    productos.select(sql<number>`(select coalesce(sum(cuantos), 0)::int from producto_cuenta)`.as('todos')),
  contadas: countProductos,
  propios: {
    proveedor: (valor) => CONNECTIONS.find(valor)?.label ?? valor,
    existencia: (valor) => rowOf(EXISTENCIA_LABEL, valor) ?? valor,
  },
  excel: {
    hoja: 'Productos',
    columnas: [
      { header: 'Proveedor', tipo: 'texto', ancho: 16, valor: (producto) => producto.proveedorLabel },
      { header: 'Id Proveedor', tipo: 'texto', ancho: 18, valor: (producto) => producto.idProveedor },
      { header: 'Modelo', tipo: 'texto', ancho: 22, valor: (producto) => producto.modelo },
      { header: 'Modelo fabricante', tipo: 'texto', ancho: 22, valor: (producto) => producto.modeloFabricante },
      { header: 'Nombre', tipo: 'texto', ancho: 60, valor: (producto) => producto.nombre },
      { header: 'Marca', tipo: 'texto', ancho: 16, valor: (producto) => producto.marca },
      { header: 'GTIN', tipo: 'texto', ancho: 18, valor: (producto) => producto.gtins.join(', ') },
      { header: 'Stock', tipo: 'numero', ancho: 10, valor: (producto) => producto.existencia },
      // Amount in the supplier's own currency, exactly as it was told.
      { header: 'Precio', tipo: 'texto', ancho: 14, valor: ({ precio }) => precio?.toFixed(2) ?? null },
      {
        header: 'Moneda',
        tipo: 'texto',
        ancho: 18,
        valor: ({ moneda, sinPrecio }) => moneda ?? (sinPrecio && SIN_PRECIO_LABEL[sinPrecio]),
      },
      { header: 'Tipo de cambio', tipo: 'texto', ancho: 14, valor: ({ tipoCambio }) => tipoCambio?.toFixed(4) ?? null },
      { header: 'Precio leído', tipo: 'fechaHora', valor: (producto) => producto.precioEn },
      { header: 'Stock leído', tipo: 'fechaHora', valor: (producto) => producto.existenciaEn },
      ...MARKETS.flatMap((market) => [
        {
          header: `Precio ${MARKET_LABEL[market]}`,
          tipo: 'pesos' as const,
          ancho: 16,
          valor: ({ precios }: { precios: PreciosDeProducto }) => precios[market]?.precio ?? null,
        },
        {
          header: `Queda ${MARKET_LABEL[market]}`,
          tipo: 'pesos' as const,
          ancho: 16,
          valor: ({ precios }: { precios: PreciosDeProducto }) => precios[market]?.queda ?? null,
        },
      ]),
      { header: 'Precio de lista', tipo: 'pesos', ancho: 14, valor: (producto) => producto.precioLista },
      { header: 'Costo del envio', tipo: 'pesos', ancho: 14, valor: (producto) => producto.costoEnvio },
      { header: 'Piezas vendidas', tipo: 'numero', ancho: 14, valor: (producto) => producto.piezasVendidas },
      { header: 'Auto orden', tipo: 'texto', ancho: 12, valor: ({ autoOrden }) => (autoOrden ? 'Sí' : 'No') },
    ],
  },
});

/** Counts the list from the counters that each write keeps, without walking its rows. */
async function countProductos(
  db: Db,
  { proveedor, existencia }: z.infer<typeof Filter>,
): Promise<{ registros: number; todos: number }> {
  return db
    .selectFrom('productoCuenta')
    .select([
      sql<number>`coalesce(sum(cuantos) filter (where ${proveedor} in ('', proveedor) and ${existencia} in ('', existencia)), 0)::int`.as(
        'registros',
      ),
      sql<number>`coalesce(sum(cuantos), 0)::int`.as('todos'),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * Rebuilds the counters of the list, and the sold pieces of each product (sales neither cancelled nor returned). The counters come from one snapshot,
 * so rows that others add meanwhile are in neither side.
 */
export async function recountProductos(db: Db): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await sql`
        with antes as (delete from producto_cuenta)
        insert into producto_cuenta (proveedor, existencia, cuantos)
        select proveedor, clase_existencia(existencia), count(*)
        from producto join oferta on producto_id = producto.id
        group by 1, 2`.execute(trx);
    });
  await db.transaction().execute(countVendidas);
}

async function countVendidas(trx: Trx): Promise<void> {
  await lockCatalogo(trx);
  await sql`
    with vendidas as (
      select lower(a.proveedor) as proveedor, lower(a.modelo) as modelo, sum(a.cantidad)::int as piezas
      from articulo a join orden o on o.id = a.orden_id
      where a.modelo is not null and a.proveedor is not null and o.clase = 'normal'
      group by 1, 2),
    suyas as (
      select p.id, v.piezas
      from vendidas v join producto p on p.proveedor = v.proveedor and lower(p.modelo) = v.modelo
      union all
      select p.id, v.piezas
      from vendidas v join producto p on p.proveedor = v.proveedor and lower(p.id_proveedor) = v.modelo
        and lower(p.modelo) is distinct from v.modelo),
    sumas as (select id, sum(piezas)::int as piezas from suyas group by id)
    update producto p set piezas_vendidas = coalesce(s.piezas, 0)
    from producto q left join sumas s on s.id = q.id
    where q.id = p.id and (q.piezas_vendidas > 0 or s.piezas > 0)
      and p.piezas_vendidas <> coalesce(s.piezas, 0)`.execute(trx);
}
