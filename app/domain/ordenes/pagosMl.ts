import { Money } from '~/core/money';
import type { Order, OrderPayment, PaymentDetail } from '~/integrations/mercadolibre/wire';
import type { Clase } from './orden';

/** SAT's c_FormaPago by how the buyer paid; what is not in the list went through the marketplace's own wallet. */
const FORMA_PAGO: Readonly<Record<string, string>> = {
  credit_card: '04',
  debit_card: '28',
  prepaid_card: '05',
  bank_transfer: '03',
  atm: '01',
  ticket: '01',
  account_money: '31',
  digital_currency: '31',
  digital_wallet: '31',
};
const INTERMEDIARIO = '31';

/** Payments that put money on the sale, now or before it was given back. */
const CREDITED = new Set(['approved', 'refunded', 'charged_back', 'in_mediation']);

const zero = Money.zero;
const gross = (payment: OrderPayment) => (payment.transaction_amount ?? zero).plus(payment.shipping_cost ?? zero);
const isAddition = (payment: OrderPayment) => payment.operation_type === 'payment_addition';

export const approvedPayments = (order: Order) => (order.payments ?? []).filter(({ status }) => status === 'approved');

/**
 * What the buyer paid, shipping and later additions included. For a sale that stands: the approved payments minus what was given back.
 * For one that ended: what had been paid, whatever became of it, which is the amount that was cancelled.
 */
export function pagadoOf(order: Order, clase: Clase): Money {
  if (clase === 'cancelada' || clase === 'devuelta') {
    return Money.sum((order.payments ?? []).filter(({ status }) => CREDITED.has(status)).map(gross));
  }
  return Money.sum(
    approvedPayments(order).map((payment) => gross(payment).minus(payment.transaction_amount_refunded ?? zero)),
  );
}

/** Shipping that came inside the payments of this order. */
export const envioPagado = (order: Order) =>
  Money.sum(
    approvedPayments(order)
      .filter((payment) => !isAddition(payment))
      .map((payment) => payment.shipping_cost ?? zero),
  );

/** Shipping charged afterwards, with a payment of its own. */
export const envioAdicional = (order: Order) =>
  Money.sum(
    approvedPayments(order)
      .filter(isAddition)
      .map((payment) => payment.transaction_amount ?? zero),
  );

/** Of the payment that paid most among those that put money on the sale, or of the only attempt there is. */
export function medioPagoOf(order: Order): { medioPago: string | null; formaPago: string | null } {
  const credited = (order.payments ?? []).filter(({ status }) => CREDITED.has(status));
  const candidates = credited.length > 0 ? credited : (order.payments ?? []);
  const [most] = [...candidates].sort((a, b) => gross(b).compare(gross(a)));
  const medioPago = most?.payment_type ?? null;
  return { medioPago, formaPago: medioPago === null ? null : (FORMA_PAGO[medioPago] ?? INTERMEDIARIO) };
}

/** Products of an order whose unit price the marketplace hides (its own resale). */
export const productosPagados = (order: Order) =>
  Money.sum(
    (order.payments ?? [])
      .filter((payment) => CREDITED.has(payment.status) && !isAddition(payment))
      .map((payment) => payment.transaction_amount ?? zero),
  );

/** Payments whose withholding counts: those that stand and paid for products. */
export const retentionPayments = (order: Order) => approvedPayments(order).filter((payment) => !isAddition(payment));

/**
 * IVA and ISR the marketplace withheld, read and never computed. Charges appear in parts during the first minutes: until the net says
 * that all are there it is null, which is not zero. `last` takes what there is.
 */
export function retencionOf(
  details: readonly PaymentDetail[],
  { last = false }: { last?: boolean } = {},
): Money | null {
  if (details.length === 0) return null;
  const charges = details.map((detail) =>
    (detail.charges_details ?? []).filter((charge) => charge.accounts?.from === 'collector'),
  );
  const worth = ({ amounts }: { amounts?: { original?: Money | null; refunded?: Money | null } | null }) =>
    (amounts?.original ?? zero).minus(amounts?.refunded ?? zero);
  const settled = details.every((detail, n) => {
    const net = detail.transaction_details?.net_received_amount;
    const left = detail.transaction_amount
      .minus(detail.transaction_amount_refunded ?? zero)
      .minus(Money.sum(charges[n]!.map(worth)));
    return net != null && net.equals(left);
  });
  const withheld = charges.flat().filter(({ name }) => name.startsWith('tax_withholding'));
  if (!settled && !(last && withheld.length > 0)) return null;
  return Money.sum(withheld.map(worth));
}
