import { Money } from '~/core/money';

/** The taxes of a supplier's document by rate, in pesos, and the postal code of the place where it was issued. */
export type Impuestos = {
  base16: Money;
  iva16: Money;
  base8: Money;
  iva8: Money;
  base0: Money;
  exento: Money;
  /** Amounts that IVA does not reach. */
  noObjeto: Money;
  ivaRetenido: Money;
  lugar: string;
};

type Importes = {
  importe: string;
  descuento: string;
  objetoImp: string;
  traslados: readonly { base: string; impuesto: string; tipoFactor: string; tasa: string; importe: string }[];
  retenciones: readonly { impuesto: string; importe: string }[];
};
/** The part of a document that taxes are read from. Its amounts are in its own currency. */
export type ConImpuestos = { total: string; lugar: string; conceptos: readonly Importes[] };

const IVA = '002';
const NO_OBJETO = '01';
/** Columns of the base and of the IVA of each rate. */
const TASAS = new Map<string, readonly [base: keyof Impuestos, iva: keyof Impuestos | null]>([
  ['0.160000', ['base16', 'iva16']],
  ['0.080000', ['base8', 'iva8']],
  ['0.000000', ['base0', null]],
]);
const ILEGIBLES = 'Tiene impuestos que no se pueden leer.';
/** Documents are rounded line by line; a larger difference is a tax that stands nowhere in the lines. */
const TOLERANCIA = Money.of('1');
/** Largest amount of a numeric(14, 2) column. */
export const MAX_PESOS = Money.of('999999999999.99');

/**
 * Returns the taxes of a document, or the reason why they cannot be told by rate. A line whose tax is not written out makes all of it unknown, since its
 * base would be missing.
 */
export function impuestosOf(
  { total, lugar, conceptos }: ConImpuestos,
  inPesos: (amount: Money) => Money,
): Impuestos | { motivo: string } {
  if (!/^\d{5}$/.test(lugar)) return { motivo: 'Su lugar de expedición no se puede leer.' };
  const sumas = new Map<keyof Impuestos, Money>();
  const add = (column: keyof Impuestos, amount: Money) =>
    sumas.set(column, (sumas.get(column) ?? Money.zero).plus(amount));
  let suma = Money.zero;
  for (const { importe, descuento, objetoImp, traslados, retenciones } of conceptos) {
    const neto = read(importe)?.minus(read(descuento) ?? Money.zero);
    const trasladado = sumOf(traslados);
    const retenido = sumOf(retenciones);
    if (!neto || neto.isNegative() || !trasladado || !retenido) return { motivo: ILEGIBLES };
    suma = suma.plus(neto).plus(trasladado).minus(retenido);
    const deIva = traslados.filter(({ impuesto }) => impuesto === IVA);
    if (deIva.length === 0 && objetoImp !== NO_OBJETO) return { motivo: 'Un concepto no desglosa su IVA.' };
    if (deIva.length === 0) add('noObjeto', neto);
    for (const { base, tipoFactor, tasa, importe: iva } of deIva) {
      const [amount, itsIva] = [read(base), read(iva)];
      if (!amount || !itsIva) return { motivo: ILEGIBLES };
      if (tipoFactor === 'Exento') add('exento', amount);
      else {
        const columns = tipoFactor === 'Tasa' ? TASAS.get(read(tasa)?.toFixed(6) ?? '') : undefined;
        if (!columns) return { motivo: `Tiene IVA a una tasa que no se conoce (${tasa}).` };
        add(columns[0], amount);
        if (columns[1]) add(columns[1], itsIva);
      }
    }
    for (const { impuesto, importe: amount } of retenciones) if (impuesto === IVA) add('ivaRetenido', read(amount)!);
  }
  const falta = suma.minus(Money.of(total));
  if ((falta.isNegative() ? Money.zero.minus(falta) : falta).compare(TOLERANCIA) > 0)
    return { motivo: 'Sus conceptos e impuestos no suman su total.' };
  if ([...sumas.values()].some((amount) => inPesos(amount).compare(MAX_PESOS) > 0)) return { motivo: ILEGIBLES };
  const of = (column: keyof Impuestos) => inPesos(sumas.get(column) ?? Money.zero).cents();
  return {
    base16: of('base16'),
    iva16: of('iva16'),
    base8: of('base8'),
    iva8: of('iva8'),
    base0: of('base0'),
    exento: of('exento'),
    noObjeto: of('noObjeto'),
    ivaRetenido: of('ivaRetenido'),
    lugar,
  };
}

/** An amount of the SAT's types t_Importe and t_ImporteMXN, which xs:decimal lets begin or end with a point. */
function read(text: string): Money | undefined {
  const plain = /^(?=\.?\d)(\d{0,12})\.?(\d{0,6})$/.exec(text);
  return plain ? Money.of(`${plain[1] || '0'}.${plain[2] || '0'}`) : undefined;
}

function sumOf(some: readonly { importe: string }[]): Money | undefined {
  const amounts = some.map(({ importe }) => read(importe));
  return amounts.every((one) => one !== undefined) ? Money.sum(amounts) : undefined;
}
