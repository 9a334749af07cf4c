import type { Capacidades } from '../cara';

/** It tells its catalogue and nothing else: no public way to order, to follow an order or to read an invoice is known. */
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
