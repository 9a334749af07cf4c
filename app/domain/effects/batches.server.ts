import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';

/** Bulk work people watch: one batch row, one effect per item. Progress, reasons and retries are read from the effects. */
export async function createBatch(trx: Trx, { type, label, total, usuarioId }: { type: string; label: string; total: number; usuarioId: string | null }): Promise<string> {
  const { id } = await trx.insertInto('batch').values({ type, label, total, usuarioId }).returning('id').executeTakeFirstOrThrow();
  return id;
}

export type BatchProgress = { id: string; type: string; label: string; total: number; done: number; failed: number; unclear: number; waiting: number; createdAt: Date };

export async function batchProgress(db: Db, id: string): Promise<BatchProgress | undefined> {
  const { rows } = await sql<BatchProgress>`
    select b.id, b.type, b.label, b.total, b.created_at,
      count(*) filter (where e.state = 'done')::int as done,
      count(*) filter (where e.state in ('refused', 'cancelled'))::int as failed,
      count(*) filter (where e.state in ('unknown', 'manual'))::int as unclear,
      count(*) filter (where e.state in ('queued', 'sending'))::int as waiting
    from batch b left join effect e on e.batch_id = b.id
    where b.id = ${id} group by b.id`.execute(db);
  return rows[0];
}

export async function listBatchFailures(db: Db, id: string) {
  return db
    .selectFrom('effect').select(['id', 'key', 'ref', 'state', 'reason', 'detail'])
    .where('batchId', '=', id).where('state', 'in', ['refused', 'cancelled', 'unknown', 'manual'])
    .orderBy('createdAt').execute();
}
