import type { Capacidades, Eleccion } from '../cara';

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

/** Ways of payment that CT's documents name. Its API tells none. */
export const TIPOS_DE_PAGO: readonly Eleccion[] = [
  { clave: '99', nombre: 'Crédito de CT' },
  { clave: '01', nombre: 'Efectivo' },
  { clave: '02', nombre: 'Cheque' },
  { clave: '03', nombre: 'Transferencia' },
  { clave: '04', nombre: 'Tarjeta de crédito' },
];
