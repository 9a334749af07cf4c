import { json, type SandboxRequest, type SandboxResponse } from '../service';
import { refuse } from './answers';
import { zulu } from './clock';
import { DAY } from './constants';
import type { Items } from './items';
import type { Switches } from './switches';

/** Promotions of listings and the list of listings that get no automatic ones: `/seller-promotions`. */

export interface Offer {
  type: string;
  /** Id of the promotion; a discount of the seller alone has none. */ id?: string;
  status: string;
  /** Price in pesos. */ price: number;
  meli?: number;
  seller?: number;
  name?: string;
  from: number;
  to: number;
}

export interface PromotionsState {
  offers: Record<string, Offer[]>;
  excluded: string[];
}

export const emptyPromotions = (): PromotionsState => ({ offers: {}, excluded: [] });

/** The type that only the seller's page ends, and those that a removal without a type leaves. */
const PAID_BY_MELI = 'PRICE_MATCHING_MELI_ALL';
const LEFT = new Set(['DOD', 'LIGHTNING']);
/** Types that the marketplace starts by itself, until a listing is excluded. */
const AUTOMATIC = new Set(['SMART', 'PRICE_MATCHING', PAID_BY_MELI]);

interface Options {
  items: Items;
  now(): number;
  changed(): void;
  switches(): Switches;
}

export class Promotions {
  state = emptyPromotions();
  /** Writes that were done, in order. */
  readonly writes: { what: 'excluir' | 'incluir' | 'quitar'; id: string; type?: string }[] = [];

  constructor(readonly options: Options) {}

  reset() {
    this.state = emptyPromotions();
    this.writes.length = 0;
  }

  /** Starts a promotion of a listing, or invites it to one. False for an automatic one of an excluded listing. */
  start(id: string, offer: Omit<Offer, 'from' | 'to'>, sinAviso: boolean): boolean {
    if (AUTOMATIC.has(offer.type) && this.state.excluded.includes(id)) return false;
    const now = this.options.now();
    const others = this.#of(id).filter((one) => one.type !== offer.type || one.id !== offer.id);
    this.#put(id, [...others, { ...offer, from: now, to: now + 14 * DAY }], sinAviso);
    return true;
  }

  #of = (id: string) => this.state.offers[id] ?? [];

  /** Keeps the offers of a listing. It is sold at the lowest price of those that run. */
  #put(id: string, offers: Offer[], sinAviso: boolean) {
    this.state.offers[id] = offers;
    const running = offers.filter(({ status }) => status === 'started').map(({ price }) => price);
    this.options.items.change(id, { deal: running.length > 0 ? Math.min(...running) : undefined }, sinAviso);
    this.options.changed();
  }

  handle(request: SandboxRequest, parts: string[]): SandboxResponse | undefined {
    if (parts[0] !== 'seller-promotions') return undefined;
    const { searchParams: search } = request.url;
    if (search.get('app_version') !== 'v2') return refuse(400, 'bad_request', 'app_version is required');
    if (this.options.switches().promociones === '403') return refuse(403, 'forbidden', 'The caller is not authorized');
    const [, what, second, third] = parts;
    if (what === 'items' && second !== undefined && third === undefined) {
      if (!this.options.items.get(second)) return refuse(404, 'not_found', `Item with id ${second} not found`);
      if (request.method === 'GET') return this.#read(second);
      if (request.method === 'DELETE') return this.#remove(second, search);
    }
    if (what === 'exclusion-list' && second === 'seller' && third !== undefined && request.method === 'GET')
      return this.options.items.get(third)
        ? json(200, { excluded: this.state.excluded.includes(third) ? 'excluded' : 'not_excluded' })
        : refuse(404, 'not_found', `Item with id ${third} not found`);
    if (what === 'exclusion-list' && second === 'item' && request.method === 'POST')
      return this.#exclude(request.data() as Record<string, unknown> | undefined);
    return refuse(404, 'not_found', 'Resource not found');
  }

  #read(id: string): SandboxResponse {
    const item = this.options.items.get(id)!;
    const { promociones, promocionesSueltas } = this.options.switches();
    const documents = this.#of(id).map((offer, n) => ({
      ...(offer.id !== undefined && { id: offer.id }),
      type: offer.type,
      ...(offer.status !== 'candidate' && { ref_id: `OFFER-${id}-${n + 1}` }),
      status: promociones === 'estadoNuevo' ? 'almost_started' : offer.status,
      price: offer.status === 'candidate' ? 0 : offer.price,
      original_price: item.price,
      ...(offer.meli !== undefined && { meli_percentage: offer.meli }),
      ...(offer.seller !== undefined && { seller_percentage: offer.seller }),
      start_date: zulu(offer.from),
      finish_date: zulu(offer.to),
      name: offer.name ?? '',
    }));
    return json(200, promocionesSueltas && documents.length === 1 ? documents[0] : documents);
  }

  #exclude(body: Record<string, unknown> | undefined): SandboxResponse {
    const { item_id: id, exclusion_status: status } = body ?? {};
    const { exclusion, excluirTermina } = this.options.switches();
    // Texts, and no booleans.
    if (status !== 'true' && status !== 'false')
      return refuse(400, 'bad_request', 'exclusion_status must be "true" or "false"');
    if (typeof id !== 'string' || !this.options.items.get(id))
      return refuse(404, 'not_found', `Item with id ${String(id)} not found`);
    if (exclusion === 'niega') return refuse(400, 'bad_request', 'The item can not be excluded');
    this.writes.push({ what: status === 'true' ? 'excluir' : 'incluir', id });
    if (exclusion !== 'sinEfecto')
      this.state.excluded = [...this.state.excluded.filter((one) => one !== id), ...(status === 'true' ? [id] : [])];
    if (status === 'true' && excluirTermina)
      this.#put(
        id,
        this.#of(id).filter(({ type }) => !AUTOMATIC.has(type)),
        true,
      );
    this.options.changed();
    return exclusion === 'vacia'
      ? { status: 200 }
      : json(200, { excluded: status === 'true' ? 'excluded' : 'not_excluded' });
  }

  #remove(id: string, search: URLSearchParams): SandboxResponse {
    const switches = this.options.switches();
    if (switches.ofertasConCandado > 0) {
      switches.ofertasConCandado--;
      return refuse(423, 'locked', 'The item is locked');
    }
    const [type, promotion] = [search.get('promotion_type'), search.get('promotion_id')];
    const named = this.#of(id).filter((one) =>
      type === null ? !LEFT.has(one.type) : one.type === type && (one.id ?? null) === promotion,
    );
    if (type !== null && named.length === 0) return refuse(404, 'not_found', 'Offer not found');
    const stays = named.filter((one) => one.type === PAID_BY_MELI || switches.quitarOferta === 'soloErrores');
    const ended = named.filter((one) => !stays.includes(one));
    if (ended.length > 0) {
      this.writes.push({ what: 'quitar', id, ...(type !== null && { type }) });
      this.#put(
        id,
        this.#of(id).filter((one) => !ended.includes(one)),
        false,
      );
    }
    if (switches.quitarOferta === 'vacia' && stays.length === 0) return { status: 200 };
    const offerOf = (one: Offer) => `OFFER-${id}-${one.id ?? one.type}`;
    return json(200, {
      successful_ids: ended.map((one) => ({ offer_id: offerOf(one), error: null })),
      errors: stays.map((one) => ({ offer_id: offerOf(one), error: 'The offer can not be deleted' })),
    });
  }
}
