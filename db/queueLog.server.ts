import { Logger } from 'graphile-worker';
import { log } from '~/core/log.server';

/**
 * Returns a logger that writes warnings and errors of the queue to our log. Lines of `info` and `debug` repeat our own
 * rows about each job.
 */
export function queueLogger(): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { worker: scope.workerId, task: scope.taskIdentifier, job: scope.jobId };
    if (level === 'error') log.error('cola', message, fields);
    else if (level === 'warning') log.warn(`cola: ${message}`, fields);
  });
}
