import type pg from 'pg';
import type { Db } from '~db/client.server';
import { type Payload, taskNamed, type TaskName } from '~db/queue/catalog.server';

/** Resources of a run of a task. */
export type TaskRuntime = {
  db: Db;
  pool: pg.Pool;
  /** Aborts when the worker is told to stop and the job still runs eight seconds later. */
  signal: AbortSignal;
  job: { id: string; attempt: number; lastAttempt: boolean };
};

/** A lane of the worker: its tasks run apart from the rest, at most `atOnce` at a time. */
export type Lane = { name: string; atOnce: number };

/** A task of the worker. */
export type Task = {
  name: TaskName;
  /** The lane of a far side; tasks without a lane share the lanes of `lanes.ts`. */
  lane?: Lane;
  run(payload: unknown, runtime: TaskRuntime): Promise<void>;
};

/**
 * Defines a task as a single line over a domain verb. A payload without the shape of the catalog fails the job with
 * zod's error.
 */
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
