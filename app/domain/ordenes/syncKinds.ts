/** Ways of asking Mercado Libre for sales, each a run of its own. */
export type SyncKind = 'sweep' | 'cancelled' | 'missed';

export const SYNC_LABEL: Record<SyncKind, string> = {
  sweep: 'Ventas nuevas y cambios',
  cancelled: 'Ventas canceladas',
  missed: 'Avisos perdidos',
};
