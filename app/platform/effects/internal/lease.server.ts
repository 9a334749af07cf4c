import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** How long a lease lasts: it outlives the longest call (60 s) that starts at its last allowed moment (20 s). */
const LEASE_MS = 90_000;

/** SQL for `lease_until`, by the database's clock. */
export const leaseEnd = (deadline: number) => sql<Date>`now() + ${LEASE_MS * deadline} * interval '1 ms'`;

/** Renews a lease whole. Returns the instant, by `performance.now()`, from which it lasts; null when it is ours no more. */
export async function renewLease(
  { db, pace, deadline = pace }: { db: Db; pace: number; deadline?: number },
  { id, owner }: { id: string; owner: string },
): Promise<number | null> {
  const from = performance.now();
  const { numUpdatedRows } = await db
    .updateTable('effect')
    .set({ leaseUntil: leaseEnd(deadline) })
    .where('id', '=', id)
    .where('leaseOwner', '=', owner)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? from : null;
}

/**
 * Keeps the lease while `work` goes on. A look may read the list of a month page by page and take longer than one lease; passed to another runner in
 * the middle, it would never come to an end. A process that froze or died does not renew.
 */
export async function whileLeased<T>(
  { db, pace, deadline = pace }: { db: Db; pace: number; deadline?: number },
  { id, owner }: { id: string; owner: string },
  work: () => Promise<T>,
): Promise<T> {
  const renew = () =>
    void db
      .updateTable('effect')
      .set({ leaseUntil: leaseEnd(deadline) })
      .where('id', '=', id)
      .where('leaseOwner', '=', owner)
      .execute()
      .catch(() => undefined);
  const timer = setInterval(renew, (LEASE_MS * deadline) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
