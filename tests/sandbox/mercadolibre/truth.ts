import type { DepositTruth, SaleTruth } from '../truth';
import { dayStart } from './clock';
import { DAY } from './constants';
import { paymentDetail, paymentsOf } from './documents/payment';
import { statusOfShipping } from './documents/shipment';
import { sum } from './money';
import type { Row } from './releaseCsv';
import { classOf, lineTotal, numberOf, shippingTold, type Sale } from './sale';

/** Returns what is true of a sale of Mercado Libre. */
export function truthOf(sale: Sale): SaleTruth {
  const credited = sale.orders.flatMap((order) =>
    paymentsOf(order)
      .filter(({ approvedAt }) => approvedAt !== null)
      .map((payment) => ({ payment, charges: paymentDetail(order, payment).charges_details })),
  );
  const stays = (name: RegExp) =>
    sum(
      credited.flatMap(({ charges }) =>
        charges
          .filter((charge) => name.test(charge.name))
          .map(({ amounts }) => Math.round((amounts.original - amounts.refunded) * 100)),
      ),
    );
  const apart = shippingOnlyAtShipment(sale);
  const refunded =
    sum(
      credited.map(({ payment }) =>
        payment.refunded >= payment.amount ? payment.amount + payment.shipping : payment.refunded,
      ),
    ) + (statusOfShipping(sale) === 'refunded' ? apart : 0);
  return {
    market: 'mercadolibre',
    numOrden: numberOf(sale),
    ids: sale.orders.map(({ id }) => String(id)),
    clases: sale.orders.map(classOf),
    soldAt: sale.createdAt,
    paid: sum(credited.map(({ payment }) => payment.amount + payment.shipping)) + apart - refunded,
    refunded,
    kept:
      sale.closedAt === null
        ? null
        : { fee: stays(/^meli_fee/), coupon: stays(/^coupon/), shipping: stays(/^shp/), withheld: stays(/iva|isr/) },
    lines: sale.orders.map(({ line }) => ({
      sku: line.sku ?? line.customField,
      pieces: line.quantity,
      amount: lineTotal(line),
    })),
    rfc: sale.fiscal.rfc,
  };
}

/** Shipping that no payment of an order tells. */
function shippingOnlyAtShipment(sale: Sale): number {
  const { orden, envio } = shippingTold(sale);
  return envio && !orden && sale.closedAt !== null ? sale.delivery.receiverCost : 0;
}

/** Returns the transfers among the movements of the account, the oldest first. A report tells days that ended. */
export function depositsOf(rows: readonly Row[]): DepositTruth[] {
  const told: DepositTruth[] = [];
  let before = 0;
  let lines = new Map<string | null, number>();
  for (const { at, description, net, order } of rows) {
    if (description !== 'payout') {
      const sale = order && numberOf(order.sale);
      lines.set(sale, (lines.get(sale) ?? 0) + net);
      continue;
    }
    const after = before + sum([...lines.values()]) + net;
    told.push({
      market: 'mercadolibre',
      at,
      toldAt: dayStart(at) + DAY,
      amount: -net,
      before,
      after,
      lines: [...lines].map(([numOrden, amount]) => ({ numOrden, amount })),
    });
    before = after;
    lines = new Map();
  }
  return told;
}
