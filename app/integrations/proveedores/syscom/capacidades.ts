import type { Capacidades } from '../cara';

/** Capabilities of Syscom. An order is firm at once. The label goes inside the order, as documented; nobody was seen using it. */
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
