import type { RunKind } from '~/core/market';

export const SYNC_LABEL: Record<RunKind, string> = {
  sweep: 'Ventas nuevas y cambios',
  cancelled: 'Ventas canceladas',
  missed: 'Avisos perdidos',
  publicaciones: 'Todas las publicaciones',
  publicacionesNuevas: 'Publicaciones con cambios',
  competencia: 'Precios del mercado',
  promociones: 'Promociones del mercado',
  atencion: 'Preguntas y reclamos',
  liquidacion: 'Reportes de liquidación',
  comisiones: 'Comisiones estimadas',
};
