import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { enumerate } from '~/core/hechos';
import { log } from '~/core/log.server';
import { record } from '~/platform/bitacora.server';
import { noteOutcome } from '~/platform/connections/breaker.server';
import type { ConnectionKind } from '~/platform/connections/registry.server';
import type { Db, Trx } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { enqueue } from '~db/queue/catalog.server';
import { gotNoAnswer, mayHaveArrived, recordAttempt } from './attempts.server';
import { type EffectCall, type EffectDefinition, Mismatch, type Vivo } from './definition';
import { taskOf } from './effects.server';
import type { EffectRuntime } from './runtime';

/**
 * Minutes after the end of an effect at which its far side is looked at once more, while one of its calls got no answer. A far side can hold a call
 * longer than we wait before we believe that it is absent, so the effect may end while that call is still on its way. People are told of what such a
 * look finds.
 */
const LATE_LOOKS_MIN = [2, ...Array.from({ length: 12 }, (_, n) => 5 * (n + 1)), 360, 1_440];
/** The look after an effect whose every call was answered. */
const ANSWERED_MIN = 1_440;
/** Further looks at a far side that cannot be asked by our reference: its invoices are compared with ours for two days. */
const UNNAMED_MIN = [2_160, 2_880];
/** Minutes between two looks for what waits for people, once the others are over. */
const WAITING_MIN = 360;
/** Minutes until a last look that could not look is made up for, within two days of the end. */
const MADE_UP_MIN = 30;

type Looked = { find?: unknown; alive?: unknown };

const after = (minutes: number, pace: number) => sql`now() + ${minutes * pace} * interval '1 minute'`;

/**
 * SQL for `look_again_at` of an effect that was done, where its kind can tell all that is alive: soon when one of its calls got no answer, and once
 * a day later when all were answered. Answered effects of a batch are left out, since each look reads the list of a month.
 */
export function firstLookAfterDone({ alive }: Looked, pace: number): RawBuilder<Date | null> | null {
  return alive === undefined
    ? null
    : sql`case
        when ${gotNoAnswer('effect.id')} then ${after(LATE_LOOKS_MIN[0]!, pace)}
        when effect.batch_id is null then ${after(ANSWERED_MIN, pace)} end`;
}

/**
 * SQL for `look_again_at` of an effect that ends without having been done, or waits for people; null when none of its calls can be on its way, or
 * its kind cannot be looked for.
 */
export function firstLateLook(definition: Looked | undefined, pace: number): RawBuilder<Date | null> | null {
  return definition?.find === undefined && definition?.alive === undefined
    ? null
    : sql`case when ${mayHaveArrived('effect.id')} then ${after(LATE_LOOKS_MIN[0]!, pace)} end`;
}

/** The states that are looked for late: ended, or for people to decide. */
export const LOOKED_LATE = ['refused', 'cancelled', 'done', 'manual'] as const satisfies readonly EffectState[];

/** Puts a look off that got no leave to call. Its row alone knows of it: one job of its far side waits for the nearest of all looks. */
export async function postponeLook(db: Db, effectId: string, waitMs: number): Promise<void> {
  await sql`
    update effect set look_again_at = now() + ${waitMs} * interval '1 ms'
    where id = ${effectId} and look_again_at <= now()`.execute(db);
}

type Late = {
  id: string;
  /** Ids at the far side that people were told of before. */
  vistas: string[];
  ref: string;
  state: (typeof LOOKED_LATE)[number];
  request: unknown;
  /** It waits with something that is known of it: `visto` is what was read back, `avisado` what an alarm names. */
  visto: boolean;
  avisado: boolean;
  covered: boolean;
  replaced: boolean;
  ours: unknown;
};

