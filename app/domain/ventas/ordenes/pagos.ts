import { tableOf } from '~/core/table';
import type { Tono } from './estatus';

/** Labels of Mercado Libre's words for the kind of a payment. */
const MEDIO: Readonly<Record<string, string>> = tableOf({
  credit_card: 'Tarjeta de crédito',
  debit_card: 'Tarjeta de débito',
  prepaid_card: 'Tarjeta de prepago',
  bank_transfer: 'Transferencia',
  atm: 'Cajero automático',
  ticket: 'Efectivo',
  account_money: 'Dinero en cuenta',
  digital_currency: 'Mercado Crédito',
  digital_wallet: 'Monedero electrónico',
});

const ESTATUS: Readonly<Record<string, { label: string; tono: Tono }>> = tableOf({
  approved: { label: 'Aprobado', tono: 'ok' },
  refunded: { label: 'Devuelto', tono: 'mal' },
  charged_back: { label: 'Contracargo', tono: 'mal' },
  in_mediation: { label: 'En mediación', tono: 'aviso' },
  rejected: { label: 'Rechazado', tono: 'mal' },
  cancelled: { label: 'Cancelado', tono: 'mal' },
  pending: { label: 'Pendiente', tono: 'aviso' },
  in_process: { label: 'En proceso', tono: 'aviso' },
  authorized: { label: 'Autorizado', tono: 'aviso' },
});

/** Returns the label of a kind of payment; an unknown word is shown as it came. */
export const medioPagoLabel = (medio: string | null) => (medio && MEDIO[medio]) || medio || 'Sin dato';
/** Returns label and tone of a payment's state; an unknown word is shown as it came. */
export const pagoEstatus = (estatus: string | null) =>
  (estatus && ESTATUS[estatus]) || { label: estatus ?? 'Sin estatus', tono: 'neutro' as const };
