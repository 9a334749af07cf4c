import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';
import { recordAttempt } from './attempts.server';
import type { EffectDefinition } from './definition';
import { noteLateEvidence } from './late.server';
import type { EffectRuntime } from './runEffect.server';

/**
 * A no may end an effect while an earlier call of it, that nobody answered, is still on its way: the far side can hold one longer than absent is doubted. What ended so is looked for
 * a few times more, later and later, and what is found people are told.
 */
const LATE_LOOKS_MIN = [5, 30, 120, 720, 2_160];

/** For `look_again_at` of the effect that ends without having been done: null where no call of it can still be on its way. */
export function firstLateLook(pace: number): RawBuilder<Date | null> {
  return sql`case when exists (
    select from effect_attempt s where s.effect_id = effect.id and s.kind = 'send' and s.phase = 'started' and not exists (
      select from effect_attempt e where e.effect_id = s.effect_id and e.owner = s.owner and e.kind = 'send' and e.phase = 'ended' and e.outcome in ('not-sent', 'account', 'refused'))
  ) then now() + ${LATE_LOOKS_MIN[0]! * pace} * interval '1 minute' end`;
}

/** Looks once, when it is time; the next look is set before this one begins, so that a process that dies here costs one of them. */
export async function lookLate(runtime: EffectRuntime, definition: EffectDefinition<unknown, unknown, unknown>, effectId: string): Promise<void> {
  const { db, pace } = runtime;
  const minutes = LATE_LOOKS_MIN.map((minute) => minute * pace);
  const { rows } = await sql<{ id: string; ref: string; request: unknown; covered: boolean }>`
    update effect set look_again_at = now() + (${minutes}::float8[])[
      2 + (select count(*)::int from effect_attempt a where a.effect_id = effect.id and a.kind = 'find' and a.phase = 'ended' and a.at > effect.settled_at)] * interval '1 minute'
    where id = ${effectId} and look_again_at <= now() and state in ('refused', 'cancelled')
    returning id, ref, request, exists (
      select from effect later where later.type = effect.type and later.key = effect.key and later.id > effect.id and later.state not in ('refused', 'cancelled')) as covered`.execute(db);
  const effect = rows[0];
  // Asked for again and under way or done: that one was sent under the same reference, and looked for it first.
  if (!effect || effect.covered || !definition.find) return;
  const request = definition.request.safeParse(effect.request);
  if (!request.success) return;
  const recorder = recordAttempt(runtime, { id: effect.id, owner: randomUUID() }, 'find');
  try {
    const found = await definition.find({ id: effect.id, request: request.data, ref: effect.ref, clients: runtime.clients(recorder.trace), db }, null);
    await recorder.end(found === 'absent' ? 'absent' : 'found');
    if (found === 'absent') return;
    await noteLateEvidence(db, effect.id, found);
    await db.updateTable('effect').set({ lookAgainAt: null }).where('id', '=', effect.id).execute();
  } catch (error) {
    await recorder.end('unclear', error instanceof Error ? error.message : String(error));
    log.warn('mirada tardía sin respuesta', { effect: effect.id, error: error instanceof Error ? error.message : String(error) });
  }
}

/** Whether another effect of this reference ended with a no, and a call of it may still have arrived: who sends next looks first. */
export async function mayHaveLanded(db: Db, { id, ref }: { id: string; ref: string }): Promise<boolean> {
  const twin = await db.selectFrom('effect').select('id').where('lookAgainAt', 'is not', null).where('ref', '=', ref).where('id', '<>', id).limit(1).executeTakeFirst();
  return twin !== undefined;
}
