import { sql } from 'kysely';
import { runOnce } from 'graphile-worker';
import { queueLogger } from '~db/queueLog.server';
import type { Db } from '~db/client.server';
import { taskList } from '~jobs/worker';
import { testDatabase } from './db';

/** Runs the jobs that are due now, and those they add, as the worker would; returns when none is left. One after the other, where nobody says `atOnce`. */
export async function runJobs({ atOnce = 1 }: { atOnce?: number } = {}) {
  const { db, pool } = testDatabase();
  await runOnce({
    pgPool: pool,
    taskList: taskList({ db, pool }),
    concurrency: atOnce,
    noHandleSignals: true,
    logger: queueLogger(),
  });
}

/** Waits until the next job is due, or 60 ms: another process may add one. To ask the queue costs more than most waits. */
async function nextDue(db: Db): Promise<void> {
  const { rows } = await sql<{ ms: number }>`
    select coalesce(min(greatest(0, extract(epoch from run_at - clock_timestamp()) * 1000)), 60)::float8 as ms
    from graphile_worker._private_jobs where locked_at is null and attempts < max_attempts`.execute(db);
  await new Promise((resolve) => setTimeout(resolve, Math.min(60, rows[0]!.ms + 1)));
}

/** Runs jobs until every effect, or those of one connection, has come to an end, waits of the unclear ones included: a busy machine may lose an answer. */
export async function runUntilSettled({
  within = 50_000,
  connection,
}: { within?: number; connection?: 'facturacom' | 'amazon' } = {}) {
  const { db } = testDatabase();
  for (const end = Date.now() + within; ;) {
    await runJobs();
    const open = await db
      .selectFrom('effect')
      .select(['type', 'state', 'reason'])
      .where('state', 'in', ['queued', 'sending', 'unknown'])
      .$if(connection !== undefined, (effects) => effects.where('connection', '=', connection!))
      .execute();
    if (open.length === 0) return;
    if (Date.now() > end) throw new Error(`still open: ${JSON.stringify(open)}`);
    await nextDue(db);
  }
}

/** Runs jobs again and again until `done`: effects wait between their looks, and a busy machine makes them wait more. */
export async function runJobsUntil(done: () => Promise<boolean>, withinMs = 50_000) {
  const { db } = testDatabase();
  for (const end = Date.now() + withinMs; ;) {
    await runJobs();
    if (await done()) return;
    if (Date.now() > end) throw new Error(`after ${withinMs} ms of jobs it is still not done`);
    await nextDue(db);
  }
}

/** Runs jobs while `verb` waits for one of them, as a page does that gives an effect some seconds: none of which goes by with what others left. */
export async function withWorker<T>(verb: () => Promise<T>): Promise<T> {
  await runJobs();
  let over = false;
  const asked = verb().finally(() => (over = true));
  asked.catch(() => undefined);
  while (!over) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    await runJobs();
  }
  return asked;
}

/** The last send of an effect was more than two minutes ago: the board takes a decision about it. */
export async function passSend(db: Db, id: string): Promise<void> {
  await sql`update effect set sent_at = now() - interval '3 minutes' where id = ${id}`.execute(db);
}
