import { Money } from '~/core/money';
import { insideIvaLimits, insideImporteLimits, type CfdiWritten } from './internal/verifyImportes';

export { verifyCfdiAmounts, type AmountFault, type CfdiWritten } from './internal/verifyImportes';

/** A line of a document before its VAT is taken apart. */
export type Linea = {
  /** Gross total of the line as paid, VAT included, in whole cents. */
  importe: Money;
  cantidad: number;
  /** '0.160000', '0.080000' or '0.000000'. */
  tasaIva: string;
};

/** The amounts of one concept, six decimals each. */
export type ConceptoAmounts = {
  cantidad: number;
  valorUnitario: Money;
  importe: Money;
  base: Money;
  iva: Money;
  tasaIva: string;
};

/** A document with base and tax apart. */
export type Split = {
  conceptos: ConceptoAmounts[];
  /** The document's sums per rate, in the order the rates first appear. */
  traslados: { tasaIva: string; base: Money; importe: Money }[];
  subTotal: Money;
  iva: Money;
  total: Money;
  /** True when rounding alone did not add up and some concept was moved by fractions of a cent. */
  repaired: boolean;
};

/** The general rate of IVA, with the six decimals that a CFDI writes. */
export const TASA_IVA = '0.160000';
/** The rates of IVA that a row may have: general, border region, and zero. */
export const TASAS_IVA = ['0.160000', '0.080000', '0.000000'] as const;
/** Most pieces of a line. Pieces are whole: a marketplace sells no fractions, and the PAC's limits are lenient with integers. */
export const MAX_CANTIDAD = 100_000;

/** The amounts fit no CFDI, or cannot add up to what was paid. Nothing may be stamped. `linea` counts from 1. */
export class CfdiAmountsError extends Error {
  constructor(
    message: string,
    readonly linea?: number,
  ) {
    super(message);
    this.name = 'CfdiAmountsError';
  }
}

const MICRO = 1_000_000n;
const CENT = 10_000n;

type Line = { gross: bigint; quantity: bigint; rate: bigint; linea: Linea };
type Part = { unit: bigint; importe: bigint; iva: bigint };

/**
 * Splits prices with VAT into base and tax: six decimals per concept, two in the sums, and a total that equals the amount paid to the cent.
 * All is bigint micro-pesos, and half rounds up. Plain arithmetic is exact up to 297 units. Beyond, or with mixed rates, one line moves by
 * fractions of a cent and keeps Importe = Cantidad × ValorUnitario, so it does not matter who multiplies. Where that is not enough the tax
 * of every line is the rest of its gross. Throws CfdiAmountsError.
 */
export function splitLineas(lineas: readonly Linea[]): Split {
  const lines = readLineas(lineas);
  const total = lines.reduce((sum, line) => sum + line.gross, 0n);
  const plain = lines.map(plainPart);
  if (closes(lines, plain, total)) return splitOf(lines, plain, total, false);
  const repaired = nudged(lines, plain, total) ?? residual(lines, total);
  if (!repaired) throw new CfdiAmountsError('los importes sin IVA no cuadran con lo pagado');
  return splitOf(lines, repaired, total, true);
}

/**
 * Splits a document with tax = gross − base on each line, so concepts add up to the micro-peso; globals use it. The sums of several rates may still differ by a
 * cent that no line has room for; then one line moves by a fraction of a cent. Throws CfdiAmountsError.
 */
export function splitResidual(lineas: readonly Linea[]): Split {
  const lines = readLineas(lineas);
  const total = lines.reduce((sum, line) => sum + line.gross, 0n);
  const parts = residual(lines, total) ?? nudged(lines, lines.map(plainPart), total);
  if (!parts) throw new CfdiAmountsError('los importes sin IVA no cuadran con lo pagado');
  return splitOf(lines, parts, total, true);
}

/** The amounts as text, as the request and the XML hold them: six decimals per concept, two in the sums. */
export function writtenAmounts(split: Split): CfdiWritten {
  return {
    conceptos: split.conceptos.map((concepto) => ({
      cantidad: String(concepto.cantidad),
      valorUnitario: concepto.valorUnitario.toFixed(6),
      importe: concepto.importe.toFixed(6),
      base: concepto.base.toFixed(6),
      tasaIva: concepto.tasaIva,
      iva: concepto.iva.toFixed(6),
    })),
    subTotal: split.subTotal.toFixed(2),
    traslados: split.traslados.map(({ tasaIva, base, importe }) => ({
      tasaIva,
      base: base.toFixed(2),
      importe: importe.toFixed(2),
    })),
    totalTraslados: split.iva.toFixed(2),
    total: split.total.toFixed(2),
  };
}

