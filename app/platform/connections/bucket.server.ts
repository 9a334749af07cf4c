import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import type { Budget } from './definition';

/**
 * The bucket of a far side: how many calls it has left, in a row of `connection` that all processes share. It fills by `perSecond` up to `burst`, and
 * each call takes one. Below zero the row tells that the last call that was asked for was not given, and took nothing.
 */
export type Bucket = { kind: string; budget: Budget; /** Name people read when it is empty. */ label: string };

/** Whom a read is for. A machine leaves so many calls of the bucket to people that a question never waits behind a full read. */
export type Quien = 'persona' | 'maquina';

/** The longest wait for a call, in ms: a page is not kept longer, and a full read has time. */
const ESPERA_MS: Readonly<Record<Quien, number>> = { persona: 5_000, maquina: 120_000 };

/** Calls per second by which the bucket fills. Where a test shortens the waits of effects, the bucket fills faster by the same factor. */
export const fillOf = ({ perSecond }: Budget): number => perSecond / env().EFFECT_PACE;

/** SQL: the calls that the bucket of the row `c` of `connection` holds now. */
export const callsLeft = (budget: Budget) => sql<number>`
  least(${budget.burst}::float8,
    case when c.tokens < 0 then c.tokens + 1 else c.tokens end
    + greatest(0, extract(epoch from clock_timestamp() - c.refilled_at)::float8) * ${fillOf(budget)}::float8)`;

/**
 * Waits for one call of the bucket. Effects take theirs from the same bucket (`askLeave`). A caller that finds too few in it takes none, so that
 * those who wait do not keep it empty. Throws `Unavailable` with `ownPace` when the wait would be too long.
 */
export async function takeCall(db: Db, bucket: Bucket, quien: Quien): Promise<void> {
  for (const end = performance.now() + ESPERA_MS[quien]; ;) {
    const waitMs = await askCall(db, bucket, quien);
    if (waitMs === 0) return;
    if (performance.now() + waitMs > end)
      throw new Unavailable(`${bucket.label}: se alcanzó el ritmo máximo de consultas`, {
        retryAfterMs: waitMs,
        ownPace: true,
      });
    await sleep(waitMs);
  }
}

/** Returns 0 when the call may go now, else after how many ms to ask again. */
export async function askCall(db: Db, { kind, budget }: Bucket, quien: Quien): Promise<number> {
  const { burst, forPeople = 0 } = budget;
  const needed = 1 + (quien === 'maquina' ? forPeople : 0);
  const left = callsLeft(budget);
  const { numAffectedRows } = await sql`
    insert into connection as c (kind, tokens, refilled_at) values (${kind}, ${burst - 1}, clock_timestamp())
    on conflict (kind, account) do update
      set tokens = ${left} - 1, refilled_at = clock_timestamp()
      where ${left} >= ${needed}`.execute(db);
  if (numAffectedRows === 1n) return 0;
  const { rows } = await sql<{ calls: number; heldMs: number }>`
    select ${left} as calls,
      greatest(0, extract(epoch from c.refilled_at - clock_timestamp()) * 1000)::float8 as "heldMs"
    from connection c where kind = ${kind} and account = ''`.execute(db);
  const { calls = 0, heldMs = 0 } = rows[0] ?? {};
  return Math.max(20, Math.ceil(((needed - calls) / fillOf(budget)) * 1000 + heldMs));
}

/** Empties the bucket, and keeps it empty for `holdMs`: the far side asked for fewer calls. */
export async function emptyBucket(db: Db, kind: string, holdMs = 0): Promise<void> {
  const until = sql<Date>`clock_timestamp() + ${holdMs}::float8 * interval '1 ms'`;
  await sql`
    insert into connection as c (kind, tokens, refilled_at) values (${kind}, 0, ${until})
    on conflict (kind, account) do update
      set tokens = least(c.tokens, 0), refilled_at = greatest(c.refilled_at, ${until})`.execute(db);
}
