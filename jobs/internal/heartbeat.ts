import type pg from 'pg';
import { log } from '~/core/log.server';

const BEAT_MS = 5_000;
/** Age of the last beat after which the jobs of a worker go to the others. */
const STALE_SECONDS = 30;

/** Running beats; `stop` removes the rows of this process. */
export type Heartbeat = {
  /** Begins the beats of a worker. */
  add(workerId: string): void;
  /** Ends the beats of these workers; their jobs are set free later. */
  forget(workerIds: string[]): void;
  stop(): Promise<void>;
};

/**
 * Writes beats for the pools of workers, and frees the jobs of pools without beats. Each pool has a row in
 * `worker_heartbeat`, and its jobs are locked in the name of the pool. Without beats the queue would wait four hours. A
 * worker may lock a job before its first beat, so a lock counts as abandoned only once the lock is as old as a missing
 * beat. `pool` is not the pool of the jobs: a job that holds every connection must not look like a dead worker.
 */
export function startHeartbeat(pool: pg.Pool): Heartbeat {
  const ids = new Set<string>();
  let beats = 0;
  let running: Promise<void> = Promise.resolve();

  const beat = async () => {
    try {
      await pool.query(
        `insert into worker_heartbeat (worker_id, pid) select id, $2 from unnest($1::text[]) id
         on conflict (worker_id) do update set beat_at = now()`,
        [[...ids], process.pid],
      );
      if (beats++ % 3 === 0) await freeAbandonedJobs(pool);
    } catch (error) {
      log.warn('latido del worker sin escribir', { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const next = () => (running = running.then(beat));
  const timer = setInterval(() => void next(), BEAT_MS);
  return {
    add(workerId) {
      ids.add(workerId);
      queueMicrotask(() => void next());
    },
    forget(workerIds) {
      workerIds.forEach((id) => ids.delete(id));
    },
    async stop() {
      clearInterval(timer);
      await running;
      await pool.query('delete from worker_heartbeat where worker_id = any($1)', [[...ids]]);
    },
  };
}

/**
 * Frees the jobs of workers without a fresh beat and returns the ids of those workers. Several processes may call this
 * function at once.
 */
export async function freeAbandonedJobs(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ worker_id: string }>(
    `with stale as (select now() - make_interval(secs => $1) as before),
          held as (
            select locked_by from graphile_worker._private_jobs, stale where locked_at < before
            union select locked_by from graphile_worker._private_job_queues, stale where locked_at < before)
     select locked_by as worker_id from held
     where not exists (select from worker_heartbeat, stale where worker_id = locked_by and beat_at > before)`,
    [STALE_SECONDS],
  );
  const dead = rows.map(({ worker_id }) => worker_id);
  if (dead.length > 0) {
    await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [dead]);
    log.warn('trabajos de un worker caído liberados', { workers: dead.length });
  }
  await pool.query(`delete from worker_heartbeat where beat_at < now() - interval '10 minutes'`);
  return dead;
}
