import type { SyncKind } from '~/domain/mercados/mercado';

export const SYNC_LABEL: Record<SyncKind, string> = {
  sweep: 'Ventas nuevas y cambios',
  cancelled: 'Ventas canceladas',
  missed: 'Avisos perdidos',
};
