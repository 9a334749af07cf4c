import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { zulu } from './clock';
import { DAY, MINUTE, SECOND, SELLER_ID } from './constants';
import { PRODUCTS } from './data/products';
import {
  itemDocument,
  priceToWinDocument,
  pricesDocument,
  salePriceDocument,
  userProductOf,
  type Attribute,
  type Item,
} from './itemDocument';
import type { Notifier } from './notifications';
import { hashOf } from './random';
import type { Switches } from './switches';

/** Listings of the seller: scan, multiget, and the partial PUT with its rules. */

export interface ItemsState {
  /** Listings made up in bulk, by their number. Those that changed since stand in `items`. */
  grown: { count: number; skus: string[]; at: number };
  items: Record<string, Item>;
  order: string[];
  scan: number;
}

export const emptyItems = (): ItemsState => ({
  grown: { count: 0, skus: [], at: 0 },
  items: {},
  order: [],
  scan: 0,
});

const GROWN = 3_000_000_000;
const PAGE_MAX = 100;
const MULTIGET = 20;
const LAST_OFFSET = 1_000;
const SCAN_LIFE = 5 * MINUTE;
const FILTERS = new Set(['pending', 'not_yet_active', 'programmed', 'active', 'paused', 'closed']);
const EDITABLE = new Set(['active', 'paused', 'closed']);

const notFound = (id: string) => refuse(404, 'not_found', `Item with id ${id} not found`);

export interface ItemsOptions {
  now(): number;
  changed(): void;
  switches(): Switches;
  notifier: Notifier;
}

export class Items {
  state = emptyItems();
  /** Changes that were written, in order. Tests compare them with the changes that the product should have sent. */
  readonly puts: { id: string; at: number; body: Record<string, unknown> }[] = [];
  /** Changes of pieces by place that were written, in order. */
  readonly stockPuts: { id: string; body: Record<string, unknown> }[] = [];
  readonly #scans = new Map<string, { at: number; offset: number; asked: string }>();
  readonly #calls: number[] = [];
  /** The highest number of calls about items in a minute, and the number of refused ones. */
  busiest = 0;
  refused = 0;

  constructor(readonly options: ItemsOptions) {}

  reset() {
    this.state = emptyItems();
    this.puts.length = 0;
    this.stockPuts.length = 0;
    this.#scans.clear();
    this.#calls.length = 0;
    this.busiest = 0;
    this.refused = 0;
  }

  /** Puts the demo's products on sale. */
  seed(anchor: number) {
    for (const product of PRODUCTS)
      this.add({
        id: product.itemId,
        title: product.title,
        price: product.price / 100,
        quantity: 3 + (product.index % 9),
        sold: product.index % 13,
        status: product.index % 11 === 10 ? 'paused' : 'active',
        subStatus: product.index % 11 === 10 ? ['paused_by_seller'] : [],
        sku: product.sku,
        categoryId: product.categoryId,
        listingType: product.listingType,
        createdAt: anchor - (200 - product.index) * DAY,
        updatedAt: anchor - (product.index + 1) * MINUTE,
        ...(product.index % 4 === 1 && { catalog: pageOf(product.index, product.price / 100) }),
      });
  }

  add(item: Item): Item {
    if (!this.state.items[item.id]) this.state.order.push(item.id);
    this.state.items[item.id] = item;
    this.options.changed();
    return item;
  }

  /** Makes up so many listings, with the given skus one after another. */
  grow(count: number, skus: string[]) {
    this.state.grown = { count, skus, at: this.options.now() };
    this.options.changed();
  }

  get size() {
    return this.state.order.length + this.state.grown.count;
  }

  /** Returns the listing of a user product. */
  byUserProduct(id: string): Item | undefined {
    const own = this.get(id.replace(/^MLMU/, 'MLM'));
    return own && userProductOf(own) === id ? own : undefined;
  }

  get(id: string): Item | undefined {
    const kept = this.#found(id);
    return kept && this.options.switches().almacenes > 0 ? { ...kept, userProduct: true } : kept;
  }

