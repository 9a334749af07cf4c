import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { endTrial, noteOutcome, noteSuccess, standForLeave, type Wait } from '~/domain/connections/breaker.server';
import type { Call } from '~/domain/connections/definition';
import type { ConnectionKind } from '~/domain/connections/registry.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import type { Trace } from '~/integrations/http.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue, enqueueAll } from '~db/queue/catalog.server';
import { countInDoubt, recordAttempt, type Recorder } from './attempts.server';
import { untilAbsent } from './absent.server';
import {
  Mismatch,
  type AcceptedEffect,
  type AnyEffectDefinition,
  type EffectCall,
  type EffectDefinition,
} from './definition';
import { canonicalJson, hashOf, priorityOf, taskOf } from './effects.server';
import { noteLateEvidence, repetidasOf, type Repetidas } from './late.server';
import { leaseEnd, whileLeased } from './lease.server';
import { firstLateLook, firstLookAfterDone, lookLate } from './lateLook.server';
import type { EffectRuntime } from './runtime';
import { TooLate, whileYoung } from './young';

const SEND_WITHIN_MS = 20_000;
/** A kind that may be repeated is still not repeated without end. */
const MAX_REPEATS = 3;
const LOOK_AFTER_MS = [2_000, 5_000, 15_000, 45_000, 120_000, 300_000];
const RETRY_AFTER_MS = [2_000, 5_000, 15_000, 60_000, 180_000, 300_000];

type Definition = EffectDefinition<unknown, unknown, unknown>;

type Take = {
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

/** Takes an effect one step: at most one send, or one look. Safe to call at any time, from any process, for any state. */
export async function runEffect(runtime: EffectRuntime, effectId: string): Promise<void> {
  const known = await runtime.db
    .selectFrom('effect')
    .select(['connection', 'type', 'state', 'batchId', 'lookAgainAt'])
    .where('id', '=', effectId)
    .executeTakeFirst();
  if (!known || (!['queued', 'sending', 'unknown'].includes(known.state) && known.lookAgainAt === null)) return;
  const definition = runtime.catalog.get(known.type) as Definition | undefined;
  if (!definition) throw new Error(`no effect of type ${known.type} in the catalog`);
  const connection = known.connection as ConnectionKind;

  const given: (() => void)[] = [await runtime.turns.prepare(connection)];
  const giveBack = () => given.splice(0).forEach((one) => one());
  const call: Call = known.state === 'queued' ? 'send' : 'look';
  let trial = false;
  try {
    const leave = await standForLeave(runtime.db, connection, call, runtime);
    if (!leave.given) return await postpone(runtime, { id: effectId, batchId: known.batchId, connection }, leave);
    trial = leave.trial;
    if (known.lookAgainAt !== null) {
      given.push(await runtime.turns.call(connection));
      return await lookLate(runtime, definition, effectId);
    }
    const take = await takeEffect(runtime, effectId);
    if (!take) return;
    given.push(await runtime.turns.call(connection));
    if (take.state === 'sending') await sendOnce(runtime, definition, take, giveBack);
    else await lookOnce(runtime, definition, take, giveBack);
  } finally {
    giveBack();
    if (trial) await endTrial(runtime.db, connection, call);
  }
}

/** A statement each: a month's two thousand credit notes are swept in ten, and the sweep is over before the next one. */
const SWEPT_AT_ONCE = 200;

/** Runs what is due, from the table alone: a lost job delays an effect and never loses it. Returns how many it asked for. */
export async function sweepEffects(db: Db): Promise<number> {
  const due = await db
    .selectFrom('effect')
    .select(['id', 'batchId', 'connection'])
    .where('state', 'in', ['queued', 'sending', 'unknown'])
    .where('nextAt', '<=', sql<Date>`now()`)
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', sql<Date>`now()`)]))
    .orderBy('nextAt')
    .limit(2_000)
    .execute();
  due.push(
    ...(await db
      .selectFrom('effect')
      .select(['id', 'batchId', 'connection'])
      .where('lookAgainAt', '<=', sql<Date>`now()`)
      .limit(200)
      .execute()),
  );
  const kindOf = ({ connection, batchId }: (typeof due)[number]) => `${connection} ${priorityOf(batchId)}`;
  for (const kind of new Set(due.map(kindOf))) {
    const rows = due.filter((one) => kindOf(one) === kind);
    const [task, priority] = [taskOf(rows[0]!.connection), priorityOf(rows[0]!.batchId)];
    // In the order of ids: two sweeps that ask for the same ones at once wait for each other and do not lock each other out.
    const ids = rows.map(({ id }) => id).sort();
    for (let from = 0; from < ids.length; from += SWEPT_AT_ONCE) {
      await enqueueAll(
        db,
        task,
        ids.slice(from, from + SWEPT_AT_ONCE).map((effectId) => ({ effectId })),
        { priority },
      );
    }
  }
  return due.length;
}

async function takeEffect(runtime: EffectRuntime, id: string): Promise<Take | undefined> {
  const owner = randomUUID();
  const takenAt = performance.now();
  return runtime.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('effect')
      .selectAll()
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'sending', 'unknown'])
      .where('nextAt', '<=', sql<Date>`now()`)
      .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', sql<Date>`now()`)]))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return undefined;
    const intact = hashOf(canonicalJson(row.request)).equals(row.requestHash);
    if (!intact) {
      await trx
        .updateTable('effect')
        .set({ state: 'manual', reason: 'La solicitud guardada no coincide con su huella.' })
        .where('id', '=', id)
        .execute();
      return undefined;
    }
    // A lease that ran out in the middle of sending: nobody knows what happened there, so it is looked up, never sent again.
    const sending = row.state === 'queued';
    const lease = leaseEnd(runtime.pace);
    await trx
      .updateTable('effect')
      .set(
        sending
          ? { state: 'sending', sends: row.sends + 1, sentAt: sql<Date>`now()`, leaseOwner: owner, leaseUntil: lease }
          : {
              state: 'unknown',
              finds: row.finds + 1,
              unknownAt: row.unknownAt ?? sql<Date>`now()`,
              leaseOwner: owner,
              leaseUntil: lease,
            },
      )
      .where('id', '=', id)
      .execute();
    await trx
      .insertInto('effectAttempt')
      .values({ effectId: id, kind: sending ? 'send' : 'find', phase: 'started', owner })
      .execute();
    return {
      ...row,
      connection: row.connection as ConnectionKind,
      state: sending ? ('sending' as const) : ('unknown' as const),
      finds: sending ? row.finds : row.finds + 1,
      unknownAt: row.unknownAt ?? (sending ? null : new Date()),
      owner,
      takenAt,
    };
  });
}

