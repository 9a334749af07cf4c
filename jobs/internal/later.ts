import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';

const EVERY_MS = 60_000;

/**
 * Tells the log of jobs that this worker leaves to a newer one, each kind once while it waits: the condition `trabajosSinWorker` tells people where none
 * comes.
 */
export function startLater(db: Db, takes: readonly string[], { everyMs = EVERY_MS } = {}): { stop(): void } {
  let told = '';
  const look = async () => {
    try {
      const tareas = (await readLater(db, takes)).join(', ');
      if (tareas !== '' && tareas !== told)
        log.warn('trabajos de otra versión esperan a un worker que los conozca', { tareas });
      told = tareas;
    } catch {
      // A database that is away is told by the look for jobs.
    }
  };
  void look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** Returns the kinds of jobs that are due and not among those a worker takes. */
async function readLater(db: Db, takes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ identifier: string }>`
    select identifier from graphile_worker._private_tasks as tasks
    where identifier <> all(${takes}) and exists (
      select from graphile_worker._private_jobs where task_id = tasks.id and is_available and run_at <= now())
    order by identifier`.execute(db);
  return rows.map(({ identifier }) => identifier);
}
