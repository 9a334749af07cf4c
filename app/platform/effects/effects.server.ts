import { createHash } from 'node:crypto';
import { type InsertObject, sql } from 'kysely';
import { FALLO, NotAllowed } from '~/core/errors';
import { peticionActual } from '~/core/peticion.server';
import { pacienciaOf } from '~/core/paciencia.server';
import type { Db, Trx } from '~db/client.server';
import type { EffectState } from '~db/columns';
import { type EffectTask, enqueueAll } from '~db/queue/catalog.server';
import type { DB } from '~db/types';
import type { EffectDefinition, Subject } from './definition';

/**
 * SQL: whether the reference of an `effect` is taken at the far side. It was done, or people ended it when the thing it names there was dead
 * (`refTaken` in its evidence).
 */
export const REF_TAKEN = sql`(
  effect.state = 'done' or (effect.state = 'cancelled' and effect.result ->> 'refTaken' = 'true'))`;

/** States of an effect that has not ended. While one of a type and key is alive, no second one is accepted. */
export const LIVE_STATES = ['queued', 'sending', 'unknown', 'manual'] as const satisfies readonly EffectState[];

/** The effect that was accepted, or the living one with the same key (`created: false`). */
export type Accepted = { id: string; created: boolean };

/** Returns the name of the job that runs effects of this far side. */
export function taskOf(connection: string): EffectTask {
  return `effect.${connection}`;
}

/**
 * Returns the priority of a job; a lower one goes first. An effect that may have been done is looked for before anything new is sent, since not
 * knowing is worse than waiting; one that was proven absent goes with them, since it has waited longest. A single effect, for which a person waits,
 * goes before those of a batch.
 */
export function priorityOf({ batchId, wasUnclear = false }: { batchId: string | null; wasUnclear?: boolean }): number {
  if (wasUnclear) return -10;
  return batchId === null ? 0 : 10;
}

/** Returns a value as JSON with its keys sorted, so that the same request always has the same text and hash. */
export function canonicalJson(value: unknown): string {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  const sorted = (at: unknown): unknown => {
    if (Array.isArray(at)) return at.map(sorted);
    if (at === null || typeof at !== 'object') return at;
    return Object.fromEntries(
      Object.entries(at)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, inner]) => [key, sorted(inner)]),
    );
  };
  return JSON.stringify(sorted(plain));
}

/** Returns the SHA-256 of a frozen request. */
export function hashOf(json: string): Buffer {
  return createHash('sha256').update(json).digest();
}

type NewEffect = { row: InsertObject<DB, 'effect'> & { id: string }; subjects: readonly Subject[] };

