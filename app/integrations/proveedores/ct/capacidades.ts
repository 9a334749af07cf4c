import type { Capacidades } from '../cara';

/** It has no search: words are looked for in our copy of its file. An order waits 48 hours for its second step, and that one makes CT invoice. */
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
