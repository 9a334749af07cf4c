import { sql } from 'kysely';
import type { Trx } from '~db/client.server';

/**
 * One writer at a time for each of these names, until the transaction ends. Rows that do not exist yet cannot be locked, and everybody
 * takes the names in one order, so nobody waits in a circle.
 */
export async function lockKeys(trx: Trx, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await sql`select pg_advisory_xact_lock(key) from
    (select distinct hashtextextended('ordenes:' || name, 0) as key from unnest(${names}::text[]) name order by 1) keys`.execute(
    trx,
  );
}
