/** `npm run worker`: runs the jobs of DATABASE_URL until SIGTERM or SIGINT. Several workers may run at once. */
import { env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { startWorker } from '~jobs/worker';

handIn();

const worker = await startWorker({ url: env().DATABASE_URL, concurrency: env().WORKER_CONCURRENCY });
log.info('worker listo', { concurrencia: env().WORKER_CONCURRENCY, pid: process.pid });

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    log.info('worker deteniéndose', { signal });
    worker.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('el worker no se detuvo bien', error);
        process.exit(1);
      },
    );
  });
}

worker.ended.then(
  () => {
    if (!stopping) process.exit(1);
  },
  (error: unknown) => {
    log.error('el worker se cayó', error);
    process.exit(1);
  },
);
