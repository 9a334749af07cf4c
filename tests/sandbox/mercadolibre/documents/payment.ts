import { localTime, orderTime } from '../clock';
import { MINUTE, SECOND, SELLER_ID } from '../constants';
import { pesos, share, sum } from '../money';
import { isResale, lineTotal, paymentId, shippingTold, type Order } from '../sale';

/** One payment of an order, in centavos. */
export interface Payment {
  id: number;
  type: string;
  method: string;
  operation: 'regular_payment' | 'payment_addition';
  status: 'approved' | 'rejected' | 'pending' | 'refunded';
  detail: string;
  amount: number;
  refunded: number;
  shipping: number;
  /** Coupon that the buyer used. It is part of `amount`, and the buyer did not pay it. */
  coupon: number;
  installments: number;
  /** Interest that the buyer pays to the bank. It is part of total_paid_amount alone. */
  interest: number;
  reason: string;
  createdAt: number;
  approvedAt: number | null;
}

/** The number of the one coupon that buyers use. */
export const COUPON_ID = 71_500_123;

/** Commission of one piece, as `sale_fee` tells it. */
export function feePerPiece({ sale, line }: Order): number {
  if (isResale(sale)) return 0;
  return share(line.unit, line.product.listingType === 'gold_pro' ? 0.175 : 0.14);
}

export function paymentsOf(order: Order): Payment[] {
  const { sale, line, ending, k } = order;
  const { payment: plan, closedAt } = sale;
  const total = lineTotal(line);
  const shipping = k === 0 && shippingTold(sale).orden ? sale.delivery.receiverCost : 0;
  const coupon = line.coupon && !line.coupon.inPrice ? line.coupon.total : 0;
  const approved = closedAt !== null;
  const returned =
    ending?.kind === 'cancelled' ||
    ending?.kind === 'notCompleted' ||
    (ending?.kind === 'unfulfilled' && ending.refunded);
  const base = {
    operation: 'regular_payment' as const,
    refunded: 0,
    interest: 0,
    installments: 1,
    shipping: 0,
    coupon: 0,
    reason: line.product.title,
    createdAt: sale.createdAt + 2 * SECOND,
    approvedAt: closedAt,
    status: 'approved' as Payment['status'],
    detail: 'accredited',
  };
  const interest = plan.installments > 1 ? share(total, 0.126) : 0;
  const main = { ...base, type: plan.type, method: plan.method, installments: plan.installments, interest };
  const payments: Omit<Payment, 'id'>[] = [];
  if (plan.rejectedFirst) {
    payments.push({
      ...main,
      method: 'master',
      amount: total,
      interest: 0,
      status: 'rejected',
      detail: 'cc_rejected_insufficient_amount',
      approvedAt: null,
      createdAt: sale.createdAt,
    });
  }
  if (plan.split) {
    const part = share(total, 0.3);
    payments.push(
      { ...base, type: 'account_money', method: 'account_money', amount: part },
      { ...main, amount: total - part, shipping, coupon },
    );
  } else {
    payments.push({ ...main, amount: total, shipping, coupon });
  }
  if (plan.addition && k === 0) {
    const paid = plan.addition.status === 'approved';
    const at = Math.min(base.createdAt + 5 * 60 * MINUTE, Math.max(order.touchedAt, base.createdAt));
    payments.push({
      ...base,
      type: 'account_money',
      method: 'account_money',
      operation: 'payment_addition',
      reason: 'Costo de envío',
      amount: plan.addition.amount,
      createdAt: at,
      approvedAt: paid ? at : null,
      status: paid ? 'approved' : 'pending',
      detail: paid ? 'accredited' : 'pending_waiting_payment',
    });
  }
  let partial = ending?.kind === 'partialRefund' ? ending.amount : 0;
  return payments.map((payment, j) => {
    const id = paymentId(sale.seq, k, j);
    if (payment.status !== 'approved') return { ...payment, id };
    if (!approved) return { ...payment, id, status: 'pending', detail: 'pending_waiting_payment', approvedAt: null };
    if (returned) return { ...payment, id, status: 'refunded', detail: 'refunded', refunded: payment.amount };
    const refunded = payment.operation === 'regular_payment' ? Math.min(partial, payment.amount) : 0;
    partial -= refunded;
    return { ...payment, id, refunded, detail: refunded > 0 ? 'partially_refunded' : payment.detail };
  });
}

/** The share of a payment in a charge of its order. Charges spread by amount, and the last payment takes the rest. */
function allotted(payments: Payment[], payment: Payment, total: number): number {
  const sharers = payments.filter(({ operation, status }) => operation === 'regular_payment' && status !== 'rejected');
  const whole = sum(sharers.map(({ amount }) => amount));
  const n = sharers.indexOf(payment);
  if (n < 0 || whole === 0) return 0;
  const parts = sharers.map(({ amount }) => share(total, amount / whole));
  return n < sharers.length - 1 ? parts[n]! : total - sum(parts.slice(0, -1));
}

const fromBuyer = ({ amount, shipping, interest, coupon }: Payment) => amount + shipping + interest - coupon;

