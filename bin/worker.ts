/** `npm run worker`: runs the jobs of DATABASE_URL until SIGTERM or SIGINT. Several workers may run at once. */
import { foldersOfWorker } from '~/core/carpetas.server';
import { log } from '~/core/log.server';
import { handIn } from '~/domain/operacion/handIn.server';
import { startWorker, type Worker } from '~jobs/worker';
import { reachDatabase } from './reachDatabase';
import { endWith, requireSettings } from './requireSettings';

const settings = requireSettings(foldersOfWorker(process.env));
const { DATABASE_URL: url, DATABASE_URL_DIRECTA: direct, WORKER_CONCURRENCY: concurrency } = settings;
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

const { prepared } = await reachDatabase(settings).catch(endWith);
if (!prepared) log.info('sentencias preparadas apagadas: este PgBouncer no las guarda entre transacciones');
const worker = (running.worker = await startWorker({ url, direct: direct || undefined, prepared, concurrency }));
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
