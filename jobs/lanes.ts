import type { TaskName } from '~db/queue/catalog.server';

/**
 * What waits for different far sides runs apart: each lane has its own jobs at once, so a marketplace that takes twenty seconds to answer keeps no factura
 * waiting. Effects have as many as their far side takes at once and a few that stand ready, and at the PAC as many again: what was sent is read back
 * and written down, and the next stamp need not wait for it.
 */
export const LANES = {
  facturacom: { tasks: ['effect.facturacom'], atOnce: 14 },
  mercadolibre: { tasks: ['effect.mercadolibre'], atOnce: 5 },
  correo: { tasks: ['effect.correo'], atOnce: 5 },
  ventas: { tasks: ['inbox.process', 'inbox.sweep', 'ordenes.syncMl', 'enlaces.send'], atOnce: 5 },
  casa: {
    tasks: [
      'effect.sweep',
      'cfdi.followCancel',
      'catalogos.refresh',
      'export.run',
      'condiciones.watch',
      'maintenance.clean',
    ],
    atOnce: 3,
  },
} as const satisfies Record<string, { tasks: readonly TaskName[]; atOnce: number }>;
