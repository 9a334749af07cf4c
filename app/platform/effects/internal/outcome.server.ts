import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { describeTramo } from '~/core/traza.server';
import { noteOutcome } from '~/platform/connections/breaker.server';
import type { ConnectionKind } from '~/platform/connections/registry.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape, Unsendable } from '~/integrations/errors';
import type { Trace } from '~/integrations/http.server';
import type { Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { recordAttempt, type Recorder } from '../attempts.server';
import {
  Mismatch,
  StillWorking,
  TurnedDown,
  type AcceptedEffect,
  type EffectCall,
  type EffectDefinition,
} from '../definition';
import { priorityOf, taskOf } from '../effects.server';
import { firstLateLook, firstLookAfterDone, noteLateEvidence, type Repetidas } from '../late.server';
import type { EffectRuntime } from '../runtime';
import { TooLate } from './young';

/**
 * The outcome of an effect that was taken: done, refused, tried again, looked for, or for people. Only the runner that still holds the lease writes
 * it.
 */

/** Waits before an unclear effect is looked for, by the number of looks. */
export const LOOK_AFTER_MS = [2_000, 5_000, 15_000, 45_000, 120_000, 300_000];
/** Waits before an effect that never left is sent, by the number of tries. */
export const RETRY_AFTER_MS = [2_000, 5_000, 15_000, 60_000, 180_000, 300_000];

/** The fact of a span that says in which state a step left its effect. */
const DESPUES = 'trastienda.efecto.despues';

export type Definition = EffectDefinition<unknown, unknown, unknown>;

/** An effect under a lease. */
export type Take = {
  id: string;
  type: string;
  ref: string;
  connection: ConnectionKind;
  request: unknown;
  requestHash: Buffer;
  state: 'sending' | 'unknown';
  sends: number;
  finds: number;
  result: unknown;
  sentAt: Date | null;
  unknownAt: Date | null;
  usuarioId: string | null;
  batchId: string | null;
  owner: string;
  takenAt: number;
};

/** Ends an effect that the far side did: reads the result back, and writes it with everything that follows, in one transaction. */
export async function finish(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  evidence: unknown,
): Promise<void> {
  let result: unknown;
  const recorder = recordAttempt(runtime, take, 'find');
  const call = await callOf(runtime, definition, take, recorder.trace);
  if (!call) return;
  try {
    result = await definition.confirm(call, evidence);
  } catch (error) {
    if (error instanceof TurnedDown) {
      await recorder.end('refused', messageOf(error));
      return refuse(runtime, definition, take, { reason: error.message, detail: error.detail, lookAgainAt: null });
    }
    await recorder.end('unclear', messageOf(error));
    if (error instanceof Mismatch) {
      return release(runtime, take, {
        state: 'manual',
        reason: 'Lo que hay del otro lado no es lo que se pidió.',
        detail: error.message,
        evidence,
      });
    }
    // The thing exists there, and only reading it back failed. The evidence stays, so the next look goes straight to it.
    if (!(error instanceof StillWorking))
      log.warn('efecto hecho, lectura pendiente', { effect: take.id, type: take.type, error: messageOf(error) });
    return release(runtime, take, { state: 'unknown', waitMs: wait(LOOK_AFTER_MS, take.finds + 1), evidence });
  }
  try {
    const mine = await runtime.db.transaction().execute(async (trx) => {
      const own = await trx
        .updateTable('effect')
        .set({
          state: 'done',
          result: JSON.stringify(evidence),
          settledAt: sql<Date>`now()`,
          leaseOwner: null,
          leaseUntil: null,
          reason: null,
          detail: null,
          lookAgainAt: firstLookAfterDone(definition, runtime.pace),
        })
        .where('id', '=', take.id)
        .where('leaseOwner', '=', take.owner)
        .where('state', 'in', ['sending', 'unknown'])
        .executeTakeFirst();
      if (own.numUpdatedRows === 1n) await definition.settle(trx, acceptedOf(definition, take), result);
      return own.numUpdatedRows === 1n;
    });
    describeTramo({ [DESPUES]: 'done' });
    if (!mine) await noteLateEvidence(runtime.db, take.id, evidence, { done: definition.alive !== undefined });
  } catch (error) {
    // The call is done outside and not yet written here: the evidence stays on the row, and the next look writes it.
    log.error('efecto hecho, escritura pendiente', error, { effect: take.id, type: take.type });
    await release(runtime, take, { state: 'unknown', waitMs: wait(LOOK_AFTER_MS, take.finds + 1), evidence });
  }
}

/**
 * Writes the outcome of a send that failed. A far side that was not reached is tried again, a clear no ends the effect, and anything else is looked
 * for.
 */
export async function settleFailure(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  recorder: Recorder,
  error: unknown,
): Promise<void> {
  if (error instanceof TooLate) {
    await recorder.end('not-sent', error.message);
    // An effect that is too late again and again has something slow to read before it can be sent.
    return release(runtime, take, {
      state: 'queued',
      waitMs: take.sends === 1 ? 0 : wait(RETRY_AFTER_MS, take.sends - 1),
    });
  }
  await noteOutcome(runtime.db, take.connection, 'send', error, runtime);
  if (error instanceof Refused && !error.details.account) {
    await recorder.end('refused', error.message, error.details.status);
    const { code, detail } = error.details;
    return refuse(runtime, definition, take, {
      reason: error.message,
      detail: [code, detail].filter(Boolean).join(' · ') || null,
      lookAgainAt: firstLateLook(definition, runtime.pace),
    });
  }
  if (error instanceof Refused) {
    await recorder.end('account', error.message, error.details.status);
    return release(runtime, take, {
      state: 'queued',
      waitMs: wait(RETRY_AFTER_MS, take.sends + 2),
      reason: error.message,
    });
  }
  if (error instanceof Unsendable) {
    log.error('una llamada de un efecto no se pudo armar', error, { effect: take.id, type: take.type });
    await recorder.end('not-sent', error.message);
    return refuse(runtime, definition, take, {
      reason: 'La solicitud no se pudo armar: es una falla de este sistema. No se envió nada.',
      detail: error.message,
      lookAgainAt: firstLateLook(definition, runtime.pace),
    });
  }
  if (error instanceof Unavailable) {
    await recorder.end('not-sent', error.message, error.details.status);
    return release(runtime, take, {
      state: 'queued',
      waitMs: error.details.retryAfterMs ?? wait(RETRY_AFTER_MS, take.sends),
      reason: error.message,
    });
  }
  await recorder.end(
    'unclear',
    messageOf(error),
    error instanceof Uncertain || error instanceof UnexpectedShape ? error.details.status : undefined,
  );
  if (!(error instanceof Uncertain) && !(error instanceof UnexpectedShape))
    log.error('un efecto falló sin clasificar', error, { effect: take.id, type: take.type });
  return release(runtime, take, { state: 'unknown', waitMs: LOOK_AFTER_MS[0]! });
}

type No = { reason: string; detail: string | null; lookAgainAt: ReturnType<typeof firstLateLook> };

/** Ends an effect with a clear no, to the send itself or to a request that was taken in and looked for since. */
async function refuse(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  { reason, detail, lookAgainAt }: No,
): Promise<void> {
  describeTramo({ [DESPUES]: 'refused' });
  await runtime.db.transaction().execute(async (trx) => {
    const own = await trx
      .updateTable('effect')
      .set({
        state: 'refused',
        reason,
        detail,
        settledAt: sql<Date>`now()`,
        leaseOwner: null,
        leaseUntil: null,
        lookAgainAt,
      })
      .where('id', '=', take.id)
      .where('leaseOwner', '=', take.owner)
      .where('state', 'in', ['sending', 'unknown'])
      .executeTakeFirst();
    if (own.numUpdatedRows === 1n) await definition.release?.(trx, acceptedOf(definition, take), reason);
  });
}

type Next =
  | { state: 'queued'; waitMs: number; reason?: string; provenAbsent?: boolean }
  | { state: 'unknown'; waitMs: number; evidence?: unknown }
  | { state: 'manual'; reason: string; detail?: string; evidence?: unknown; repetidas?: Repetidas };

/** Gives the lease back with what was learnt. A runner that lost the lease changes nothing but late evidence. */
export async function release(runtime: EffectRuntime, take: Take, next: Next): Promise<void> {
  describeTramo({ [DESPUES]: next.state });
  const waitMs = next.state === 'manual' ? 0 : next.waitMs * runtime.pace;
  const mine = await runtime.db.transaction().execute(async (trx) => {
    const own = await trx
      .updateTable('effect')
      .set({
        state: next.state,
        leaseOwner: null,
        leaseUntil: null,
        nextAt: sql<Date>`now() + ${waitMs} * interval '1 ms'`,
        ...(next.state === 'unknown' && { unknownAt: take.unknownAt ?? sql<Date>`now()` }),
        ...(next.state === 'queued' && { reason: next.reason ?? null }),
        // Proven absent: the next send has a new count of looks. `unknown_at` stays, so an effect that is never answered reaches the board.
        ...(next.state === 'queued' && next.provenAbsent && { finds: 0 }),
        ...(next.state === 'manual' && {
          reason: next.reason,
          detail: next.detail ?? null,
          lookAgainAt: firstLateLook(runtime.catalog.get(take.type), runtime.pace),
        }),
        ...(next.state === 'manual' && next.repetidas && { lateEvidence: JSON.stringify(next.repetidas) }),
        ...(next.state !== 'queued' && next.evidence !== undefined && { result: JSON.stringify(next.evidence) }),
      })
      .where('id', '=', take.id)
      .where('leaseOwner', '=', take.owner)
      .executeTakeFirst();
    if (own.numUpdatedRows === 1n && next.state !== 'queued') await tellDoubt(trx, runtime, take);
    if (own.numUpdatedRows === 1n && next.state !== 'manual')
      await enqueueRun(trx, { ...take, wasUnclear: next.state === 'unknown' || take.unknownAt !== null }, waitMs);
    return own.numUpdatedRows === 1n;
  });
  if (!mine && next.state !== 'queued' && next.evidence !== undefined)
    await noteLateEvidence(runtime.db, take.id, next.evidence);
}

async function tellDoubt(trx: Trx, runtime: EffectRuntime, take: Take): Promise<void> {
  const definition = runtime.catalog.get(take.type) as Definition | undefined;
  const request = definition?.request.safeParse(take.request);
  if (!definition?.doubted || !request?.success) return;
  const { id, ref, usuarioId, batchId } = take;
  await definition.doubted(trx, { id, ref, usuarioId, batchId, request: request.data });
}

export type Runnable = Pick<Take, 'id' | 'batchId' | 'connection'> & { wasUnclear: boolean };

/** Queues the next run of an effect. The job comes some milliseconds late rather than early: before `next_at` it would find nothing to do. */
export async function enqueueRun(
  trx: Trx,
  { id, batchId, connection, wasUnclear }: Runnable,
  waitMs: number,
): Promise<void> {
  const late = waitMs > 0 ? waitMs + 20 : undefined;
  await enqueue(
    trx,
    taskOf(connection),
    { effectId: id },
    { waitMs: late, priority: priorityOf({ batchId, wasUnclear }) },
  );
}

/** Returns the call of an effect. Undefined when its stored request cannot be read any more: then the effect waits for people. */
export async function callOf(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  trace: Trace,
): Promise<EffectCall<unknown> | undefined> {
  const request = definition.request.safeParse(take.request);
  if (request.success)
    return { id: take.id, request: request.data, ref: take.ref, clients: runtime.clients(trace), db: runtime.db };
  log.error('solicitud de efecto ilegible', request.error, { effect: take.id, type: take.type });
  await release(runtime, take, { state: 'manual', reason: 'La solicitud guardada ya no se puede leer.' });
  return undefined;
}

function acceptedOf(definition: Definition, take: Take): AcceptedEffect<unknown> {
  const { id, ref, usuarioId, batchId } = take;
  return { id, ref, usuarioId, batchId, request: definition.request.parse(take.request) };
}

/** Returns the wait after so many tries, in ms; the last step counts for all that follow. */
export function wait(steps: readonly number[], times: number): number {
  return steps[Math.min(Math.max(times, 1), steps.length) - 1]!;
}

/** Returns the text of an error as an attempt keeps it: its first 500 characters. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
