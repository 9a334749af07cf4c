import { parseCronItems, type ParsedCronItem } from 'graphile-worker';
import type { Db, Trx } from '~db/client.server';
import { enqueue, keyOf, type Payload, type TaskName } from '~db/queue/catalog.server';

/** A job with the minutes of its enqueuing, and the second within them. */
export type Scheduled = Pick<ParsedCronItem, 'match' | 'identifier'> & {
  second: number;
  enqueue(trx: Trx | Db): Promise<void>;
};

/**
 * Jobs by the clock: minutes, second, task, payload. Patterns are in UTC; Mexico City is UTC-6 all year. No two jobs of each minute share a second, and
 * the others lie between them: jobs that woke together kept people's pages waiting for the processor.
 */
export const SCHEDULE: readonly Scheduled[] = [
  at('* * * * *', 3, 'effect.sweep', {}), // every minute
  at('* * * * *', 9, 'ganchos.barrer', {}), // every minute
  at('* * * * *', 15, 'inbox.sweep', {}), // every minute
  at('* * * * *', 22, 'avisos.colas', {}), // every minute
  at('* * * * *', 28, 'enlaces.send', {}), // every minute
  at('* * * * *', 34, 'condiciones.watch', {}), // every minute
  at('* * * * *', 41, 'plazos.avisar', {}), // every minute
  at('* * * * *', 47, 'pedidos.seguir', {}), // every minute; each pedido has its own due time
  at('*/3 * * * *', 6, 'cfdi.followCancel', {}), // every three minutes
  at('*/5 * * * *', 31, 'ventas.sync', { kind: 'sweep' }), // every five minutes
  at('17 * * * *', 12, 'ventas.sync', { kind: 'cancelled' }), // at minute 17 of each hour
  at('37 * * * *', 12, 'ventas.sync', { kind: 'missed' }), // at minute 37 of each hour
  at('8,28,48 * * * *', 18, 'ventas.sync', { kind: 'atencion' }), // three times an hour; notices bring new questions sooner
  at('* * * * *', 53, 'publicaciones.seguir', {}), // every minute; a run lasts a minute
  at('7 * * * *', 56, 'publicaciones.sync', { modo: 'movidas' }), // at minute 7 of each hour; notices bring the rest
  at('10 7,19 * * *', 56, 'publicaciones.sync', { modo: 'todas' }), // 01:10 and 13:10 in Mexico City
  at('2,22,42 * * * *', 40, 'publicaciones.sync', { modo: 'competencia' }), // three times an hour; each listing has its own due time
  at('13,33,53 * * * *', 40, 'publicaciones.sync', { modo: 'promociones' }), // three times an hour; each listing has its own due time
  at('47 * * * *', 37, 'proveedores.probar', {}), // at minute 47 of each hour
  at('4,14,24,34,44,54 * * * *', 50, 'catalogo.leer', {}), // every ten minutes; each supplier has its own interval
  at('*/5 * * * *', 44, 'catalogo.vigilar', {}), // every five minutes, the shortest rule of freshness
  at('27 * * * *', 25, 'productos.contar', {}), // at minute 27 of each hour
  at('12,32,52 * * * *', 19, 'liquidacion.traer', {}), // every twenty minutes; a report is requested once a day
  at('6,16,26,36,46,56 * * * *', 21, 'comisiones.preguntar', {}), // every ten minutes; each price has its own due time
  at('*/5 * * * *', 58, 'libro.asentar', {}), // every five minutes; only after an upgrade is there anything to reckon
  at('3,13,23,33,43,53 * * * *', 26, 'impuestos.leer', {}), // every ten minutes; only after an upgrade is there anything to read
  at('* * * * *', 1, 'respaldo.trasladar', { que: 'wal' }), // every minute
  at('9,29,49 * * * *', 51, 'respaldo.trasladar', { que: 'base' }), // three times an hour; npm run respaldar copies at once
  at('0 10 * * *', 51, 'respaldo.probar', {}), // 04:00 in Mexico City
  at('5 9 * * *', 38, 'cfdi.cotejar', {}), // 03:05 in Mexico City
  at('20 9 * * *', 38, 'maintenance.clean', {}), // 03:20 in Mexico City
  at('55 */2 * * *', 0, 'guias.reembolsos', {}), // every two hours; each label waits half a day between looks
  at('30 9 * * *', 38, 'stock.cuadrar', {}), // 03:30 in Mexico City
  at('45 9 * * *', 38, 'costos.ver', {}), // 03:45 in Mexico City; sales and catalogues that come in bring the rest
  at('50 9 * * *', 38, 'libro.cuadrar', {}), // 03:50 in Mexico City
  at('40 9 * * *', 38, 'catalogos.refresh', {}), // 03:40 in Mexico City
];

/**
 * Returns a job of the schedule with the key, queue and attempts of any other caller: a slow run has a single pending
 * job behind, not a heap.
 */
function at<N extends TaskName>(pattern: string, second: number, task: N, payload: Payload<N>): Scheduled {
  const identifier = `${task}:${keyOf(task, payload)}`;
  const [{ match }] = parseCronItems([{ task, match: pattern, identifier }]) as [ParsedCronItem];
  return { match, identifier, second, enqueue: (trx) => enqueue(trx, task, payload) };
}
