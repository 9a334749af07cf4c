import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { tipoCambio } from '~/domain/compras/precios/precios.server';
import type { Db } from '~db/client.server';
import { PRODUCTO_DE_ARTICULO } from './delArticulo.server';

/** Days of sales whose price is looked up. An older sale without a cost would get a price of another time. */
const DIAS = 91;
/** Time for which a sale that came in is looked at with those that come in after it, in SQL. */
const LLEGADAS = sql.lit('1 hour');
/** Sales that one statement looks at. */
const LOTE = 500;

/**
 * Keeps the supplier's price of today with sales whose cost nobody knows, so that their ledgers estimate it until something is ordered. `llegadas`: only
 * sales that came in during the last hour; all the others wait for a reading of their catalogue or for the night. A price that is kept never changes.
 * Goods that lie with the marketplace, and sales that came back, have none. Returns how many prices were kept.
 */
export async function keepCostosVistos(
  db: Db,
  { llegadas }: { llegadas: boolean },
  signal?: AbortSignal,
): Promise<number> {
  let kept = 0;
  for (let after: string | null = null; !signal?.aborted;) {
    const { rows } = await sql<{ id: string }>`
      select l.orden_id as id from libro_venta l
      where l.certeza = 'desconocida' and 'costo' = any(l.falta) and l.fecha > now() - make_interval(days => ${sql.lit(DIAS)})
        and (${after}::uuid is null or l.orden_id > ${after}::uuid)
        and (${!llegadas} or l.orden_id > uuidv7(-interval ${LLEGADAS}))
      order by l.orden_id limit ${LOTE}`.execute(db);
    if (rows.length === 0) break;
    const ids: string[] = rows.map(({ id }) => id);
    kept += await keepOf(db, ids);
    after = ids.at(-1)!;
  }
  if (kept > 0) log.info('costos vistos', { precios: kept });
  return kept;
}

async function keepOf(db: Db, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with linea as (
      select distinct on (articulo.orden_id, lower(articulo.sku)) articulo.orden_id, lower(articulo.sku) as sku, ${PRODUCTO_DE_ARTICULO} as producto_id
      from articulo join orden on orden.id = articulo.orden_id left join envio on envio.id = orden.envio_id
      where articulo.orden_id = any(${[...ids]}::uuid[]) and articulo.sku <> ''
        and orden.clase not in ('cancelada', 'devuelta') and envio.tipo_logistico is distinct from 'fulfillment'
    )
    insert into costo_visto (orden_id, sku, proveedor, producto_id, precio, moneda, tipo_cambio, precio_en)
    select linea.orden_id, linea.sku, producto.proveedor, producto.id, oferta.precio, oferta.moneda,
      case when oferta.moneda <> 'MXN' then ${tipoCambio} end, coalesce(oferta.precio_en, oferta.leida_en)
    from linea join producto on producto.id = linea.producto_id join oferta on oferta.producto_id = producto.id
    where oferta.precio > 0 and (oferta.moneda = 'MXN' or ${tipoCambio} > 0)
    order by linea.orden_id, linea.sku
    on conflict (orden_id, sku) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
