import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import type { EffectState } from '~db/columns';
import type { EffectDefinition, Entidad, Subject } from './definition';
import { LIVE_STATES } from './effects.server';

/**
 * Effects by the things that they are about. Their keys only keep two alike from living at once, and are read by nobody. A request is read through
 * the schema of its kind.
 */

/** Returns a query over the effects about a subject, for the caller to go on with. */
export const effectsAbout = (db: Db | Trx, [entidad, entidadId]: Subject) =>
  db
    .selectFrom('effect')
    .where('effect.id', 'in', (about) =>
      about
        .selectFrom('effectSubject')
        .select('effectSubject.effectId')
        .where('effectSubject.entidad', '=', entidad)
        .where('effectSubject.entidadId', '=', entidadId),
    );

/** SQL: the ids of the effects about any of these subjects. */
export const idsAboutAny = (subjects: readonly Subject[]) => sql`
  select s.effect_id
  from effect_subject s
  join unnest(${subjects.map(([entidad]) => entidad)}::text[], ${subjects.map(([, id]) => id)}::text[])
    as asked (entidad, entidad_id) using (entidad, entidad_id)`;

/**
 * SQL: whether the same was asked for again after the effect of a query, which is named `effect` there. With `inBatch` only the same batch counts.
 */
export const askedAgain = (effect: string, { inBatch = false } = {}) => {
  const at = (column: string) => sql.ref(`${effect}.${column}`);
  const same = inBatch ? sql`and newer.batch_id = ${at('batchId')}` : sql``;
  return sql<boolean>`exists (
    select from effect newer
    where newer.type = ${at('type')} and newer.key = ${at('key')} and newer.id > ${at('id')} ${same})`;
};

/** A kind of effect; without `type`, all kinds whose requests this schema reads. */
type Readable<Req> = { type?: string; request: z.ZodType<Req, unknown> };

export type Living<Req> = { id: string; type: string; state: EffectState; request: Req };

/** Returns the effects about a subject that have not ended, with their requests. Those that wait for people come first. */
export async function livingAbout<Req>(
  db: Db | Trx,
  subject: Subject,
  { type, request: schema }: Readable<Req>,
): Promise<Living<Req>[]> {
  const rows = await effectsAbout(db, subject)
    .where('effect.state', 'in', LIVE_STATES)
    .$if(type !== undefined, (effects) => effects.where('effect.type', '=', type!))
    .select(['effect.id', 'effect.type', 'effect.state', 'effect.request'])
    .orderBy(sql`effect.state = 'manual'`, 'desc')
    .orderBy('effect.id')
    .execute();
  return rows.map(({ request, ...row }) => ({ ...row, request: schema.parse(request) }));
}

/** Returns which of these ids a living effect of this kind is about. */
export async function livingOf(
  db: Db | Trx,
  entidad: Entidad,
  ids: readonly string[],
  { type }: { type: string },
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('effectSubject')
    .innerJoin('effect', 'effect.id', 'effectSubject.effectId')
    .select('effectSubject.entidadId')
    .where('effectSubject.entidad', '=', entidad)
    .where('effectSubject.entidadId', '=', sql<string>`any(${ids}::text[])`)
    .where('effect.type', '=', type)
    .where('effect.state', 'in', LIVE_STATES)
    .execute();
  return new Set(rows.map(({ entidadId }) => entidadId));
}

/** Locks the living effect of this kind about a subject, until the transaction ends. Returns whether there is one. */
export async function lockLiving(trx: Trx, subject: Subject, { type }: { type: string }): Promise<boolean> {
  const living = await effectsAbout(trx, subject)
    .where('effect.type', '=', type)
    .where('effect.state', 'in', LIVE_STATES)
    .select('effect.id')
    .forUpdate()
    .executeTakeFirst();
  return living !== undefined;
}

/** Returns the request of the last effect of this kind about a subject that was done. */
export async function lastDone<Req, Ev, Res>(
  db: Db | Trx,
  subject: Subject,
  { type, request: schema }: EffectDefinition<Req, Ev, Res>,
): Promise<Req | undefined> {
  const done = await effectsAbout(db, subject)
    .where('effect.type', '=', type)
    .where('effect.state', '=', 'done')
    .select('effect.request')
    .orderBy('effect.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return done && schema.parse(done.request);
}

/** Returns the request and the reason of the last effect of this kind about a subject, when that one was refused. */
export async function lastRefused<Req, Ev, Res>(
  db: Db | Trx,
  subject: Subject,
  definition: EffectDefinition<Req, Ev, Res>,
): Promise<{ request: Req; reason: string } | undefined> {
  const last = await lastUnsent(db, subject, definition);
  return last?.state === 'refused' ? last : undefined;
}

/** Returns the last effect of this kind about a subject, when that one was refused, or withdrawn before it was sent. */
export async function lastUnsent<Req, Ev, Res>(
  db: Db | Trx,
  subject: Subject,
  { type, request: schema }: EffectDefinition<Req, Ev, Res>,
): Promise<{ state: 'refused' | 'cancelled'; request: Req; reason: string } | undefined> {
  const last = await effectsAbout(db, subject)
    .where('effect.type', '=', type)
    .select(['effect.state', 'effect.reason', 'effect.request'])
    .orderBy('effect.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.state === 'refused' || last?.state === 'cancelled'
    ? { state: last.state, request: schema.parse(last.request), reason: last.reason ?? '' }
    : undefined;
}
