/** Money inside the sandbox is whole centavos; on the wire it is a JSON number of pesos. */
export const pesos = (centavos: number) => centavos / 100;
/** '189.00', 189 or 189.5 -> centavos; undefined when it is no amount. */
export function centavosOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  return Math.round(number * 100);
}

/** A share of an amount, to the centavo. */
export const share = (centavos: number, rate: number) => Math.round(centavos * rate + 1e-7);

export const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
