import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner, WorkerEvents } from 'graphile-worker';
import { log } from '~/core/log.server';

type Run = { runner: Runner; over: Promise<void> };

/** A queue that is started again whenever the queue ends. */
export type Tireless = { /** Resolves after `stop`. */ ended: Promise<void>; stop(): Promise<void> };

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Length of a healthy run: after such a run, failures count from zero again. */
const WELL_MS = 60_000;
/**
 * Time granted to a queue that gave up. The queue takes no more jobs, and may wait without end for answers of lost
 * connections.
 */
const GIVING_UP_MS = 3_000;

/**
 * Runs the queue, and starts the queue again each time the queue gives up, as happens when PostgreSQL goes away. Only
 * the first start may throw, so wrong settings show at once. `start` must leave nothing behind of the run before.
 */
export async function keepRunning(start: (events: WorkerEvents) => Promise<Runner>): Promise<Tireless> {
  const leaving = new AbortController();

  const begin = async (): Promise<Run> => {
    const events: WorkerEvents = new EventEmitter();
    const gaveUp = new Promise<void>((resolve) => events.once('pool:gracefulShutdown', () => resolve())).then(() =>
      sleep(GIVING_UP_MS, undefined, { ref: false }),
    );
    const runner = await start(events);
    const ended = runner.promise.catch((error: unknown) => log.error('la cola terminó', error));
    return { runner, over: Promise.race([ended, gaveUp]) };
  };
  let run = await begin();

  const again = async (failures: number): Promise<Run | undefined> => {
    for (let tries = failures; ; tries++) {
      await sleep(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries), undefined, { signal: leaving.signal }).catch(
        () => undefined,
      );
      if (leaving.signal.aborted) return undefined;
      try {
        return await begin();
      } catch (error) {
        log.warn('la cola todavía no puede empezar', { error: error instanceof Error ? error.message : String(error) });
      }
    }
  };

  const keep = async () => {
    for (let failures = 0; ;) {
      const began = performance.now();
      await run.over;
      if (leaving.signal.aborted) return;
      failures = performance.now() - began > WELL_MS ? 0 : failures + 1;
      log.warn('la cola se detuvo; empieza otra vez', { failures });
      const next = await again(failures);
      if (!next) return;
      run = next;
      if (leaving.signal.aborted) return void (await run.runner.stop());
    }
  };
  const ended = keep();

  return {
    ended,
    async stop() {
      leaving.abort();
      // A runner that gave up reports that it is already stopped.
      await run.runner.stop().catch(() => undefined);
      await ended;
    },
  };
}
