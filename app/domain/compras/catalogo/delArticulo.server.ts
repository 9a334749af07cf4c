import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { skuOf } from './producto';

/**
 * SQL: id of the product that the sku of an `articulo` names (`AMS|key|supplier|model`). The key is the supplier's own or our row's. Skus from before the
 * catalogue have neither; their model decides when only one product of the supplier has it. Null where no product is named.
 */
export const PRODUCTO_DE_ARTICULO = sql<string | null>`(
  with por_clave as (
    select p.id, 1 as orden, 1 as n from producto p
    where p.proveedor = lower(articulo.proveedor) and p.id_proveedor = split_part(articulo.sku, '|', 2)),
  por_id as (
    select p.id, 2 as orden, 1 as n from producto p
    where p.proveedor = lower(articulo.proveedor)
      and p.id = case when split_part(articulo.sku, '|', 2) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then split_part(articulo.sku, '|', 2)::uuid end),
  por_modelo as (
    select p.id, 3 as orden, count(*) over () as n from producto p
    where p.proveedor = lower(articulo.proveedor) and lower(p.modelo) = lower(articulo.modelo))
  select id
  from (select * from por_clave union all select * from por_id union all select * from por_modelo) suyo
  where n = 1 order by orden limit 1)`;

/** Returns the ids of the products that skus name, each by the rule of `PRODUCTO_DE_ARTICULO`. A sku that names none has no entry. */
export async function productosOfSkus(
  db: Db | Trx,
  skus: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const partes = [...new Set(skus)].flatMap((sku) => {
    const leido = sku === null ? null : skuOf(sku);
    return leido ? [{ ...leido, sku: sku! }] : [];
  });
  if (partes.length === 0) return new Map();
  const columna = (key: 'sku' | 'proveedor' | 'modelo') => sql`${partes.map((parte) => parte[key])}::text[]`;
  const { rows } = await sql<{ sku: string; id: string | null }>`
    select articulo.sku, ${PRODUCTO_DE_ARTICULO} as id
    from unnest(${columna('sku')}, ${columna('proveedor')}, ${columna('modelo')}) as articulo (sku, proveedor, modelo)`.execute(
    db,
  );
  return new Map(rows.flatMap(({ sku, id }) => (id === null ? [] : [[sku, id]])));
}
