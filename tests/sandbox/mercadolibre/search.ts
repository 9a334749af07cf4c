import { HOUR, SELLER_ID } from './constants';
import { json, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { searchRow } from './documents/order';
import { hasShipment } from './history';
import { closedKey, type Ledger } from './ledger';
import { statusOf, tagsOf, type Order } from './sale';
import type { Switches } from './switches';

const LIMIT = 50;
const MAX_OFFSET = 10_000;
const DATES = {
  'order.date_created': ({ sale }: Order) => sale.createdAt,
  'order.date_closed': closedKey,
  'order.date_last_updated': ({ touchedAt }: Order) => touchedAt,
};
const STATUS_NAMES: Record<string, string> = {
  paid: 'Order Paid',
  confirmed: 'Order Confirmed',
  payment_in_process: 'Payment in Process',
  cancelled: 'Order Cancelled',
  partially_refunded: 'Order Partially Refunded',
};

const listOf = (value: string | null) => (value ? value.split(',').map((part) => part.trim()) : []);

export interface SearchSight {
  /** Whether the marketplace shows this order yet. */
  visible(order: Order): boolean;
  shipmentVisible(order: Order): boolean;
  switches: Switches;
}

/** The hour of a date, because only the hour counts; undefined for a text that is no date (an unescaped '+' arrives as a space). */
function hourOf(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.floor(at / HOUR) * HOUR;
}

/** `GET /orders/search`, with the limits of the real one. */
export function searchOrders(ledger: Ledger, params: URLSearchParams, sight: SearchSight): SandboxResponse {
  const seller = params.get('seller');
  if (!seller) return refuse(400, 'bad_request', 'seller or buyer is required');
  if (seller !== String(SELLER_ID)) return refuse(403, 'forbidden', 'The caller is not the seller');
  const limit = Math.min(Math.trunc(Number(params.get('limit') ?? LIMIT)), LIMIT);
  const offset = Math.trunc(Number(params.get('offset') ?? 0));
  if (!(limit >= 1) || !(offset >= 0)) return refuse(400, 'bad_request', 'Invalid limit or offset');
  if (offset + limit > MAX_OFFSET) return refuse(400, 'bad_request', `Invalid offset. The maximum is ${MAX_OFFSET}`);
  const sort = params.get('sort') ?? 'date_asc';
  if (sort !== 'date_asc' && sort !== 'date_desc') return refuse(400, 'bad_request', `Invalid sort ${sort}`);

  const tests: ((order: Order) => boolean)[] = [];
  for (const [name, instantOf] of Object.entries(DATES)) {
    for (const end of ['from', 'to'] as const) {
      const text = params.get(`${name}.${end}`);
      if (text === null) continue;
      const hour = hourOf(text);
      if (hour === undefined) return refuse(400, 'bad_request', `Invalid date ${name}.${end}: ${text}`);
      tests.push(end === 'from' ? (order) => instantOf(order) >= hour : (order) => instantOf(order) <= hour);
    }
  }
  const states = listOf(params.get('order.status'));
  const onlyCancelled = states.length === 1 && states[0] === 'cancelled';
  let lies = onlyCancelled ? sight.switches.canceladasFalsas : 0;
  tests.push((order) => {
    const status = statusOf(order);
    // A seller's search leaves cancelled orders out unless it asks for them.
    if (states.length === 0 ? status !== 'cancelled' : states.includes(status)) return true;
    return lies > 0 && status === 'paid';
  });
  const tags = listOf(params.get('tags'));
  if (tags.length > 0) tests.push((order) => tagsOf(order).some((tag) => tags.includes(tag)));
  const without = listOf(params.get('tags.not'));
  if (without.length > 0) tests.push((order) => !tagsOf(order).some((tag) => without.includes(tag)));
  const shipping = listOf(params.get('shipping.status'));
  if (shipping.length > 0)
    tests.push(({ sale }) => hasShipment(sale) && shipping.includes(sale.history.at(-1)?.status ?? ''));
  const q = params.get('q')?.toLowerCase();
  if (q) {
    tests.push(
      ({ id, line, sale }) =>
        String(id) === q ||
        line.product.itemId.toLowerCase() === q ||
        line.product.title.toLowerCase().includes(q) ||
        sale.buyer.nickname.toLowerCase() === q,
    );
  }
  const item = params.get('item')?.toLowerCase();
  if (item)
    tests.push(
      ({ line }) => line.product.itemId.toLowerCase() === item || line.product.title.toLowerCase().includes(item),
    );

  const hidden = new Set(listOf(sight.switches.ordenesOcultas));
  if (hidden.size > 0) tests.push(({ id }) => !hidden.has(String(id)));

  const found: Order[] = [];
  const counts = new Map<string, number>();
  for (const order of ledger.orders()) {
    if (!sight.visible(order) || !tests.every((test) => test(order))) continue;
    const status = statusOf(order);
    if (onlyCancelled && status !== 'cancelled') lies--;
    found.push(order);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  if (sort === 'date_desc') found.reverse();
  const other =
    sort === 'date_asc' ? { id: 'date_desc', name: 'Date descending' } : { id: 'date_asc', name: 'Date ascending' };
  return json(200, {
    query: params.get('q') ?? '',
    display: 'complete',
    paging: { total: found.length + sight.switches.totalErroneo, offset, limit },
    results: found
      .slice(offset, offset + limit)
      .map((order) => searchRow(order, { shipmentVisible: sight.shipmentVisible(order) }, onlyCancelled)),
    sort: { id: sort, name: sort === 'date_asc' ? 'Date ascending' : 'Date descending' },
    available_sorts: [other],
    filters: [],
    available_filters: [
      {
        id: 'order.status',
        name: 'Order Status',
        type: 'text',
        values: [...counts].map(([id, results]) => ({ id, name: STATUS_NAMES[id] ?? id, results })),
      },
    ],
  });
}