async function sendOnce(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  giveBack: () => void,
): Promise<void> {
  const recorder = recordAttempt(runtime, take, 'send');
  const call = await callOf(runtime, definition, take, recorder.trace);
  if (!call) return;
  const requireYoung = () => {
    if (performance.now() - take.takenAt > SEND_WITHIN_MS * runtime.pace)
      throw new TooLate('pasó demasiado tiempo entre el registro y el envío');
  };
  let evidence: unknown;
  try {
    requireYoung();
    evidence = await definition.send({ ...call, clients: whileYoung(call.clients, requireYoung) });
  } catch (error) {
    giveBack();
    return settleFailure(runtime, definition, take, recorder, error);
  }
  giveBack();
  await recorder.end('answered');
  await noteSuccess(runtime.db, take.connection, 'send');
  await finish(runtime, definition, take, evidence);
}

async function lookOnce(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  giveBack: () => void,
): Promise<void> {
  if (definition.unclear === 'repeat' && take.result === null) {
    const tries = await countInDoubt(runtime.db, take.id);
    return tries < MAX_REPEATS
      ? release(runtime, take, { state: 'queued', waitMs: wait(RETRY_AFTER_MS, tries) })
      : release(runtime, take, { state: 'manual', reason: `Se intentó ${tries} veces y ninguna respuesta fue clara.` });
  }
  const known = take.result === null ? null : definition.evidence.parse(take.result);
  // Captured by a person, and nothing there can be asked: their word, audited, is what we have.
  if (known !== null && !definition.find) return finish(runtime, definition, take, known);
  const { find } = definition;
  if (!find || (definition.unclear === 'ask' && known === null)) {
    return release(runtime, take, { state: 'manual', reason: 'Nadie puede saber desde aquí si se hizo.' });
  }
  const recorder = recordAttempt(runtime, take, 'find');
  const call = await callOf(runtime, definition, take, recorder.trace);
  if (!call) return;
  let found: unknown;
  try {
    found = await whileLeased(runtime, take, () => find(call, known));
  } catch (error) {
    giveBack();
    await recorder.end('unclear', messageOf(error));
    await noteOutcome(runtime.db, take.connection, 'look', error, runtime);
    if (error instanceof Mismatch)
      return release(runtime, take, {
        state: 'manual',
        reason: 'Lo que hay del otro lado no es lo que se pidió.',
        detail: error.message,
        evidence: error.evidence,
        repetidas: repetidasOf(error.vivos, null),
      });
    return release(runtime, take, { state: 'unknown', waitMs: wait(LOOK_AFTER_MS, take.finds) });
  }
  await noteSuccess(runtime.db, take.connection, 'look');
  if (found !== 'absent') {
    giveBack();
    await recorder.end('found');
    return finish(runtime, definition, take, found);
  }
  await recorder.end('absent');
  const { proven, waitMs } = await untilAbsent(runtime.db, take.id, runtime.pace);
  if (!proven) {
    giveBack();
    return release(runtime, take, { state: 'unknown', waitMs: Math.min(wait(LOOK_AFTER_MS, take.finds), waitMs) });
  }
  const may = await whileLeased(runtime, take, () => mayRepeat(definition, call));
  giveBack();
  return may === true
    ? release(runtime, take, { state: 'queued', waitMs: 0, provenAbsent: true })
    : release(runtime, take, { state: 'manual', reason: may });
}

