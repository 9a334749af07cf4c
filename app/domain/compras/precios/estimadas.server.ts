import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Db, Trx } from '~db/client.server';
import type { ComisionEstimada } from './precio';

/** Days after which an answer of a marketplace that could not be asked for again estimates nothing any more. */
export const VALE_DIAS = 60;

/** SQL: joins the living listings (`p`) with the answers (`e`) that still estimate something. */
const DE_PUBLICACION = sql`join comision_estimada e
  on e.market = p.market and e.sku = p.sku and e.del_mercado = p.stock_ajeno and e.envio = 0 and p.ausente_desde is null
    and e.dicha_en > now() - make_interval(days => ${sql.lit(VALE_DIAS)})`;

/**
 * Returns the estimated commissions of some products, by product: those of the listings that they are sold by. They are of one piece, without shipping. A product
 * without one is left out.
 */
export async function readEstimadas(
  db: Db | Trx,
  productos: readonly string[],
): Promise<ReadonlyMap<string, ComisionEstimada[]>> {
  const estimadas = new Map<string, ComisionEstimada[]>();
  if (productos.length === 0) return estimadas;
  const { rows } = await sql<ComisionEstimada & { productoId: string }>`
    select p.producto_id as "productoId", e.market, e.precio, e.comision
    from publicacion p ${DE_PUBLICACION}
    where p.producto_id = any(${[...productos]}::uuid[])
    order by p.producto_id, e.dicha_en desc, e.precio`.execute(db);
  for (const { productoId, ...una } of rows) {
    const suyas = estimadas.get(productoId);
    if (suyas) suyas.push(una);
    else estimadas.set(productoId, [una]);
  }
  return estimadas;
}

/** SQL: the estimated commissions of a `producto`, the newest first, as `readEstimadas` tells them; null without any. */
export const estimadas = sql<{ market: Market; precio: string; comision: string }[] | null>`(
  select jsonb_agg(jsonb_build_object('market', e.market, 'precio', e.precio::text, 'comision', e.comision::text) order by e.dicha_en desc, e.precio)
  from publicacion p ${DE_PUBLICACION} where p.producto_id = producto.id)`;
