import type { Tabla } from './mes';

/** The reason why the CFDI of a sale do not come to what stayed paid. */
export type MotivoDeDiferencia =
  | 'porFacturar'
  | 'refacturacion'
  | 'porDecidir'
  | 'devuelta'
  | 'parcial'
  | 'dosFacturas'
  | 'cobradoDeMas'
  | 'cobradoDeMenos';

/** Each reason as people read it, with its tone and the way out: a table of the month's closing, else the sale itself. */
export const DIFERENCIA: Record<
  MotivoDeDiferencia,
  { label: string; tono: 'aviso' | 'mal' | 'neutro' | 'ok'; tabla: Tabla | null; remedio: string }
> = {
  porFacturar: { label: 'Sin documento', tono: 'aviso', tabla: 'ordenes', remedio: 'Factura general' },
  refacturacion: {
    label: 'General y factura',
    tono: 'mal',
    tabla: 'refacturacion',
    remedio: 'Nota de crédito',
  },
  porDecidir: { label: 'Pagada y no entregada', tono: 'aviso', tabla: null, remedio: 'Decidir' },
  devuelta: { label: 'Facturada y no vendida', tono: 'mal', tabla: 'devueltas', remedio: 'Nota de crédito' },
  parcial: { label: 'Devuelta en parte', tono: 'mal', tabla: 'parciales', remedio: 'Nota de crédito' },
  dosFacturas: { label: 'Dos facturas', tono: 'mal', tabla: null, remedio: 'Ver sus facturas' },
  cobradoDeMas: { label: 'Facturada de más', tono: 'mal', tabla: null, remedio: 'Ver sus facturas' },
  cobradoDeMenos: { label: 'Facturada de menos', tono: 'aviso', tabla: null, remedio: 'Ver sus facturas' },
};
