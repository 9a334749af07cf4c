import { sql } from 'kysely';

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
