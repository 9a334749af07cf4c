import { sql } from 'kysely';
import { env } from '~/core/env.server';
import { NotAllowed, Stale } from '~/core/errors';
import { civilDateTime } from '~/core/time';
import { Uncertain, Unavailable } from '~/integrations/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { databaseNow } from '~db/clock.server';
import { enqueue } from '~db/queue/catalog.server';
import { LIVE_STATES, taskOf } from './effects.server';
import { firstLateLook } from './late.server';
import type { EffectRuntime } from './runtime';
import type { Clients } from '~/platform/connections/registry.server';
import type { AcceptedEffect, EffectCatalog, EffectDefinition, Subject, Summary } from './definition';
import { effectsAbout } from './subjects.server';

/**
 * Decisions of people about effects that no program can decide, with the evidence in front of them. 'Sí existe' does not end an effect: the captured
 * evidence is read back and checked like any other answer. 'No existe' ends the effect and gives back what it had claimed.
 */

/** How long an effect may stay unclear before the board shows it. */
const UNCLEAR_TOO_LONG_MS = 600_000;
/** How long after a send nobody may say 'No existe' or 'Enviar otra vez': the call lasts a minute, and the far side may finish it later. */
const JUST_SENT_MS = 120_000;

/** SQL: the moment from which people may decide about a row of `effect` that was just sent; null once they may. `pace` shortens the wait. */
export const decideDesde = (pace: number) => sql<Date | null>`case
  when effect.sent_at > now() - ${JUST_SENT_MS * pace} * interval '1 ms'
  then effect.sent_at + ${JUST_SENT_MS * pace} * interval '1 ms' end`;

/** Throws `NotAllowed`, telling until when, while the last send of an effect may still be on its way. */
async function requireLanded(trx: Trx, effectId: string, pace: number): Promise<void> {
  const { desde } = await trx
    .selectFrom('effect')
    .select(decideDesde(pace).as('desde'))
    .where('id', '=', effectId)
    .executeTakeFirstOrThrow();
  if (desde === null) return;
  const hora = civilDateTime(desde).slice(11, 19);
  throw new NotAllowed('Aviso', `Se acaba de enviar y todavía puede llegar. Decide desde las ${hora}.`);
}

/** Returns a query over the effects that people have to see. */
export const unresolved = (db: Db) =>
  db
    .selectFrom('effect')
    .where((is) =>
      is.or([
        is('effect.state', '=', 'manual'),
        is.and([
          is('effect.state', '=', 'unknown'),
          is('effect.unknownAt', '<', sql<Date>`now() - ${UNCLEAR_TOO_LONG_MS} * interval '1 ms'`),
        ]),
        is('effect.lateEvidence', 'is not', null),
      ]),
    );

/** SQL: the mark of a decision about a row of `effect`. The mark changes with how far the call got and what is known of it at the far side. */
export const HUELLA_DE_DECISION = sql<string>`
  md5(concat_ws('|', effect.state, effect.sends, effect.result, effect.late_evidence))`;

/** Locks an effect until the transaction ends. Throws `Stale`, telling what is known now, when `huella` is not the mark of how it stands. */
export async function requireDecisionVista(
  trx: Trx,
  { effectId, huella }: { effectId: string; huella: string },
): Promise<void> {
  const effect = await trx
    .selectFrom('effect')
    .select([
      HUELLA_DE_DECISION.as('huella'),
      'state',
      'sends',
      sql<string | null>`coalesce(effect.late_evidence, effect.result) ->> 'uuid'`.as('uuid'),
    ])
    .where('id', '=', effectId)
    .forUpdate()
    .executeTakeFirst();
  if (!effect || effect.huella === huella) return;
  const { state, sends, uuid } = effect;
  const envios = sends === 1 ? 'un envío' : `${sends} envíos`;
  const ahora = [ESTADO[state] ?? 'terminó', envios, uuid ? `se encontró ${uuid}` : 'sin rastro del otro lado'];
  throw new Stale(
    {
      cambios: [{ campo: 'Lo que se sabe', mio: 'como se veía', suyo: ahora.join(', ') }],
      marcas: { huella: effect.huella },
    },
    { titulo: 'Aviso', texto: 'Se supo algo más de esta solicitud mientras la veías.' },
  );
}
const ESTADO: Partial<Record<EffectState, string>> = {
  queued: 'espera a enviarse',
  sending: 'se está enviando',
  unknown: 'se busca',
  manual: 'espera una decisión',
};

