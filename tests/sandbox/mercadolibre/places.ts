import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { MINUTE, SELLER_ID } from './constants';
import { userProductOf, type Item } from './itemDocument';
import type { Items } from './items';
import type { NewItem, Publishing } from './publishing';
import type { Published } from './published';
import type { Switches } from './switches';

/** Stock by place: the stores of the account, the pieces of its user products there, and listings that are published with their stores. */
interface Options {
  items: Items;
  publishing: Publishing;
  published: Published;
  switches(): Switches;
}

type Given = { store_id?: unknown; network_node_id?: unknown; quantity?: unknown };

/** Reads of stock in a minute, as the vendor tells them for other countries. */
const READS = 100;
/** Versions are of 64 bits: no number of a script holds them exactly. */
const FIRST_VERSION = 9_007_199_254_740_993n;
const NAMES = ['Bodega Colima', 'Bodega Vallejo', 'Bodega Toluca', 'Bodega Puebla'];

export class Places {
  readonly #reads: number[] = [];

  constructor(readonly options: Options) {}

  stores() {
    const { almacenes, nodoConLetras } = this.options.switches();
    return Array.from({ length: almacenes }, (_, n) => ({
      id: String(71_000_001 + n),
      user_id: String(SELLER_ID),
      description: NAMES[n] ?? `Bodega ${n + 1}`,
      status: 'active',
      location: {
        address_id: 1_200_000_001 + n,
        address_line: 'Calle Colima 150',
        street_name: 'Calle Colima',
        street_number: 150,
        latitude: 19.42,
        longitude: -99.16,
        city: 'Cuauhtémoc',
        state: 'Distrito Federal',
        country: 'México',
        zip_code: '06700',
      },
      tags: ['stock_location'],
      network_node_id: `${nodoConLetras ? 'MXP' : ''}${123_451 + n}`,
      services: { stock_location: ['cross_docking', 'self_service'] },
    }));
  }

  search(): SandboxResponse {
    const results = this.stores();
    return json(200, { paging: { limit: 50, total: results.length }, results });
  }

  /** Answers `/user-products/…` and `/items/multiwarehouse`; undefined for other calls. */
  handle(request: SandboxRequest, parts: string[]): SandboxResponse | undefined {
    if (request.method === 'POST' && parts[0] === 'items' && parts[1] === 'multiwarehouse')
      return this.#publish((request.data() ?? {}) as NewItem);
    if (parts[0] !== 'user-products' || parts[2] !== 'stock') return undefined;
    const item = this.options.items.byUserProduct(parts[1]!);
    if (!item) return refuse(404, 'not_found', `User product not found: ${parts[1]}`);
    if (parts.length === 3 && request.method === 'GET') return this.#read(item);
    if (parts[3] !== 'type') return undefined;
    if (parts[4] === 'selling_address')
      return refuse(403, 'forbidden', 'the site is blocked for modifications to the selling address');
    if (parts[4] !== 'seller_warehouse') return undefined;
    const body = (request.data() ?? {}) as Record<string, unknown>;
    if (request.method === 'PUT') return this.#put(item, body, request.headers['x-version']);
    return request.method === 'POST' ? this.#attach(item, body) : undefined;
  }

