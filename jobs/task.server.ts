import type pg from 'pg';
import type { Db } from '~db/client.server';
import { type Payload, TASKS, type TaskName } from '~db/queue/catalog.server';

/** What a run of a task may use. */
export type TaskRuntime = {
  db: Db;
  pool: pg.Pool;
  /** Aborts when the worker is told to stop and the job is still running some seconds later. */
  signal: AbortSignal;
  job: { id: string; attempt: number; lastAttempt: boolean };
};

export type Task = { name: TaskName; run(payload: unknown, runtime: TaskRuntime): Promise<void> };

/** A task is one line over a domain verb; what the queue hands it has the shape the catalog promises, or the job fails saying so. */
export function defineTask<N extends TaskName>(
  name: N,
  work: (payload: Payload<N>, runtime: TaskRuntime) => Promise<unknown>,
): Task {
  return {
    name,
    async run(payload, runtime) {
      await work(TASKS[name].payload.parse(payload) as Payload<N>, runtime);
    },
  };
}
