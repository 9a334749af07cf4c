import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { enqueue, enqueueAll } from '~db/queue/catalog.server';
import { freeAbandonedJobs } from '~jobs/internal/heartbeat';
import { SCHEDULE } from '~jobs/schedule';
import { defineTask } from '~jobs/task.server';
import { startWorker } from '~jobs/worker';
import { testDatabase } from '../support/db';

const { db, pool, url } = testDatabase();

test('a stop waits for the job under way and leaves neither locks nor heartbeats', async () => {
  let finished = false;
  let began: () => void;
  const begun = new Promise<void>((resolve) => (began = resolve));
  const slow = defineTask('effect.sweep', async () => {
    began();
    await new Promise((resolve) => setTimeout(resolve, 400));
    finished = true;
  });
  const worker = await startWorker({ url, concurrency: 2, schedule: false, tasks: [slow] });
  await enqueue(db, 'effect.sweep', {});
  await begun;
  await expect.poll(beats).toHaveLength(1);
  // The beat is of whoever holds the job: else a long one would be freed under way, and run twice.
  const { rows: held } = await sql<{ lockedBy: string }>`select locked_by from graphile_worker._private_jobs`.execute(
    db,
  );
  expect((await beats()).map(({ workerId }) => workerId)).toEqual(held.map(({ lockedBy }) => lockedBy));
  await worker.stop();
  expect(finished).toBe(true);
  expect(await beats()).toEqual([]);
  expect((await sql`select id from graphile_worker._private_jobs`.execute(db)).rows).toEqual([]);
});

test('jobs of a worker that stopped beating are freed, those of a live one and young locks are not', async () => {
  await pool.query(
    `insert into worker_heartbeat (worker_id, pid, beat_at) values ('vivo', 1, now()), ('mudo', 2, now() - interval '31 s')`,
  );
  for (const [effectId, owner, age] of [
    ['a', 'vivo', 300],
    ['b', 'mudo', 300],
    ['c', 'ausente', 300],
    ['d', 'recién', 5],
  ] as const) {
    await enqueue(db, 'effect.correo', { effectId });
    await pool.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - make_interval(secs => $2) where key = $3`,
      [owner, age, `effect.correo:${effectId}`],
    );
  }
  expect((await freeAbandonedJobs(pool)).sort()).toEqual(['ausente', 'mudo']);
  const { rows } = await pool.query<{ key: string; locked_by: string | null }>(
    'select key, locked_by from graphile_worker._private_jobs order by key',
  );
  expect(rows.map((row) => row.locked_by)).toEqual(['vivo', null, null, 'recién']);
});

test('a job asked for in the instant in which the one of its key begins is not lost', async () => {
  const ids = ['1', '2'];
  await enqueueAll(
    db,
    'effect.correo',
    ids.map((effectId) => ({ effectId })),
  );
  const began = await db.transaction().execute(async (worker) => {
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'otro' where key = 'effect.correo:1'`.execute(
      worker,
    );
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(worker);
    const asked = enqueueAll(
      db,
      'effect.correo',
      ids.map((effectId) => ({ effectId })),
    );
    const behind = () =>
      sql`select 1 from pg_stat_activity where ${rows[0]!.pid} = any(pg_blocking_pids(pid))`.execute(db);
    await expect.poll(async () => (await behind()).rows).toHaveLength(1);
    return { asked };
  });
  await began.asked;
  const { rows } = await sql<{
    key: string | null;
    running: boolean;
  }>`select key, locked_at is not null as running from graphile_worker._private_jobs
    where payload ->> 'effectId' in ('1', '2') order by running, key`.execute(db);
  expect(rows).toEqual([
    { key: 'effect.correo:1', running: false },
    { key: 'effect.correo:2', running: false },
    { key: null, running: true },
  ]);
});

test('each job of the schedule has a name of its own', () => {
  expect(new Set(SCHEDULE.map(({ identifier }) => identifier)).size).toBe(SCHEDULE.length);
});

async function beats() {
  return db.selectFrom('workerHeartbeat').selectAll().execute();
}
