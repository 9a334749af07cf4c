import { localTime, orderTime } from '../clock';
import { DAY, HOUR, SELLER_ID } from '../constants';
import { pesos } from '../money';
import { shipmentId, shippingPaymentId, shippingTold, type Sale, type Step } from '../sale';
import { declaredValue } from './order';
import { paymentsOf } from './payment';

const METHOD: Record<string, { id: number; type: string; name: string }> = {
  me2: { id: 510445, type: 'standard', name: 'Estándar a domicilio' },
  me1: { id: 73328, type: 'standard', name: 'Envío del vendedor' },
  custom: { id: 0, type: 'custom', name: 'Envío a acordar' },
};
const SERVICE: Record<string, number> = { me2: 122, me1: 231876, custom: 0 };
const MASK = 'XXXXXXX';

const lastStep = (sale: Sale): Step =>
  sale.history.at(-1) ?? { status: 'pending', substatus: null, at: sale.createdAt };
const paidFor = (sale: Sale) => sale.closedAt !== null;
const costType = ({ delivery }: Sale) =>
  delivery.receiverCost === 0 ? 'free' : delivery.receiverCost < delivery.listCost ? 'partially_free' : 'charged';
const touched = (sale: Sale) => Math.max(lastStep(sale).at, sale.told.at(-1)?.at ?? 0, sale.closedAt ?? sale.createdAt);
const weight = (sale: Sale) => sale.orders.reduce((grams, { line }) => grams + line.product.grams * line.quantity, 0);

function trackingOf(sale: Sale) {
  if (!paidFor(sale)) return { number: null, method: null };
  if (sale.delivery.mode === 'me2')
    return {
      number: String(shipmentId(sale.seq)),
      method: sale.delivery.logistic === 'self_service' ? 'Flex' : 'MEL Distribution',
    };
  const told = sale.told.findLast(({ number }) => number !== null);
  if (told) return { number: told.number, method: 'Otros' };
  const shipped = sale.history.some(({ status }) => status === 'shipped');
  return { number: shipped ? `7946${String(shipmentId(sale.seq)).slice(-8)}` : null, method: shipped ? 'Otros' : null };
}

/** Address of the buyer, hidden until the money arrives. */
function addressOf(sale: Sale) {
  const { buyer } = sale;
  const hide = (text: string) => (paidFor(sale) ? text : MASK);
  return {
    address_line: hide(`${buyer.street} ${buyer.streetNumber}`),
    street_name: hide(buyer.street),
    street_number: hide(buyer.streetNumber),
    comment: buyer.comment === null ? null : hide(buyer.comment),
    zip_code: hide(buyer.place.zip),
    city: { id: buyer.place.cityId, name: buyer.place.city },
    state: { id: buyer.place.stateId, name: buyer.place.state },
    country: { id: 'MX', name: 'Mexico' },
    neighborhood: { id: null, name: hide(buyer.place.colonia) },
    municipality: { id: null, name: buyer.index % 2 === 0 ? null : buyer.place.city },
    types: ['default_buying_address'],
    latitude: paidFor(sale) ? buyer.place.latitude : null,
    longitude: paidFor(sale) ? buyer.place.longitude : null,
    agency: { carrier_id: null, phone: null, agency_id: null, description: null, type: null, open_hours: null },
    delivery_preference: 'residential',
  };
}

const nameOf = (sale: Sale) => (paidFor(sale) ? `${sale.buyer.firstName} ${sale.buyer.lastName}` : MASK);
/** Phone of the buyer, which only ME1 tells. */
const phoneOf = (sale: Sale) =>
  sale.delivery.mode === 'me1' && paidFor(sale) ? `55${String(sale.buyer.id % 1e8).padStart(8, '0')}` : null;
const SELLER_ADDRESS = {
  address_id: 1500010001,
  zip_code: '06700',
  state: { id: 'MX-DIF', name: 'Distrito Federal' },
  city: { id: 'TUxNQ0NVQTczMTI', name: 'Cuauhtémoc' },
};

