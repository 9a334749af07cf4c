import { orderTime, packTime, zulu } from '../clock';
import { DAY, HOUR, SECOND, SELLER_ID } from '../constants';
import { hasShipment } from '../history';
import { pesos, sum } from '../money';
import {
  billingId,
  claimId,
  isResale,
  lineTotal,
  packId,
  packOf,
  shipmentId,
  statusOf,
  tagsOf,
  type CancelCode,
  type Order,
  type Sale,
} from '../sale';
import { COUPON_ID, feePerPiece, orderPayment, paymentsOf } from './payment';

/** Parts of a sale that a reader may see at present. */
export interface Sight {
  shipmentVisible: boolean;
}

const CANCELLED_BY: Record<CancelCode, { group: string; requested_by: string; description: string }> = {
  buyer_cancel_express: {
    group: 'buyer',
    requested_by: 'buyer',
    description: 'There is a mediation with status cancel_purchase',
  },
  mediations: {
    group: 'internal',
    requested_by: 'meli',
    description: 'The mediation was closed in favor of the buyer',
  },
  shipment_not_delivered: { group: 'shipment', requested_by: 'meli', description: 'The shipment was not delivered' },
  undispatched_order: { group: 'shipment', requested_by: 'meli', description: 'The order was not dispatched on time' },
  pack_splitted: { group: 'internal', requested_by: 'seller', description: 'The pack was splitted' },
};

export const hasBilling = (sale: Sale) => sale.fiscal.kind !== 'ninguno';

export function itemOf({ sale, line }: Order) {
  const { product } = line;
  return {
    id: product.itemId,
    title: product.title,
    category_id: product.categoryId,
    variation_id: null,
    seller_custom_field: line.customField,
    variation_attributes: [],
    warranty: 'Garantía de fábrica: 12 meses',
    condition: 'new',
    seller_sku: line.sku,
    global_price: null,
    net_weight: null,
    user_product_id: sale.hasPack ? product.userProductId : null,
    release_date: null,
  };
}

/** Whether an order is told as in one sample of the vendor: without its date of change, and with ids of people as text. */
const isOldFashioned = ({ id }: Order) => id % 17 === 0;
const idOf = (order: Order, id: number) => (isOldFashioned(order) ? String(id) : id);

/** The order's own date of change. The date by which the search goes is up to fourteen hours later. */
function lastUpdated({ sale, id, touchedAt }: Order): number {
  const lag = sale.live ? SECOND : (id % 15) * HOUR + SECOND;
  return Math.max(touchedAt - lag, sale.closedAt ?? sale.createdAt);
}

/** `GET /orders/{id}`. */
export function orderDocument(order: Order, { shipmentVisible }: Sight) {
  const { sale, line, ending } = order;
  const status = statusOf(order);
  const payments = paymentsOf(order);
  const resale = isResale(sale);
  const total = lineTotal(line);
  const addition = sum(
    payments
      .filter(({ operation, status: state }) => operation === 'payment_addition' && state === 'approved')
      .map(({ amount }) => amount),
  );
  const paid =
    status === 'paid' || status === 'partially_refunded'
      ? total + sum(payments.map(({ shipping }) => shipping)) + addition
      : 0;
  const refunded = ending?.kind === 'partialRefund' ? ending.amount : 0;
  const inDispute =
    ending !== null &&
    ending.kind !== 'notCompleted' &&
    !(ending.kind === 'cancelled' && ending.code === 'pack_splitted');
  return {
    id: order.id,
    status,
    status_detail: null,
    date_created: orderTime(sale.createdAt),
    ...(isOldFashioned(order) ? {} : { last_updated: orderTime(lastUpdated(order)) }),
    date_closed: sale.closedAt === null ? null : orderTime(sale.closedAt),
    expiration_date: orderTime(sale.createdAt + 28 * DAY),
    pack_id: packOf(sale),
    fulfilled: status === 'cancelled' || status === 'confirmed' ? false : null,
    buying_mode: 'buy_equals_pay',
    shipping_cost: sale.hasPack || !hasShipment(sale) ? null : pesos(sale.delivery.receiverCost),
    mediations: inDispute ? [{ id: claimId(sale.seq) }] : [],
    total_amount: pesos(total),
    paid_amount: pesos(paid - refunded),
    // Some answers lack the coupon, and the payments alone tell it.
    ...(sale.seq % 11 === 0 ? {} : { coupon: couponOf(line) }),
    currency_id: 'MXN',
    order_items: [
      {
        item: itemOf(order),
        quantity: line.quantity,
        requested_quantity: { measure: 'unit', value: line.quantity },
        picked_quantity: null,
        unit_price: line.unitHidden ? null : pesos(line.unit),
        full_unit_price: line.unitHidden ? null : pesos(line.full),
        gross_price: pesos(line.full * line.quantity),
        currency_id: 'MXN',
        manufacturing_days: null,
        sale_fee: resale ? (sale.seq % 2 === 0 ? null : 0) : pesos(feePerPiece(order)),
        listing_type_id: line.product.listingType,
        base_exchange_rate: null,
        base_currency_id: null,
        element_id: order.k + 1,
      },
    ],
    payments: payments.map((payment) => orderPayment(order, payment, payments)),
    shipping: { id: hasShipment(sale) && shipmentVisible ? shipmentId(sale.seq) : null },
    tags: tagsOf(order),
    static_tags: sale.staticTags,
    feedback: { seller: null, buyer: null },
    context: { channel: 'marketplace', site: 'MLM', flows: sale.flows },
    seller: { id: idOf(order, SELLER_ID) },
    buyer: {
      id: idOf(order, sale.buyer.id),
      ...(sale.seq % 13 === 0 ? {} : { nickname: sale.buyer.nickname }),
      ...(hasBilling(sale) ? { billing_info: { id: billingId(sale.seq) } } : {}),
    },
    taxes: { amount: null, currency_id: null, id: null },
    cancel_detail:
      ending?.kind === 'cancelled'
        ? {
            group: CANCELLED_BY[ending.code].group,
            code: ending.code,
            description: CANCELLED_BY[ending.code].description,
            requested_by: CANCELLED_BY[ending.code].requested_by,
            date: orderTime(ending.at),
          }
        : null,
    manufacturing_ending_date: null,
    order_request: { change: null, return: null },
    comments: null,
  };
}

