import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Espera } from '~/platform/hoy/espera';
import type { Db } from '~db/client.server';
import { nosToca } from './internal/colaReclamos.server';
import { PLAZOS_DE_RECLAMO } from './reclamo';

/** Returns the claims of a sale that wait for us, the most urgent first. The condition is that of the queue on Hoy. */
export async function esperanReclamos(
  db: Db,
  { market, numOrden }: { market: Market; numOrden: string },
): Promise<Espera[]> {
  const { rows } = await sql<{ id: string; marketId: string; desde: Date; vence: Date | null }>`
    select r.id, r.market_id, r.actualizado_en as desde, r.vence_en as vence
    from orden o join reclamo r on r.market = o.market and r.orden_market_id = o.market_id
    where o.market = ${market} and o.num_orden = ${numOrden} and ${nosToca('r')}
    order by r.vence_en nulls last, r.id`.execute(db);
  return rows.map(({ id, marketId, desde, vence }) => ({
    paso: 'reclamo',
    de: id,
    texto: `Nos toca contestar el reclamo ${marketId}`,
    plazo: { desde, vence, plazos: PLAZOS_DE_RECLAMO },
    pantalla: `reclamos?ver=${id}`,
  }));
}
