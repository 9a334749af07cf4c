import { parseCronItems, type ParsedCronItem } from 'graphile-worker';
import type { Db, Trx } from '~db/client.server';
import { enqueue, keyOf, type Payload, type TaskName } from '~db/queue/catalog.server';

/** A job that is asked for each time its minute comes. */
export type Scheduled = Pick<ParsedCronItem, 'match' | 'identifier'> & { enqueue(trx: Trx | Db): Promise<void> };

/** The schedule is UTC; Mexico City is UTC-6 all year. */
export const SCHEDULE: readonly Scheduled[] = [
  at('* * * * *', 'effect.sweep', {}), // every minute
  at('* * * * *', 'ganchos.barrer', {}), // every minute
  at('* * * * *', 'inbox.sweep', {}), // every minute
  at('* * * * *', 'enlaces.send', {}), // every minute
  at('* * * * *', 'condiciones.watch', {}), // every minute
  at('* * * * *', 'plazos.avisar', {}), // every minute
  at('* * * * *', 'pedidos.seguir', {}), // every minute; each pedido has its own time
  at('*/3 * * * *', 'cfdi.followCancel', {}), // every three minutes
  at('*/5 * * * *', 'ventas.sync', { kind: 'sweep' }), // every five minutes
  at('17 * * * *', 'ventas.sync', { kind: 'cancelled' }), // at minute 17 of each hour
  at('37 * * * *', 'ventas.sync', { kind: 'missed' }), // at minute 37 of each hour
  at('8,28,48 * * * *', 'ventas.sync', { kind: 'atencion' }), // three times an hour; notices tell of what is new
  at('* * * * *', 'publicaciones.seguir', {}), // every minute, and for a minute
  at('7 * * * *', 'publicaciones.sync', { modo: 'movidas' }), // at minute 7 of each hour; notices bring the rest
  at('10 7,19 * * *', 'publicaciones.sync', { modo: 'todas' }), // 01:10 and 13:10 in Mexico City
  at('47 * * * *', 'proveedores.probar', {}), // at minute 47 of each hour
  at('4,14,24,34,44,54 * * * *', 'catalogo.leer', {}), // every ten minutes; each supplier has its own hours between two reads
  at('*/5 * * * *', 'catalogo.vigilar', {}), // every five minutes, the least that a rule of freshness may say
  at('27 * * * *', 'productos.contar', {}), // at minute 27 of each hour
  at('12,32,52 * * * *', 'liquidacion.traer', {}), // every twenty minutes; a report is asked for once a day
  at('20 9 * * *', 'maintenance.clean', {}), // 03:20 in Mexico City
  at('55 */2 * * *', 'guias.reembolsos', {}), // every two hours; each label has its own half day
  at('30 9 * * *', 'stock.cuadrar', {}), // 03:30 in Mexico City
  at('40 9 * * *', 'catalogos.refresh', {}), // 03:40 in Mexico City
];

/** The same key, queue and attempts as when somebody enqueues it: a slow run is waited for by one pending job, not by a heap of them. */
function at<N extends TaskName>(pattern: string, task: N, payload: Payload<N>): Scheduled {
  const identifier = `${task}:${keyOf(task, payload)}`;
  const [{ match }] = parseCronItems([{ task, match: pattern, identifier }]) as [ParsedCronItem];
  return { match, identifier, enqueue: (trx) => enqueue(trx, task, payload) };
}
