import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import {
  Instant,
  type Order,
  type OrderDiscounts,
  type OrderPayment,
  type PaymentDetail,
  type ShipmentPayments,
} from '~/integrations/mercadolibre/wire';
import type { CargosLeidos, PagoLeido } from '~/domain/mercados/venta';

/** SAT's c_FormaPago by how the buyer paid. A payment of another kind went through Mercado Libre's own wallet. */
const FORMA_PAGO: Readonly<Record<string, string>> = tableOf({
  credit_card: '04',
  debit_card: '28',
  prepaid_card: '05',
  bank_transfer: '03',
  atm: '01',
  ticket: '01',
  account_money: '31',
  digital_currency: '31',
  digital_wallet: '31',
});
const INTERMEDIARIO = '31';

const HOUR = 3_600_000;

const zero = Money.zero;
const isAddition = (payment: OrderPayment) => payment.operation_type === 'payment_addition';

/** States of payments that put money on the sale and gave it back, or may have to. */
const RETURNED = new Set(['refunded', 'charged_back', 'in_mediation']);

/** Returns whether a payment put money on the sale, gave it back, or never had effect. */
export function situacionOf(status: string): PagoLeido['situacion'] {
  if (status === 'approved') return 'aprobado';
  return RETURNED.has(status) ? 'devuelto' : 'sinEfecto';
}

/** Returns the payments that an order tells. The shipping of a cart is told by its shipment, and not here. */
export function pagosOf(order: Order): PagoLeido[] {
  return (order.payments ?? []).map((payment) => ({
    marketId: payment.id,
    origen: 'orden',
    concepto: isAddition(payment) ? 'adicional' : 'venta',
    situacion: situacionOf(payment.status),
    estatus: payment.status,
    medio: payment.payment_type ?? null,
    metodo: payment.payment_method_id ?? null,
    formaPago: payment.payment_type == null ? null : (FORMA_PAGO[payment.payment_type] ?? INTERMEDIARIO),
    importe: payment.transaction_amount ?? zero,
    envio: payment.shipping_cost ?? zero,
    devuelto: payment.transaction_amount_refunded ?? zero,
    aprobadoEn: instantOf(payment.date_approved),
    modificadoEn: instantOf(payment.date_last_modified) ?? instantOf(payment.date_created),
  }));
}

function instantOf(text: string | null | undefined): Date | null {
  const { success, data } = Instant.safeParse(text);
  return success ? data : null;
}

/** Returns the products of an order whose unit price Mercado Libre hides (its own resale). */
export const productosPagados = (pagos: readonly PagoLeido[]) =>
  Money.sum(
    pagos
      .filter(({ situacion, concepto }) => situacion !== 'sinEfecto' && concepto === 'venta')
      .map(({ importe }) => importe),
  );

/** Returns the payments that the shipment of a cart tells: payments of shipping alone. */
export function pagosOfEnvio(payments: ShipmentPayments): PagoLeido[] {
  return payments.map(({ payment_id, amount, status }) => ({
    marketId: payment_id,
    origen: 'envio',
    concepto: 'venta',
    situacion: situacionOf(status ?? ''),
    estatus: status ?? '',
    medio: null,
    metodo: null,
    formaPago: null,
    importe: zero,
    envio: amount ?? zero,
    devuelto: zero,
    aprobadoEn: null,
    modificadoEn: null,
  }));
}

/** Returns the payments whose charges count: those that put money on the sale, for products. Their charges tell of refunds too. */
export const chargedPayments = (pagos: readonly PagoLeido[]) =>
  pagos.filter(({ situacion, concepto }) => situacion !== 'sinEfecto' && concepto === 'venta');

/** Times after a payment at which its charges are looked at again: charges come in parts, in the first minutes and even days later. */
const LATER_CHARGES_MS = [24 * HOUR, 72 * HOUR];

/** Returns the moments, in milliseconds, at which the charges of a sale may have changed although nobody says so. */
export function chargeMoments(pagos: readonly PagoLeido[], liberacion: Date | null): number[] {
  const since = chargedPayments(pagos).flatMap(({ aprobadoEn, modificadoEn, situacion, devuelto }) => [
    ...(aprobadoEn ? [aprobadoEn.getTime()] : []),
    ...(modificadoEn && (situacion === 'devuelto' || !devuelto.isZero()) ? [modificadoEn.getTime()] : []),
  ]);
  const moments = since.flatMap((at) => LATER_CHARGES_MS.map((later) => at + later));
  return liberacion ? [...moments, liberacion.getTime() + HOUR] : moments;
}

