import type { ConceptoDeMovimiento } from '~/domain/mercados/liquidacion';

export const CONCEPTO_LABEL: Readonly<Record<ConceptoDeMovimiento, string>> = {
  venta: 'Ventas',
  devolucion: 'Devoluciones',
  comision: 'Comisión',
  envio: 'Envío',
  iva: 'IVA retenido',
  isr: 'ISR retenido',
  retencion: 'Retención',
  publicidad: 'Publicidad',
  reserva: 'Reservas',
  otro: 'Otros cargos',
};

export const CAUSA_LABEL = {
  liquidacion: 'Liquidación del mercado',
  factura: 'Factura del proveedor',
  relectura: 'La venta se leyó otra vez',
} as const;

/** Returns how money that a marketplace still has stands: late, due with no report that reaches its day, or on time. */
export const estatusDeLiberacion = ({ atrasada, espera }: { atrasada: boolean; espera: boolean }): string =>
  atrasada ? 'Atrasada' : espera ? 'Espera el reporte' : 'A tiempo';
