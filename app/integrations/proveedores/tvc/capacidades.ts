import type { Capacidades } from '../cara';

/** Capabilities of TVC. It tells its catalogue and nothing else: no public API to order, follow an order or read an invoice is known. */
export const TVC = {
  buscar: 'catalogo',
  producto: 'api',
  existencia: 'api',
  tipoCambio: 'api',
  crearPedido: 'correo',
  confirmar: 'personas',
  enviarGuia: 'correo',
  estatus: 'personas',
  factura: 'personas',
} as const satisfies Capacidades;
