/** `npm run worker`: runs the jobs of DATABASE_URL until SIGTERM or SIGINT. Several workers may run at once. */
import { log } from '~/core/log.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { startWorker, type Worker } from '~jobs/worker';
import { reachDatabase } from './reachDatabase';
import { requireSettings } from './requireSettings';

const { DATABASE_URL: url, WORKER_CONCURRENCY: concurrency } = requireSettings();
handIn();

/** The worker, once it takes jobs. */
const running: { worker?: Worker } = {};
let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    log.info('worker deteniéndose', { signal });
    // One that waits for its database, or begins, has nothing under way.
    if (!running.worker) process.exit(0);
    running.worker.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('el worker no se detuvo bien', error);
        process.exit(1);
      },
    );
  });
}

await reachDatabase(url);
const worker = (running.worker = await startWorker({ url, concurrency }));
log.info('worker listo', { concurrencia: concurrency, pid: process.pid });

worker.ended.then(
  () => {
    if (!stopping) process.exit(1);
  },
  (error: unknown) => {
    log.error('el worker se cayó', error);
    process.exit(1);
  },
);
