import { parseCronItems, type ParsedCronItem } from 'graphile-worker';
import type { Db, Trx } from '~db/client.server';
import { enqueue, keyOf, type Payload, type TaskName } from '~db/queue/catalog.server';

/** A job with the minutes of its enqueuing. */
export type Scheduled = Pick<ParsedCronItem, 'match' | 'identifier'> & { enqueue(trx: Trx | Db): Promise<void> };

/** Jobs by the clock. Patterns are in UTC; Mexico City is UTC-6 all year. */
export const SCHEDULE: readonly Scheduled[] = [
  at('* * * * *', 'effect.sweep', {}), // every minute
  at('* * * * *', 'ganchos.barrer', {}), // every minute
  at('* * * * *', 'inbox.sweep', {}), // every minute
  at('* * * * *', 'avisos.colas', {}), // every minute
  at('* * * * *', 'enlaces.send', {}), // every minute
  at('* * * * *', 'condiciones.watch', {}), // every minute
  at('* * * * *', 'plazos.avisar', {}), // every minute
  at('* * * * *', 'pedidos.seguir', {}), // every minute; each pedido has its own due time
  at('*/3 * * * *', 'cfdi.followCancel', {}), // every three minutes
  at('*/5 * * * *', 'ventas.sync', { kind: 'sweep' }), // every five minutes
  at('17 * * * *', 'ventas.sync', { kind: 'cancelled' }), // at minute 17 of each hour
  at('37 * * * *', 'ventas.sync', { kind: 'missed' }), // at minute 37 of each hour
  at('8,28,48 * * * *', 'ventas.sync', { kind: 'atencion' }), // three times an hour; notices bring new questions sooner
  at('* * * * *', 'publicaciones.seguir', {}), // every minute; a run lasts a minute
  at('7 * * * *', 'publicaciones.sync', { modo: 'movidas' }), // at minute 7 of each hour; notices bring the rest
  at('10 7,19 * * *', 'publicaciones.sync', { modo: 'todas' }), // 01:10 and 13:10 in Mexico City
  at('47 * * * *', 'proveedores.probar', {}), // at minute 47 of each hour
  at('4,14,24,34,44,54 * * * *', 'catalogo.leer', {}), // every ten minutes; each supplier has its own interval
  at('*/5 * * * *', 'catalogo.vigilar', {}), // every five minutes, the shortest rule of freshness
  at('27 * * * *', 'productos.contar', {}), // at minute 27 of each hour
  at('12,32,52 * * * *', 'liquidacion.traer', {}), // every twenty minutes; a report is requested once a day
  at('20 9 * * *', 'maintenance.clean', {}), // 03:20 in Mexico City
  at('55 */2 * * *', 'guias.reembolsos', {}), // every two hours; each label waits half a day between looks
  at('30 9 * * *', 'stock.cuadrar', {}), // 03:30 in Mexico City
  at('40 9 * * *', 'catalogos.refresh', {}), // 03:40 in Mexico City
];

/**
 * Returns a job of the schedule with the key, queue and attempts of any other caller: a slow run has a single pending
 * job behind, not a heap.
 */
function at<N extends TaskName>(pattern: string, task: N, payload: Payload<N>): Scheduled {
  const identifier = `${task}:${keyOf(task, payload)}`;
  const [{ match }] = parseCronItems([{ task, match: pattern, identifier }]) as [ParsedCronItem];
  return { match, identifier, enqueue: (trx) => enqueue(trx, task, payload) };
}
