import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { atOnce } from '~/core/atOnce';
import { log } from '~/core/log.server';
import { inPeticion } from '~/core/peticion.server';
import { trazar } from '~/core/traza.server';
import { endTrial, noteOutcome, noteSuccess, standForLeave, type Wait } from '~/platform/connections/breaker.server';
import type { Call } from '~/platform/connections/definition';
import type { ConnectionKind } from '~/platform/connections/registry.server';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue, enqueueAll } from '~db/queue/catalog.server';
import { countInDoubt, recordAttempt, repeatsAfterMs } from './attempts.server';
import { blindLooks, untilAbsent } from './internal/absent.server';
import { Mismatch, type EffectCall } from './definition';
import { canonicalJson, hashOf, priorityOf, taskOf } from './effects.server';
import { LOOKED_LATE, lookLate, postponeLook, repetidasOf } from './late.server';
import { leaseEnd, renewLease, whileLeased } from './internal/lease.server';
import {
  callOf,
  enqueueRun,
  type Runnable,
  finish,
  LOOK_AFTER_MS,
  messageOf,
  release,
  RETRY_AFTER_MS,
  settleFailure,
  wait,
  type Definition,
  type Take,
} from './internal/outcome.server';
import type { EffectRuntime } from './runtime';
import { TooLate, whileYoung } from './internal/young';

const SEND_WITHIN_MS = 20_000;
/** How long leave to repeat is good for. What waits longer, behind others or for a far side that rests, is asked about again. */
const LEAVE_TO_REPEAT_MS = 10_000;
/** The most sends of a kind that may be repeated. */
const MAX_REPEATS = 3;
/** SQL: whether the effect may have been sent, also when it was proven absent since. */
const WAS_UNCLEAR = sql<boolean>`state = 'sending' or unknown_at is not null`.as('wasUnclear');

/** Takes an effect one step: at most one send, or one look. It is safe to call at any time, from any process, for any state. */
export async function runEffect(runtime: EffectRuntime, effectId: string): Promise<void> {
  const known = await readKnown(runtime.db, effectId);
  // A sweep, a retry and a late look go back to the press as the first job did.
  if (!known) return;
  const labor = {
    nombre: `efecto ${known.type}`,
    clase: 'interno' as const,
    datos: {
      'trastienda.efecto': known.type,
      'trastienda.efecto.id': effectId,
      'trastienda.efecto.antes': known.state,
      'trastienda.envios': known.sends,
    },
  };
  await inPeticion(known.peticion ?? undefined, () => trazar(labor, () => runKnown(runtime, effectId, known)));
}

const readKnown = (db: Db, effectId: string) =>
  db
    .selectFrom('effect')
    .select(['connection', 'type', 'state', 'batchId', 'sends', 'finds', 'peticion', WAS_UNCLEAR])
    .select(sql<boolean>`look_again_at <= now()`.as('lookIsDue'))
    .where('id', '=', effectId)
    .executeTakeFirst();

type Known = NonNullable<Awaited<ReturnType<typeof readKnown>>>;

async function runKnown(runtime: EffectRuntime, effectId: string, known: Known): Promise<void> {
  const late = (LOOKED_LATE as readonly string[]).includes(known.state);
  if (late && !known.lookIsDue) return;
  const definition = runtime.catalog.get(known.type) as Definition | undefined;
  if (!definition) throw new Error(`no effect of type ${known.type} in the catalog`);
  const connection = known.connection as ConnectionKind;

  // A late look takes no slot: it waits for no send, and `lookDue` makes a few at a time.
  const given: (() => void)[] = late ? [] : [await runtime.slots.prepare(connection)];
  const giveBack = () => given.splice(0).forEach((one) => one());
  const call: Call = known.state === 'queued' ? 'send' : 'look';
  let trial = false;
  try {
    const { pace } = runtime;
    const tries = call === 'send' ? known.sends : known.finds;
    const leave = await standForLeave(runtime.db, connection, call, { pace, tries });
    if (!leave.given)
      return late
        ? await postponeLook(runtime.db, effectId, leave.waitMs)
        : await postpone(runtime, { ...known, id: effectId, connection }, leave);
    trial = leave.trial;
    if (late) return await lookLate(runtime, definition, { id: effectId, connection });
    const take = await takeEffect(runtime, effectId);
    if (!take) return;
    const takeSlot = async () => void given.push(await runtime.slots.call(connection));
    if (take.state === 'sending') return await sendOnce(runtime, definition, take, { takeSlot, giveBack });
    await takeSlot();
    await lookOnce(runtime, definition, take, giveBack);
  } finally {
    giveBack();
    if (trial) await endTrial(runtime.db, connection, call);
  }
}

