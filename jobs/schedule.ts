import type { CronItem } from 'graphile-worker';
import { type Payload, taskNamed, type TaskName } from '~db/queue/catalog.server';

/** The queue's clock is UTC; Mexico City is UTC-6 all year. */
export const SCHEDULE: CronItem[] = [
  at('* * * * *', 'effect.sweep', {}), // every minute
  at('* * * * *', 'inbox.sweep', {}), // every minute
  at('* * * * *', 'enlaces.send', {}), // every minute
  at('* * * * *', 'condiciones.watch', {}), // every minute
  at('*/3 * * * *', 'cfdi.followCancel', {}), // every three minutes
  at('*/5 * * * *', 'ventas.sync', { kind: 'sweep' }), // every five minutes
  at('17 * * * *', 'ventas.sync', { kind: 'cancelled' }), // at minute 17 of each hour
  at('37 * * * *', 'ventas.sync', { kind: 'missed' }), // at minute 37 of each hour
  at('20 9 * * *', 'maintenance.clean', {}), // 03:20 in Mexico City
  at('40 9 * * *', 'catalogos.refresh', {}), // 03:40 in Mexico City
];

/** The same key, queue and attempts as when somebody enqueues it: a slow run is waited for by one pending job, not by a heap of them. */
function at<N extends TaskName>(match: string, task: N, payload: Payload<N>): CronItem {
  const { attempts, ...rest } = taskNamed(task);
  const key = `${task}:${rest.key?.(payload as never) ?? ''}`;
  const queueName = typeof rest.queue === 'function' ? rest.queue(payload as never) : rest.queue;
  return {
    task,
    match,
    payload,
    identifier: key,
    options: { maxAttempts: attempts, queueName, jobKey: rest.key && key, backfillPeriod: 0 },
  };
}
