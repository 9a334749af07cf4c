/** A worker beside a newer version: what that version wrote waits for its worker, whole. */
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { saveMuestra } from '~/domain/operacion/mantenimiento/muestras.server';
import { enqueue, identifiersOf, TASKS } from '~db/queue/catalog.server';
import { defineTask } from '~jobs/task.server';
import { startWorker, type Worker } from '~jobs/worker';
import { ownerDatabase, testDatabase } from '../support/db';

const { db, url } = testDatabase();
const { db: owner } = ownerDatabase();
const sweep = TASKS['effect.sweep'] as { version?: number };

let worker: Worker | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  delete sweep.version;
  vi.restoreAllMocks();
  await sql`delete from graphile_worker._private_jobs`.execute(owner);
  await sql`delete from muestra`.execute(owner);
});

const done: unknown[] = [];
/** Starts the worker of the version that the catalog has now. */
async function start() {
  const tasks = [
    defineTask('effect.sweep', () => Promise.resolve(done.push('effect.sweep'))),
    defineTask('export.run', ({ exportId }) => Promise.resolve(done.push(exportId))),
  ];
  worker = await startWorker({ url, concurrency: 2, schedule: false, tasks });
}
const inQueue = async () =>
  (
    await sql<object>`select t.identifier as task, j.attempts, j.last_error as error, j.locked_by as held
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by 1`.execute(
      db,
    )
  ).rows;
const untouched = (task: string) => ({ task, attempts: 0, error: null, held: null });

test('a job of a later version, or of a task that is new, waits with all its attempts, and is taken by a newer worker', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  // A newer web wrote before this worker started.
  sweep.version = 2;
  await enqueue(db, 'effect.sweep', {});
  await enqueue(db, 'libro.cuadrar', {});
  delete sweep.version;
  await start();
  await enqueue(db, 'export.run', { exportId: 'de esta versión' });
  await expect.poll(() => done.splice(0)).toEqual(['de esta versión']);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await inQueue()).toEqual([untouched('effect.sweep@2'), untouched('libro.cuadrar')]);
  expect(done).toEqual([]);
  const told = lines.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes('trabajos de otra versión'));
  expect(told).toEqual([expect.stringContaining('"tareas":"effect.sweep@2, libro.cuadrar"')]);
  await worker!.stop();

  sweep.version = 2;
  await start();
  await expect.poll(() => done.splice(0)).toEqual(['effect.sweep']);
  // A job leaves the queue a moment after its work is done.
  await expect.poll(inQueue).toEqual([untouched('libro.cuadrar')]);
});

test('a newer worker takes what an older version wrote, and a job of one key stays one job', async () => {
  await enqueue(db, 'effect.sweep', {});
  sweep.version = 3;
  expect(identifiersOf('effect.sweep')).toEqual(['effect.sweep', 'effect.sweep@2', 'effect.sweep@3']);
  await start();
  await expect.poll(() => done.splice(0)).toEqual(['effect.sweep']);
  await worker!.stop();
  delete sweep.version;
  await enqueue(db, 'effect.sweep', {});
  sweep.version = 3;
  await enqueue(db, 'effect.sweep', {});
  expect(await inQueue()).toEqual([untouched('effect.sweep@3')]);
});

test('jobs that no worker takes for ten minutes are told, with their kinds', async () => {
  const mira = () => CONDICIONES.find(({ clave }) => clave === 'trabajosSinWorker')!.mira(db);
  sweep.version = 2;
  await enqueue(db, 'effect.sweep', {});
  await enqueue(db, 'libro.cuadrar', {});
  expect(await mira()).toBeNull();
  await sql`update graphile_worker._private_jobs set run_at = now() - interval '11 minutes'`.execute(owner);
  await expect(mira()).rejects.toThrow('ningún worker dice qué trabajos toma');
  const tells = (...tareas: string[]) =>
    saveMuestra(db, 'worker:1', {
      ...{ tipo: 'worker', construccion: 'a', memoriaMb: null, atrasoP99Ms: null, atrasoMaxMs: null },
      carriles: { casa: tareas },
    });
  await tells('effect.sweep', 'libro.cuadrar');
  expect(await mira()).toMatchObject({
    nivel: 'grave',
    texto: 'Un trabajo interno espera a un worker más nuevo que los que corren (effect.sweep@2).',
  });
  await tells('effect.sweep', 'effect.sweep@2', 'libro.cuadrar');
  expect(await mira()).toBeNull();
});
