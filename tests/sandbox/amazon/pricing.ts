import { bodyOf, json, type SandboxRequest, type SandboxResponse } from '../service';
import { no, type Operations, type World } from './answers';
import { MARKETPLACE_ID, SELLER_ID } from './constants';
import type { Listings } from './listings';
import type { Publicacion } from './publicacion';

const URI = '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice';
const MAX_ROWS = 40;
const OTHER = 'A9OTROVENDEDOR';

type Asked = { method?: string; uri?: string; marketplaceId?: string; sku?: string };

/** Pricing 2022-05-01: the price at which an offer is expected to be the featured one. Each row of a batch has a status of its own. */
export class Pricing {
  /** The questions, by the number of their rows. */
  readonly asked: number[] = [];

  constructor(readonly options: Pick<World, 'interruptores'> & { listings: Listings }) {}

  reset() {
    this.asked.length = 0;
  }

  get operations(): Operations {
    return {
      [`POST /batches${URI}`]: ['getFeaturedOfferExpectedPriceBatch', (request) => this.#batch(request)],
    };
  }

  #batch(request: SandboxRequest): SandboxResponse {
    const { requests = [] } = bodyOf(request) as { requests?: Asked[] };
    if (requests.length === 0 || requests.length > MAX_ROWS)
      return no(400, 'InvalidInput', 'Invalid number of requests.');
    this.asked.push(requests.length);
    const { interruptores } = this.options;
    if (interruptores.is('ofertaDestacada', '403'))
      return no(403, 'Unauthorized', 'Access to requested resource is denied.');
    const rows = requests.map((asked) => this.#row(asked));
    if (rows.every(({ status }) => status.statusCode === 400) && interruptores.is('soloFilasMalas', '400'))
      return no(400, 'InvalidInput', 'All requests are invalid.');
    return json(200, { responses: interruptores.is('filasDePrecio', 'alReves') ? rows.toReversed() : rows });
  }

  #row({ method, uri, marketplaceId, sku = '' }: Asked) {
    const { interruptores, listings } = this.options;
    const answer = (statusCode: number, reasonPhrase: string, body: object) => ({
      request: { marketplaceId, sku },
      headers: {},
      status: { statusCode, reasonPhrase },
      body,
    });
    const refused = (code: string, message: string) => answer(400, 'Bad Request', { errors: [{ code, message }] });
    if (method !== 'GET' || uri !== URI || marketplaceId !== MARKETPLACE_ID)
      return refused('INVALID_REQUEST', 'Invalid request.');
    if (interruptores.is('ofertaDestacada', 'sinServicio'))
      return refused('INVALID_MARKETPLACE', 'The marketplace is not supported.');
    const one = listings.todas.get(sku);
    if (!one || one.centavos === null) return refused('INVALID_SKU', `The SKU ${sku} is invalid.`);
    const offerIdentifier = { marketplaceId, asin: one.asin, sku, sellerId: SELLER_ID, fulfillmentType: 'MFN' };
    return answer(200, 'OK', { offerIdentifier, featuredOfferExpectedPriceResults: [this.#result(one)] });
  }

  #result({ asin, centavos, rivales = [], destacada }: Publicacion) {
    const money = (cents: number) => ({ listingPrice: { amount: cents / 100, currencyCode: 'MXN' } });
    const offer = (sellerId: string, cents: number) => ({
      offerIdentifier: { marketplaceId: MARKETPLACE_ID, asin, sellerId, fulfillmentType: 'MFN' },
      condition: 'New',
      price: money(cents),
    });
    const ours = offer(SELLER_ID, centavos!);
    if (destacada === 'noElegible') return { resultStatus: 'OFFER_NOT_ELIGIBLE' };
    if (destacada === 'paginaSin') return { resultStatus: 'ASIN_NOT_ELIGIBLE' };
    if (rivales.length === 0)
      return {
        resultStatus: this.options.interruptores.is('sinOtraOferta', 'NO_COMPETING_OFFER')
          ? 'NO_COMPETING_OFFER'
          : 'NO_COMPETING_OFFERS',
        currentFeaturedOffer: ours,
      };
    const best = Math.min(...rivales);
    const other = offer(OTHER, best);
    const featured = destacada === 'nadie' ? undefined : centavos! <= best ? ours : other;
    return {
      resultStatus: this.options.interruptores.is('ofertaDestacada', 'resultadoNuevo')
        ? 'ALMOST_FEATURED'
        : 'VALID_FOEP',
      featuredOfferExpectedPrice: money(Math.max(1, best - 100)),
      competingFeaturedOffer: other,
      ...(featured && { currentFeaturedOffer: featured }),
    };
  }
}
