import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import { rows } from './listStock.server';

/** More pieces of one thing than anybody reads in its page: the list has them all. */
const MAX_PIEZAS = 200;

/** The product that the sku of an article names, as `lineasDeVenta` of pedidos reads it: by the supplier's key, by ours, or by a model that only one has. */
const suProducto = sql<string | null>`(
  select id from (
    select p.id, 1 as orden, 1 as n from producto p where p.proveedor = lower(articulo.proveedor) and p.id_proveedor = split_part(articulo.sku, '|', 2)
    union all select p.id, 2, 1 from producto p where p.proveedor = lower(articulo.proveedor)
      and p.id = case when split_part(articulo.sku, '|', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then split_part(articulo.sku, '|', 2)::uuid end
    union all select p.id, 3, count(*) over () from producto p where p.proveedor = lower(articulo.proveedor) and lower(p.modelo) = lower(articulo.modelo)
  ) suyo where n = 1 order by orden limit 1)`;

const articulosDe = (db: Db | Trx) =>
  db
    .selectFrom('articulo')
    .innerJoin('orden', 'orden.id', 'articulo.ordenId')
    .leftJoin('proveedor', (join) =>
      join.on('proveedor.value', '=', ({ fn }) => fn<string>('lower', ['articulo.proveedor'])),
    )
    .select([
      'orden.id as ordenId',
      'orden.numOrden',
      'orden.market',
      'articulo.posicion',
      'articulo.nombre',
      'articulo.cantidad',
      'proveedor.value as proveedor',
      suProducto.as('productoId'),
    ])
    .orderBy('orden.marketId')
    .orderBy('articulo.posicion');

/** The articles of a sale, to choose the one that came back. */
export function listArticulos(db: Db, numero: string) {
  return articulosDe(db)
    .where((is) => is.or([is('orden.numOrden', '=', numero), is('orden.marketId', '=', numero)]))
    .limit(100)
    .execute();
}

const Cual = z.object({
  orden: z.uuid().optional().catch(undefined),
  articulo: z.coerce.number().int().min(0).max(10_000).catch(0),
  producto: z.uuid().optional().catch(undefined),
});

/** What the screen is about: an article of a sale, or a product. Undefined where its address names neither. */
export async function readDeQue(db: Db, search: URLSearchParams) {
  const { orden, articulo, producto } = Cual.parse(Object.fromEntries(search));
  const suyo = orden
    ? await articulosDe(db).where('orden.id', '=', orden).where('articulo.posicion', '=', articulo).executeTakeFirst()
    : undefined;
  if (orden && !suyo) return undefined;
  const productoId = orden ? suyo?.productoId : producto;
  const [elProducto, piezas] = await Promise.all([
    productoId ? readProductoDe(db, productoId) : undefined,
    orden ? listPiezasDe(db, { orden }) : productoId ? listPiezasDe(db, { producto: productoId }) : [],
  ]);
  if (!suyo && !elProducto) return undefined;
  return { articulo: suyo ?? null, producto: elProducto ?? null, piezas };
}
export type DeQue = NonNullable<Awaited<ReturnType<typeof readDeQue>>>;

function readProductoDe(db: Db, id: string) {
  return db
    .selectFrom('producto')
    .innerJoin('proveedor', 'proveedor.value', 'producto.proveedor')
    .leftJoin('oferta', 'oferta.productoId', 'producto.id')
    .select([
      'producto.id',
      'producto.nombre',
      'producto.proveedor',
      'proveedor.label as proveedorLabel',
      'producto.marca',
      'producto.modelo',
      'producto.idProveedor',
      'producto.link',
      'producto.costoEnvio',
      'producto.productoMaximo',
      'producto.precioLista',
      'oferta.existencia',
    ])
    .where('producto.id', '=', id)
    .executeTakeFirst();
}

/** The pieces that came back of a sale, or of a product, the newest first. */
function listPiezasDe(db: Db, { orden, producto }: { orden?: string; producto?: string }) {
  return rows(db)
    .$if(orden !== undefined, (todas) => todas.where('stockInterno.ordenId', '=', orden!))
    .$if(producto !== undefined, (todas) => todas.where('stockInterno.productoId', '=', producto!))
    .orderBy('stockInterno.id', 'desc')
    .limit(MAX_PIEZAS)
    .execute();
}