  #read(item: Item): SandboxResponse {
    const now = Date.now();
    while (this.#reads.length > 0 && this.#reads[0]! <= now - MINUTE) this.#reads.shift();
    if (this.#reads.length >= READS) return refuse(429, 'local_rate_limited', 'Too many requests');
    this.#reads.push(now);
    const locations = this.#locations(item);
    if (locations.length === 0) return refuse(404, 'not_found', 'stock-locations not found');
    return json(200, { id: userProductOf(item), user_id: SELLER_ID, locations }, { 'x-version': this.#version(item) });
  }

  #version = (item: Item) => String(FIRST_VERSION + BigInt(item.stockVersion ?? 0));

  #locations(item: Item) {
    const stores = this.stores();
    const inStores = this.placesOf(item);
    return [
      ...(item.inFull !== undefined ? [{ type: 'meli_facility', quantity: item.inFull }] : []),
      ...(item.full ? [{ type: 'meli_facility', quantity: item.quantity }] : []),
      ...(stores.length === 0 && !item.full ? [{ type: 'selling_address', quantity: item.quantity }] : []),
      ...stores.flatMap(({ id, network_node_id }) =>
        inStores[id] === undefined
          ? []
          : [{ type: 'seller_warehouse', quantity: inStores[id], store_id: id, network_node_id }],
      ),
    ];
  }

  /** Returns the pieces of a listing by store. When the account moves to stores, all pieces are at the first. */
  placesOf(item: Item): Record<string, number> {
    const [first] = this.stores();
    if (item.stores) return item.stores;
    return first && !item.full ? { [first.id]: item.quantity } : {};
  }

  /** Returns why a place is refused; undefined for a store of the account that is named as its search names it. */
  #wrong(places: readonly Given[]): SandboxResponse | undefined {
    const stores = this.stores();
    for (const { store_id: id, network_node_id: node, quantity } of places) {
      if (id === undefined || id === null || id === '')
        return refuse(400, 'bad_request', 'store cannot be null or empty');
      const store = stores.find((one) => one.id === id);
      if (!store) return refuse(400, 'bad_request', `store not found: ${String(id)}`);
      if (node !== store.network_node_id)
        return refuse(400, 'bad_request', 'store is not configured to be a stock location');
      if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 0)
        return refuse(400, 'bad_request', 'quantity is invalid');
    }
    return undefined;
  }

  #keep(item: Item, places: readonly Given[]): Item {
    const stores = { ...this.placesOf(item) };
    for (const { store_id: id, quantity } of places) stores[String(id)] = Number(quantity);
    const quantity = Object.values(stores).reduce((sum, one) => sum + one, 0);
    const stockVersion = (item.stockVersion ?? 0) + 1;
    return this.options.items.change(item.id, { stores, quantity, stockVersion })!;
  }

  #put(item: Item, body: Record<string, unknown>, version: unknown): SandboxResponse {
    if (version === undefined) return refuse(400, 'bad_request', 'Missing X-Version header');
    if (!Array.isArray(body.locations) || body.locations.length === 0)
      return refuse(400, 'bad_request', 'the fields [locations] are required for requested call');
    const places = body.locations as Given[];
    const wrong = this.#wrong(places);
    if (wrong) return wrong;
    const switches = this.options.switches();
    let present = item;
    if (switches.versionesMovidas > 0) {
      switches.versionesMovidas--;
      // Somebody else wrote the pieces between the read and this write.
      present = this.options.items.change(item.id, { stockVersion: (item.stockVersion ?? 0) + 1 }, true)!;
    }
    if (version !== this.#version(present)) return refuse(409, 'conflict', 'Version mismatch');
    const inStores = this.placesOf(present);
    if (places.some(({ store_id: id }) => inStores[String(id)] === undefined))
      return refuse(404, 'not_found', 'stock-locations not found');
    const next = this.#keep(present, places);
    this.options.items.stockPuts.push({ id: item.id, body });
    return json(200, {
      user_id: SELLER_ID,
      id: userProductOf(item),
      product_release_date: null,
      locations: this.#locations(next),
    });
  }

  /** Gives a user product a place at a store. Both forms of the vendor's page are taken. */
  #attach(item: Item, body: Record<string, unknown>): SandboxResponse {
    const places = (Array.isArray(body.stock_locations) ? body.stock_locations : [body]) as Given[];
    const wrong = this.#wrong(places);
    if (wrong) return wrong;
    this.#keep(item, places);
    this.options.items.stockPuts.push({ id: item.id, body });
    return json(200, places);
  }

  #publish(item: NewItem): SandboxResponse {
    const places = item.stock_locations as Given[] | undefined;
    if (item.available_quantity !== undefined)
      return refuse(400, 'bad_request', 'the fields [available_quantity] are invalid for requested call');
    if (this.stores().length === 0)
      return refuse(400, 'bad_request', 'the fields [stock_locations] are invalid for requested call');
    if (!Array.isArray(places) || places.length === 0)
      return refuse(400, 'bad_request', 'the fields [stock_locations] are required for requested call');
    const wrong = this.#wrong(places);
    if (wrong) return wrong;
    const stores = Object.fromEntries(places.map(({ store_id: id, quantity }) => [String(id), Number(quantity)]));
    return this.options.published.create(item, stores);
  }
}
