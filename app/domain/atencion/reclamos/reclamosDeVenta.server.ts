import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Db } from '~db/client.server';
import { NOS_TOCA } from './internal/colaReclamos.server';

/** A claim that waits for us. `venceEn` is null where the marketplace names us and gives no day. */
export type ReclamoDeVenta = { id: string; marketId: string; actualizadoEn: Date; venceEn: Date | null };

/** Returns the claims of a sale that wait for us, the most urgent first. */
export async function reclamosDeVenta(
  db: Db,
  { market, numOrden }: { market: Market; numOrden: string },
): Promise<ReclamoDeVenta[]> {
  const { rows } = await sql<ReclamoDeVenta>`
    select r.id, r.market_id, r.actualizado_en, r.vence_en
    from orden o join reclamo r on r.market = o.market and r.orden_market_id = o.market_id
    where o.market = ${market} and o.num_orden = ${numOrden} and ${NOS_TOCA}
    order by r.vence_en nulls last, r.id`.execute(db);
  return rows;
}
