/**
 * Key of a marketplace we sell at: the word that rows store, jobs carry and code compares. What a marketplace can do stands in `MERCADOS`
 * (`domain/mercados/mercados.ts`); how it is asked stands in its adapter (`domain/mercados/<market>`).
 */
export const MARKETS = ['ml', 'amz'] as const;
export type Market = (typeof MARKETS)[number];

/** Name of each marketplace as people read it. Rooms that only name a marketplace take the name from here. */
export const MARKET_LABEL: Readonly<Record<Market, string>> = { ml: 'Mercado Libre', amz: 'Amazon' };

/** Ways of asking a marketplace, each a run of its own: for sales, for cancelled sales, for the notices nobody took, for what buyers ask and claim. */
export const SYNC_KINDS = ['sweep', 'cancelled', 'missed', 'atencion'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

/** Every kind of run: the ways of asking for sales, all listings, only the listings that changed, and what was paid out. */
export const RUN_KINDS = [...SYNC_KINDS, 'publicaciones', 'publicacionesNuevas', 'liquidacion'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
