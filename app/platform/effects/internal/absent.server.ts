import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** How long and how many looks it takes until absent means absent: a far side may finish a call whose connection broke. */
const ABSENT_AFTER_MS = 180_000;
const ABSENT_LOOKS = 3;

/**
 * Returns whether an effect is proven absent: enough looks since the last send, or since a person asked to look again, saw nothing there, and the
 * first of them is long enough ago. `waitMs`, at a pace of 1, is the time until the look that can prove it. A look that could not look proves
 * nothing.
 */
export async function untilAbsent(
  db: Db,
  effectId: string,
  pace: number,
): Promise<{ proven: boolean; waitMs: number }> {
  const { rows } = await sql<{ looks: number; ms: number | null }>`
    select count(*)::int as looks, (extract(epoch from clock_timestamp() - min(at)) * 1000)::float8 as ms
    from effect_attempt
    where effect_id = ${effectId} and kind = 'find' and phase = 'ended' and outcome = 'absent'
      and id > coalesce((
        select max(id) from effect_attempt
        where effect_id = ${effectId} and kind in ('send', 'person')), 0)`.execute(db);
  const { looks, ms } = rows[0]!;
  const waitMs = ABSENT_AFTER_MS - (ms ?? 0) / pace;
  return { proven: looks >= ABSENT_LOOKS && waitMs <= 0, waitMs: waitMs > 0 ? waitMs : Infinity };
}

/**
 * Returns how many looks on end could not look, this one included. The first of them is soon made up for, and a far side that is down is not asked
 * all the time.
 */
export async function blindLooks(db: Db, effectId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from effect_attempt
    where effect_id = ${effectId} and kind = 'find' and phase = 'ended'
      and id > coalesce((select max(id) from effect_attempt
        where effect_id = ${effectId} and (kind <> 'find' or outcome in ('absent', 'found'))), 0)`.execute(db);
  return rows[0]!.n;
}
