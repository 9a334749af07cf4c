import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import { enqueueAll } from '~db/queue/catalog.server';
import type { EffectDefinition } from './definition';
import { canonicalJson, hashOf, insertEffects, priorityOf, REF_TAKEN, taskOf } from './effects.server';
import { lockName } from '~db/locks.server';

/**
 * Bulk work people watch: one batch row, one effect per item. Progress, reasons and retries are read from the effects, and of an item
 * that was tried again only its last effect counts.
 */
type NewBatch = { type: string; label: string; total: number; usuarioId: string | null; clave?: string };

export async function createBatch(trx: Trx, { type, label, total, usuarioId, clave = '' }: NewBatch): Promise<string> {
  const { id } = await trx
    .insertInto('batch')
    .values({ type, label, total, usuarioId, clave })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whoever asks for a batch about the same waits here until the first one has committed, and then finds it. */
export async function lockBatches(trx: Trx, type: string, clave: string): Promise<void> {
  await lockName(trx, 'batch', type, clave);
}

/** The newest batch about `clave` that is still under way, or was asked for this very minute: the one two presses of a button share. */
export async function sharedBatch(
  trx: Trx,
  type: string,
  clave: string,
): Promise<{ id: string; living: boolean } | undefined> {
  const { rows } = await sql<{ id: string; living: boolean; recent: boolean }>`
    select b.id, b.created_at > now() - interval '1 minute' as recent,
      exists (select from effect e where e.batch_id = b.id and e.state in ('queued', 'sending', 'unknown')) as living
    from batch b where b.type = ${type} and b.clave = ${clave} order by b.id desc limit 1`.execute(trx);
  const newest = rows[0];
  return newest && (newest.living || newest.recent) ? { id: newest.id, living: newest.living } : undefined;
}

/** An item that could not be taken is alive in another batch already. */
export type AcceptedItem<Req> = { id: string; request: Req };

const CHUNK = 1_000;

/** `acceptEffect` for many, in a few statements. Each answer carries its own request; items whose key is alive are left out. */
export async function acceptAll<Req, Ev, Res>(
  trx: Trx,
  definition: EffectDefinition<Req, Ev, Res>,
  requests: readonly Req[],
  { batchId, usuarioId }: { batchId: string; usuarioId: string | null },
): Promise<AcceptedItem<Req>[]> {
  const accepted: AcceptedItem<Req>[] = [];
  for (let from = 0; from < requests.length; from += CHUNK) {
    const chunk = requests
      .slice(from, from + CHUNK)
      .map((request) => ({ request, key: definition.key(request), json: canonicalJson(request) }));
    const { rows } = await sql<{ id: string; generation: number }>`
      select uuidv7() as id, (select count(*)::int from effect where type = ${definition.type} and effect.key = k.key and ${REF_TAKEN}) as generation
      from unnest(${chunk.map(({ key }) => key)}::text[]) with ordinality k (key, n) order by n`.execute(trx);
    const effects = chunk.map(({ request, key, json }, at) => {
      const { id, generation } = rows[at]!;
      return {
        row: {
          id,
          type: definition.type,
          key,
          ref: definition.ref?.(request, generation) ?? `${definition.type}-${id}`,
          connection: definition.connection,
          request: json,
          requestHash: hashOf(json),
          batchId,
          usuarioId,
        },
        subjects: definition.subjects(request),
      };
    });
    const requestOf = new Map(chunk.map(({ request }, at) => [rows[at]!.id, request]));
    const ids = await insertEffects(trx, effects);
    accepted.push(...ids.map((id) => ({ id, request: requestOf.get(id)! })));
  }
  await enqueueAll(
    trx,
    taskOf(definition.connection),
    accepted.map(({ id }) => ({ effectId: id })),
    { priority: priorityOf({ batchId }) },
  );
  return accepted;
}

export type BatchProgress = {
  id: string;
  type: string;
  clave: string;
  label: string;
  total: number;
  done: number;
  failed: number;
  unclear: number;
  waiting: number;
  createdAt: Date;
  endedAt: Date | null;
};

/** The items of a batch, each as its last effect left it. */
export const itemsOfBatch = (batchId: RawBuilder<unknown>) =>
  sql`(select distinct on (type, key) id, type, ref, request, state, reason, detail, settled_at from effect where batch_id = ${batchId} order by type, key, id desc)`;

const PROGRESS = sql<BatchProgress>`
  select b.id, b.type, b.clave, b.label, b.total, b.created_at, e.* from batch b, lateral (
    select count(*) filter (where state = 'done')::int as done,
      count(*) filter (where state in ('refused', 'cancelled'))::int as failed,
      count(*) filter (where state in ('unknown', 'manual'))::int as unclear,
      count(*) filter (where state in ('queued', 'sending'))::int as waiting,
      case when bool_and(state in ('done', 'refused', 'cancelled', 'manual')) then max(settled_at) end as ended_at
    from ${itemsOfBatch(sql`b.id`)} last
  ) e`;

export async function batchProgress(db: Db, id: string): Promise<BatchProgress | undefined> {
  const { rows } = await sql<BatchProgress>`${PROGRESS} where b.id = ${id}`.execute(db);
  return rows[0];
}

/** The newest batch of each type about `clave`. */
export async function lastBatches(db: Db, types: readonly string[], clave: string): Promise<BatchProgress[]> {
  const { rows } = await sql<BatchProgress>`${PROGRESS}
    where b.id in (select max(id::text)::uuid from batch where type = any(${types}) and clave = ${clave} group by type)`.execute(
    db,
  );
  return rows;
}

/** The months' of the last day that are under way, or of which something did not go through; the newest first. Those of a list are their person's (`lotes`). */
export async function recentBatches(db: Db, limit: number): Promise<BatchProgress[]> {
  const { rows } = await sql<BatchProgress>`${PROGRESS}
    where b.created_at > now() - interval '1 day' and b.type not like 'lote.%' and (e.waiting > 0 or e.failed + e.unclear > 0) order by b.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** What was asked of the items whose last effect ended in a clear no, oldest first. */
export async function failedRequests<Req>(
  db: Db | Trx,
  batchId: string,
  schema: z.ZodType<Req, unknown>,
): Promise<Req[]> {
  const { rows } = await sql<{ request: unknown }>`
    select request from ${itemsOfBatch(sql`${batchId}`)} last where state in ('refused', 'cancelled') order by id`.execute(
    db,
  );
  return rows.map(({ request }) => schema.parse(request));
}
