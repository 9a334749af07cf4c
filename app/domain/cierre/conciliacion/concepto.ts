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