/** Takes the look that is due, and sets the next one before it begins: the looks go on as planned whatever this one finds, also when the process dies. */
async function takeLook({ db, pace }: EffectRuntime, { find }: Looked, effectId: string): Promise<Late | undefined> {
  const minutes = [...LATE_LOOKS_MIN, ...(find ? [] : UNNAMED_MIN)].map((minute) => minute * pace);
  const { rows } = await sql<Late>`
    update effect
    set look_again_at = coalesce(
      (
        select min(coalesce(effect.settled_at, effect.sent_at) + after * interval '1 minute')
        from unnest(${minutes}::float8[]) after
        where coalesce(effect.settled_at, effect.sent_at) + after * interval '1 minute' > now()
          and (after <= ${ANSWERED_MIN * pace} or ${gotNoAnswer('effect.id')})),
      case when effect.state = 'manual' then ${after(WAITING_MIN, pace)} end)
    where id = ${effectId} and look_again_at <= now() and state = any(${[...LOOKED_LATE]}::text[])
    returning id, ref, state, request, late_seen as vistas,
      result is not null as visto,
      late_evidence is not null as avisado,
      exists (
        select from effect later
        where later.type = effect.type and later.key = effect.key and later.id > effect.id
          and later.state not in ('refused', 'cancelled', 'done')) as covered,
      exists (
        select from effect later
        where later.type = effect.type and later.key = effect.key and later.id > effect.id
          and later.state = 'done') as replaced,
      (
        select ours.result from effect ours
        where ours.type = effect.type and ours.key = effect.key and ours.ref = effect.ref and ours.state = 'done'
        order by ours.id desc
        limit 1) as ours`.execute(db);
  return rows[0];
}

/**
 * Looks once for an effect that ended or waits for people, when its time has come. What waits for people and is there by now ends their wait: it is
 * read back and written like any answer.
 */
export async function lookLate(
  runtime: EffectRuntime,
  definition: EffectDefinition<unknown, unknown, unknown>,
  { id, connection }: { id: string; connection: string },
): Promise<void> {
  const { db, pace } = runtime;
  const effect = await takeLook(runtime, definition, id);
  if (!effect) return;
  // A later effect of the same key is under way: it was sent under the same reference, and looked for this one first.
  if (effect.covered || (effect.state === 'manual' && effect.visto)) return;
  // A later one is done: a second document is looked for all the same, where the kind can tell all that is alive.
  if (effect.replaced && !definition.alive) return;
  const request = definition.request.safeParse(effect.request);
  if (!request.success) return;
  const recorder = recordAttempt(runtime, { id, owner: randomUUID() }, 'find');
  const call = { id, request: request.data, ref: effect.ref, clients: runtime.clients(recorder.trace), db };
  try {
    const found = await look(definition, call, effect);
    await recorder.end(found === 'absent' ? 'absent' : 'found');
    await noteOutcome(db, connection as ConnectionKind, 'look');
    // An alarm that waits for a decision names at least as much.
    if (found === 'absent' || (effect.state === 'manual' && effect.avisado)) return;
    if ('repetidas' in found)
      return effect.state === 'manual'
        ? await explain(db, id, found.repetidas)
        : await noteLateEvidence(db, id, found.repetidas, { done: true });
    if (effect.state === 'manual') await endWait(db, { id, connection }, found.evidence);
    else await noteLateEvidence(db, id, found.evidence);
  } catch (error) {
    await recorder.end('unclear', error instanceof Error ? error.message : String(error));
    // More than one is alive and none can be named as ours: people have to know of all of them.
    if (error instanceof Mismatch && error.evidence === undefined) {
      if (effect.state === 'manual' && effect.avisado) return tellMore(db, id, error);
      const nuevas = error.vivos.filter(({ uuid }) => !effect.vistas.includes(uuid));
      if (effect.vistas.length > 0 && nuevas.length === 0) return;
      return noteLateEvidence(db, id, repetidasOf(nuevas, effect.vistas.length > 0 ? '' : null) ?? {});
    }
    await noteOutcome(db, connection as ConnectionKind, 'look', error, { pace });
    await makeUp(db, id, pace);
    log.warn('mirada tardía sin respuesta', {
      effect: id,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

type Found = 'absent' | { evidence: unknown } | { repetidas: Repetidas };

/** Looks once at the far side. What people were told of before counts as absent. */
async function look(
  definition: EffectDefinition<unknown, unknown, unknown>,
  call: EffectCall<unknown>,
  { ours, state, vistas }: Late,
): Promise<Found> {
  const { find, alive, uidOf, evidence } = definition;
  if (alive && (ours !== null || state === 'done' || !find)) {
    const known = evidence.safeParse(ours);
    const uid = (known.success && uidOf?.(known.data)) || null;
    const vivos = (await alive(call)).filter((vivo) => vivo.uid === uid || !vistas.includes(vivo.uuid));
    // Without an effect that was done, or once people were told of one, each further thing that lives there is one too many.
    const allTooMany = uid === null && vivos.length > 0 && ((ours === null && state !== 'done') || vistas.length > 0);
    const repetidas = repetidasOf(vivos, allTooMany ? '' : uid);
    return repetidas ? { repetidas } : 'absent';
  }
  if (!find || state === 'done') return 'absent';
  const found = await find(call, null);
  return found === 'absent' || vistas.includes(uuidOf(found) ?? '') ? 'absent' : { evidence: found };
}

/** Ends the wait of people for an effect that nobody decided meanwhile. */
async function endWait(
  db: Db,
  { id, connection }: { id: string; connection: string },
  evidence: unknown,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('effect')
      .set({
        state: 'unknown',
        result: JSON.stringify(evidence),
        unknownAt: sql<Date>`coalesce(unknown_at, now())`,
        nextAt: sql<Date>`now()`,
        lookAgainAt: null,
        reason: null,
        detail: null,
      })
      .where('id', '=', id)
      .where('state', '=', 'manual')
      .where('result', 'is', null)
      .where('lateEvidence', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 1n) await enqueue(trx, taskOf(connection), { effectId: id });
  });
}

/** Adds to the alarm of an effect that waits for people what landed since: they decide about all that is there, and nothing of it is left out. */
async function tellMore(db: Db, id: string, { message, vivos }: Mismatch): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('effect')
      .select('lateEvidence')
      .where('id', '=', id)
      .where('state', '=', 'manual')
      .where('lateEvidence', 'is not', null)
      .forUpdate()
      .executeTakeFirst();
    const known = Repetidas.safeParse(row?.lateEvidence);
    const told = toldBy(row?.lateEvidence);
    if (!known.success || vivos.every(({ uuid }) => told.includes(uuid))) return;
    const evidence = { ...known.data, repetidas: repetidasOf(vivos, '')?.repetidas ?? [] };
    await trx
      .updateTable('effect')
      .set({ detail: message, lateEvidence: JSON.stringify(withRespuestas(evidence, row!.lateEvidence)) })
      .where('id', '=', id)
      .execute();
  });
}

