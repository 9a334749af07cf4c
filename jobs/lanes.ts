import type { TASKS } from '~db/queue/catalog.server';
import type { Lane, Task } from './task.server';

/**
 * Lanes of the tasks without a far side. Work for different far sides runs apart: a marketplace that answers after
 * twenty seconds delays no factura. Effects bring the lane of their far side.
 */
const SHARED = {
  ventas: {
    tasks: [
      'inbox.drain',
      'inbox.process',
      'inbox.sweep',
      'avisos.colas',
      'ventas.sync',
      'ordenes.syncMl',
      'enlaces.send',
    ],
    atOnce: 5,
  },
  casa: {
    tasks: [
      'effect.sweep',
      'cfdi.followCancel',
      'cfdi.cotejar',
      'catalogos.refresh',
      'condiciones.watch',
      'plazos.avisar',
      'proveedores.probar',
      'productos.contar',
      'catalogo.vigilar',
      'impuestos.leer',
      'costos.ver',
      'libro.asentar',
      'libro.cuadrar',
      'stock.cuadrar',
      'guias.reembolsos',
      'maintenance.clean',
    ],
    atOnce: 3,
  },
  // A late look waits for no send: a far side that holds each call for a minute would keep it waiting behind them all.
  miradas: { tasks: ['effects.lookLate'], atOnce: 4 },
  // Asks suppliers in turn, without waiting for any reading of a catalogue.
  pedidos: { tasks: ['pedidos.seguir'], atOnce: 1 },
  // Listings, read whole or by changes, at the pace of each marketplace.
  publicaciones: { tasks: ['publicaciones.sync'], atOnce: 2 },
  seguimiento: { tasks: ['publicaciones.seguir'], atOnce: 1 },
  // A report is requested, awaited and read once; no other work depends on the report.
  liquidaciones: { tasks: ['liquidacion.traer'], atOnce: 1 },
  // One question in two seconds, and nobody waits for an estimate.
  comisiones: { tasks: ['comisiones.preguntar'], atOnce: 1 },
  // Long readings at the pace of their supplier.
  catalogos: { tasks: ['catalogo.leer'], atOnce: 2 },
  // Small pictures of lists. Nobody waits for one, and a supplier that is silent keeps no other work waiting.
  retratos: { tasks: ['productos.retratos'], atOnce: 1 },
  // Events are written once for all receivers. The deliveries have a lane of their own, where a receiver that hangs
  // holds a single place.
  reparto: { tasks: ['ganchos.repartir', 'ganchos.barrer'], atOnce: 1 },
  ganchos: { tasks: ['ganchos.entregar'], atOnce: 8 },
  // A backup may take hours to leave, and the archive goes on beside it.
  respaldos: { tasks: ['respaldo.trasladar', 'respaldo.probar'], atOnce: 2 },
  // A person waits for each of these jobs, and a short job must not wait for a long job.
  excel: { tasks: ['export.run', 'lote.run', 'productos.fotos'], atOnce: 6 },
} as const satisfies Record<string, { tasks: readonly (keyof typeof TASKS)[]; atOnce: number }>;

/** Returns the lanes that have tasks, each with its tasks. */
export function lanesOf(tasks: readonly Task[]): (Lane & { tasks: Task[] })[] {
  const own = tasks.flatMap((task) => (task.lane ? [{ ...task.lane, tasks: [task] }] : []));
  const shared = Object.entries(SHARED).map(([name, lane]) => ({
    name,
    atOnce: lane.atOnce,
    tasks: tasks.filter((task) => !task.lane && lane.tasks.some((one) => one === task.name)),
  }));
  return [...own, ...shared].filter((lane) => lane.tasks.length > 0);
}
