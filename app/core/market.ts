/**
 * Keys of the marketplaces: the words that rows store, jobs carry and code compares. The capabilities of a marketplace
 * stand in `MERCADOS` (`domain/mercados/mercados.ts`); its calls stand in its adapter (`domain/mercados/<market>`).
 */
export const MARKETS = ['ml', 'amz'] as const;
/** Key of a marketplace. */
export type Market = (typeof MARKETS)[number];

/** Name of each marketplace as people read it. Rooms that only name a marketplace take the name from here. */
export const MARKET_LABEL: Readonly<Record<Market, string>> = { ml: 'Mercado Libre', amz: 'Amazon' };

/** Names of the companies that issue the CFDI of a marketplace to its sellers. Their RFC are in no source of ours. */
const EMISORES: Readonly<Record<Market, RegExp>> = { ml: /mercado\s*(libre|pago)|deremate/i, amz: /amazon/i };

/** Returns the marketplace whose company has such a name; undefined for any other company. */
export const marketOfNombre = (nombre: string): Market | undefined =>
  MARKETS.find((market) => EMISORES[market].test(nombre));

/** The prices that a product has: one for each kind of listing. The first kind of a marketplace has the key of its marketplace. */
export const PRECIOS = ['ml', 'premium', 'amz'] as const;
export type PrecioKey = (typeof PRECIOS)[number];

/** Word of the listings whose kind has a price of its own; '' for the first kind of a marketplace. */
export type TipoDePrecio = '' | 'gold_pro';

/** The marketplace of each price, the word its listings have for their kind, and its name. */
export const PRECIO_DE: Readonly<Record<PrecioKey, { market: Market; tipo: TipoDePrecio; label: string }>> = {
  ml: { market: 'ml', tipo: '', label: 'Mercado Libre Clásica' },
  premium: { market: 'ml', tipo: 'gold_pro', label: 'Mercado Libre Premium' },
  amz: { market: 'amz', tipo: '', label: 'Amazon' },
};

/** Returns the price that a listing of some kind has. A kind without a price of its own has that of its marketplace. */
export const precioKeyOf = (market: Market, tipo: string | null): PrecioKey =>
  PRECIOS.find((key) => PRECIO_DE[key].market === market && PRECIO_DE[key].tipo === tipo) ?? market;

/** Kinds of a run that asks a marketplace: sales, cancelled sales, notices that were missed, questions and claims. */
export const SYNC_KINDS = ['sweep', 'cancelled', 'missed', 'atencion'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

/** Every kind of run: the kinds above, all listings, only the listings that changed, how listings stand against other sellers, promotions of listings, payouts, and estimated commissions. */
export const RUN_KINDS = [
  ...SYNC_KINDS,
  'publicaciones',
  'publicacionesNuevas',
  'competencia',
  'promociones',
  'liquidacion',
  'comisiones',
] as const;
export type RunKind = (typeof RUN_KINDS)[number];
