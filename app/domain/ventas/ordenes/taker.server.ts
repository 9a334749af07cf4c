import { sql } from 'kysely';
import type { Market } from '~/core/market';
import type { Db } from '~db/client.server';
import { bringEach, bringVentas } from './bringVentas.server';
import { knownVentas, knownVersions } from './internal/knownVentas.server';
import { saveShipment, saveVentas } from './internal/saveVentas.server';

/**
 * Returns at most `limit` ordenes of a marketplace whose last reading lacked something, such as a shipment that was not born yet or a withholding that was
 * not charged yet, and whose time has come. Each is set back by an hour, so an orden that cannot be read does not come up in the next run.
 */
async function takeDue(db: Db, market: Market, limit: number): Promise<string[]> {
  const due = await db
    .updateTable('orden')
    .set({ revisarEn: sql<Date>`now() + interval '1 hour'` })
    .where('id', 'in', (is) =>
      is
        .selectFrom('orden')
        .select('id')
        .where('market', '=', market)
        .where('revisarEn', '<=', sql<Date>`now()`)
        .orderBy('revisarEn')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('marketId')
    .execute();
  return due.map(({ marketId }) => marketId);
}

/** The verbs with which ordenes take what the sync engine brings (`Takers` of `domain/sync`). */
export const ventasTaker = {
  known: knownVentas,
  knownVersions,
  takeDue,
  save: saveVentas,
  saveShipment,
  bring: bringVentas,
  bringEach,
};
