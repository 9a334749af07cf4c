/** How lanes hear of jobs that nobody tells of: by one look for all of them. */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { enqueue } from '~db/queue/catalog.server';
import { startLook, type Look, type Looked } from '~jobs/internal/look';
import { defineTask } from '~jobs/task.server';
import { startWorker, type Worker, type WorkerOptions } from '~jobs/worker';
import { ownerDatabase, testDatabase } from '../support/db';

const { db, url } = testDatabase();
const { db: owner } = ownerDatabase();

let look: Look | undefined;
let worker: Worker | undefined;
afterEach(async () => {
  await look?.stop();
  // Also after a test that failed: its worker would take the jobs of the next.
  await worker?.stop();
  worker = undefined;
  await sql`delete from graphile_worker._private_jobs`.execute(owner);
});

const lane = (name: string, tasks: string[], full = false): Looked => ({
  name,
  atOnce: 2,
  takes: tasks,
  full: () => full,
});

async function start(options: Omit<WorkerOptions, 'url'>) {
  worker = await startWorker({ url, schedule: false, ...options });
}

/** What each lane is told by one look. */
async function toldBy(lanes: Looked[]): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  look = startLook(db, lanes, (name, jobs) => (told[name] = jobs));
  await look.stop();
  return told;
}

const LANES = [lane('casa', ['effect.sweep', 'libro.cuadrar']), lane('ventas', ['inbox.sweep', 'avisos.colas'])];

test('a lane is told of the jobs of its own that are due, as many as it takes at once, and of no others', async () => {
  expect(await toldBy(LANES)).toEqual({});
  await enqueue(db, 'effect.sweep', {});
  expect(await toldBy(LANES)).toEqual({ casa: 1 });
  for (const effectId of ['a', 'b', 'c']) await enqueue(db, 'effect.correo', { effectId });
  await enqueue(db, 'inbox.sweep', {}, { waitMs: 60_000 });
  expect(await toldBy([...LANES, lane('correo', ['effect.correo'])])).toEqual({ casa: 1, correo: 2 });
});

test('jobs that no lane takes are looked for by nobody, however many they are', async () => {
  await enqueue(db, 'libro.asentar', {});
  await sql`insert into graphile_worker._private_jobs (task_id, priority)
    select id, -1 from graphile_worker._private_tasks, generate_series(1, 1500) where identifier = 'libro.asentar'`.execute(
    owner,
  );
  await enqueue(db, 'effect.sweep', {});
  expect(await toldBy(LANES)).toEqual({ casa: 1 });
});

test('a job that somebody holds, or whose named queue is busy, is nobody’s to be told of', async () => {
  await enqueue(db, 'effect.sweep', {});
  await sql`update graphile_worker._private_jobs set locked_by = 'otro', locked_at = now()`.execute(owner);
  await enqueue(db, 'avisos.colas', {});
  expect(await toldBy(LANES)).toEqual({ ventas: 1 });
  await sql`update graphile_worker._private_job_queues set locked_by = 'otro', locked_at = now()`.execute(owner);
  expect(await toldBy(LANES)).toEqual({});
  await sql`update graphile_worker._private_job_queues set locked_by = null, locked_at = null`.execute(owner);
  expect(await toldBy(LANES)).toEqual({ ventas: 1 });
});

test('jobs of a lane that is full hide none of the others, however many they are', async () => {
  await enqueue(db, 'effect.correo', { effectId: 'a' });
  await sql`insert into graphile_worker._private_jobs (task_id, priority)
    select id, -1 from graphile_worker._private_tasks, generate_series(1, 1500) where identifier = 'effect.correo'`.execute(
    owner,
  );
  await enqueue(db, 'effect.sweep', {});
  expect(await toldBy([...LANES, lane('correo', ['effect.correo'])])).toEqual({ correo: 2 });
  expect(await toldBy([...LANES, lane('correo', ['effect.correo'], true)])).toEqual({ casa: 1 });
});

test('a worker at rest asks little, and takes at once what comes, what falls due and what is free again', async () => {
  const done: string[] = [];
  await start({
    concurrency: 5,
    tasks: [
      defineTask('effect.sweep', () => Promise.resolve(done.push('effect.sweep'))),
      defineTask('avisos.colas', () => Promise.resolve(done.push('avisos.colas'))),
    ],
  });
  const within = (ms: number) => expect.poll(() => done.splice(0), { timeout: ms, interval: 20 });
  await enqueue(db, 'effect.sweep', {});
  await within(1_000).toEqual(['effect.sweep']);
  await enqueue(db, 'effect.sweep', {}, { waitMs: 700 });
  await within(2_500).toEqual(['effect.sweep']);
  // Nobody says that a named queue is free again.
  await db.transaction().execute(async (trx) => {
    await enqueue(trx, 'avisos.colas', {});
    await sql`update graphile_worker._private_job_queues set locked_by = 'otro', locked_at = now()`.execute(trx);
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(done).toEqual([]);
  await sql`update graphile_worker._private_job_queues set locked_by = null, locked_at = null`.execute(owner);
  await within(1_500).toEqual(['avisos.colas']);

  const asked = async () =>
    Number(
      (
        await sql<{
          n: string;
        }>`select xact_commit::text as n from pg_stat_database where datname = current_database()`.execute(owner)
      ).rows[0]!.n,
    );
  // PostgreSQL counts what a connection asked up to ten seconds late: a later span is without what was asked before.
  const asks: number[] = [];
  do {
    const before = await asked();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    asks.push((await asked()) - before);
  } while (asks.at(-1)! >= 15 && asks.length < 4);
  // Two looks, and the beats: each worker by itself asked fourteen times a second here.
  expect(Math.min(...asks), asks.join(', ')).toBeLessThan(15);
});

test('jobs are taken while nobody can listen: the look does not hear by that connection', async () => {
  const done: string[] = [];
  const deaf = new URL(url);
  deaf.port = '1';
  await start({
    direct: deaf.href,
    concurrency: 2,
    tasks: [defineTask('effect.sweep', () => Promise.resolve(done.push('effect.sweep')))],
  });
  // The first question of each worker is over.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await enqueue(db, 'effect.sweep', {});
  await expect.poll(() => done, { timeout: 5_000 }).toEqual(['effect.sweep']);
});