/** A shipment as it is told with `x-format-new: true`. */
export function shipmentDocument(sale: Sale) {
  const { delivery } = sale;
  const { status, substatus } = lastStep(sale);
  const tracking = trackingOf(sale);
  const id = shipmentId(sale.seq);
  const start = sale.closedAt ?? sale.createdAt;
  return {
    id,
    status,
    substatus,
    date_created: orderTime(start),
    last_updated: orderTime(touched(sale)),
    declared_value: pesos(declaredValue(sale)),
    external_reference: null,
    tracking_number: tracking.number,
    tracking_method: tracking.method,
    quotation: null,
    logistic: { mode: delivery.mode, type: delivery.logistic, direction: 'forward' },
    items_types: ['new'],
    tags: sale.tags.includes('test_order') ? ['test_shipment'] : [],
    dimensions: { height: 10, width: 20, length: 28, weight: weight(sale) },
    source: { site_id: 'MLM', market_place: 'MELI', customer_id: null, application_id: null },
    origin: { type: 'selling_address', sender_id: SELLER_ID, shipping_address: SELLER_ADDRESS },
    destination: {
      type: 'buying_address',
      receiver_id: sale.buyer.id,
      receiver_name: nameOf(sale),
      receiver_phone: phoneOf(sale),
      comments: null,
      shipping_address: { address_id: 1600010001 + sale.buyer.index, ...addressOf(sale) },
    },
    lead_time: {
      option_id: 900010001 + sale.seq,
      shipping_method: { ...(METHOD[delivery.mode] ?? METHOD.me2!), deliver_to: 'address' },
      currency_id: 'MXN',
      cost: pesos(delivery.receiverCost),
      list_cost: pesos(delivery.listCost),
      cost_type: costType(sale),
      service_id: SERVICE[delivery.mode] ?? 122,
      delivery_type: 'estimated',
      estimated_delivery_time: {
        type: 'known',
        date: localTime(start + 3 * DAY),
        unit: 'hour',
        shipping: 48,
        handling: 24,
        schedule: null,
        pay_before: null,
        offset: { date: null, shipping: null },
        time_frame: { from: null, to: null },
      },
      estimated_delivery_limit: { date: localTime(start + 13 * DAY) },
      estimated_delivery_final: { date: localTime(start + 21 * DAY) },
      estimated_delivery_extended: { date: localTime(start + 6 * DAY) },
      estimated_schedule_limit: { date: null },
      buffering: { date: null },
    },
    sibling: siblingOf(sale),
  };
}

function siblingOf(sale: Sale) {
  if (sale.sibling === null)
    return { reason: null, sibling_id: null, description: null, source: null, date_created: null, last_updated: null };
  const at = orderTime(sale.createdAt);
  return {
    reason: 'ANOTHER_WAREHOUSE',
    sibling_id: sale.sibling,
    description: 'split',
    source: 'seller',
    date_created: at,
    last_updated: at,
  };
}

/** A shipment as it is told without that header, in its old form. */
export function oldShipmentDocument(sale: Sale) {
  const { delivery } = sale;
  const { status, substatus } = lastStep(sale);
  const tracking = trackingOf(sale);
  const start = sale.closedAt ?? sale.createdAt;
  const first = (wanted: string, sub?: string) => {
    const step = sale.history.find((one) => one.status === wanted && (sub === undefined || one.substatus === sub));
    return step ? orderTime(step.at) : null;
  };
  return {
    id: shipmentId(sale.seq),
    mode: delivery.mode,
    created_by: 'receiver',
    order_id: sale.orders[0]!.id,
    order_cost: pesos(declaredValue(sale)),
    base_cost: pesos(delivery.listCost),
    site_id: 'MLM',
    status,
    substatus,
    type: 'forward',
    logistic_type: delivery.logistic,
    market_place: 'MELI',
    date_created: orderTime(start),
    last_updated: orderTime(touched(sale)),
    date_first_printed: first('ready_to_ship', 'printed'),
    status_history: {
      date_handling: first('handling'),
      date_ready_to_ship: first('ready_to_ship'),
      date_shipped: first('shipped'),
      date_first_visit: first('shipped', 'out_for_delivery'),
      date_delivered: first('delivered'),
      date_not_delivered: first('not_delivered'),
      date_returned: first('not_delivered', 'returned'),
      date_cancelled: first('cancelled'),
    },
    substatus_history: sale.history
      .filter((step) => step.substatus !== null)
      .map((step) => ({ date: orderTime(step.at), substatus: step.substatus, status: step.status })),
    tracking_number: tracking.number,
    tracking_method: tracking.method,
    service_id: SERVICE[delivery.mode] ?? 122,
    sender_id: SELLER_ID,
    sender_address: {
      id: SELLER_ADDRESS.address_id,
      zip_code: SELLER_ADDRESS.zip_code,
      state: SELLER_ADDRESS.state,
      city: SELLER_ADDRESS.city,
    },
    receiver_id: sale.buyer.id,
    receiver_address: {
      id: 1600010001 + sale.buyer.index,
      ...addressOf(sale),
      receiver_name: nameOf(sale),
      receiver_phone: phoneOf(sale),
    },
    comments: null,
    shipping_items: sale.orders.map(({ line }) => ({
      id: line.product.itemId,
      description: line.product.title,
      quantity: line.quantity,
      dimensions: `10.0x20.0x28.0,${line.product.grams}.0`,
    })),
    shipping_option: {
      id: 900010001 + sale.seq,
      name: (METHOD[delivery.mode] ?? METHOD.me2!).name,
      currency_id: 'MXN',
      cost: pesos(delivery.receiverCost),
      list_cost: pesos(delivery.listCost),
      shipping_method_id: (METHOD[delivery.mode] ?? METHOD.me2!).id,
      estimated_delivery_time: { type: 'known', date: localTime(start + 3 * DAY) },
    },
    cost_components: { loyal_discount: 0, special_discount: 0, compensation: 0, gap_discount: 0, ratio: 0 },
    tags: sale.tags.includes('test_order') ? ['test_shipment'] : [],
    return_details: null,
    sibling: siblingOf(sale),
  };
}

