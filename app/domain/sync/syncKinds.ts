import type { SyncKind } from '~/core/market';

export const SYNC_LABEL: Record<SyncKind, string> = {
  sweep: 'Ventas nuevas y cambios',
  cancelled: 'Ventas canceladas',
  missed: 'Avisos perdidos',
};
