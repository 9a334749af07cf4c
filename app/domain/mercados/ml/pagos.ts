import { Money } from '~/core/money';
import { Instant, type Order, type OrderPayment, type PaymentDetail } from '~/integrations/mercadolibre/wire';
import type { PagoLeido } from '../venta';

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

const zero = Money.zero;
const isAddition = (payment: OrderPayment) => payment.operation_type === 'payment_addition';

/** Payments that put money on the sale and gave it back, or may have to. */
const RETURNED = new Set(['refunded', 'charged_back', 'in_mediation']);

export function situacionOf(status: string): PagoLeido['situacion'] {
  if (status === 'approved') return 'aprobado';
  return RETURNED.has(status) ? 'devuelto' : 'sinEfecto';
}

/** What the order tells of its payments. The shipping of a cart is told by its shipment, and not here. */
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

/** Products of an order whose unit price the marketplace hides (its own resale). */
export const productosPagados = (pagos: readonly PagoLeido[]) =>
  Money.sum(
    pagos
      .filter(({ situacion, concepto }) => situacion !== 'sinEfecto' && concepto === 'venta')
      .map(({ importe }) => importe),
  );

/** Payments whose withholding counts: those that stand and paid for products. */
export const retentionPayments = (pagos: readonly PagoLeido[]) =>
  pagos.filter(({ situacion, concepto }) => situacion === 'aprobado' && concepto === 'venta');

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