  #found(id: string): Item | undefined {
    const kept = this.state.items[id];
    if (kept) return kept;
    const n = /^MLM(\d+)$/.exec(id) ? Number(id.slice(3)) - GROWN : -1;
    return n >= 0 && n < this.state.grown.count ? this.#grown(n) : undefined;
  }

  #grown(n: number): Item {
    const { skus, at } = this.state.grown;
    return {
      id: `MLM${GROWN + n}`,
      title: `Publicación ${n} cámara de seguridad modelo ${hashOf('m', n) % 10_000}`,
      price: 500 + (n % 900),
      quantity: 10,
      sold: n % 7,
      status: 'active',
      subStatus: [],
      sku: skus[n] ?? null,
      categoryId: PRODUCTS[n % PRODUCTS.length]!.categoryId,
      listingType: n % 2 === 0 ? 'gold_special' : 'gold_pro',
      createdAt: at - DAY - n * SECOND,
      updatedAt: at - n * SECOND,
    };
  }

  /** Keeps a listing by itself, as one made up in bulk needs once it differs. */
  #keep(item: Item): Item {
    this.state.items[item.id] = item;
    return item;
  }

  *ids(): Generator<string> {
    yield* this.state.order;
    for (let n = 0; n < this.state.grown.count; n++) yield `MLM${GROWN + n}`;
  }

  /**
   * Counts a call about items. Returns its refusal over the limit that the switch sets, since the real limit is not published; undefined when the
   * call may pass.
   */
  #limited(): SandboxResponse | undefined {
    const limit = this.options.switches().llamadasPorMinuto;
    const now = Date.now();
    while (this.#calls.length > 0 && this.#calls[0]! <= now - MINUTE) this.#calls.shift();
    if (limit > 0 && this.#calls.length >= limit) {
      this.refused++;
      return refuse(429, 'local_rate_limited', 'Too many requests');
    }
    this.#calls.push(now);
    this.busiest = Math.max(this.busiest, this.#calls.length);
    return undefined;
  }

  /** Answers `/items…` and `/users/{id}/items/search`; undefined for other calls. */
  handle(request: SandboxRequest, parts: string[]): SandboxResponse | undefined {
    const search = request.url.searchParams;
    if (parts[0] === 'users' && parts[2] === 'items' && parts[3] === 'search' && request.method === 'GET') {
      if (parts[1] !== String(SELLER_ID)) return refuse(403, 'forbidden', 'The caller is not authorized');
      return this.#limited() ?? this.#search(search);
    }
    if (parts[0] === 'pricing-automation' && parts[1] === 'users' && parts[3] === 'items' && request.method === 'GET') {
      if (parts[2] !== String(SELLER_ID)) return refuse(403, 'forbidden', 'The caller is not authorized');
      return this.#automated(search);
    }
    if (parts[0] !== 'items') return undefined;
    if (parts.length === 1) return request.method === 'GET' ? (this.#limited() ?? this.#multiget(search)) : undefined;
    const id = parts[1]!;
    const item = this.get(id);
    if (parts.length === 3 && parts[2] === 'description' && request.method === 'GET')
      return item?.extra?.description
        ? json(200, { text: '', plain_text: item.extra.description, last_updated: zulu(item.updatedAt) })
        : refuse(404, 'not_found', 'The item has no description');
    if (parts.length === 3 && parts[2] === 'prices' && request.method === 'GET')
      return this.#limited() ?? (item ? json(200, pricesDocument(item)) : notFound(id));
    if (parts.length === 3 && parts[2] === 'sale_price' && request.method === 'GET') {
      if (!search.get('context')?.split(',').includes('channel_marketplace'))
        return refuse(400, 'invalid_param', 'context is not valid');
      return this.#limited() ?? (item ? json(200, salePriceDocument(item, this.options.now())) : notFound(id));
    }
    if (parts.length === 3 && parts[2] === 'price_to_win' && request.method === 'GET')
      return this.#limited() ?? (item ? this.#priceToWin(item) : notFound(id));
    if (parts.length !== 2) return undefined;
    if (request.method === 'GET') return this.#limited() ?? (item ? json(200, this.#document(item)) : notFound(id));
    if (request.method === 'PUT') return this.#limited() ?? (item ? this.#put(item, request) : notFound(id));
    return undefined;
  }

  #search(search: URLSearchParams): SandboxResponse {
    const limit = Math.min(PAGE_MAX, Math.max(1, Number(search.get('limit') ?? 50)));
    const status = search.get('status');
    const sku = search.get('seller_sku');
    if (status && !FILTERS.has(status)) return refuse(400, 'invalid_status', `Invalid status ${status}`);
    const matches = [...this.ids()].filter((id) => {
      if (!status && !sku) return true;
      const item = this.get(id)!;
      return (!status || item.status === status) && (!sku || item.sku === sku);
    });
    const body = (results: string[] | null, more: object) =>
      json(200, {
        seller_id: String(SELLER_ID),
        query: null,
        paging: { limit, offset: 0, total: matches.length },
        results,
        orders: [{ id: 'stop_time_asc', name: 'Order by stop time ascending' }],
        available_orders: [{ id: { id: 'stop_time', field: 'stop_time', missing: '_last', order: 'asc' }, name: 'x' }],
        ...more,
      });
    if (search.get('search_type') === 'scan') {
      if (search.has('offset')) return refuse(400, 'invalid_param', 'offset is not allowed in scan mode');
      return this.#scan(search, matches, limit, body);
    }
    const offset = Math.max(0, Number(search.get('offset') ?? 0));
    if (offset + limit > LAST_OFFSET)
      return refuse(400, 'invalid_offset', 'Invalid limit and offset values. The maximum is 1000 records');
    const order = search.get('orders') ?? 'stop_time_asc';
    if (order.startsWith('last_updated')) {
      matches.sort((a, b) => this.get(a)!.updatedAt - this.get(b)!.updatedAt);
      if (order.endsWith('desc')) matches.reverse();
    }
    return body(matches.slice(offset, offset + limit), { paging: { limit, offset, total: matches.length } });
  }

  #scan(
    search: URLSearchParams,
    matches: string[],
    limit: number,
    body: (results: string[] | null, more: object) => SandboxResponse,
  ): SandboxResponse {
    const now = this.options.now();
    const asked = `${search.get('status') ?? ''} ${search.get('seller_sku') ?? ''}`;
    const given = search.get('scroll_id');
    const scan = given ? this.#scans.get(given) : { at: now, offset: 0, asked };
    if (!scan || now - scan.at > SCAN_LIFE || scan.asked !== asked)
      return refuse(400, 'invalid_scroll_id', 'Invalid scroll_id');
    const id = given ?? `YXBpY29yZS1pdGVtcw==:${++this.state.scan}`;
    const page = matches.slice(scan.offset, scan.offset + limit);
    this.#scans.set(id, { at: now, offset: scan.offset + page.length, asked });
    const end = this.options.switches().scanNulo && page.length === 0 ? null : page;
    return body(end, { scroll_id: id });
  }

  #multiget(search: URLSearchParams): SandboxResponse {
    const ids = (search.get('ids') ?? '').split(',').filter(Boolean);
    if (ids.length === 0 || ids.length > MULTIGET)
      return refuse(400, 'bad_request', `The number of ids must be between 1 and ${MULTIGET}`);
    const only = search.get('attributes')?.split(',');
    return json(
      200,
      ids.map((id) => {
        const item = this.get(id);
        if (!item)
          return {
            code: 404,
            body: { message: `Item with id ${id} not found`, error: 'not_found', status: 404, cause: [] },
          };
        const document: Record<string, unknown> = this.#document(item);
        return {
          code: 200,
          body: only
            ? Object.fromEntries(only.flatMap((name) => (name in document ? [[name, document[name]]] : [])))
            : document,
        };
      }),
    );
  }

  #put(item: Item, request: SandboxRequest): SandboxResponse {
    const body = request.data();
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      return refuse(400, 'body.invalid', 'The body is not valid');
    const wanted = body as Record<string, unknown>;
    const now = this.options.now();
    if (this.options.switches().candadoMs > 0 && now - item.updatedAt < this.options.switches().candadoMs)
      return refuse(409, 'conflict', 'item optimistic locking error');
    if (item.status === 'closed' && wanted.deleted !== 'true')
      return refuse(400, 'item.status.invalid', 'Cannot update item with status closed');
    const next: Item = { ...item };
    const warnings: unknown[] = [];
    const {
      price,
      available_quantity: quantity,
      status,
      title,
      variations,
      attributes,
      category_id: category,
    } = wanted;
    if (price !== undefined) {
      if (typeof price !== 'number' || !(price > 0)) return refuse(400, 'item.price.invalid', 'Invalid price');
      if (item.variations) return refuse(400, 'item.price.invalid', 'Price must be set in the variations');
      if (!item.dynamic) next.price = price;
      else if (Object.keys(wanted).length === 1)
        return refuse(400, 'item.price.not_modifiable', 'Cannot modify price on items with dynamic pricing');
      else
        warnings.push({
          department: 'items',
          cause_id: 502,
          code: 'item.price.not_modifiable',
          references: ['item.price'],
        });
    }
    if (quantity !== undefined) {
      if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 0)
        return refuse(400, 'item.available_quantity.invalid', 'Invalid available_quantity');
      const { almacenes, stockIgnorado } = this.options.switches();
      if (almacenes > 0 && !stockIgnorado)
        return refuse(400, 'bad_request', 'the fields [available_quantity] are invalid for requested call');
      if (item.inFull !== undefined && almacenes === 0)
        return refuse(400, 'item.available_quantity.not_modifiable', 'Stock of fulfillment items cannot be modified');
      if (item.full)
        return refuse(400, 'item.available_quantity.not_modifiable', 'Stock of fulfillment items cannot be modified');
      if (item.variations)
        return refuse(400, 'item.available_quantity.invalid', 'available_quantity must be set in the variations');
      if (almacenes === 0) next.quantity = quantity;
    }
    if (variations !== undefined) {
      if (!Array.isArray(variations)) return refuse(400, 'item.variations.invalid', 'Invalid variations');
      const given = variations as { id?: number; price?: number; available_quantity?: number }[];
      // Variations that the body does not name are deleted.
      next.variations = (item.variations ?? [])
        .filter(({ id }) => given.some((one) => one.id === id))
        .map((one) => {
          const said = given.find(({ id }) => id === one.id)!;
          return { ...one, price: said.price ?? one.price, quantity: said.available_quantity ?? one.quantity };
        });
      next.quantity = next.variations.reduce((sum, one) => sum + one.quantity, 0);
      next.price = next.variations[0]?.price ?? next.price;
    }
    if (title !== undefined) {
      if (item.sold > 0) return refuse(400, 'item.title.not_modifiable', 'Cannot update title: the item has sales');
      next.title = String(title);
    }
    if (category !== undefined) {
      if (item.sold > 0)
        return refuse(400, 'item.category_id.not_modifiable', 'Cannot update category: the item has sales');
      next.categoryId = String(category);
    }
    if (Array.isArray(attributes)) {
      const merged = new Map((item.attributes ?? []).map((one) => [one.id, one]));
      for (const one of attributes as Attribute[])
        if (one.value_name === null && one.value_id !== '-1') merged.delete(one.id);
        else merged.set(one.id, { ...one });
      next.attributes = [...merged.values()];
      const sku = (attributes as Attribute[]).find(({ id }) => id === 'SELLER_SKU');
      if (sku) next.sku = sku.value_name ?? null;
    }
    if (status !== undefined) {
      if (typeof status !== 'string' || !EDITABLE.has(status))
        return refuse(400, 'item.status.invalid', `Invalid status ${String(status)}`);
      next.status = status;
      next.subStatus = status === 'paused' ? ['paused_by_seller'] : [];
    }
    // Raising the list price ends a promotion, and so does a price at or below it.
    if (next.deal !== undefined && (next.price > item.price || next.price <= next.deal)) delete next.deal;
    settle(next, item, status !== undefined);
    next.updatedAt = Math.max(now, item.updatedAt + 1);
    this.#keep(next);
    this.puts.push({ id: item.id, at: now, body: wanted });
    this.options.notifier.announce('items', `/items/${item.id}`);
    this.options.changed();
    return json(200, { ...this.#document(next), warnings });
  }

  #document(item: Item): Record<string, unknown> {
    return itemDocument(item, { sinPrecios: this.options.switches().preciosAparte });
  }

  #priceToWin(item: Item): SandboxResponse {
    const { precioParaGanar } = this.options.switches();
    if (precioParaGanar === '403') return refuse(403, 'forbidden', 'The caller is not authorized');
    const document = priceToWinDocument(item);
    if (precioParaGanar === 'sinPrecio') return json(200, { ...document, price_to_win: null, winner: null });
    return json(200, precioParaGanar === 'estadoNuevo' ? { ...document, status: 'almost_winning' } : document);
  }

  /** Lists the listings whose price the marketplace moves, at most a hundred at once. */
  #automated(search: URLSearchParams): SandboxResponse {
    const [offset, limit] = [Number(search.get('offset') ?? 0), Number(search.get('limit') ?? 50)];
    if (!(limit >= 1 && limit <= 100) || !(offset >= 0))
      return refuse(400, 'argument_not_valid', 'limit must be between 1 and 100');
    const all = Object.values(this.state.items).filter(({ dynamic }) => dynamic);
    const items = all.slice(offset, offset + limit).map(({ id }) => id);
    return json(200, { items, paging: { total: all.length, offset, limit } });
  }

  /** Changes a listing on the marketplace's side, and announces it unless `sinAviso`. */
  change(id: string, change: Partial<Item>, sinAviso = false): Item | undefined {
    const item = this.get(id);
    if (!item) return undefined;
    const next = { ...item, ...change, updatedAt: Math.max(this.options.now(), item.updatedAt + 1) };
    if (change.status === undefined) settle(next, item, false);
    this.#keep(next);
    if (!sinAviso) {
      const deOferta = Object.keys(change).every((name) => name === 'deal');
      const comoItem = !deOferta || this.options.switches().avisoDePrecioComoItem;
      this.options.notifier.announce(comoItem ? 'items' : 'items_prices', `/items/${id}`);
      if (change.stores !== undefined || change.inFull !== undefined)
        this.options.notifier.announce('stock-location', `/user-products/${userProductOf(next)}/stock`);
    }
    this.options.changed();
    return next;
  }
}

/** Pauses a listing without stock, and brings back one that was paused for lack of stock alone. */
function settle(next: Item, before: Item, said: boolean): void {
  if (next.quantity === 0 && next.status === 'active') {
    next.status = 'paused';
    next.subStatus = ['out_of_stock'];
  } else if (!said && before.status === 'paused' && before.subStatus.includes('out_of_stock') && next.quantity > 0) {
    next.status = 'active';
    next.subStatus = [];
  }
}

/** The catalogue page of the demo's product with this number: of some it wins, of others it shares the first place, loses, or may not win. */
const pageOf = (index: number, price: number): NonNullable<Item['catalog']> => {
  const turn = Math.trunc(index / 4) % 4;
  return {
    product: `MLM${18_000_000 + index}`,
    rivals: [turn === 0 ? price + 60 : turn === 1 ? price : Math.max(1, Math.round(price * 0.94)), price + 110],
    ...(turn === 3 && { reasons: ['winner_has_better_reputation'] }),
  };
};