/** Writes effects with their subjects in one statement, except those whose key is alive already. Returns the ids that were written. */
async function insertEffects(trx: Trx, effects: readonly NewEffect[]): Promise<string[]> {
  if (effects.length === 0) return [];
  const about = effects.flatMap(({ row, subjects }) => subjects.map(([entidad, id]) => ({ of: row.id, entidad, id })));
  const rows = await trx
    .with('accepted', (db) =>
      db
        .insertInto('effect')
        .values(effects.map(({ row }) => row))
        .onConflict((conflict) => conflict.columns(['type', 'key']).where('state', 'in', LIVE_STATES).doNothing())
        .returning('id'),
    )
    .with('about', (db) =>
      db
        .insertInto('effectSubject')
        .columns(['effectId', 'entidad', 'entidadId'])
        .expression(
          sql`select a.effect_id, a.entidad, a.entidad_id
            from unnest(
              ${about.map(({ of }) => of)}::uuid[],
              ${about.map(({ entidad }) => entidad)}::text[],
              ${about.map(({ id }) => id)}::text[]) a (effect_id, entidad, entidad_id)
            join accepted on accepted.id = a.effect_id`,
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .selectFrom('accepted')
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

type Who = { usuarioId: string | null; batchId: string | null };
/** `afterMs`: the first send waits so long by the database's clock, and the effect can be withdrawn until then. */
type When = { afterMs?: number };

/** The job of an effect that waits comes so many ms after the effect is due. */
const LATER_MS = 20;

/** Effects that one statement writes at most. */
const CHUNK = 1_000;

/**
 * Commits to many calls of one kind: each is a row with its job, in the caller's transaction, before any byte leaves. Returns each accepted request
 * with the id of its effect. A request whose key is alive already is left out, and so is the second of two alike.
 */
export async function acceptEffects<Req, Ev, Res>(
  trx: Trx,
  definition: EffectDefinition<Req, Ev, Res>,
  requests: readonly Req[],
  { usuarioId, batchId, afterMs = 0 }: Who & When,
): Promise<{ id: string; request: Req }[]> {
  const { type, connection } = definition;
  const accepted: { id: string; request: Req }[] = [];
  for (let from = 0; from < requests.length; from += CHUNK) {
    const chunk = requests.slice(from, from + CHUNK);
    const keys = chunk.map((request) => definition.key(request));
    const { rows } = await sql<{ id: string; generation: number }>`
      select uuidv7() as id,
        (
          select count(*)::int from effect
          where type = ${type} and effect.key = asked.key and ${REF_TAKEN}) as generation
      from unnest(${keys}::text[]) with ordinality asked (key, n)
      order by n`.execute(trx);
    const effects = chunk.map((request, at): NewEffect => {
      const { id, generation } = rows[at]!;
      const json = canonicalJson(request);
      const ref = definition.ref?.(request, generation) ?? `${type}-${id}`;
      return {
        row: {
          id,
          type,
          key: keys[at]!,
          ref,
          connection,
          peticion: peticionActual() ?? null,
          request: json,
          requestHash: hashOf(json),
          batchId,
          usuarioId,
          nextAt: sql<Date>`now() + ${afterMs}::float8 * interval '1 ms'`,
        },
        subjects: definition.subjects(request),
      };
    });
    const requestOf = new Map(chunk.map((request, at) => [rows[at]!.id, request]));
    const ids = await insertEffects(trx, effects);
    accepted.push(...ids.map((id) => ({ id, request: requestOf.get(id)! })));
  }
  await enqueueAll(
    trx,
    taskOf(connection),
    accepted.map(({ id }) => ({ effectId: id })),
    // A job that comes before its effect is due finds nothing to do.
    { priority: priorityOf({ batchId }), waitMs: afterMs === 0 ? undefined : afterMs + LATER_MS },
  );
  return accepted;
}

/**
 * Commits to one call to the outside, as `acceptEffects` does. While an effect with the same key is alive, that one is returned (`created: false`).
 */
export async function acceptEffect<Req, Ev, Res>(
  trx: Trx,
  definition: EffectDefinition<Req, Ev, Res>,
  { request, usuarioId = null, batchId = null, afterMs = 0 }: { request: Req } & Partial<Who> & When,
): Promise<Accepted> {
  const [created] = await acceptEffects(trx, definition, [request], { usuarioId, batchId, afterMs });
  if (created) return { id: created.id, created: true };
  const key = definition.key(request);
  const living = await trx
    .selectFrom('effect')
    .select('id')
    .where('type', '=', definition.type)
    .where('key', '=', key)
    .where('state', 'in', LIVE_STATES)
    .executeTakeFirst();
  // The living one settled between our insert and this look. The caller's transaction sees neither, so the caller tries again from the start.
  if (!living) throw new Error(`effect ${definition.type} ${key} settled while it was asked for again`);
  return { id: living.id, created: false };
}

/** An effect as a page shows it. `reason` and `detail` are for people. */
export type EffectView = {
  id: string;
  type: string;
  ref: string;
  state: EffectState;
  reason: string | null;
  detail: string | null;
  result: unknown;
  createdAt: Date;
  settledAt: Date | null;
  nextAt: Date;
};

/** Returns an effect as it stands; undefined when there is none by that id. */
export async function effectView(db: Db, id: string): Promise<EffectView | undefined> {
  return db
    .selectFrom('effect')
    .select(['id', 'type', 'ref', 'state', 'reason', 'detail', 'result', 'createdAt', 'settledAt', 'nextAt'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns whether an effect in this state has ended. */
export function isSettled(state: EffectState): boolean {
  return state === 'done' || state === 'refused' || state === 'cancelled';
}

/** Looks at an effect again and again, for at most `ms`, until it ended or waits for people. Returns it as it stands then. */
export async function waitForEffect(db: Db, id: string, ms: number): Promise<EffectView | undefined> {
  const until = performance.now() + pacienciaOf(ms);
  for (let pause = 15; ; pause = Math.min(200, pause * 1.4)) {
    const view = await effectView(db, id);
    if (!view || isSettled(view.state) || view.state === 'manual' || performance.now() >= until) return view;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** How long a page waits for a call to the outside before it says that it is on its way. */
const PAGE_WAITS_MS = 4_000;

/**
 * Returns whether the effect is done while the person waits at the page. Throws `NotAllowed`, under `titulo`, with the words of a far side that said
 * no.
 */
export async function isDoneSoon(db: Db, id: string, titulo: string): Promise<boolean> {
  const effect = await waitForEffect(db, id, PAGE_WAITS_MS);
  if (effect?.state === 'refused') throw new NotAllowed(titulo, effect.reason ?? FALLO.texto);
  return effect?.state === 'done';
}

/** SQL: requests and answers of the effects under way as texts (`dice`), for a search of what still names a thing. */
export const textsUnderWay = sql<{ dice: string }>`
  select concat(request, result) as dice from effect where state in ('queued', 'sending', 'unknown', 'manual')`;
