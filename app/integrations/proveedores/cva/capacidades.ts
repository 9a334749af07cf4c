import type { Capacidades } from '../cara';

/**
 * Capabilities of CVA. An order is firm at once. A label needs an extra token of CVA; without it the label goes by letter to the addresses that the
 * order's answer names.
 */
export const CVA = {
  buscar: 'api',
  producto: 'api',
  existencia: 'api',
  tipoCambio: 'producto',
  crearPedido: 'api',
  confirmar: null,
  enviarGuia: 'api',
  estatus: 'api',
  factura: 'api',
} as const satisfies Capacidades;
