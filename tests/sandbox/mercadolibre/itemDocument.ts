/** A listing of the seller, and the document that tells it. */
import { zulu } from './clock';
import { DAY, SELLER_ID } from './constants';

export type Attribute = { id: string; value_id?: string | null; value_name?: string | null };

export interface Item {
  id: string;
  title: string;
  /** Price in pesos. */ price: number;
  quantity: number;
  sold: number;
  status: string;
  subStatus: string[];
  sku: string | null;
  categoryId: string;
  listingType: string;
  createdAt: number;
  updatedAt: number;
  /** Whether Mercado Libre keeps the stock. */ full?: boolean;
  /** The pieces that Mercado Libre keeps beside those of the seller. */ inFull?: number;
  /** The pieces by store, once somebody told them so. */ stores?: Record<string, number>;
  /** The number of changes of the pieces by place. */ stockVersion?: number;
  /** Whether the account sells user products. */ userProduct?: boolean;
  /** Whether the marketplace moves the price. */ dynamic?: boolean;
  /** Price in pesos of a promotion that runs. */ deal?: number;
  /** The catalogue page that it competes on, with the prices of the others in pesos, and why it may not win there. */
  catalog?: { product: string; rivals: number[]; reasons?: string[] };
  /** Whether the tag of such a listing is missing, so that only the list of automated listings tells it. */ sinEtiqueta?: boolean;
  variations?: { id: number; price: number; quantity: number; sku: string | null }[];
  attributes?: Attribute[];
  /** Other fields with which it was published. */ extra?: Record<string, unknown>;
}

/** Returns the user product whose pieces a listing sells. */
export const userProductOf = ({ id, extra }: Item): string =>
  typeof extra?.user_product_id === 'string' ? extra.user_product_id : id.replace('MLM', 'MLMU');

/** A listing as `GET /items/{id}` tells it. */
export function itemDocument(item: Item, { sinPrecios = false } = {}): Record<string, unknown> {
  const permalink = `https://articulo.mercadolibre.com.mx/MLM-${item.id.slice(3)}-publicacion-_JM`;
  return {
    id: item.id,
    site_id: 'MLM',
    title: item.title,
    subtitle: null,
    seller_id: SELLER_ID,
    category_id: item.categoryId,
    official_store_id: null,
    ...(!sinPrecios && {
      price: item.price,
      base_price: item.price,
      original_price: null,
    }),
    currency_id: 'MXN',
    initial_quantity: item.quantity + item.sold,
    available_quantity: item.quantity + (item.inFull ?? 0),
    sold_quantity: item.sold,
    buying_mode: 'buy_it_now',
    listing_type_id: item.listingType,
    condition: 'new',
    ...((item.userProduct || item.stores || item.inFull !== undefined) && { user_product_id: userProductOf(item) }),
    ...(item.inFull !== undefined && { inventory_id: item.id.replace('MLM', 'FULL') }),
    start_time: zulu(item.createdAt),
    stop_time: zulu(item.createdAt + 7_300 * DAY),
    end_time: zulu(item.createdAt + 7_300 * DAY),
    expiration_time: zulu(item.createdAt + 80 * DAY),
    permalink,
    thumbnail: null,
    pictures: [],
    video_id: null,
    descriptions: [],
    sale_terms: [],
    shipping: {
      mode: 'me2',
      free_shipping: item.price >= 299,
      logistic_type: item.full ? 'fulfillment' : 'drop_off',
      tags: [],
    },
    attributes: [
      ...(item.attributes ?? []).filter(({ id }) => id !== 'SELLER_SKU'),
      ...(item.sku === null || item.variations
        ? []
        : [{ id: 'SELLER_SKU', name: 'SKU', value_id: null, value_name: item.sku, value_struct: null }]),
    ],
    variations: (item.variations ?? []).map(({ id, price, quantity, sku }) => ({
      id,
      price,
      available_quantity: quantity,
      sold_quantity: 0,
      attribute_combinations: [{ id: 'COLOR', name: 'Color', value_id: null, value_name: `Color ${id}` }],
      picture_ids: [],
      seller_custom_field: null,
      ...(sku !== null && { attributes: [{ id: 'SELLER_SKU', name: 'SKU', value_id: null, value_name: sku }] }),
    })),
    status: item.status,
    sub_status: item.subStatus,
    tags: [
      'immediate_payment',
      'cart_eligible',
      ...(item.dynamic && !item.sinEtiqueta ? ['dynamic_standard_price'] : []),
    ],
    warranty: null,
    catalog_product_id: item.catalog?.product ?? null,
    seller_custom_field: null,
    parent_item_id: null,
    date_created: zulu(item.createdAt),
    last_updated: zulu(item.updatedAt),
    health: null,
    catalog_listing: item.catalog !== undefined,
    ...item.extra,
  };
}

