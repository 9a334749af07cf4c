import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';

/** What a look asks of a lane. `takes` names its jobs in the queue; `full` is true while each of its workers has a job: they ask for the next by themselves. */
export type Looked = { name: string; atOnce: number; takes: readonly string[]; full(): boolean };

/** A running look; `now` looks at once. */
export type Look = { now(): void; stop(): Promise<void> };

/** Interval of the looks while jobs are due: nobody says that a named queue is free again. */
const EVERY_MS = 400;
/** Longest interval while none is: what another process gave back or put off is found by then. */
const AT_REST_MS = 2_000;
/** Longest time that the last look may take. */
const LAST_MS = 2_000;
/** Jobs of which a look tells; more of them wait behind these anyway. */
const MOST = 1_000;
/** Share of the time that looks may take: behind many jobs that wait, each look takes longer. */
const SHARE = 0.1;

/**
 * Looks for jobs that are due, once for all lanes, and tells each lane how many are its own. By themselves the workers
 * of a lane would each ask for a job, several times a second, which took 3 % of a core on each side of a business at rest.
 */
export function startLook(db: Db, lanes: readonly Looked[], tell: (lane: string, jobs: number) => void): Look {
  const laneOf = new Map(lanes.flatMap((lane) => lane.takes.map((name) => [name, lane] as const)));
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let [again, stopped, failed] = [false, false, false];

  /** Returns after how many ms to look again. */
  const look = async (): Promise<number> => {
    const began = performance.now();
    let wait = AT_REST_MS;
    try {
      const asked = lanes.flatMap((lane) => (lane.full() ? [] : lane.takes));
      const jobs = new Map<Looked, number>();
      const { tasks, waiting, nextMs } = await readDue(db, asked);
      for (const { task, due } of tasks) {
        const lane = laneOf.get(task);
        if (lane) jobs.set(lane, (jobs.get(lane) ?? 0) + due);
      }
      wait = waiting ? EVERY_MS : Math.min(AT_REST_MS, Math.max(1, nextMs ?? AT_REST_MS));
      for (const [{ name, atOnce }, due] of jobs) tell(name, Math.min(due, atOnce));
      failed = false;
    } catch (error) {
      // Once: the database may be away for long.
      if (!failed)
        log.warn('la cola no se pudo mirar', { error: error instanceof Error ? error.message : String(error) });
      failed = true;
    }
    return Math.max(wait, (performance.now() - began) / SHARE);
  };
  const go = () => {
    if (stopped) return;
    clearTimeout(timer);
    again = false;
    looking = look().then((ms) => {
      looking = undefined;
      if (again) return go();
      if (!stopped) timer = setTimeout(go, ms);
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
      // A database that is away keeps nobody from stopping.
      await Promise.race([looking, sleep(LAST_MS, undefined, { ref: false })]);
    },
  };
}

type Due = {
  tasks: { task: string; due: number }[];
  /** True while some of these jobs is due, also in a named queue that is busy. */
  waiting: boolean;
  /** Time in ms until the next one falls due; null where none is put off. */
  nextMs: number | null;
};

/** Returns how many jobs of each of these tasks are due and in no named queue that is busy. */
async function readDue(db: Db, asked: readonly string[]): Promise<Due> {
  const { rows } = await sql<Due>`
    with due as (
      select jobs.task_id, coalesce(queues.is_available, true) as free
      from graphile_worker._private_jobs as jobs
      left join graphile_worker._private_job_queues as queues on queues.id = jobs.job_queue_id
      where jobs.is_available
        and jobs.run_at <= now()
        and jobs.task_id = any (array(
          select id from graphile_worker._private_tasks where identifier = any(${asked})))
      order by free desc, jobs.priority, jobs.run_at
      limit ${MOST}
    ),
    by_task as (
      select tasks.identifier as task, count(*)::int as due
      from due join graphile_worker._private_tasks as tasks on tasks.id = due.task_id
      where due.free
      group by tasks.identifier
    )
    select
      coalesce((select jsonb_agg(by_task) from by_task), '[]') as tasks,
      exists (select from due) as waiting,
      (select extract(epoch from min(run_at) - now())::float8 * 1000
       from graphile_worker._private_jobs
       where is_available and run_at > now()) as "nextMs"`.execute(db);
  return rows[0]!;
}