/** A far side that would do it twice is asked twice by people only. What could not be learnt is not known. */
async function mayRepeat(definition: Definition, call: EffectCall<unknown>): Promise<true | string> {
  return definition.mayRepeat ? definition.mayRepeat(call) : true;
}

/** The far side has it: keep what it told us, read it back, and end the effect in one transaction. */
async function finish(runtime: EffectRuntime, definition: Definition, take: Take, evidence: unknown): Promise<void> {
  let result: unknown;
  const recorder = recordAttempt(runtime, take, 'find');
  const call = await callOf(runtime, definition, take, recorder.trace);
  if (!call) return;
  try {
    result = await definition.confirm(call, evidence);
  } catch (error) {
    await recorder.end('unclear', messageOf(error));
    if (error instanceof Mismatch) {
      return release(runtime, take, {
        state: 'manual',
        reason: 'Lo que hay del otro lado no es lo que se pidió.',
        detail: error.message,
        evidence,
      });
    }
    // It exists there; only reading it back failed. The evidence stays, so the next look goes straight to it.
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
    if (!mine) await noteLateEvidence(runtime.db, take.id, evidence, { done: definition.alive !== undefined });
  } catch (error) {
    // Done outside and not yet written here: the evidence stays on the row and the next look writes it.
    log.error('efecto hecho, escritura pendiente', error, { effect: take.id, type: take.type });
    await release(runtime, take, { state: 'unknown', waitMs: wait(LOOK_AFTER_MS, take.finds + 1), evidence });
  }
}

