import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Db, Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/**
 * Bulk work that people watch: one row of `batch`, and one effect for each item. Progress, reasons and retries are read from the effects; of an item
 * that was tried again only the last effect counts.
 */
type NewBatch = { type: string; label: string; total: number; usuarioId: string | null; clave?: string };

/**
 * Writes the row of a batch and returns its id. `clave` is what the batch is about; `total` counts its items, whose effects the caller accepts with
 * this id.
 */
export async function createBatch(trx: Trx, { type, label, total, usuarioId, clave = '' }: NewBatch): Promise<string> {
  const { id } = await trx
    .insertInto('batch')
    .values({ type, label, total, usuarioId, clave })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Holds the batches of a type about `clave`: a second caller waits until the first one has committed, and then finds its batch. */
export async function lockBatches(trx: Trx, type: string, clave: string): Promise<void> {
  await lockName(trx, 'batch', type, clave);
}

/** Returns the newest batch about `clave` that is under way or was asked for this very minute: the batch that two presses of a button share. */
export async function sharedBatch(
  trx: Trx,
  type: string,
  clave: string,
): Promise<{ id: string; living: boolean } | undefined> {
  const { rows } = await sql<{ id: string; living: boolean; recent: boolean }>`
    select batch.id, batch.created_at > now() - interval '1 minute' as recent,
      exists (
        select from effect
        where effect.batch_id = batch.id and effect.state in ('queued', 'sending', 'unknown')) as living
    from batch
    where batch.type = ${type} and batch.clave = ${clave}
    order by batch.id desc
    limit 1`.execute(trx);
  const newest = rows[0];
  return newest && (newest.living || newest.recent) ? { id: newest.id, living: newest.living } : undefined;
}

/** Counts of a batch. `failed` ended in a clear no, `unclear` may have been done, `endedAt` is null while an item is under way. */
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

/** SQL: the items of a batch as a table, each as its last effect left it. */
export const itemsOfBatch = (batchId: RawBuilder<unknown>) => sql`(
  select distinct on (type, key) id, type, ref, request, state, reason, detail, settled_at
  from effect
  where batch_id = ${batchId}
  order by type, key, id desc)`;

const PROGRESS = sql<BatchProgress>`
  select b.id, b.type, b.clave, b.label, b.total, b.created_at, items.*
  from batch b,
  lateral (
    select count(*) filter (where state = 'done')::int as done,
      count(*) filter (where state in ('refused', 'cancelled'))::int as failed,
      count(*) filter (where state in ('unknown', 'manual'))::int as unclear,
      count(*) filter (where state in ('queued', 'sending'))::int as waiting,
      case when bool_and(state in ('done', 'refused', 'cancelled', 'manual')) then max(settled_at) end as ended_at
    from ${itemsOfBatch(sql`b.id`)} last
  ) items`;

/** Returns how far a batch is; undefined when there is none by that id. */
export async function batchProgress(db: Db, id: string): Promise<BatchProgress | undefined> {
  const { rows } = await sql<BatchProgress>`${PROGRESS} where b.id = ${id}`.execute(db);
  return rows[0];
}

/** Returns the newest batch of each type about `clave`. */
export async function lastBatches(db: Db, types: readonly string[], clave: string): Promise<BatchProgress[]> {
  const { rows } = await sql<BatchProgress>`${PROGRESS}
    where b.id in (
      select max(id::text)::uuid from batch where type = any(${types}) and clave = ${clave} group by type)`.execute(db);
  return rows;
}

/**
 * Lists the batches of the last day that are under way or of which an item did not go through, the newest first. Batches over the rows of a list
 * are left out: they are shown to their person alone (`recentPreparedBatches`).
 */
export async function recentBatches(db: Db, limit: number): Promise<BatchProgress[]> {
  const { rows } = await sql<BatchProgress>`${PROGRESS}
    where b.created_at > now() - interval '1 day'
      and b.type not like 'lote.%'
      and (items.waiting > 0 or items.failed + items.unclear > 0)
    order by b.id desc
    limit ${limit}`.execute(db);
  return rows;
}

/** Returns the requests of the items whose last effect ended in a clear no, oldest first, read by `schema`. */
export async function failedRequests<Req>(
  db: Db | Trx,
  batchId: string,
  schema: z.ZodType<Req, unknown>,
): Promise<Req[]> {
  const { rows } = await sql<{ request: unknown }>`
    select request
    from ${itemsOfBatch(sql`${batchId}`)} last
    where state in ('refused', 'cancelled')
    order by id`.execute(db);
  return rows.map(({ request }) => schema.parse(request));
}
