import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

export type Limit = { hits: number; seconds: number };
export type Taken = { allowed: boolean; retryAfterSeconds: number; giveBack(): Promise<void> };

/**
 * Takes one of `limit.hits` in the current window of `limit.seconds`. The counter is a row, so every web process sees the same one, and it
 * moves before the work it limits: two attempts at once cannot both be the last. Keys may name people, so only their hash is kept.
 */
export async function takeRate(db: Db | Trx, key: string, limit: Limit): Promise<Taken> {
  const hashed = createHash('sha256').update(key).digest('base64url');
  const { windowStart, hits, left } = await db
    .insertInto('rateLimit')
    .values({ key: hashed, windowStart: windowOf(limit), hits: 1 })
    .onConflict((conflict) => conflict.columns(['key', 'windowStart']).doUpdateSet({ hits: sql`rate_limit.hits + 1` }))
    .returning([
      'windowStart',
      'hits',
      sql<number>`ceil(extract(epoch from window_start - now()) + ${limit.seconds})::int`.as('left'),
    ])
    .executeTakeFirstOrThrow();
  return {
    allowed: hits <= limit.hits,
    retryAfterSeconds: Math.max(1, left),
    async giveBack() {
      await db
        .updateTable('rateLimit')
        .set({ hits: sql`greatest(0, hits - 1)` })
        .where('key', '=', hashed)
        .where('windowStart', '=', windowStart)
        .execute();
    },
  };
}

/** Windows are cut by the database's clock, the one all processes share. */
function windowOf({ seconds }: Limit) {
  return sql<Date>`to_timestamp(floor(extract(epoch from now()) / ${seconds}) * ${seconds})`;
}
