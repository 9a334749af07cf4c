import type { ClaseDeSuelto, MotivoDeSuelto } from '~db/columns';

export type { ClaseDeSuelto, MotivoDeSuelto };

/** What the lines of a settlement that are of no sale here are, by what they say themselves. */
export const CLASE_DE_SUELTO_LABEL: Readonly<Record<ClaseDeSuelto, string>> = {
  venta: 'Venta que no está aquí',
  cobro: 'Pago sin venta',
  publicidad: 'Publicidad',
  impuesto: 'Impuesto retenido',
  cargo: 'Cargo de la cuenta',
  abono: 'Abono sin venta',
};

/** Reasons why money is of no sale. The marketplace's own words give the first three; the others are a person's. */
export const MOTIVO_DE_SUELTO_LABEL: Readonly<Record<MotivoDeSuelto, string>> = {
  publicidad: 'Publicidad',
  impuesto: 'Impuesto retenido',
  cuenta: 'Cargo de la cuenta',
  bonificacion: 'Bonificación del mercado',
  otroCanal: 'Cobro de otro canal',
  anterior: 'Venta anterior a Trastienda',
  reclamado: 'Se reclamó al mercado',
};

export const MOTIVOS_DE_SUELTO = Object.keys(MOTIVO_DE_SUELTO_LABEL) as [MotivoDeSuelto, ...MotivoDeSuelto[]];

/** Returns what is known of the sale that a loose amount names; null where it names none, or where its reason is told. */
export function busquedaOf({
  clase,
  motivo,
  numero,
  pedidoEn,
  buscadoEn,
  hallazgo,
}: {
  clase: ClaseDeSuelto;
  motivo: MotivoDeSuelto | null;
  numero: string | null;
  pedidoEn: unknown;
  buscadoEn: unknown;
  hallazgo: string | null;
}): string | null {
  if (clase !== 'venta' || motivo !== null) return null;
  if (hallazgo !== null) return hallazgo;
  if (numero === null) return 'El mercado no dice su número';
  if (buscadoEn !== null) return 'La venta está, con otro número';
  return pedidoEn === null ? 'No se ha buscado' : 'Se está buscando';
}