type Charge = NonNullable<PaymentDetail['charges_details']>[number];
const worth = ({ amounts }: Charge) => (amounts?.original ?? zero).minus(amounts?.refunded ?? zero);
const isTax = ({ name }: Charge) => name.startsWith('tax_withholding');
const isCoupon = ({ name }: Charge) => name === 'coupon_fee';
const isFee = ({ name, type }: Charge) => name === 'meli_fee' || (type === 'fee' && name !== 'coupon_fee');

/**
 * Returns the charges that Mercado Libre kept of these payments, read and never computed. The withholding is null, which is not zero, until the
 * net of each payment that stands shows that all its charges are there: net = amount + shipping - charges. `last` takes the charges as they are.
 * A payment that was given back does not have to add up.
 */
export function cargosOf(
  details: readonly PaymentDetail[],
  pagos: readonly PagoLeido[],
  { now, ended, last = false }: { now: Date; ended: boolean; last?: boolean },
): CargosLeidos {
  const charges = details.map((detail) =>
    (detail.charges_details ?? []).filter((charge) => charge.accounts?.from === 'collector'),
  );
  const settled = details.every((detail, n) => {
    if (situacionOf(detail.status) === 'devuelto') return true;
    const net = detail.transaction_details?.net_received_amount;
    const left = detail.transaction_amount
      .minus(detail.transaction_amount_refunded ?? zero)
      .minus(Money.sum(charges[n]!.map(worth)));
    const shipping = pagos.find(({ marketId }) => marketId === detail.id)?.envio ?? zero;
    return net != null && (net.equals(left.plus(shipping)) || net.equals(left));
  });
  const withheld = charges.flat().filter(isTax);
  const known = details.length > 0 && (settled || (last && withheld.length > 0));
  const givenBack = ended || pagos.some(({ situacion, devuelto }) => situacion === 'devuelto' || !devuelto.isZero());
  const releases = details.flatMap(({ money_release_date: at }) => (at ? [at.getTime()] : []));
  return {
    retencion: known ? Money.sum(withheld.map(worth)) : null,
    comision: known && givenBack ? Money.sum(charges.flat().filter(isFee).map(worth)) : null,
    liberacion: releases.length > 0 ? new Date(Math.max(...releases)) : null,
    cupon: known ? Money.sum(charges.flat().filter(isCoupon).map(worth)) : null,
    leidosEn: now,
  };
}

/** Tells whether the buyer used a coupon. Who pays it stands elsewhere: in the charges of the payments, and before them among the discounts of the order. */
export const hasCupon = ({ coupon, payments }: Order): boolean =>
  [coupon?.amount, ...(payments ?? []).map(({ coupon_amount }) => coupon_amount)].some(
    (amount) => amount != null && amount.compare(zero) > 0,
  );

/**
 * Returns the seller's part of the coupons of an order, as far as its prices do not carry it; null where that cannot be told. A discount lies inside the price
 * of a piece or on top of it, and the answer does not say which: only a reading counts that closes to the cent (reference `GET /orders/{id}/discounts`).
 * - All of it lies inside: the price is the lower one, and nothing more is taken.
 * - Coupons are on top of prices that carry the other discounts, or everything is on top: the seller's parts are taken.
 */
export function cuponOf(order: Order, { details }: OrderDiscounts): Money | null {
  const lines = order.order_items.map(({ gross_price, unit_price, quantity }) =>
    gross_price && unit_price ? gross_price.minus(unit_price.times(quantity)) : null,
  );
  if (lines.includes(null)) return null;
  const inPrice = Money.sum(lines.map((gap) => gap!));
  const told = (details ?? []).flatMap(({ type, items }) =>
    (items ?? []).map(({ amounts }) => ({ inside: type === 'discount', ...amounts })),
  );
  const totalOf = (some: typeof told) => Money.sum(some.map(({ total }) => total ?? zero));
  const discounts = totalOf(told.filter(({ inside }) => inside));
  if (inPrice.equals(totalOf(told))) return zero;
  const onTop = inPrice.equals(discounts) ? told.filter(({ inside }) => !inside) : inPrice.isZero() ? told : null;
  if (!onTop || onTop.some(({ seller }) => seller == null)) return null;
  const ours = Money.sum(onTop.map(({ seller }) => seller!));
  return ours.isNegative() || ours.compare(totalOf(onTop)) > 0 ? null : ours;
}