function readLineas(lineas: readonly Linea[]): Line[] {
  if (lineas.length === 0) throw new CfdiAmountsError('no hay conceptos');
  return lineas.map((linea, index) => {
    const number = index + 1;
    const { importe, cantidad, tasaIva } = linea;
    if (!Number.isInteger(cantidad) || cantidad < 1 || cantidad > MAX_CANTIDAD)
      throw new CfdiAmountsError(`concepto ${number}: la cantidad no es un entero de 1 a ${MAX_CANTIDAD}`, number);
    if (!(TASAS_IVA as readonly string[]).includes(tasaIva))
      throw new CfdiAmountsError(`concepto ${number}: la tasa ${tasaIva} no existe`, number);
    if (importe.micros <= 0n || importe.micros % CENT !== 0n)
      throw new CfdiAmountsError(`concepto ${number}: el importe no es mayor que cero y en centavos`, number);
    const line = { gross: importe.micros, quantity: BigInt(cantidad), rate: Money.of(tasaIva).micros, linea };
    if (plainPart(line).unit === 0n)
      throw new CfdiAmountsError(`concepto ${number}: el precio por pieza es demasiado pequeño`, number);
    return line;
  });
}

function plainPart({ gross, quantity, rate }: Line): Part {
  const unit = divide(gross * MICRO, (MICRO + rate) * quantity);
  return partOf(unit, quantity, rate);
}

function partOf(unit: bigint, quantity: bigint, rate: bigint): Part {
  const importe = unit * quantity;
  return { unit, importe, iva: divide(importe * rate, MICRO) };
}

type Sums = { subTotal: bigint; groups: Map<bigint, { base: bigint; iva: bigint }> };

/** Unrounded sums: of each rate, and of the document. */
function sumsOf(lines: Line[], parts: Part[]): Sums {
  const groups = new Map<bigint, { base: bigint; iva: bigint }>();
  let subTotal = 0n;
  parts.forEach((part, index) => {
    const { rate } = lines[index]!;
    const group = groups.get(rate) ?? { base: 0n, iva: 0n };
    groups.set(rate, { base: group.base + part.importe, iva: group.iva + part.iva });
    subTotal += part.importe;
  });
  return { subTotal, groups };
}

function totalOf({ subTotal, groups }: Sums): bigint {
  let total = roundCents(subTotal);
  for (const { iva } of groups.values()) total += roundCents(iva);
  return total;
}

const closes = (lines: Line[], parts: Part[], total: bigint) => totalOf(sumsOf(lines, parts)) === total;

/** Lines of each rate that may move. Where the lines of one rate cannot reach the total, those of another can. */
const MOVABLE_PER_RATE = 10;

/** Moves the unit price of one line by the fewest micro-pesos that reach the total, less than a cent on the line; null when no line can. */
function nudged(lines: Line[], parts: Part[], total: bigint): Part[] | null {
  if (closes(lines, parts, total)) return parts;
  const sums = sumsOf(lines, parts);
  const sorted = lines
    .map((line, index) => ({ line, index, part: parts[index]! }))
    .sort((a, b) => compare(a.line.quantity, b.line.quantity) || compare(b.line.gross, a.line.gross));
  const candidates = [...sums.groups.keys()]
    .sort((a, b) => compare(b, a))
    .flatMap((rate) => sorted.filter(({ line }) => line.rate === rate).slice(0, MOVABLE_PER_RATE));
  for (const { line, index, part } of candidates) {
    const group = sums.groups.get(line.rate)!;
    const others = { subTotal: sums.subTotal - part.importe, iva: group.iva - part.iva };
    const rest = totalOf(sums) - roundCents(sums.subTotal) - roundCents(group.iva);
    for (let steps = 1n; steps * line.quantity < CENT; steps++) {
      for (const unit of [part.unit - steps, part.unit + steps]) {
        if (unit <= 0n) continue;
        const moved = partOf(unit, line.quantity, line.rate);
        if (roundCents(others.subTotal + moved.importe) + roundCents(others.iva + moved.iva) + rest === total)
          return parts.with(index, moved);
      }
    }
  }
  return null;
}

