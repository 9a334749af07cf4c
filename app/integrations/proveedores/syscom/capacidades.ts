import type { Capacidades } from '../cara';

/** Its label goes inside the order (documented, and nobody was seen using it), and there is no confirming: an order is firm at once. */
export const SYSCOM = {
  buscar: 'api',
  producto: 'api',
  existencia: 'api',
  tipoCambio: 'api',
  crearPedido: 'api',
  confirmar: null,
  enviarGuia: 'pedido',
  estatus: 'api',
  factura: 'api',
} as const satisfies Capacidades;