export function shipmentItems(sale: Sale) {
  return sale.orders.map(({ id, line }) => ({
    item_id: line.product.itemId,
    description: line.product.title,
    quantity: line.quantity,
    variation_id: null,
    dimensions: { height: 10, width: 20, length: 28, weight: line.product.grams },
    order_id: id,
    sender_id: SELLER_ID,
  }));
}

/** Costs of a shipment. The receiver's cost covers every sender of the parcel, and stays after a refund because it is no payment. */
export function shipmentCosts({ delivery, buyer, seq, orders }: Sale) {
  const others = orders.length > 1 && delivery.receiverCost > 0 && seq % 2 === 0 ? 2675 : 0;
  const discount = (paid: number, type: string) => {
    const off = delivery.listCost - paid;
    return off > 0 && delivery.listCost > 0
      ? [{ rate: Math.round((off / delivery.listCost) * 100) / 100, type, promoted_amount: pesos(off) }]
      : [];
  };
  return {
    gross_amount: pesos(delivery.listCost),
    receiver: {
      user_id: buyer.id,
      cost: pesos(delivery.receiverCost + others),
      compensation: 0,
      save: 0,
      discounts: discount(delivery.receiverCost, 'loyal'),
      cost_details: [
        { sender_id: SELLER_ID, amount: pesos(delivery.receiverCost) },
        ...(others > 0 ? [{ sender_id: SELLER_ID + 1, amount: pesos(others) }] : []),
      ],
    },
    senders: [
      {
        user_id: SELLER_ID,
        cost: pesos(delivery.senderCost),
        compensation: 0,
        save: 0,
        discounts: discount(delivery.senderCost, 'mandatory'),
      },
    ],
  };
}

/** Payments for the shipping of a cart, refused ones too. An amount is a number, or text with a number. */
export function shipmentPayments(sale: Sale) {
  const { receiverCost } = sale.delivery;
  const told = shippingTold(sale);
  if (!told.envio || receiverCost === 0) return [];
  const amount = sale.seq % 2 === 0 ? pesos(receiverCost) : pesos(receiverCost).toFixed(2);
  const carrier = paymentsOf(sale.orders[0]!).find(({ shipping }) => shipping > 0);
  const row = (payment_id: number, status: string) => ({ payment_id, user_id: sale.buyer.id, amount, status });
  if (carrier) return [row(carrier.id, carrier.status)];
  const id = shippingPaymentId(sale.seq);
  const refused = sale.payment.rejectedFirst ? [row(id + 1, 'rejected')] : [];
  return [...refused, row(id, statusOfShipping(sale))];
}

/** Status of a shipping payment, which is given back with the last of its orders. */
export function statusOfShipping({ orders, closedAt }: Sale): string {
  if (closedAt === null) return 'pending';
  const returned = orders.every(
    ({ ending }) => ending && ending.kind !== 'partialRefund' && (ending.kind !== 'unfulfilled' || ending.refunded),
  );
  return returned ? 'refunded' : 'approved';
}

/** Steps of a shipment, the newest first. */
export const shipmentHistory = (sale: Sale) =>
  [...sale.history].reverse().map(({ status, substatus, at }) => ({ status, substatus, date: orderTime(at) }));

export function shipmentCarrier({ delivery, seq }: Sale) {
  if (delivery.mode !== 'me2') return { name: 'Otros', url: null };
  const name = delivery.logistic === 'self_service' ? 'Mercado Envíos Flex' : 'Mercado Envíos';
  return { name, url: `https://www.mercadolibre.com.mx/envios/seguimiento/${shipmentId(seq)}` };
}

/** Deadline of a shipment; undefined for one that has none (cancelled, Full, unpaid). */
export function shipmentSla(sale: Sale) {
  const { status } = lastStep(sale);
  if (status === 'cancelled' || sale.delivery.logistic === 'fulfillment' || sale.closedAt === null) return undefined;
  const due = sale.closedAt + 26 * HOUR;
  const left = sale.history.find((step) => step.status === 'shipped' || step.substatus === 'picked_up');
  return {
    status: (left?.at ?? touched(sale)) <= due ? 'on_time' : 'delayed',
    service: 'xd_same_day',
    expected_date: localTime(due),
    last_updated: localTime(touched(sale)),
  };
}