async function settleFailure(
  runtime: EffectRuntime,
  definition: Definition,
  take: Take,
  recorder: Recorder,
  error: unknown,
): Promise<void> {
  if (error instanceof TooLate) {
    await recorder.end('not-sent', error.message);
    // What is too late again and again has something slow to read before it can be sent.
    return release(runtime, take, {
      state: 'queued',
      waitMs: take.sends === 1 ? 0 : wait(RETRY_AFTER_MS, take.sends - 1),
    });
  }
  await noteOutcome(runtime.db, take.connection, 'send', error, runtime);
  if (error instanceof Refused && !error.details.account) {
    await recorder.end('refused', error.message, error.details.status);
    return refuse(runtime, definition, take, error);
  }
  if (error instanceof Refused) {
    await recorder.end('account', error.message, error.details.status);
    return release(runtime, take, {
      state: 'queued',
      waitMs: wait(RETRY_AFTER_MS, take.sends + 2),
      reason: error.message,
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

async function refuse(runtime: EffectRuntime, definition: Definition, take: Take, refusal: Refused): Promise<void> {
  await runtime.db.transaction().execute(async (trx) => {
    const own = await trx
      .updateTable('effect')
      .set({
        state: 'refused',
        reason: refusal.message,
        detail: [refusal.details.code, refusal.details.detail].filter(Boolean).join(' · ') || null,
        settledAt: sql<Date>`now()`,
        leaseOwner: null,
        leaseUntil: null,
        lookAgainAt: firstLateLook(definition, runtime.pace),
      })
      .where('id', '=', take.id)
      .where('leaseOwner', '=', take.owner)
      .where('state', '=', 'sending')
      .executeTakeFirst();
    if (own.numUpdatedRows === 1n) await definition.release?.(trx, acceptedOf(definition, take), refusal.message);
  });
}

type Next =
  | { state: 'queued'; waitMs: number; reason?: string; provenAbsent?: boolean }
  | { state: 'unknown'; waitMs: number; evidence?: unknown }
  | { state: 'manual'; reason: string; detail?: string; evidence?: unknown; repetidas?: Repetidas };

/** Gives the lease back with what was learnt; whoever lost the lease changes nothing. */
async function release(runtime: EffectRuntime, take: Take, next: Next): Promise<void> {
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
        // Proven absent: the next send has a new count of looks. Since when it is unclear stays: what is sent again and again and never answered is on the board.
        ...(next.state === 'queued' && next.provenAbsent && { finds: 0 }),
        ...(next.state === 'manual' && { reason: next.reason, detail: next.detail ?? null }),
        ...(next.state === 'manual' && next.repetidas && { lateEvidence: JSON.stringify(next.repetidas) }),
        ...(next.state !== 'queued' && next.evidence !== undefined && { result: JSON.stringify(next.evidence) }),
      })
      .where('id', '=', take.id)
      .where('leaseOwner', '=', take.owner)
      .executeTakeFirst();
    if (own.numUpdatedRows === 1n && next.state !== 'manual') await enqueueRun(trx, take, waitMs);
    return own.numUpdatedRows === 1n;
  });
  if (!mine && next.state !== 'queued' && next.evidence !== undefined)
    await noteLateEvidence(runtime.db, take.id, next.evidence);
}

async function postpone(
  runtime: EffectRuntime,
  { id, batchId, connection }: Pick<Take, 'id' | 'batchId' | 'connection'>,
  { waitMs, why, paused }: Wait,
): Promise<void> {
  await runtime.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('effect')
      .set({
        nextAt: sql<Date>`greatest(next_at, now() + ${waitMs} * interval '1 ms')`,
        ...(paused && { reason: sql<string | null>`case when state = 'queued' then ${why} else reason end` }),
      })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'unknown'])
      .execute();
    await enqueueRun(trx, { id, batchId, connection }, waitMs);
  });
}

/** Some milliseconds late rather than early: a job that comes before next_at finds nothing to do. */
async function enqueueRun(
  trx: Trx,
  { id, batchId, connection }: Pick<Take, 'id' | 'batchId' | 'connection'>,
  waitMs: number,
): Promise<void> {
  const late = waitMs > 0 ? waitMs + 20 : undefined;
  await enqueue(trx, taskOf(connection), { effectId: id }, { waitMs: late, priority: priorityOf(batchId) });
}

/** A stored request its own schema no longer reads is nobody's to guess: people see it. */
async function callOf(
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

function acceptedOf(definition: AnyEffectDefinition | Definition, take: Take): AcceptedEffect<unknown> {
  const { id, ref, usuarioId, batchId } = take;
  return { id, ref, usuarioId, batchId, request: (definition as Definition).request.parse(take.request) };
}

function wait(steps: readonly number[], times: number): number {
  return steps[Math.min(Math.max(times, 1), steps.length) - 1]!;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
