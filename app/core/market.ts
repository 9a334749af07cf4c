/**
 * Keys of the marketplaces: the words that rows store, jobs carry and code compares. The capabilities of a marketplace
 * stand in `MERCADOS` (`domain/mercados/mercados.ts`); its calls stand in its adapter (`domain/mercados/<market>`).
 */
export const MARKETS = ['ml', 'amz'] as const;
/** Key of a marketplace. */
export type Market = (typeof MARKETS)[number];

/** Name of each marketplace as people read it. Rooms that only name a marketplace take the name from here. */
export const MARKET_LABEL: Readonly<Record<Market, string>> = { ml: 'Mercado Libre', amz: 'Amazon' };

/** Kinds of a run that asks a marketplace: sales, cancelled sales, notices that were missed, questions and claims. */
export const SYNC_KINDS = ['sweep', 'cancelled', 'missed', 'atencion'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

/** Every kind of run: the kinds above, all listings, only the listings that changed, and payouts. */
export const RUN_KINDS = [...SYNC_KINDS, 'publicaciones', 'publicacionesNuevas', 'liquidacion'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
