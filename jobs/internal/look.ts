import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';

/** What a look asks of a lane. `full` is true while each of its workers has a job: they ask for the next by themselves. */
export type Looked = { name: string; atOnce: number; tasks: readonly { name: string }[]; full(): boolean };

/** A running look; `now` looks at once. */
export type Look = { now(): void; stop(): Promise<void> };

/** Interval of the looks. Nobody says that the time of a job has come, or that its named queue is free. */
const EVERY_MS = 400;
/** Jobs of which a look tells; more of them wait behind these anyway. */
const MOST = 1_000;
/** Share of the time that looks may take: behind many jobs that wait, each look takes longer. */
const SHARE = 0.1;

/**
 * Looks for jobs that are due, once for all lanes, and tells each lane how many are its own. By themselves the workers
 * of a lane would each ask for a job, several times a second: a business at rest spent 3 % of a core on it, on each side.
 */
export function startLook(
  db: Db,
  lanes: readonly Looked[],
  tell: (lane: string, jobs: number) => void,
  everyMs = EVERY_MS,
): Look {
  const laneOf = new Map(lanes.flatMap((lane) => lane.tasks.map(({ name }) => [name, lane] as const)));
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let [again, stopped, failed] = [false, false, false];

  const look = async () => {
    const began = performance.now();
    try {
      const full = lanes.flatMap((lane) => (lane.full() ? lane.tasks.map(({ name }) => name) : []));
      const jobs = new Map<Looked, number>();
      for (const { task, due } of await readDue(db, full)) {
        const lane = laneOf.get(task);
        if (lane) jobs.set(lane, (jobs.get(lane) ?? 0) + due);
      }
      for (const [{ name, atOnce }, due] of jobs) tell(name, Math.min(due, atOnce));
      failed = false;
    } catch (error) {
      // Once: the database may be away for long.
      if (!failed)
        log.warn('la cola no se pudo mirar', { error: error instanceof Error ? error.message : String(error) });
      failed = true;
    }
    return performance.now() - began;
  };
  const go = () => {
    if (stopped) return;
    clearTimeout(timer);
    again = false;
    looking = look().then((took) => {
      looking = undefined;
      if (again) return go();
      if (!stopped) timer = setTimeout(go, Math.max(everyMs, took / SHARE));
    });
  };
  go();
  return {
    now() {
      if (looking) again = true;
      else go();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Returns how many jobs of each task are due and in no named queue that is busy, without those of these tasks. */
async function readDue(db: Db, without: readonly string[]): Promise<{ task: string; due: number }[]> {
  const { rows } = await sql<{ task: string; due: number }>`
    with due as (
      select jobs.task_id
      from graphile_worker._private_jobs as jobs
      where jobs.is_available
        and jobs.run_at <= now()
        and jobs.task_id <> all (array(
          select id from graphile_worker._private_tasks where identifier = any(${without})))
        and not exists (
          select from graphile_worker._private_job_queues as queues
          where queues.id = jobs.job_queue_id and not queues.is_available)
      order by jobs.priority, jobs.run_at
      limit ${MOST}
    )
    select tasks.identifier as task, count(*)::int as due
    from due join graphile_worker._private_tasks as tasks on tasks.id = due.task_id
    group by tasks.identifier`.execute(db);
  return rows;
}