/** `payments[]` of an order. */
export function orderPayment(order: Order, payment: Payment, payments: Payment[]) {
  const { sale } = order;
  const live = payment.status === 'approved';
  const fee = live ? allotted(payments, payment, feePerPiece(order) * order.line.quantity) : 0;
  return {
    id: payment.id,
    order_id: order.id,
    payer_id: sale.buyer.id,
    collector: { id: SELLER_ID },
    card_id: null,
    reason: payment.reason,
    site_id: 'MLM',
    payment_method_id: payment.method,
    currency_id: 'MXN',
    installments: payment.installments,
    issuer_id: null,
    atm_transfer_reference: { transaction_id: null, company_id: null },
    coupon_id: payment.coupon > 0 ? COUPON_ID : null,
    activation_uri: null,
    operation_type: payment.operation,
    payment_type: payment.type,
    available_actions: live ? ['refund'] : [],
    status: payment.status,
    status_code: null,
    status_detail: payment.detail,
    transaction_amount: pesos(payment.amount),
    transaction_amount_refunded: pesos(payment.refunded),
    taxes_amount: 0,
    shipping_cost: pesos(payment.shipping),
    coupon_amount: pesos(payment.coupon),
    overpaid_amount: 0,
    total_paid_amount: payment.status === 'rejected' ? 0 : pesos(fromBuyer(payment)),
    installment_amount:
      payment.installments > 1 ? pesos(Math.round((payment.amount + payment.interest) / payment.installments)) : null,
    deferred_period: null,
    date_approved: payment.approvedAt === null ? null : orderTime(payment.approvedAt),
    transaction_order_id: null,
    date_created: orderTime(payment.createdAt),
    date_last_modified: orderTime(Math.max(payment.approvedAt ?? payment.createdAt, order.ending?.at ?? 0)),
    marketplace_fee: pesos(fee),
    reference_id: null,
    authorization_code: null,
  };
}

const SHIPPING_CHARGE: Record<string, string> = {
  fulfillment: 'shp_fulfillment',
  cross_docking: 'shp_cross_docking',
  xd_drop_off: 'shp_cross_docking',
  drop_off: 'shp_drop_off',
  self_service: 'shp_self_service',
};

/** `GET /v1/payments/{id}` of the payments host. Its net is the amount and shipping that stayed, minus the seller's charges that stayed. */
export function paymentDetail(
  order: Order,
  payment: Payment,
  { withFee = true, withTax = true }: { withFee?: boolean; withTax?: boolean } = {},
) {
  const { sale, k } = order;
  const payments = paymentsOf(order);
  const same = payments.find(({ id }) => id === payment.id)!;
  const credited = payment.approvedAt !== null;
  const charges: { name: string; type: string; to: string; original: number }[] = [];
  if (credited && payment.operation === 'regular_payment' && !isResale(sale)) {
    const neto = payment.amount / 1.16;
    if (withFee)
      charges.push({
        name: 'meli_fee',
        type: 'fee',
        to: 'ml',
        original: allotted(payments, same, feePerPiece(order) * order.line.quantity),
      });
    if (withTax)
      charges.push(
        { name: 'tax_withholding-iva', type: 'tax', to: 'mp', original: share(neto, 0.08) },
        { name: 'tax_withholding-isr', type: 'tax', to: 'mp', original: share(neto, 0.025) },
      );
    const coupon = payment.coupon > 0 ? order.line.coupon!.seller : 0;
    if (coupon > 0)
      charges.push({ name: 'coupon_fee', type: order.id % 2 === 0 ? 'fee' : 'coupon', to: 'ml', original: coupon });
    const shipping = k === 0 ? allotted(payments, same, sale.delivery.senderCost) : 0;
    if (shipping > 0)
      charges.push({
        name: SHIPPING_CHARGE[sale.delivery.logistic] ?? 'shp_other',
        type: 'shipping',
        to: 'ml',
        original: shipping,
      });
  }
  const whole = payment.refunded >= payment.amount;
  const details = charges.map(({ name, type, to, original }) => ({
    id: `${payment.id}-${name}`,
    name,
    type,
    accounts: { from: 'collector', to },
    amounts: { original, refunded: whole ? original : share(original, payment.refunded / payment.amount) },
  }));
  const net = credited
    ? payment.amount -
      payment.refunded +
      (whole ? 0 : payment.shipping) -
      sum(details.map(({ amounts }) => amounts.original - amounts.refunded))
    : 0;
  const refundedAt = order.ending?.at ?? order.touchedAt;
  return {
    id: payment.id,
    status: payment.status,
    status_detail: payment.detail,
    operation_type: payment.operation,
    payment_type_id: payment.type,
    payment_method_id: payment.method,
    currency_id: 'MXN',
    collector_id: SELLER_ID,
    payer: { id: String(sale.buyer.id) },
    installments: payment.installments,
    transaction_amount: pesos(payment.amount),
    transaction_amount_refunded: pesos(payment.refunded),
    shipping_amount: pesos(payment.shipping),
    order: { id: String(order.id), type: 'mercadolibre' },
    date_created: orderTime(payment.createdAt),
    date_approved: payment.approvedAt === null ? null : orderTime(payment.approvedAt),
    money_release_date: payment.approvedAt === null ? null : localTime(payment.approvedAt + 14 * 24 * 60 * MINUTE),
    transaction_details: {
      net_received_amount: pesos(net),
      total_paid_amount: payment.status === 'rejected' ? 0 : pesos(fromBuyer(payment)),
      installment_amount:
        payment.installments > 1 ? pesos(Math.round((payment.amount + payment.interest) / payment.installments)) : 0,
      overpaid_amount: 0,
    },
    charges_details: details.map((detail) => ({
      ...detail,
      amounts: { original: pesos(detail.amounts.original), refunded: pesos(detail.amounts.refunded) },
    })),
    fee_details:
      payment.interest > 0 && credited
        ? [{ type: 'financing_fee', amount: pesos(payment.interest), fee_payer: 'payer' }]
        : [],
    refunds:
      payment.refunded > 0
        ? [
            {
              id: payment.id * 10 + 1,
              payment_id: payment.id,
              amount: pesos(payment.refunded),
              status: 'approved',
              date_created: orderTime(refundedAt),
            },
          ]
        : [],
  };
}