/** Writes beside the reason of an effect that waits for people what the far side shows and what proves nothing. */
async function explain(db: Db, id: string, { repetidas }: Repetidas): Promise<void> {
  const detail = `Del otro lado hay ${enumerate(repetidas.map(({ folio }) => folio))}, que no es de ningún otro. Puede ser esto.`;
  await db.updateTable('effect').set({ detail }).where('id', '=', id).where('state', '=', 'manual').execute();
}

/** Sets one more look where the last one could not look. */
async function makeUp(db: Db, id: string, pace: number): Promise<void> {
  await sql`
    update effect set look_again_at = ${after(MADE_UP_MIN, pace)}
    where id = ${id} and look_again_at is null
      and settled_at > now() - ${2_880 * pace} * interval '1 minute'`.execute(db);
}

/**
 * Returns whether a call of another effect with this reference, which ended with a no, may have arrived or did. The next one to send under it looks
 * first.
 */
export async function mayHaveLanded(db: Db, { id, ref }: { id: string; ref: string }): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select exists (select from effect where look_again_at is not null and ref = ${ref} and id <> ${id})
      or exists (select from effect where late_evidence is not null and ref = ${ref} and id <> ${id}) as may`.execute(
    db,
  );
  return rows[0]!.may;
}

/**
 * Documents that are alive at the far side under one reference: `vigente` is the one we take for ours, `repetidas` are the others. `respuesta` is the
 * answer of the far side to cancelling one of them.
 */
export const Repetidas = z.object({
  uuid: z.string(),
  vigente: z.object({ uid: z.string(), uuid: z.string(), folio: z.string() }).nullable(),
  repetidas: z.array(
    z.object({ uid: z.string(), uuid: z.string(), folio: z.string(), respuesta: z.string().nullable().default(null) }),
  ),
});
export type Repetidas = z.infer<typeof Repetidas>;

/** Returns which documents are too many: all but `ours`, or all of them when none is known as ours. Undefined when nothing is repeated. */
export function repetidasOf(vivos: Vivo[], ours: string | null): Repetidas | undefined {
  const repetidas = vivos.filter(({ uid }) => uid !== ours).map((vivo) => ({ ...vivo, respuesta: null }));
  if (repetidas.length === 0 || (ours === null && repetidas.length === 1)) return undefined;
  return { uuid: repetidas[0]!.uuid, vigente: vivos.find(({ uid }) => uid === ours) ?? null, repetidas };
}

/**
 * Keeps evidence that came when nobody waited for it any more: the far side did the call after all. An effect that another runner has in hand is left
 * alone, since that runner will learn the same. An ended one is shown on the board until somebody has seen to it, and its looks go on: a third call
 * may land after the second.
 */
export async function noteLateEvidence(
  db: Db,
  effectId: string,
  evidence: unknown,
  /** True when an effect that was done counts too: there is another document than the one it ended with. */
  { done = false }: { done?: boolean } = {},
): Promise<void> {
  const noted = await db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('effect')
      .select(['state', 'result', 'lateEvidence'])
      .where('id', '=', effectId)
      .where('state', 'in', done ? ['cancelled', 'refused', 'done'] : ['cancelled', 'refused'])
      .forUpdate()
      .executeTakeFirst();
    // Evidence of the very document that is known, told by another runner.
    if (!row || (row.state === 'done' && uuidOf(row.result) === uuidOf(evidence))) return false;
    // An alarm that tells the same is left as it is: somebody may be deciding about it.
    if (row.lateEvidence !== null) {
      const told = toldBy(row.lateEvidence);
      if (toldBy(evidence).every((uuid) => told.includes(uuid))) return false;
    }
    await trx
      .updateTable('effect')
      .set({ lateEvidence: JSON.stringify(withRespuestas(evidence, row.lateEvidence)) })
      .where('id', '=', effectId)
      .execute();
    return true;
  });
  if (noted)
    log.error('respuesta tardía', new Error('el otro lado hizo lo que ya se había dado por no hecho'), {
      effect: effectId,
    });
}

/** Returns the ids that an alarm with this evidence names; an empty text where the evidence has none. */
export function toldBy(evidence: unknown): string[] {
  const alarma = Repetidas.safeParse(evidence);
  return alarma.success ? alarma.data.repetidas.map(({ uuid }) => uuid) : [uuidOf(evidence) ?? ''];
}

/** Returns `evidence` with what the far side answered to cancelling any of it, as an alarm of before knows it. */
function withRespuestas(evidence: unknown, before: unknown): unknown {
  const [now, then] = [Repetidas.safeParse(evidence), Repetidas.safeParse(before)];
  if (!now.success || !then.success) return evidence;
  const respuestas = new Map(then.data.repetidas.map(({ uuid, respuesta }) => [uuid, respuesta]));
  return {
    ...now.data,
    repetidas: now.data.repetidas.map((one) => ({ ...one, respuesta: respuestas.get(one.uuid) ?? one.respuesta })),
  };
}

function uuidOf(evidence: unknown): string | null {
  const { uuid, folio } = (evidence ?? {}) as { uuid?: string; folio?: string };
  return uuid ?? folio ?? null;
}

/** Keeps that people know of these documents at the far side: no later look tells of them. */
export async function markSeen(trx: Trx, effectId: string, uuids: string[]): Promise<void> {
  await sql`update effect set late_seen = late_seen || ${uuids}::text[] where id = ${effectId}`.execute(trx);
}

/**
 * Takes late evidence off the board: a person undid the call there, or decided to leave it. Later looks tell only of what is not named by it. Throws
 * `NotAllowed` when there is none.
 */
export async function dismissLateEvidence(trx: Trx, effectId: string, usuarioId: string): Promise<void> {
  const row = await trx
    .selectFrom('effect')
    .select('lateEvidence')
    .where('id', '=', effectId)
    .where('lateEvidence', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotAllowed('Aviso', 'Esta solicitud ya no espera una decisión. Vuelve a cargar la página.');
  await trx.updateTable('effect').set({ lateEvidence: null }).where('id', '=', effectId).execute();
  await markSeen(trx, effectId, toldBy(row.lateEvidence));
  await trx
    .insertInto('effectAttempt')
    .values({ effectId, kind: 'person', phase: 'ended', owner: usuarioId, outcome: null, message: 'Entendido' })
    .execute();
  await record(trx, { usuarioId, entidad: 'effect', entidadId: effectId, accion: 'respuesta tardía atendida' });
}
