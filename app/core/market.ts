/** The marketplaces we sell at: what is stored, sent and compared. What each of them can do stands in `domain/mercados/mercados.ts`. */
export const MARKETS = ['ml', 'amz'] as const;
export type Market = (typeof MARKETS)[number];

/** Ways of asking a marketplace, each a run of its own: for sales, for the notices nobody took, for what buyers ask and claim. */
export const SYNC_KINDS = ['sweep', 'cancelled', 'missed', 'atencion'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

/** All that has runs: sales, what is on sale, whole or only what changed, and what was paid out. */
export const RUN_KINDS = [...SYNC_KINDS, 'publicaciones', 'publicacionesNuevas', 'liquidacion'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