export type OrderDocument = ReturnType<typeof orderDocument>;

const NOT_IN_SEARCH = [
  'static_tags',
  'order_request',
  'cancel_detail',
  'manufacturing_ending_date',
] as const satisfies (keyof OrderDocument)[];

/** A row of the search, close to the order but not identical. `saysCancelled` is the vendor's known lie in a search for cancelled orders. */
export function searchRow(order: Order, sight: Sight, saysCancelled: boolean) {
  const { last_updated, ...row } = orderDocument(order, sight);
  const { cancel_detail } = row;
  for (const key of NOT_IN_SEARCH) Reflect.deleteProperty(row, key);
  const status = saysCancelled ? 'cancelled' : row.status;
  return {
    ...row,
    status,
    status_detail:
      status === 'cancelled'
        ? { description: cancel_detail?.description ?? null, code: cancel_detail?.code ?? null }
        : null,
    // A row has its own date of change, in either spelling of UTC. Some rows tell the order's date too.
    date_last_updated: order.id % 2 === 0 ? zulu(order.touchedAt) : zulu(order.touchedAt).replace(/\.\d+Z$/, '+00:00'),
    ...(last_updated === undefined || order.id % 3 === 0 ? {} : { last_updated }),
  };
}

const couponOf = ({ coupon }: Order['line']) => ({ id: coupon ? COUPON_ID : null, amount: pesos(coupon?.total ?? 0) });

/** `GET /orders/{id}/discounts`. */
export function discountsOf({ line, id }: Order) {
  const { coupon } = line;
  const inPrice = (line.full - line.unit) * line.quantity - (coupon?.inPrice ? coupon.total : 0);
  const off = coupon && !coupon.addsUp ? inPrice + 100 : inPrice;
  const coupons = coupon
    ? [
        {
          type: 'coupon',
          items: [
            {
              id: line.product.itemId,
              quantity: line.quantity,
              amounts: { total: pesos(coupon.total), seller: pesos(coupon.seller) },
            },
          ],
          coupon: { id: COUPON_ID },
          supplier: { meli_campaign: null, campaign_id: 'C-0001' },
        },
      ]
    : [];
  if (off <= 0) return { details: coupons };
  return {
    details: [
      ...coupons,
      {
        type: 'discount',
        items: [
          {
            id: line.product.itemId,
            quantity: line.quantity,
            element_id: 1,
            amounts: { total: pesos(off), seller: pesos(off) },
          },
        ],
        supplier: { offer_id: `OFFER-MLM${id % 1e9}`, funding_mode: 'sale_fee' },
      },
    ],
  };
}

/** `GET /packs/{id}`. */
export function packDocument(sale: Sale, { shipmentVisible }: Sight) {
  const split = sale.orders.some(({ ending }) => ending?.kind === 'cancelled' && ending.code === 'pack_splitted');
  const cancelled = sale.orders.every(({ ending }) => ending?.kind === 'cancelled');
  return {
    id: packId(sale.seq),
    status: cancelled ? 'cancelled' : 'released',
    status_detail: split ? 'splitted' : null,
    orders: sale.orders.map(({ id }) => ({ id })),
    shipment: hasShipment(sale) && shipmentVisible ? { id: shipmentId(sale.seq) } : null,
    buyer: { id: sale.buyer.id },
    date_created: packTime(sale.createdAt),
    last_updated: packTime(Math.max(...sale.orders.map(({ touchedAt }) => touchedAt))),
  };
}

/** Declared value of a shipment. */
export const declaredValue = (sale: Sale) => sum(sale.orders.map(({ line }) => lineTotal(line)));
