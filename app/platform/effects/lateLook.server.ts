import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';
import { mayHaveArrived, mayHaveArrivedTwice, recordAttempt } from './attempts.server';
import { Mismatch, type EffectDefinition } from './definition';
import { noteLateEvidence, repetidasOf } from './late.server';
import type { EffectRuntime } from './runtime';

/**
 * An effect may end while an earlier call of it, that nobody answered, is still on its way: the far side can hold one longer than absent is doubted. What ended so, well or not, is
 * looked for a few times more, later and later, and what is found people are told.
 */
const LATE_LOOKS_MIN = [5, 30, 120, 720, 2_160];

/** For `look_again_at` of what ended well: of several calls that may have arrived one is known, and another can still be on its way. */
export function firstLookAfterDone(definition: { alive?: unknown }, pace: number): RawBuilder<Date | null> | null {
  return definition.alive === undefined
    ? null
    : sql`case when ${mayHaveArrivedTwice('effect.id')} then now() + ${LATE_LOOKS_MIN[0]! * pace} * interval '1 minute' end`;
}

/** For `look_again_at` of the effect that ends without having been done: null where no call of it can still be on its way, or its kind cannot be looked for. */
export function firstLateLook(
  definition: { find?: unknown } | undefined,
  pace: number,
): RawBuilder<Date | null> | null {
  return definition?.find === undefined
    ? null
    : sql`case when ${mayHaveArrived('effect.id')} then now() + ${LATE_LOOKS_MIN[0]! * pace} * interval '1 minute' end`;
}

/**
 * Looks once, when it is time. The next look is set before this one begins, and counted from the end of the effect: whatever comes of this one, and though a process dies
 * here, they come to an end.
 */
export async function lookLate(
  runtime: EffectRuntime,
  definition: EffectDefinition<unknown, unknown, unknown>,
  effectId: string,
): Promise<void> {
  const { db, pace } = runtime;
  const minutes = LATE_LOOKS_MIN.map((minute) => minute * pace);
  const { rows } = await sql<{
    id: string;
    ref: string;
    request: unknown;
    covered: boolean;
    replaced: boolean;
    ours: string | null;
  }>`
    update effect set look_again_at = (
      select min(effect.settled_at + after * interval '1 minute') from unnest(${minutes}::float8[]) after where effect.settled_at + after * interval '1 minute' > now())
    where id = ${effectId} and look_again_at <= now() and state in ('refused', 'cancelled', 'done')
    returning id, ref, request, exists (
      select from effect later where later.type = effect.type and later.key = effect.key and later.id > effect.id and later.state not in ('refused', 'cancelled', 'done')) as covered, exists (
      select from effect later where later.type = effect.type and later.key = effect.key and later.id > effect.id and later.state = 'done') as replaced, (
      select ours.result ->> 'uid' from effect ours where ours.type = effect.type and ours.key = effect.key and ours.ref = effect.ref and ours.state = 'done' order by ours.id desc limit 1) as ours`.execute(
    db,
  );
  const effect = rows[0];
  // Asked for again and under way: that one was sent under the same reference, and looked for it first.
  if (!effect || effect.covered || !definition.find) return;
  // And done: where all that is alive can be told, a second one is looked for all the same.
  if (effect.replaced && !definition.alive) return;
  const request = definition.request.safeParse(effect.request);
  if (!request.success) return;
  const recorder = recordAttempt(runtime, { id: effect.id, owner: randomUUID() }, 'find');
  const call = {
    id: effect.id,
    request: request.data,
    ref: effect.ref,
    clients: runtime.clients(recorder.trace),
    db,
  };
  try {
    if (effect.ours !== null && definition.alive) {
      const repetidas = repetidasOf(await definition.alive(call), effect.ours);
      await recorder.end(repetidas ? 'found' : 'absent');
      if (repetidas) await noteLateEvidence(db, effect.id, repetidas, { done: true });
      return;
    }
    const found = await definition.find(call, null);
    await recorder.end(found === 'absent' ? 'absent' : 'found');
    if (found !== 'absent') await noteLateEvidence(db, effect.id, found);
  } catch (error) {
    await recorder.end('unclear', error instanceof Error ? error.message : String(error));
    // More than one is there: none of them can be named as ours, and people have to know of all.
    if (error instanceof Mismatch && error.evidence === undefined)
      return noteLateEvidence(db, effect.id, repetidasOf(error.vivos, null) ?? {});
    log.warn('mirada tardía sin respuesta', {
      effect: effect.id,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Whether another effect of this reference ended with a no, and a call of it may still have arrived, or did: who sends next looks first. */
export async function mayHaveLanded(db: Db, { id, ref }: { id: string; ref: string }): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (select from effect where look_again_at is not null and ref = ${ref} and id <> ${id})
      or exists (select from effect where late_evidence is not null and ref = ${ref} and id <> ${id}) as may`.execute(
    db,
  );
  return rows[0]!.may;
}
