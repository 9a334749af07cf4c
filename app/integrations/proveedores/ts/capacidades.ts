import type { Capacidades } from '../cara';

/** Its API has ways to quote and to order whose bodies nobody has published: until TecnoSinergia hands them over, orders go by letter. */
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