function residual(lines: Line[], total: bigint): Part[] | null {
  const parts = lines.map(({ gross, quantity, rate }) => {
    const importe = divide(gross * MICRO, MICRO + rate);
    return { unit: divide(importe, quantity), importe, iva: gross - importe };
  });
  if (parts.some((part) => part.unit === 0n)) return null;
  const sums = sumsOf(lines, parts);
  if (totalOf(sums) === total) return parts;
  // The sum of importes ends exactly in half a cent, so both sums rounded up: one micro-peso changes sides where the limits allow it.
  for (const [rate, { iva }] of sums.groups) {
    const rest = totalOf(sums) - roundCents(sums.subTotal) - roundCents(iva);
    for (const step of [-1n, 1n]) {
      if (roundCents(sums.subTotal + step) + roundCents(iva - step) + rest !== total) continue;
      const moved = (part: Part): Part => ({ ...part, importe: part.importe + step, iva: part.iva - step });
      const index = parts.findIndex(
        (part, at) => lines[at]!.rate === rate && part.importe + step > 0n && insideLimits(lines[at]!, moved(part)),
      );
      if (index >= 0) return parts.with(index, moved(parts[index]!));
    }
  }
  return null;
}

function insideLimits({ linea }: Line, part: Part): boolean {
  const text = (micros: bigint) => Money.ofMicros(micros).toFixed(6);
  const importe = text(part.importe);
  return (
    insideImporteLimits({ cantidad: String(linea.cantidad), valorUnitario: text(part.unit), importe }) &&
    insideIvaLimits({ base: importe, tasaIva: linea.tasaIva, iva: text(part.iva) })
  );
}

function splitOf(lines: Line[], parts: Part[], total: bigint, repaired: boolean): Split {
  const { subTotal, groups } = sumsOf(lines, parts);
  const traslados = [...groups].map(([rate, { base, iva }]) => ({
    tasaIva: Money.ofMicros(rate).toFixed(6),
    base: Money.ofMicros(roundCents(base)),
    importe: Money.ofMicros(roundCents(iva)),
  }));
  const conceptos = parts.map(({ unit, importe, iva }, index) => {
    const { cantidad, tasaIva } = lines[index]!.linea;
    const base = Money.ofMicros(importe);
    return { cantidad, valorUnitario: Money.ofMicros(unit), importe: base, base, iva: Money.ofMicros(iva), tasaIva };
  });
  return {
    conceptos,
    traslados,
    repaired,
    subTotal: Money.ofMicros(roundCents(subTotal)),
    iva: Money.sum(traslados.map((traslado) => traslado.importe)),
    total: Money.ofMicros(total),
  };
}

/** Division of non-negative numbers; half rounds up. */
function divide(value: bigint, by: bigint): bigint {
  return (2n * value + by) / (2n * by);
}

const roundCents = (micros: bigint) => divide(micros, CENT) * CENT;
const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);

/** The payment of an orden, and the part of it that articulos of other rates cost. */
export type PagoPorTasa = { pagado: Money; otras: { tasa: string; importe: string }[] };
/** An amount at one rate of VAT. */
export type ImporteDeTasa = { tasaIva: string; importe: Money };

/**
 * The payments by rate: articulos of other rates at theirs, and the rest, shipping included, at the general rate. Each orden is split by
 * itself, so parts add up to the whole.
 */
export function porTasa(ordenes: readonly PagoPorTasa[]): ImporteDeTasa[] {
  const sums = new Map<string, Money>();
  const add = (tasa: string, importe: Money) =>
    importe.isZero() || sums.set(tasa, (sums.get(tasa) ?? Money.zero).plus(importe));
  for (const { pagado, otras } of ordenes) {
    let rest = pagado;
    for (const { tasa, importe } of otras) {
      const part = Money.of(importe).compare(rest) < 0 ? Money.of(importe) : rest;
      add(Money.of(tasa).toFixed(6), part);
      rest = rest.minus(part);
    }
    add(TASA_IVA, rest);
  }
  return [...sums].map(([tasaIva, importe]) => ({ tasaIva, importe }));
}

/** Tells whether two splits charge the same at each rate, in any order. */
export function sameByRate(a: readonly ImporteDeTasa[], b: readonly ImporteDeTasa[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ tasaIva, importe }) => b.some((other) => other.tasaIva === tasaIva && other.importe.equals(importe)))
  );
}
