import type pg from 'pg';
import type { Db } from '~db/client.server';
import { type Payload, taskNamed, type TaskName } from '~db/queue/catalog.server';

/** What a run of a task may use. */
export type TaskRuntime = {
  db: Db;
  pool: pg.Pool;
  /** Aborts when the worker is told to stop and the job is still running some seconds later. */
  signal: AbortSignal;
  job: { id: string; attempt: number; lastAttempt: boolean };
};

/** What runs apart from the rest, so many at once. */
export type Lane = {
  name: string;
  atOnce: number;
  /** How often an idle one looks for what nobody tells it of; two seconds without it. */ lookMs?: number;
};

export type Task = {
  name: TaskName;
  /** A far side's own; the tasks without one share the lanes of `lanes.ts`. */ lane?: Lane;
  run(payload: unknown, runtime: TaskRuntime): Promise<void>;
};

/** A task is one line over a domain verb; what the queue hands it has the shape the catalog promises, or the job fails saying so. */
export function defineTask<N extends TaskName>(
  name: N,
  work: (payload: Payload<N>, runtime: TaskRuntime) => Promise<unknown>,
  lane?: Lane,
): Task {
  return {
    name,
    lane,
    async run(payload, runtime) {
      await work(taskNamed(name).payload.parse(payload) as Payload<N>, runtime);
    },
  };
}
