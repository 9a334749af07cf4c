/** An exact decimal: its text, its value in millionths, and the number of decimals of its text. */
export interface Decimal {
  text: string;
  micro: bigint;
  decimals: number;
}

export const MICRO = 1_000_000n;

/** Reads a decimal; undefined for one that CFDI does not take (a sign, an exponent, more than six decimals). */
export function readDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  const parts = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text);
  if (!parts) return undefined;
  const fraction = parts[2] ?? '';
  return { text, micro: BigInt(parts[1] ?? '0') * MICRO + BigInt(fraction.padEnd(6, '0')), decimals: fraction.length };
}

export function ofMicro(micro: bigint, decimals = 6): Decimal {
  const text = String(micro).padStart(7, '0');
  const fraction = text.slice(-6).slice(0, decimals);
  return { text: text.slice(0, -6) + (decimals > 0 ? `.${fraction}` : ''), micro, decimals };
}

/** Divides and rounds half up. Amounts are never negative here. */
export function divideRounding(amount: bigint, by: bigint): bigint {
  return (amount + by / 2n) / by;
}

/** Rounds millionths to cents, and returns millionths. */
export function round2(micro: bigint): bigint {
  return divideRounding(micro, 10_000n) * 10_000n;
}

export function sumMicro(amounts: Decimal[]): bigint {
  return amounts.reduce((sum, { micro }) => sum + micro, 0n);
}

const PICO = 1_000_000_000_000n;

/** The value of a decimal in units of 1e-12. */
function pico({ micro }: Decimal): bigint {
  return micro * MICRO;
}

/** Half of the last decimal written, in units of 1e-12. */
function halfStep(decimals: number): bigint {
  return 10n ** BigInt(12 - decimals) / 2n;
}

/**
 * Whether `Importe` is within the limits of Anexo 20 for a product of two written numbers. The limits are cut at the decimals of `Importe`, which
 * is the strict reading.
 */
export function importeWithinLimits(importe: Decimal, cantidad: Decimal, valorUnitario: Decimal): boolean {
  const lower =
    (pico(cantidad) - halfStep(cantidad.decimals)) * (pico(valorUnitario) - halfStep(valorUnitario.decimals));
  const upper =
    (pico(cantidad) + halfStep(cantidad.decimals) - 1n) * (pico(valorUnitario) + halfStep(valorUnitario.decimals) - 1n);
  return within(importe, lower, upper);
}

export function impuestoWithinLimits(importe: Decimal, base: Decimal, tasa: Decimal): boolean {
  const lower = (pico(base) - halfStep(base.decimals)) * pico(tasa);
  const upper = (pico(base) + halfStep(base.decimals) - 1n) * pico(tasa);
  return within(importe, lower, upper);
}

/** Whether an amount is within two limits, which come in units of 1e-24. */
function within(importe: Decimal, lower: bigint, upper: bigint): boolean {
  const unit = (PICO * PICO) / 10n ** BigInt(importe.decimals);
  const floor = lower / unit;
  const ceiling = (upper + unit - 1n) / unit;
  const value = importe.micro / 10n ** BigInt(6 - importe.decimals);
  return value >= floor && value <= ceiling;
}
