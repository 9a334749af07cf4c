import type { Capacidades } from '../cara';

/**
 * Capabilities of TecnoSinergia. Its API can quote and order, but the bodies are not published. Until the supplier hands them over, orders go by
 * letter.
 */
export const TS = {
  buscar: 'catalogo',
  producto: 'api',
  existencia: 'api',
  tipoCambio: 'personas',
  crearPedido: 'correo',
  confirmar: 'personas',
  enviarGuia: 'correo',
  estatus: 'personas',
  factura: 'personas',
} as const satisfies Capacidades;
