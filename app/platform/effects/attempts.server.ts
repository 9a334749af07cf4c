import { type RawBuilder, sql } from 'kysely';
import { seal, type Keyring } from '~/core/seal.server';
import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';
import type { AttemptOutcome } from '~db/columns';

export type Recorder = {
  trace: Trace;
  /** Starts the clock anew: the time before was waiting. */
  begin(): void;
  end(outcome: AttemptOutcome, message?: string, status?: number): Promise<void>;
};

const MAX_SEALED = 200_000;

/**
 * Returns a recorder for one attempt at an effect. `end` appends what went out and what came back, sealed, whether or not the lease is still ours.
 */
export function recordAttempt(
  { db, keyring }: { db: Db; keyring: Keyring },
  take: { id: string; owner: string },
  kind: 'send' | 'find',
): Recorder {
  let startedAt = performance.now();
  const exchanges: unknown[] = [];
  let lastStatus: number | null = null;
  return {
    begin: () => (startedAt = performance.now()),
    trace: (exchange) => {
      lastStatus = exchange.status;
      exchanges.push({
        ...exchange,
        requestBody: exchange.requestBody.slice(0, MAX_SEALED),
        responseBody: exchange.responseBody.slice(0, MAX_SEALED),
      });
    },
    async end(outcome, message, status) {
      const sealed = exchanges.length === 0 ? null : seal(keyring, JSON.stringify(exchanges), `effect:${take.id}`);
      await db
        .insertInto('effectAttempt')
        .values({
          effectId: take.id,
          kind,
          phase: 'ended',
          owner: take.owner,
          outcome,
          status: status ?? lastStatus,
          ms: Math.round(performance.now() - startedAt),
          message: message?.slice(0, 500) ?? null,
          sealed,
        })
        .execute();
    },
  };
}

/** SQL: the sends that may have arrived. Left out are those that are known to have stayed here, or to have got a clear no. */
const sendsInDoubt = (effectId: RawBuilder<unknown>) => sql`
  from effect_attempt sent
  where sent.effect_id = ${effectId} and sent.kind = 'send' and sent.phase = 'started'
    and not exists (
      select from effect_attempt told
      where told.effect_id = sent.effect_id and told.owner = sent.owner and told.kind = 'send' and told.phase = 'ended'
        and told.outcome in ('not-sent', 'account', 'refused'))`;

/**
 * SQL: whether a send of the effect may have arrived. Every query that asks uses this one reading. `effectId` is the column's name in the query
 * around it.
 */
export const mayHaveArrived = (effectId: string) => sql<boolean>`exists (select ${sendsInDoubt(sql.ref(effectId))})`;

/** SQL: the sends (`sent`) that got no answer at all: what came of each was only learnt later, or never. */
export const withoutAnswer = (effectId: string) => sql`${sendsInDoubt(sql.ref(effectId))}
    and not exists (
      select from effect_attempt told
      where told.effect_id = sent.effect_id and told.owner = sent.owner and told.kind = 'send'
        and told.phase = 'ended' and told.outcome = 'answered')`;

/** SQL: whether a send of the effect got no answer at all. */
export const gotNoAnswer = (effectId: string) => sql<boolean>`exists (select ${withoutAnswer(effectId)})`;

/** Returns how many sends of an effect may have arrived. */
export async function countInDoubt(db: Db, effectId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${sendsInDoubt(sql`${effectId}`)}`.execute(db);
  return rows[0]!.n;
}

/**
 * Returns how many ms ago an effect was last seen to be absent, where its send now repeats by itself one that may have arrived. Null for a first send,
 * and for one that a person asked for.
 */
export async function repeatsAfterMs(
  db: Db,
  { id: effectId, owner }: { id: string; owner: string },
): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from clock_timestamp() - (
      select max(at) from effect_attempt
      where effect_id = ${effectId} and kind = 'find' and phase = 'ended' and outcome = 'absent')) * 1000)::float8 as ms
    where exists (
      select ${sendsInDoubt(sql`${effectId}`)} and sent.owner <> ${owner}
        and sent.id > coalesce((
          select max(id) from effect_attempt where effect_id = ${effectId} and kind = 'person'), 0))`.execute(db);
  return rows[0] ? (rows[0].ms ?? Infinity) : null;
}