/** Returns the summaries of these effects, by id. An effect whose request its kind can no longer read has none. */
export async function summariesOf(
  db: Db,
  catalog: EffectCatalog,
  effectIds: string[],
): Promise<ReadonlyMap<string, Summary>> {
  const rows = effectIds.length
    ? await db.selectFrom('effect').select(['id', 'type', 'request']).where('id', 'in', effectIds).execute()
    : [];
  return new Map(
    rows.flatMap(({ id, type, request }): [string, Summary][] => {
      const definition = catalog.get(type) as Definition | undefined;
      const asked = definition?.request.safeParse(request);
      return asked?.success && definition?.summary ? [[id, definition.summary(asked.data)]] : [];
    }),
  );
}

/** Returns how many effects people have to see. Each part of the sum reads a partial index of its own. */
export async function countUnresolved(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from effect where state = 'manual')::int
      + (select count(*) from effect where late_evidence is not null)::int
      + (
        select count(*) from effect
        where state = 'unknown' and unknown_at < now() - ${UNCLEAR_TOO_LONG_MS} * interval '1 ms')::int as n`.execute(
    db,
  );
  return rows[0]!.n;
}

/** One try at an effect, as the board lists it. `ms` is its duration. */
export type AttemptRow = {
  id: number;
  kind: string;
  phase: string;
  at: Date;
  outcome: string | null;
  status: number | null;
  ms: number | null;
  message: string | null;
};

/** Lists the tries at an effect that have ended, oldest first. */
export async function listAttempts(db: Db, effectId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('effectAttempt')
    .select(['id', 'kind', 'phase', 'at', 'outcome', 'status', 'ms', 'message'])
    .where('effectId', '=', effectId)
    .where('phase', '=', 'ended')
    .orderBy('id')
    .execute();
}

/**
 * Does 'Sí existe'. `said` is the UUID or the folio that a person read at the far side; null where its kind asks for none. The runner checks it
 * before the effect counts as done. Throws `NotAllowed` for a kind that is not decided so, and for an effect that nobody has to decide any more.
 */
export async function resolveAsExisting(
  trx: Trx,
  catalog: EffectCatalog,
  effectId: string,
  said: string | null,
  usuarioId: string,
): Promise<void> {
  const effect = await lockUnresolved(trx, effectId);
  const evidence = evidenceOf(catalog.get(effect.type)?.byHand, said);
  await trx
    .updateTable('effect')
    .set({
      state: 'unknown',
      result: JSON.stringify(evidence),
      unknownAt: effect.unknownAt ?? sql<Date>`now()`,
      nextAt: sql<Date>`now()`,
      reason: null,
      detail: null,
    })
    .where('id', '=', effectId)
    .execute();
  await decided(trx, effect, 'Sí existe', usuarioId, evidence);
  await enqueue(trx, taskOf(effect.connection), { effectId });
}

function evidenceOf(byHand: Definition['byHand'], said: string | null): unknown {
  if (!byHand || (byHand.says === 'done') !== (said === null))
    throw new NotAllowed('Aviso', 'Esta solicitud no se puede dar por hecha así. Vuelve a cargar la página.');
  return byHand.says === 'done' ? byHand.evidence : byHand.evidence(said!);
}

/**
 * Does 'Buscar otra vez': the far side is looked at anew, at once. Evidence that a person captured is forgotten, and evidence of the far side stays.
 * Absent is believed only after as many looks as the first time.
 */
export async function lookAgain(trx: Trx, effectId: string, usuarioId: string): Promise<void> {
  const effect = await lockUnresolved(trx, effectId);
  const captured = sql<boolean>`exists (
    select from effect_attempt a
    where a.effect_id = effect.id and a.kind = 'person' and a.outcome = 'found')`;
  await trx
    .updateTable('effect')
    .set({
      state: 'unknown',
      result: sql`case when ${captured} then null else result end`,
      finds: 0,
      unknownAt: sql<Date>`now()`,
      nextAt: sql<Date>`now()`,
      reason: null,
      detail: null,
    })
    .where('id', '=', effectId)
    .execute();
  await decided(trx, effect, 'Buscar otra vez', usuarioId, null);
  await enqueue(trx, taskOf(effect.connection), { effectId });
}

/** Looks once more, by itself, for the effect about a subject that waits for people: the far side told elsewhere that it was done. */
export async function lookAgainAbout(trx: Trx, subject: Subject, type: string): Promise<void> {
  const effect = await effectsAbout(trx, subject)
    .where('effect.type', '=', type)
    .where('effect.state', '=', 'manual')
    .select(['effect.id', 'effect.connection'])
    .forUpdate()
    .executeTakeFirst();
  if (!effect) return;
  await trx
    .updateTable('effect')
    .set({ state: 'unknown', finds: 0, nextAt: sql<Date>`now()`, reason: null, detail: null })
    .where('id', '=', effect.id)
    .execute();
  await enqueue(trx, taskOf(effect.connection), { effectId: effect.id });
}

/** Writes beside the reason of an effect that waits for people what was learnt of it elsewhere. */
export async function explainDoubt(trx: Trx, subject: Subject, type: string, detail: string): Promise<void> {
  const effect = await effectsAbout(trx, subject)
    .where('effect.type', '=', type)
    .where('effect.state', '=', 'manual')
    .select('effect.id')
    .executeTakeFirst();
  if (effect) await trx.updateTable('effect').set({ detail }).where('id', '=', effect.id).execute();
}

/**
 * Does 'Enviar otra vez', for an effect that was sent, got no answer and is proven absent, where the far side is not known to refuse a second one.
 * The send looks once more before it leaves. Throws `NotAllowed` for any other, and within two minutes of a send.
 */
export async function sendAgain(
  trx: Trx,
  catalog: EffectCatalog,
  effectId: string,
  usuarioId: string,
  { pace = env().EFFECT_PACE }: { pace?: number } = {},
): Promise<void> {
  const effect = await lockUnresolved(trx, effectId);
  await requireLanded(trx, effectId, pace);
  if (
    !catalog.get(effect.type)?.mayRepeat ||
    effect.state !== 'manual' ||
    effect.result !== null ||
    effect.lateEvidence
  )
    throw changed();
  await trx
    .updateTable('effect')
    .set({ state: 'queued', finds: 0, nextAt: sql<Date>`now()`, reason: null, detail: null })
    .where('id', '=', effectId)
    .execute();
  await decided(trx, effect, 'Enviar otra vez', usuarioId, null);
  await enqueue(trx, taskOf(effect.connection), { effectId });
}

/**
 * Does 'No existe': ends the effect and gives back what it had claimed. Throws `NotAllowed` while the effect is being looked for, within two minutes
 * of a send, and while the thing that its evidence names is alive at the far side.
 */
export async function resolveAsAbsent(
  { db, catalog, clients, pace }: Pick<EffectRuntime, 'db' | 'catalog' | 'clients' | 'pace'>,
  effectId: string,
  usuarioId: string,
  /** Mark of what the screen showed. A caller without a screen decides about what the effect is now. */
  huella?: string,
): Promise<void> {
  const vista = async (trx: Trx) => {
    if (huella !== undefined) await requireDecisionVista(trx, { effectId, huella });
  };
  // An old page asks the far side nothing. The mark is compared again below, since something may be learnt while the far side answers.
  await db.transaction().execute(vista);
  const seen = await db.selectFrom('effect').selectAll().where('id', '=', effectId).executeTakeFirst();
  if (seen?.result)
    await requireGone(catalog.get(seen.type) as Definition | undefined, {
      ...seen,
      clients: clients(() => undefined),
      db,
    });
  await db.transaction().execute(async (trx) => {
    await vista(trx);
    const effect = await lockUnresolved(trx, effectId);
    const now = (await databaseNow(trx)).getTime();
    const longUnclear = effect.unknownAt !== null && effect.unknownAt.getTime() < now - UNCLEAR_TOO_LONG_MS;
    if ((effect.state !== 'manual' && !longUnclear) || JSON.stringify(effect.result) !== JSON.stringify(seen?.result))
      throw changed();
    await requireLanded(trx, effectId, pace);
    const reason = 'Una persona confirmó que no existe.';
    await trx
      .updateTable('effect')
      .set({
        state: 'cancelled',
        settledAt: sql<Date>`now()`,
        reason,
        leaseOwner: null,
        leaseUntil: null,
        lookAgainAt: firstLateLook(catalog.get(effect.type), pace),
      })
      .where('id', '=', effectId)
      .execute();
    await releaseClaims(trx, catalog, effect, reason);
    await decided(trx, effect, 'No existe', usuarioId, null);
  });
}

type Definition = EffectDefinition<unknown, unknown, unknown>;

async function requireGone(
  definition: Definition | undefined,
  {
    id,
    request,
    ref,
    result,
    clients,
    db,
  }: { id: string; request: unknown; ref: string; result: unknown; clients: Clients; db: Db },
) {
  if (!definition?.stands)
    throw new NotAllowed('Aviso', 'Ya hay una respuesta de que sí se hizo. Busca otra vez o da por hecho.');
  let alive: boolean;
  try {
    alive = await definition.stands(
      { id, request: definition.request.parse(request), ref, clients, db },
      definition.evidence.parse(result),
    );
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Uncertain)
      throw new NotAllowed('Aviso', 'No se pudo preguntar si todavía existe. Inténtalo más tarde.');
    throw error;
  }
  if (alive)
    throw new NotAllowed(
      'Todavía existe',
      'Lo que se encontró sigue vigente del otro lado. Si no es de esta venta, busca otra vez; si lo es y no debe existir, cancélalo allá primero.',
    );
}

const changed = () => new NotAllowed('Aviso', 'Esta solicitud ya no espera una decisión. Vuelve a cargar la página.');

/**
 * Withdraws an effect that waits to be sent: each earlier send had no effect, or was proven absent and is still looked for. Throws `NotAllowed` once
 * it is being sent.
 */
export async function withdrawEffect(
  trx: Trx,
  catalog: EffectCatalog,
  effectId: string,
  usuarioId: string,
): Promise<void> {
  const effect = await trx
    .selectFrom('effect')
    .selectAll()
    .where('id', '=', effectId)
    .where('state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst();
  if (!effect) throw new NotAllowed('Aviso', 'La solicitud ya se está enviando y no se puede retirar.');
  const reason = 'Se retiró antes de enviarse.';
  await trx
    .updateTable('effect')
    .set({
      state: 'cancelled',
      settledAt: sql<Date>`now()`,
      reason,
      lookAgainAt: firstLateLook(catalog.get(effect.type), 1),
    })
    .where('id', '=', effectId)
    .execute();
  await releaseClaims(trx, catalog, effect, reason);
  await record(trx, {
    usuarioId,
    entidad: 'effect',
    entidadId: effectId,
    accion: 'retirar',
    datos: { type: effect.type, ref: effect.ref },
  });
}

type Row = Awaited<ReturnType<typeof lockUnresolved>>;

async function lockUnresolved(trx: Trx, effectId: string) {
  const effect = await trx
    .selectFrom('effect')
    .selectAll()
    .where('id', '=', effectId)
    .where('state', 'in', LIVE_STATES)
    .forUpdate()
    .executeTakeFirst();
  const leased = effect?.leaseUntil && effect.leaseUntil > new Date();
  if (!effect || (effect.state !== 'manual' && effect.state !== 'unknown') || leased) {
    throw changed();
  }
  return effect;
}

async function releaseClaims(trx: Trx, catalog: EffectCatalog, effect: Row, reason: string): Promise<void> {
  const definition = catalog.get(effect.type) as Definition | undefined;
  if (!definition?.release) return;
  const accepted: AcceptedEffect<unknown> = {
    id: effect.id,
    ref: effect.ref,
    usuarioId: effect.usuarioId,
    batchId: effect.batchId,
    request: definition.request.parse(effect.request),
  };
  await definition.release(trx, accepted, reason);
}

const OUTCOME = {
  'Sí existe': 'found',
  'No existe': 'absent',
  'Buscar otra vez': null,
  'Enviar otra vez': null,
} as const;

async function decided(
  trx: Trx,
  effect: Row,
  decision: keyof typeof OUTCOME,
  usuarioId: string,
  evidence: unknown,
): Promise<void> {
  await trx
    .insertInto('effectAttempt')
    .values({
      effectId: effect.id,
      kind: 'person',
      phase: 'ended',
      owner: usuarioId,
      outcome: OUTCOME[decision],
      message: decision,
    })
    .execute();
  await record(trx, {
    usuarioId,
    entidad: 'effect',
    entidadId: effect.id,
    accion: decision,
    datos: { type: effect.type, ref: effect.ref, evidence },
  });
}
