/** How the lanes of a worker hear of jobs: by one connection, which goes past a pooler. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { enqueue } from '~db/queue/catalog.server';
import { defineTask } from '~jobs/task.server';
import { startWorker } from '~jobs/worker';
import { openTestDatabase, ownerDatabase, testDatabase } from '../support/db';
import { openReparto } from '../support/reparto';

const { db, url } = testDatabase();

/** Two lanes that look for jobs once an hour: what they do within seconds they were told of. */
function lanesThatOnlyHear() {
  const done: string[] = [];
  const task = (name: 'effect.sweep' | 'inbox.sweep') =>
    defineTask(name, () => Promise.resolve(done.push(name)), { name, atOnce: 1 });
  return { done, tasks: [task('effect.sweep'), task('inbox.sweep')] };
}

const listeners = async () => {
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database() and application_name = 'trastienda-escucha'`.execute(
    ownerDatabase().db,
  );
  return rows.map(({ pid }) => pid);
};

test('behind a pooler every lane hears of its job by one connection, and again after that connection was lost', async () => {
  const reparto = await openReparto(url, 4);
  const { done, tasks } = lanesThatOnlyHear();
  const worker = await startWorker({
    url: reparto.url,
    direct: url,
    prepared: false,
    concurrency: 2,
    schedule: false,
    tasks,
  });
  const shared = openTestDatabase(reparto.url, { max: 2, shared: true });
  await expect.poll(listeners).toHaveLength(1);
  const hear = async () => {
    done.length = 0;
    await enqueue(shared.db, 'effect.sweep', {});
    await enqueue(shared.db, 'inbox.sweep', {});
    await expect.poll(() => [...done].sort(), { timeout: 5_000 }).toEqual(['effect.sweep', 'inbox.sweep']);
  };
  await hear();
  const [lost] = await listeners();
  await sql`select pg_terminate_backend(${lost})`.execute(ownerDatabase().db);
  await expect.poll(async () => (await listeners()).filter((pid) => pid !== lost)).toHaveLength(1);
  await hear();
  await worker.stop();
  expect(await listeners()).toEqual([]);
  expect(reparto.held, 'statements that leave something in a session').toEqual([]);
  expect((await sql`select 1 from graphile_worker._private_jobs`.execute(db)).rows).toEqual([]);
  await reparto.close();
});
