import type { Market } from '~/core/market';
import { Money } from '~/core/money';

/** What the CFDI de retenciones of a marketplace tell of a month, those that another one replaced left out. */
export type LoQueVe = {
  documentos: number;
  /** Operations without IVA, and their IVA. */
  sinIva: Money;
  iva: Money;
  isrRetenido: Money;
  ivaRetenido: Money;
  retenido: Money;
  usoPlataforma: Money;
  /** Part of `sinIva` and `iva` whose rows have a date of another month. */
  otroMes: Money;
};

/** What our ledgers tell of the sales of a month at a marketplace. */
export type LoNuestro = {
  /** Sales that were paid or charged, and the others of the month: something may have been withheld of them too. */
  ventas: number;
  sinNada: number;
  /** What stayed paid, and the same without IVA. */
  pagado: Money;
  sinIva: Money;
  /** What our CFDI charge, and what credit notes give back of it. */
  cobrado: Money;
  acreditado: Money;
  retenido: Money;
  /** Sales whose withholding is estimated, and sales of which no settlement tells which tax it was. */
  estimadas: number;
  sinImpuesto: number;
  /** Null while `sinImpuesto` is not 0. */
  ivaRetenido: Money | null;
  isrRetenido: Money | null;
  /** What went back to buyers. */
  devuelto: Money;
  /** Parts of `pagado` and of what is charged that keep both apart. */
  sinDocumento: Money;
  facturadoDeMenos: Money;
  facturadoDeMas: Money;
};

/** One figure on both sides. Null is unknown. */
export type Comparado = { concepto: Concepto; suyo: Money | null; nuestro: Money | null; diferencia: Money | null };

const CONCEPTOS = {
  sinIva: 'Operaciones sin IVA',
  iva: 'IVA de las operaciones',
  isrRetenido: 'ISR retenido',
  ivaRetenido: 'IVA retenido',
  retenido: 'Total retenido',
} as const;
export type Concepto = keyof typeof CONCEPTOS;
export const CONCEPTO_LABEL: Readonly<Record<Concepto, string>> = CONCEPTOS;

/** A step from what the SAT sees to what we charged, IVA included. */
export type Paso = { paso: PasoKey; importe: Money };

const PASOS = {
  ve: 'El SAT ve, con IVA',
  otroMes: 'Con fecha de otro mes',
  devuelto: 'Cancelado o devuelto',
  sinExplicar: 'Sin explicar',
  pagado: 'Se quedó pagado',
  sinDocumento: 'Sin documento',
  facturadoDeMenos: 'Facturado de menos',
  facturadoDeMas: 'Facturado de más',
  facturado: 'Facturado, menos notas de crédito',
} as const;
export type PasoKey = keyof typeof PASOS;
export const PASO_LABEL: Readonly<Record<PasoKey, string>> = PASOS;
/** Steps that are sums and no causes. */
export const SUMAS: ReadonlySet<PasoKey> = new Set(['ve', 'pagado', 'facturado']);

/** Why the withheld amounts differ: they took it of other operations, or at another rate. Both together are the whole difference. */
export type PorQue = {
  porBase: Money;
  porTasa: Money;
  /** Withheld part of the operations without IVA, in percent with two decimals. */
  tasaSuya: string;
  tasaNuestra: string;
};

/** A marketplace in a month: what it told the SAT, beside ours. */
export type MercadoDelMes = {
  market: Market;
  /** Null without a CFDI. */
  suyo: LoQueVe | null;
  /** Null where we have no sale of that month. */
  nuestro: LoNuestro | null;
  comparados: Comparado[];
  /** None while a side is unknown. */
  pasos: Paso[];
  porQue: PorQue | null;
};

/** Holds what the SAT sees against ours. An unknown side makes an unknown difference, never 0. */
export function compararMes(market: Market, suyo: LoQueVe | null, nuestro: LoNuestro | null): MercadoDelMes {
  const lado = (otro: LoNuestro | null): Record<Concepto, Money | null> => ({
    sinIva: otro && otro.sinIva,
    iva: otro && otro.pagado.minus(otro.sinIva),
    isrRetenido: otro && otro.isrRetenido,
    ivaRetenido: otro && otro.ivaRetenido,
    retenido: otro && otro.retenido,
  });
  const mio = lado(nuestro);
  const comparados = (Object.keys(CONCEPTOS) as Concepto[]).map((concepto): Comparado => {
    const [a, b] = [suyo && suyo[concepto], mio[concepto]];
    return { concepto, suyo: a, nuestro: b, diferencia: a && b && a.minus(b) };
  });
  return {
    market,
    suyo,
    nuestro,
    comparados,
    pasos: suyo && nuestro ? pasosOf(suyo, nuestro) : [],
    porQue: suyo && nuestro ? porQueOf(suyo, nuestro) : null,
  };
}

/** The steps add up to the cent: what no cause tells is 'Sin explicar'. Causes of nothing are left out. */
function pasosOf(suyo: LoQueVe, nuestro: LoNuestro): Paso[] {
  const ve = suyo.sinIva.plus(suyo.iva);
  const menos = (importe: Money) => Money.zero.minus(importe);
  const sinExplicar = nuestro.pagado.minus(ve).plus(suyo.otroMes).plus(nuestro.devuelto);
  const pasos: Record<PasoKey, Money> = {
    ve,
    otroMes: menos(suyo.otroMes),
    devuelto: menos(nuestro.devuelto),
    sinExplicar,
    pagado: nuestro.pagado,
    sinDocumento: menos(nuestro.sinDocumento),
    facturadoDeMenos: menos(nuestro.facturadoDeMenos),
    facturadoDeMas: nuestro.facturadoDeMas,
    facturado: nuestro.cobrado.minus(nuestro.acreditado),
  };
  return (Object.keys(PASOS) as PasoKey[])
    .map((paso) => ({ paso, importe: pasos[paso] }))
    .filter(({ paso, importe }) => SUMAS.has(paso) || !importe.isZero());
}

/** Null where a side has no operations to take a rate of, or nothing differs. */
function porQueOf(suyo: LoQueVe, nuestro: LoNuestro): PorQue | null {
  const diferencia = suyo.retenido.minus(nuestro.retenido);
  if (suyo.sinIva.isZero() || nuestro.sinIva.isZero() || diferencia.isZero()) return null;
  // Of micros, so that no rate is rounded before it is multiplied.
  const porBase = Money.ofMicros(
    ((suyo.sinIva.micros - nuestro.sinIva.micros) * suyo.retenido.micros) / suyo.sinIva.micros,
  ).cents();
  return {
    porBase,
    porTasa: diferencia.cents().minus(porBase),
    tasaSuya: tasaOf(suyo),
    tasaNuestra: tasaOf(nuestro),
  };
}

const tasaOf = ({ retenido, sinIva }: { retenido: Money; sinIva: Money }) =>
  Money.ofMicros((retenido.micros * 100_000_000n) / sinIva.micros).toFixed(2);
