import type { Buyer } from './buyers';
import type { Product } from './data/products';
import type { Fiscal } from './fiscal';
import { sum } from './money';

/**
 * The facts of one purchase, from which every document is written. A cart is one sale, and each of its lines is an order. Amounts are centavos, instants
 * are milliseconds.
 */
export interface Sale {
  seq: number;
  scenario: string;
  /** Whether the sale was made while the sandbox runs. Its shipment and fee may then take a while to appear. */
  live: boolean;
  /** The instant at which the sandbox made the sale. */
  bornAt: number;
  createdAt: number;
  /** The instant of the payment; null while the money has not arrived. */
  closedAt: number | null;
  /** Whether the sale has a pack. Old purchases of one order have none. */
  hasPack: boolean;
  buyer: Buyer;
  fiscal: Fiscal;
  orders: Order[];
  delivery: Delivery;
  payment: PaymentPlan;
  tags: string[];
  staticTags: string[];
  flows: string[];
  history: Step[];
  /** Facts that the seller told of a package of their own, the oldest first. */
  told: Told[];
  /** The shipment from which this one was split. */
  sibling: number | null;
}

export interface Line {
  product: Pick<Product, 'itemId' | 'userProductId' | 'title' | 'categoryId' | 'grams' | 'listingType'>;
  sku: string | null;
  /** The sku of an old listing. */
  customField: string | null;
  quantity: number;
  /** Price charged for one piece. */
  unit: number;
  full: number;
  /** Whether the price of a piece is hidden, as in a resale. */
  unitHidden: boolean;
  coupon: Coupon | null;
}

/** A coupon of the buyer for all pieces of a line. */
export interface Coupon {
  total: number;
  /** The part that the seller pays. */
  seller: number;
  /** Whether the price already carries the coupon. Else the seller's part is a charge of the payment. */
  inPrice: boolean;
  /** Whether the discounts of the order add up with its prices. */
  addsUp: boolean;
}

export interface Order {
  sale: Sale;
  k: number;
  id: number;
  line: Line;
  ending: Ending | null;
  /** Instant of the last change that the marketplace tells. */
  touchedAt: number;
}

export const CANCEL_CODES = [
  'buyer_cancel_express',
  'mediations',
  'shipment_not_delivered',
  'undispatched_order',
  'pack_splitted',
] as const;
export type CancelCode = (typeof CANCEL_CODES)[number];

export type Ending =
  | { kind: 'cancelled'; code: CancelCode; at: number }
  | { kind: 'unfulfilled'; refunded: boolean; at: number }
  | { kind: 'partialRefund'; amount: number; at: number }
  | { kind: 'notCompleted'; at: number };

export interface Delivery {
  mode: 'me2' | 'me1' | 'custom' | 'not_specified';
  logistic: string;
  /** Amount that the buyer paid. */
  receiverCost: number;
  /** Amount that the seller paid. */
  senderCost: number;
  listCost: number;
}

export type PaymentType = 'credit_card' | 'debit_card' | 'account_money' | 'ticket' | 'bank_transfer';

export interface PaymentPlan {
  type: PaymentType;
  method: string;
  installments: number;
  /** Whether part of the money comes from the buyer's account. */
  split: boolean;
  /** Whether a first card was refused. */
  rejectedFirst: boolean;
  /** A later charge on the same purchase: the shipping agreed with the buyer. */
  addition: { amount: number; status: 'approved' | 'pending' } | null;
}

export interface Told {
  status: string;
  substatus: string | null;
  number: string | null;
  url: string | null;
  at: number;
}

export interface Step {
  status: string;
  substatus: string | null;
  at: number;
}

const ORDERS = 2000016200000000;
const PACKS = 2000009100000000;
const SHIPMENTS = 45110000000;
const PAYMENTS = 131900000000;
/** Room for the orders and payments of one sale inside each range of ids. */
const ROOM = 1000;

const salt = (seq: number) => (Math.imul(seq + 7, 2654435761) >>> 8) % 97;