/** The prices of a listing, as `GET /items/{id}/prices` tells them. */
export function pricesDocument(item: Item): Record<string, unknown> {
  const price = (type: 'standard' | 'promotion', amount: number, regular: number | null) => ({
    id: type === 'standard' ? '1' : '2',
    type,
    amount,
    regular_amount: regular,
    currency_id: 'MXN',
    last_updated: zulu(item.updatedAt),
    conditions: {
      context_restrictions: type === 'standard' ? [] : ['channel_marketplace'],
      start_time: null,
      end_time: null,
    },
    metadata: {},
  });
  return {
    id: item.id,
    prices: [
      price('standard', item.price, null),
      ...(item.deal === undefined ? [] : [price('promotion', item.deal, item.price)]),
    ],
  };
}

/** The price that a listing is sold at, as `GET /items/{id}/sale_price` tells it. */
export function salePriceDocument(item: Item, now: number): Record<string, unknown> {
  return {
    price_id: item.deal === undefined ? '1' : '2',
    amount: item.deal ?? item.price,
    regular_amount: item.deal === undefined ? null : item.price,
    currency_id: 'MXN',
    reference_date: zulu(now),
    metadata: item.deal === undefined ? {} : { promotion_id: `P-${item.id}`, promotion_type: 'deal' },
  };
}

/**
 * How a listing stands on its catalogue page, as `GET /items/{id}/price_to_win` tells it. One that lost or shares is told the price that would win; one
 * outside the catalogue is told nothing but why.
 */
export function priceToWinDocument(item: Item): Record<string, unknown> {
  const ours = item.deal ?? item.price;
  const { catalog } = item;
  if (!catalog)
    return {
      item_id: item.id,
      current_price: null,
      currency_id: null,
      price_to_win: null,
      boosts: [],
      status: 'not_listed',
      consistent: true,
      visit_share: null,
      competitors_sharing_first_place: null,
      reason: ['item_not_opted_in'],
      catalog_product_id: null,
      winner: null,
    };
  const reasons = item.status === 'active' ? (catalog.reasons ?? []) : ['item_paused'];
  const best = Math.min(...catalog.rivals);
  const wins = reasons.length === 0 && ours < best;
  const status = reasons.length > 0 ? 'listed' : wins ? 'winning' : ours === best ? 'sharing_first_place' : 'competing';
  const boosts = [
    { id: 'fulfillment', status: 'opportunity', description: 'Mercado Envíos Full' },
    { id: 'free_shipping', status: 'boosted', description: 'Envíos gratis por Mercado Envíos' },
  ];
  return {
    item_id: item.id,
    current_price: ours,
    currency_id: 'MXN',
    price_to_win: status === 'listed' ? null : wins ? ours : best - 1,
    boosts,
    status,
    consistent: true,
    visit_share: wins ? 'maximum' : status === 'sharing_first_place' ? 'medium' : 'minimum',
    competitors_sharing_first_place: wins
      ? 0
      : status === 'sharing_first_place'
        ? catalog.rivals.filter((price) => price === best).length
        : null,
    reason: reasons,
    catalog_product_id: catalog.product,
    winner: wins
      ? { item_id: item.id, price: ours, currency_id: 'MXN', boosts }
      : Number.isFinite(best)
        ? { item_id: 'MLM1999999999', price: best, currency_id: 'MXN', boosts }
        : null,
  };
}