/** Effects that one statement queues: two thousand credit notes of a month take ten, and a sweep is over before the next one. */
const SWEPT_AT_ONCE = 200;

/** Queues every effect that is due, from the table alone: a lost job delays an effect and never loses it. Returns how many it queued. */
export async function sweepEffects(db: Db): Promise<number> {
  const due = await db
    .selectFrom('effect')
    .select(['id', 'batchId', 'connection', WAS_UNCLEAR])
    .where('state', 'in', ['queued', 'sending', 'unknown'])
    .where('nextAt', '<=', sql<Date>`now()`)
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', sql<Date>`now()`)]))
    .orderBy('nextAt')
    .limit(2_000)
    .execute();
  const looked = await db
    .selectFrom('effect')
    .select('connection')
    .distinct()
    .where('lookAgainAt', '<=', sql<Date>`now()`)
    .where('state', 'in', LOOKED_LATE)
    .orderBy('connection')
    .execute();
  const all = due.map((one) => ({ ...one, priority: priorityOf(one) }));
  for (const kind of new Set(all.map(({ connection, priority }) => `${connection} ${priority}`))) {
    const rows = all.filter(({ connection, priority }) => `${connection} ${priority}` === kind);
    const [task, priority] = [taskOf(rows[0]!.connection), rows[0]!.priority];
    // The order of ids lets two sweeps that queue the same effects wait for each other, instead of locking each other out.
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
  for (const { connection } of looked) await enqueue(db, 'effects.lookLate', { connection });
  return all.length + looked.length;
}

/** A look that fails by a fault of ours keeps none of the others waiting. */
async function lookOrPostpone(runtime: EffectRuntime, id: string): Promise<void> {
  try {
    await runEffect(runtime, id);
  } catch (error) {
    log.error('mirada tardía', error, { effect: id });
    await postponeLook(runtime.db, id, FAILED_LOOK_MS);
  }
}

/** Time until a look that failed by a fault of ours is made again. */
const FAILED_LOOK_MS = 1_800_000;
/** Late looks at one far side at once. */
const LOOKS_AT_ONCE = 3;
/** Late looks that one statement finds. */
const LOOKS_FOUND = 60;

/** Makes every late look that is due at one far side, a few at a time, and queues the next ones for their moment. */
export async function lookDue(runtime: EffectRuntime, connection: string, signal: AbortSignal): Promise<void> {
  const { db } = runtime;
  const looked = db
    .selectFrom('effect')
    .where('connection', '=', connection)
    .where('state', 'in', LOOKED_LATE)
    .where('lookAgainAt', 'is not', null);
  while (!signal.aborted) {
    const due = await looked
      .select('id')
      .where('lookAgainAt', '<=', sql<Date>`now()`)
      .orderBy('lookAgainAt')
      .limit(LOOKS_FOUND)
      .execute();
    if (due.length === 0) break;
    await atOnce(LOOKS_AT_ONCE, due, ({ id }) => lookOrPostpone(runtime, id));
  }
  const { waitMs } = await looked
    .select(sql<number | null>`(extract(epoch from min(look_again_at) - now()) * 1000)::float8`.as('waitMs'))
    .executeTakeFirstOrThrow();
  if (waitMs !== null) await enqueue(db, 'effects.lookLate', { connection }, { waitMs: Math.max(0, waitMs) + 20 });
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
    // A lease ran out in the middle of sending: nobody knows what happened there, so the effect is looked for, never sent again.
    const sending = row.state === 'queued';
    const lease = leaseEnd(runtime.deadline ?? runtime.pace);
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
  { takeSlot, giveBack }: { takeSlot: () => Promise<void>; giveBack: () => void },
): Promise<void> {
  const recorder = recordAttempt(runtime, take, 'send');
  const call = await callOf(runtime, definition, take, recorder.trace);
  if (!call) return;
  let youngFrom = take.takenAt;
  const requireYoung = () => {
    if (performance.now() - youngFrom > SEND_WITHIN_MS * (runtime.deadline ?? runtime.pace))
      throw new TooLate('pasó demasiado tiempo entre el registro y el envío');
  };
  let evidence: unknown;
  try {
    await definition.ready?.(call);
    await takeSlot();
    if (await isLeaveOld(runtime, definition, take)) {
      const may = await whileLeased(runtime, take, () => mayRepeat(definition, call));
      if (may !== true) {
        giveBack();
        await recorder.end('not-sent', may);
        return await release(runtime, take, { state: 'manual', reason: may });
      }
      // Asking takes two calls, and must not take the time that the send has.
      youngFrom = (await renewLease(runtime, take)) ?? -Infinity;
    }
    recorder.begin();
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
  // The evidence is a person's, and the far side cannot be asked: the audited word of the person counts.
  if (known !== null && !definition.find) return finish(runtime, definition, take, known);
  const { find } = definition;
  if (!find || (definition.unclear === 'ask' && known === null)) {
    const detail = await clueOf(runtime, definition, take);
    return release(runtime, take, { state: 'manual', reason: 'Nadie puede saber desde aquí si se hizo.', detail });
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
    // The look that would have proven the absence does not cost the longest wait.
    const soon = wait(LOOK_AFTER_MS, (await blindLooks(runtime.db, take.id)) + 1);
    return release(runtime, take, { state: 'unknown', waitMs: Math.min(wait(LOOK_AFTER_MS, take.finds), soon) });
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
  let may: true | string;
  try {
    may = await whileLeased(runtime, take, () => mayRepeat(definition, call));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    // Whether it may be sent again is asked anew with the next look.
    await noteOutcome(runtime.db, take.connection, 'look', error, runtime);
    return release(runtime, take, { state: 'unknown', waitMs: wait(LOOK_AFTER_MS, take.finds) });
  } finally {
    giveBack();
  }
  return may === true
    ? release(runtime, take, { state: 'queued', waitMs: 0, provenAbsent: true })
    : release(runtime, take, { state: 'manual', reason: may });
}

/** Returns a clue for the people who decide. A far side that cannot be asked keeps the effect from nobody. */
async function clueOf(runtime: EffectRuntime, definition: Definition, take: Take): Promise<string | undefined> {
  if (!definition.pista) return undefined;
  const request = definition.request.safeParse(take.request);
  if (!request.success) return undefined;
  const recorder = recordAttempt(runtime, take, 'find');
  const { id, ref } = take;
  const call = { id, ref, request: request.data, clients: runtime.clients(recorder.trace), db: runtime.db };
  const clue = await whileLeased(runtime, take, () => definition.pista!(call)).catch(
    (error: unknown) => `No se pudo preguntar qué se ve del otro lado (${messageOf(error)}).`,
  );
  await recorder.end('unclear', clue);
  return clue;
}

/** Returns true when an absent effect may be sent once more by itself, or the reason why a person has to ask for it. */
async function mayRepeat(definition: Definition, call: EffectCall<unknown>): Promise<true | string> {
  return definition.mayRepeat ? definition.mayRepeat(call) : true;
}

/** Returns whether this send repeats one that may have arrived, by leave of a look that is old by now. */
async function isLeaveOld({ db, pace }: EffectRuntime, definition: Definition, take: Take): Promise<boolean> {
  if (!definition.mayRepeat || definition.unclear !== 'find') return false;
  const ms = await repeatsAfterMs(db, take);
  return ms !== null && ms >= LEAVE_TO_REPEAT_MS * pace;
}

async function postpone(runtime: EffectRuntime, effect: Runnable, { waitMs, why, paused }: Wait): Promise<void> {
  await runtime.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('effect')
      .set({
        nextAt: sql<Date>`greatest(next_at, now() + ${waitMs} * interval '1 ms')`,
        ...(paused && { reason: sql<string | null>`case when state = 'queued' then ${why} else reason end` }),
      })
      .where('id', '=', effect.id)
      .where('state', 'in', ['queued', 'unknown'])
      .execute();
    await enqueueRun(trx, effect, waitMs);
  });
}
