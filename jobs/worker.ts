import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, type Task as GraphileTask, type TaskList, type WorkerPool } from 'graphile-worker';
import { log } from '~/core/log.server';
import { inPeticion, readPeticion } from '~/core/peticion.server';
import { trazar } from '~/core/traza.server';
import { startTrazas } from '~/core/trazas.server';
import { startMuestras } from '~/domain/operacion/mantenimiento/muestras.server';
import { startKeepingAnswers } from '~/platform/connections/respuestas.server';
import type { Database } from '~db/client.server';
import { openDatabase } from '~db/client.server';
import { identifiersOf } from '~db/queue/catalog.server';
import { pullBackDueTimes, watchClock } from '~db/clock.server';
import { queueLogger } from '~db/queueLog.server';
import { startClock } from './internal/clock';
import { startHeartbeat } from './internal/heartbeat';
import { listenByOne } from './internal/listener';
import { startLater } from './internal/later';
import { startLook, type Look } from './internal/look';
import { keepRunning } from './internal/tireless';
import { lanesOf } from './lanes';
import { SCHEDULE } from './schedule';
import type { Task } from './task.server';
import { TASK_LIST } from './tasks/index';

/** Options of a worker. `concurrency` is the most jobs at once in a lane; a lane may allow fewer. */
export type WorkerOptions = {
  url: string;
  /** The way past the PgBouncer of `url`; undefined where there is none. */
  direct?: string;
  /** Whether the queue may prepare statements by name (`reviewAddresses`). */
  prepared?: boolean;
  concurrency: number;
  schedule?: boolean;
  tasks?: Task[];
};
/** A running worker. */
export type Worker = {
  /** Resolves after `stop`. A database that goes away and comes back does not end the worker. */
  ended: Promise<void>;
  /** Takes no more jobs and waits for the running jobs, ten seconds at most. */
  stop(): Promise<void>;
};

/** Time before the signals of running jobs are aborted during a stop. */
const PATIENCE_MS = 8_000;
/**
 * Time before a stop leaves running jobs behind. A job that ignores its signal waits for an outside answer: its lease
 * ends, and the next run looks up the result.
 */
const LEAVE_MS = 9_500;
/** Interval at which a worker of a lane looks for a job untold: the look for all lanes tells it far sooner. */
const OWN_LOOK_MS = 300_000;

/**
 * Starts a lane for each far side and for each group of tasks, the beats and the clock. Returns once every lane takes
 * jobs. Throws when the database cannot be reached.
 */
export async function startWorker({
  url,
  direct,
  prepared = true,
  concurrency,
  schedule = true,
  tasks = TASK_LIST,
}: WorkerOptions): Promise<Worker> {
  const running = new Map<string, { jobs: number }>();
  const lanes = lanesOf(tasks).map((lane) => {
    const atOnce = Math.min(concurrency, lane.atOnce);
    const takes = lane.tasks.flatMap(({ name }) => identifiersOf(name));
    return { ...lane, atOnce, takes, full: () => (running.get(lane.name)?.jobs ?? 0) >= atOnce };
  });
  const trazas = await startTrazas('worker');
  const shared = direct !== undefined;
  // A task may hold a connection while asking for another.
  const database = openDatabase(url, {
    max: lanes.reduce((sum, { atOnce }) => sum + atOnce, 4),
    name: 'trastienda-worker',
    shared,
  });
  const beating = openDatabase(url, { max: 2, name: 'trastienda-latido', shared });
  const listening = openDatabase(direct ?? url, { max: 1, name: 'trastienda-escucha' });
  const started: { look?: Look } = {};
  const pgPool = listenByOne(database.pool, listening.pool, () => started.look?.now());
  /** The workers of each lane, while they take jobs. */
  const workers = new Map<string, WorkerPool>();
  await pullBackDueTimes(database.db);
  const watched = watchClock(beating.db);
  const answers = startKeepingAnswers(beating.db);
  const heartbeat = startHeartbeat(beating.pool);
  const muestras = startMuestras(database.db, {
    tipo: 'worker',
    // A worker runs from the folder of its build.
    construccion: basename(dirname(process.argv[1] ?? '')),
    carriles: Object.fromEntries(lanes.map(({ name, takes }) => [name, takes])),
  });
  const queues = await Promise.all(
    lanes.map((lane) => {
      const pools: string[] = [];
      return keepRunning((events) => {
        heartbeat.forget(pools.splice(0));
        // What a queue that gave up still runs counts no more.
        const own = { jobs: 0 };
        running.set(lane.name, own);
        events.on('job:start', () => own.jobs++);
        events.on('job:complete', () => own.jobs--);
        // Jobs are locked in the name of the pool, not of its workers.
        events.on('pool:create', ({ workerPool }) => {
          pools.push(workerPool.id);
          heartbeat.add(workerPool.id);
          workers.set(lane.name, workerPool);
        });
        for (const end of ['pool:gracefulShutdown', 'pool:forcefulShutdown'] as const)
          events.on(end, () => void workers.delete(lane.name));
        return run({
          pgPool,
          taskList: taskList(database, lane.tasks, lane.name),
          concurrency: lane.atOnce,
          noHandleSignals: true,
          logger: queueLogger(),
          events,
          parsedCronItems: [],
          preset: {
            worker: {
              completeJobBatchDelay: 0,
              failJobBatchDelay: 0,
              preparedStatements: prepared,
              gracefulShutdownAbortTimeout: PATIENCE_MS,
              pollInterval: OWN_LOOK_MS,
            },
          },
        });
      });
    }),
  );
  const later = startLater(
    beating.db,
    lanes.flatMap(({ takes }) => takes),
  );
  started.look = startLook(beating.db, lanes, (lane, jobs) => workers.get(lane)?.nudge(jobs));
  const clock = schedule ? startClock(database.db, SCHEDULE) : undefined;
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await clock?.stop();
    await started.look?.stop();
    later.stop();
    const ended = await Promise.race([
      Promise.all(queues.map((queue) => queue.stop())).then(() => true),
      sleep(LEAVE_MS, false, { ref: false }),
    ]);
    watched.stop();
    await answers.stop();
    await heartbeat.stop();
    await muestras.stop();
    await trazas.stop();
    if (!ended) return log.warn('worker detenido con llamadas sin respuesta');
    await Promise.all([database.close(), beating.close(), listening.close()]);
  };
  return {
    ended: Promise.all(queues.map(({ ended }) => ended)).then(() => undefined),
    stop: () => (stopping ??= stop()),
  };
}

/** Returns our tasks in the form of graphile-worker; tests run the result with `runOnce`. */
export function taskList(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  tasks: Task[] = TASK_LIST,
  carril?: string,
): TaskList {
  const taskOf =
    ({ name, run: work }: Task): GraphileTask =>
    (payload, { job, abortSignal }) =>
      inPeticion(readPeticion((payload as { peticion?: unknown } | null)?.peticion), () =>
        trazar(
          {
            nombre: `trabajo ${name}`,
            clase: 'trabajo',
            datos: { 'trastienda.trabajo': name, 'trastienda.carril': carril, 'trastienda.intento': job.attempts },
          },
          () =>
            work(payload, {
              db,
              pool,
              signal: abortSignal ?? new AbortController().signal,
              job: { id: job.id, attempt: job.attempts, lastAttempt: job.attempts >= job.max_attempts },
            }),
        ),
      );
  return Object.fromEntries(tasks.flatMap((task) => identifiersOf(task.name).map((one) => [one, taskOf(task)])));
}
