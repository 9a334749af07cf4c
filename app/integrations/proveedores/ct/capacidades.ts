import type { Capacidades } from '../cara';

/**
 * Capabilities of CT. It has no search, so words are looked for in our copy of its file. An order waits 48 hours for its second step, which makes CT
 * invoice.
 */
export const CT = {
  buscar: 'catalogo',
  producto: 'api',
  existencia: 'api',
  tipoCambio: 'api',
  crearPedido: 'api',
  confirmar: 'api',
  enviarGuia: 'api',
  estatus: 'api',
  factura: 'api',
} as const satisfies Capacidades;
