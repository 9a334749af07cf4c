import type { Capacidades } from '../cara';

/** An order is firm at once. A label goes with a token of its own that CVA gives apart; without it, by letter to whom the order's answer names. */
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
