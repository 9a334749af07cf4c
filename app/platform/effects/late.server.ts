import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { NotAllowed } from '~/core/errors';
import { log } from '~/core/log.server';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { mayHaveArrived, mayHaveArrivedTwice, recordAttempt } from './attempts.server';
import { type EffectDefinition, Mismatch, type Vivo } from './definition';
import type { EffectRuntime } from './runtime';

/**
 * Minutes after the end of an effect at which its far side is looked at once more. An effect may end while an earlier call of it, which nobody
 * answered, is still on its way: a far side can hold a call longer than we wait before we believe that it is absent. People are told of what such a
 * look finds.
 */
const LATE_LOOKS_MIN = [5, 30, 120, 720, 2_160];

const firstLook = (pace: number) => sql`now() + ${LATE_LOOKS_MIN[0]! * pace} * interval '1 minute'`;

/** SQL for `look_again_at` of an effect that was done: set when more than one of its calls may have arrived, since only one of them is known. */
export function firstLookAfterDone(definition: { alive?: unknown }, pace: number): RawBuilder<Date | null> | null {
  return definition.alive === undefined
    ? null
    : sql`case when ${mayHaveArrivedTwice('effect.id')} then ${firstLook(pace)} end`;
}

/**
 * SQL for `look_again_at` of an effect that ends without having been done; null when none of its calls can be on its way, or its kind cannot be
 * looked for.
 */
export function firstLateLook(
  definition: { find?: unknown } | undefined,
  pace: number,
): RawBuilder<Date | null> | null {
  return definition?.find === undefined
    ? null
    : sql`case when ${mayHaveArrived('effect.id')} then ${firstLook(pace)} end`;
}

/**
 * Looks once for an ended effect, when its time has come. The next look is set before this one begins and counted from the end of the effect, so the
 * looks come to an end whatever this one finds, also when the process dies here.
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
    update effect
    set look_again_at = (
      select min(effect.settled_at + after * interval '1 minute')
      from unnest(${minutes}::float8[]) after
      where effect.settled_at + after * interval '1 minute' > now())
    where id = ${effectId} and look_again_at <= now() and state in ('refused', 'cancelled', 'done')
    returning id, ref, request,
      exists (
        select from effect later
        where later.type = effect.type and later.key = effect.key and later.id > effect.id
          and later.state not in ('refused', 'cancelled', 'done')) as covered,
      exists (
        select from effect later
        where later.type = effect.type and later.key = effect.key and later.id > effect.id
          and later.state = 'done') as replaced,
      (
        select ours.result ->> 'uid' from effect ours
        where ours.type = effect.type and ours.key = effect.key and ours.ref = effect.ref and ours.state = 'done'
        order by ours.id desc
        limit 1) as ours`.execute(db);
  const effect = rows[0];
  // A later effect of the same key is under way: it was sent under the same reference, and looked for this one first.
  if (!effect || effect.covered || !definition.find) return;
  // A later one is done: a second document is looked for all the same, where the kind can tell all that is alive.
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
    // More than one is alive and none can be named as ours: people have to know of all of them.
    if (error instanceof Mismatch && error.evidence === undefined)
      return noteLateEvidence(db, effect.id, repetidasOf(error.vivos, null) ?? {});
    log.warn('mirada tardía sin respuesta', {
      effect: effect.id,
      error: error instanceof Error ? error.message : String(error),
    });
  }
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
 * alone, since that runner will learn the same. An ended one is shown on the board until somebody has seen to it, and is not looked for any more.
 */
export async function noteLateEvidence(
  db: Db,
  effectId: string,
  evidence: unknown,
  /** True when an effect that was done counts too: there is another document than the one it ended with. */
  { done = false }: { done?: boolean } = {},
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('effect')
    .set({ lateEvidence: JSON.stringify(evidence), lookAgainAt: null })
    .where('id', '=', effectId)
    .where('state', 'in', done ? ['cancelled', 'refused', 'done'] : ['cancelled', 'refused'])
    .where((is) =>
      is.or([
        is('state', '<>', 'done'),
        // Evidence of the very document that is known, told by another runner.
        sql<boolean>`result ->> 'uuid' is distinct from ${uuidOf(evidence)}`,
      ]),
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    log.error('respuesta tardía', new Error('el otro lado hizo lo que ya se había dado por no hecho'), {
      effect: effectId,
    });
}

const uuidOf = (evidence: unknown) => (evidence as { uuid?: string }).uuid ?? null;

/** Takes late evidence off the board: a person undid the call there, or decided to leave it. Throws `NotAllowed` when there is none. */
export async function dismissLateEvidence(trx: Trx, effectId: string, usuarioId: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('effect')
    .set({ lateEvidence: null })
    .where('id', '=', effectId)
    .where('lateEvidence', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new NotAllowed('Aviso', 'Esta solicitud ya no espera una decisión. Vuelve a cargar la página.');
  await trx
    .insertInto('effectAttempt')
    .values({ effectId, kind: 'person', phase: 'ended', owner: usuarioId, outcome: null, message: 'Entendido' })
    .execute();
  await record(trx, { usuarioId, entidad: 'effect', entidadId: effectId, accion: 'respuesta tardía atendida' });
}
