import type { TASKS } from '~db/queue/catalog.server';
import type { Lane, Task } from './task.server';

/**
 * What waits for different far sides runs apart: a marketplace that takes twenty seconds to answer keeps no factura waiting. Effects bring the lane of their
 * far side with them; the rest is here.
 */
const SHARED = {
  ventas: {
    tasks: ['inbox.drain', 'inbox.process', 'inbox.sweep', 'ventas.sync', 'ordenes.syncMl', 'enlaces.send'],
    atOnce: 5,
    // Nobody tells a lane that the queue of a waiting job is free again: it looks.
    lookMs: 400,
  },
  casa: {
    tasks: [
      'effect.sweep',
      'cfdi.followCancel',
      'catalogos.refresh',
      'condiciones.watch',
      'plazos.avisar',
      'proveedores.probar',
      'productos.contar',
      'catalogo.vigilar',
      'stock.cuadrar',
      'guias.reembolsos',
      'maintenance.clean',
    ],
    atOnce: 3,
  },
  // It asks suppliers one after another, and waits for nobody's catalogue.
  pedidos: { tasks: ['pedidos.seguir'], atOnce: 1 },
  // What is on sale, read whole or where it changed, at the pace of each marketplace.
  publicaciones: { tasks: ['publicaciones.sync'], atOnce: 2, lookMs: 500 },
  seguimiento: { tasks: ['publicaciones.seguir'], atOnce: 1 },
  // A report is asked for, waited for and read once: nothing else has to wait for it.
  liquidaciones: { tasks: ['liquidacion.traer'], atOnce: 1 },
  // Long and patient: each waits for the pace of its supplier.
  catalogos: { tasks: ['catalogo.leer'], atOnce: 2 },
  // What happened, written once for all who want it; and then a lane in which a receiver that hangs holds one place.
  reparto: { tasks: ['ganchos.repartir', 'ganchos.barrer'], atOnce: 1 },
  ganchos: { tasks: ['ganchos.entregar'], atOnce: 8 },
  // Somebody waits for each of them, and a short one must not wait for the end of a long one.
  excel: { tasks: ['export.run', 'lote.run'], atOnce: 6 },
} as const satisfies Record<string, { tasks: readonly (keyof typeof TASKS)[]; atOnce: number; lookMs?: number }>;

/** Each task in its lane. */
export function lanesOf(tasks: readonly Task[]): (Lane & { tasks: Task[] })[] {
  const own = tasks.flatMap((task) => (task.lane ? [{ ...task.lane, tasks: [task] }] : []));
  const shared = Object.entries(SHARED).map(([name, lane]) => ({
    name,
    atOnce: lane.atOnce,
    ...('lookMs' in lane && { lookMs: lane.lookMs }),
    tasks: tasks.filter((task) => !task.lane && lane.tasks.some((one) => one === task.name)),
  }));
  return [...own, ...shared].filter((lane) => lane.tasks.length > 0);
}
