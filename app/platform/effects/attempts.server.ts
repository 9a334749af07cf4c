import { type RawBuilder, sql } from 'kysely';
import { seal, type Keyring } from '~/core/seal.server';
import type { Trace } from '~/integrations/http.server';
import type { Db } from '~db/client.server';
import type { AttemptOutcome } from '~db/columns';

export type Recorder = {
  trace: Trace;
  /** What came before was waiting. */
  begin(): void;
  end(outcome: AttemptOutcome, message?: string, status?: number): Promise<void>;
};

const MAX_SEALED = 200_000;

/** The evidence of an attempt: what went out and what came back, sealed; appended whether or not the lease is still ours. */
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

/** Sends that may have arrived: all but those known to have stayed here, or to have got a clear no. */
const sendsInDoubt = (effectId: RawBuilder<unknown>) => sql`from effect_attempt s
    where s.effect_id = ${effectId} and s.kind = 'send' and s.phase = 'started' and not exists (
      select from effect_attempt e where e.effect_id = s.effect_id and e.owner = s.owner and e.kind = 'send' and e.phase = 'ended' and e.outcome in ('not-sent', 'account', 'refused'))`;

/** Whether a send of the effect may have arrived. The one reading of it, for every query that asks. `effectId`: as the query around it names it. */
export const mayHaveArrived = (effectId: string) => sql<boolean>`exists (select ${sendsInDoubt(sql.ref(effectId))})`;

/** Whether more than one may have: of which one at most is known. */
export const mayHaveArrivedTwice = (effectId: string) =>
  sql<boolean>`exists (select ${sendsInDoubt(sql.ref(effectId))} offset 1)`;

export async function countInDoubt(db: Db, effectId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${sendsInDoubt(sql`${effectId}`)}`.execute(db);
  return rows[0]!.n;
}
