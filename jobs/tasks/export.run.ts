import { runExport } from '~/domain/operacion/exports/runExport.server';
import { defineTask } from '../task.server';

export default defineTask('export.run', ({ exportId }, { db, signal, job }) =>
  runExport(db, exportId, { signal, lastAttempt: job.lastAttempt }),
);
