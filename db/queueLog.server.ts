import { Logger } from 'graphile-worker';
import { log } from '~/core/log.server';

/** The queue's words in our log; its `info` and `debug` lines tell of every job, which our own rows already do. */
export function queueLogger(): Logger {
  return new Logger((scope) => (level, message) => {
    const fields = { worker: scope.workerId, task: scope.taskIdentifier, job: scope.jobId };
    if (level === 'error') log.error('cola', message, fields);
    else if (level === 'warning') log.warn(`cola: ${message}`, fields);
  });
}
