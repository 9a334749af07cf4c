import { sql } from 'kysely';
import { seal, type Keyring } from '~/core/seal.server';
import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';

export type Recorder = { trace: Trace; end(outcome: string, message?: string, status?: number): Promise<void> };

const MAX_SEALED = 200_000;

/** The evidence of an attempt: what went out and what came back, sealed; appended whether or not the lease is still ours. */
export function recordAttempt(
  { db, keyring }: { db: Db; keyring: Keyring },
  take: { id: string; owner: string },
  kind: 'send' | 'find',
): Recorder {
  const startedAt = performance.now();
  const exchanges: unknown[] = [];
  let lastStatus: number | null = null;
  return {
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

/** Sends that may have arrived: all but those known to have stayed here. */
export async function countDoubtful(db: Db, effectId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from effect_attempt s
    where effect_id = ${effectId} and kind = 'send' and phase = 'started' and not exists (
      select from effect_attempt e where e.effect_id = s.effect_id and e.owner = s.owner and e.phase = 'ended' and e.outcome in ('not-sent', 'account'))`.execute(
    db,
  );
  return rows[0]!.n;
}