export const orderId = (seq: number, k: number) => ORDERS + seq * ROOM + salt(seq) * 10 + k;
export const packId = (seq: number) => PACKS + seq * ROOM + salt(seq) * 7 + 100;
export const shipmentId = (seq: number) => SHIPMENTS + seq * 100 + salt(seq);
export const paymentId = (seq: number, k: number, j: number) => PAYMENTS + seq * ROOM + k * 10 + j;
export const billingId = (seq: number) => `6774875199${String(seq * 100 + salt(seq)).padStart(8, '0')}`;
export const claimId = (seq: number) => 5500000000 + seq * 10 + 3;

/** Number of the sale to which an id would belong. The caller compares the id with the one that this sale really has. */
export const seqOfOrder = (id: number) => Math.floor((id - ORDERS) / ROOM);
export const seqOfPack = (id: number) => Math.floor((id - PACKS) / ROOM);
export const seqOfShipment = (id: number) => Math.floor((id - SHIPMENTS) / 100);
export const seqOfPayment = (id: number) => Math.floor((id - PAYMENTS) / ROOM);
export const seqOfBilling = (id: string) => Math.floor(Number(id.slice(10)) / 100);

export const lineTotal = (line: Line) => line.unit * line.quantity;
export const isResale = (sale: Sale) => sale.staticTags.includes('meli_resale');
export const packOf = (sale: Sale) => (sale.hasPack ? packId(sale.seq) : null);
/** The number that the seller sees: the pack, or the order of a sale without one. */
export const numberOf = (sale: Sale) => String(packOf(sale) ?? sale.orders[0]!.id);

export function statusOf({ sale, ending }: Order): string {
  if (ending?.kind === 'cancelled') return 'cancelled';
  if (ending?.kind === 'notCompleted') return 'confirmed';
  if (ending?.kind === 'partialRefund') return 'partially_refunded';
  return sale.closedAt === null ? 'payment_in_process' : 'paid';
}

export function tagsOf({ sale, line, ending }: Order): string[] {
  const tags = line.full > line.unit ? ['order_has_discount'] : [];
  if (sale.orders.length > 1) tags.push('pack_order');
  tags.push(
    sale.closedAt === null || ending?.kind === 'notCompleted' ? 'not_paid' : 'paid',
    'not_delivered',
    ...sale.tags,
  );
  if (sale.delivery.mode === 'not_specified') tags.push('no_shipping');
  if (ending?.kind === 'unfulfilled') tags.push('unfulfilled');
  return tags;
}

export type OrderClass = 'normal' | 'cancelada' | 'devuelta' | 'invalida' | 'reventa' | 'pendiente';

/** Class of an order as the side that invented it knows it. An invoice may be made of 'normal' ones. */
export function classOf(order: Order): OrderClass {
  const status = statusOf(order);
  if (status === 'cancelled') return 'cancelada';
  if (order.ending?.kind === 'unfulfilled') return 'devuelta';
  if (status !== 'paid' && status !== 'partially_refunded') return 'pendiente';
  if (isResale(order.sale)) return 'reventa';
  return (order.line.sku ?? order.line.customField)?.startsWith('AMS|') ? 'normal' : 'invalida';
}

/**
 * Places that tell the shipping that the buyer paid. A cart of several orders tells it at its shipment, and not in the payments of its orders. No source
 * says where a cart of one order tells it, so three readings are played: in the payment, at the shipment, and in both with one id.
 */
export function shippingTold({ hasPack, orders, seq }: Sale): { orden: boolean; envio: boolean } {
  if (!hasPack) return { orden: true, envio: false };
  if (orders.length > 1) return { orden: false, envio: true };
  return { orden: seq % 3 !== 2, envio: seq % 3 !== 0 };
}

/** The payment of a cart's shipping, when no payment of its orders carries it. */
export const shippingPaymentId = (seq: number) => paymentId(seq, 90, 0);

/** Shipping that the buyer paid for a sale. */
export function chargedShipping({ delivery, payment }: Sale): number {
  return delivery.receiverCost || (payment.addition?.status === 'approved' ? payment.addition.amount : 0);
}

/** Amount charged for a whole sale: the products, and once the shipping. */
export function chargedTotal(sale: Sale): number {
  return sum(sale.orders.map(({ line }) => lineTotal(line))) + chargedShipping(sale);
}
