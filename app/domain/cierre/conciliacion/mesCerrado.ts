/** Parts of what sales leave. Their sum is what is left. */
export const PARTES_DEL_MES = ['venta', 'comision', 'envio', 'cupon', 'retenido', 'otros', 'costo'] as const;
export type ParteDelMes = (typeof PARTES_DEL_MES)[number];

/** Causes by which a month is known otherwise today than at its closing. The first three are whole sales, the others a part of sales that were known then too. */
export const CAUSAS_DEL_MES = ['llegaron', 'supimos', 'yaNo', ...PARTES_DEL_MES] as const;
export type CausaDelMes = (typeof CAUSAS_DEL_MES)[number];

export const CAUSA_DEL_MES_LABEL: Readonly<Record<CausaDelMes, string>> = {
  llegaron: 'Ventas que llegaron después',
  supimos: 'Ventas cuyo costo no se sabía',
  yaNo: 'Ventas cuyo costo ya no se sabe',
  venta: 'Vendido y devuelto',
  comision: 'Comisión',
  envio: 'Envío',
  cupon: 'Cupones que pagamos',
  retenido: 'Retenciones',
  otros: 'Otros cargos del mercado',
  costo: 'Costo',
};

/** Ages of what is not known to the cent, in days since the sale; `hasta` null is without end. */
export const EDADES = [
  { hasta: 10, label: 'hasta 10 días' },
  { hasta: 30, label: '11 a 30 días' },
  { hasta: 90, label: '31 a 90 días' },
  { hasta: null, label: 'más de 90 días' },
] as const;
