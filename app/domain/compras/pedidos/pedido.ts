import type { EstadoDePedido } from '~db/columns';

export type { EstadoDePedido, ViaDeGuia, ViaDePedido } from '~db/columns';

/** In the order a pedido goes through them; the last three end it without the goods. */
export const ESTADOS = [
  'borrador',
  'enviando',
  'incierto',
  'solicitado',
  'confirmado',
  'facturado',
  'guiaEnviada',
  'enviado',
  'cancelado',
  'rechazado',
  'vencido',
] as const satisfies readonly EstadoDePedido[];

export const ESTADO_LABEL: Readonly<Record<EstadoDePedido, string>> = {
  borrador: 'Por pedir',
  enviando: 'Enviando',
  incierto: 'Por aclarar',
  solicitado: 'Por confirmar',
  confirmado: 'Confirmado',
  facturado: 'Facturado',
  guiaEnviada: 'Guía enviada',
  enviado: 'Enviado',
  cancelado: 'Cancelado',
  rechazado: 'Rechazado',
  vencido: 'Vencido',
};

/** Where each may go next. The database has the same steps (`pedido_paso`) and refuses any other. */
export const PASOS: Readonly<Record<EstadoDePedido, readonly EstadoDePedido[]>> = {
  borrador: ['enviando', 'cancelado'],
  enviando: ['incierto', 'solicitado', 'confirmado', 'rechazado'],
  incierto: ['enviando', 'solicitado', 'confirmado', 'rechazado'],
  solicitado: ['confirmado', 'facturado', 'cancelado', 'rechazado', 'vencido'],
  confirmado: ['facturado', 'cancelado'],
  facturado: ['guiaEnviada', 'enviado', 'cancelado'],
  guiaEnviada: ['enviado', 'cancelado'],
  enviado: [],
  cancelado: [],
  rechazado: [],
  vencido: [],
};

export const mayPass = (de: EstadoDePedido, a: EstadoDePedido): boolean => PASOS[de].includes(a);

/** Ended without the goods: the sale may be ordered again. In SQL: the condition of `pedido_vivo`. */
export const MUERTOS = ['cancelado', 'rechazado', 'vencido'] as const satisfies readonly EstadoDePedido[];
export const isVivo = (estado: EstadoDePedido): boolean => !MUERTOS.some((one) => one === estado);

/** It waits for a person: to be bought, to be confirmed, to be cleared up, or to be taken off the list. In SQL: the condition of `pedido_by_confirmar`. */
export const POR_CONFIRMAR = [
  'borrador',
  'enviando',
  'incierto',
  'solicitado',
  'rechazado',
  'vencido',
] as const satisfies readonly EstadoDePedido[];
