/** Pesos as a JSON number, as the wire carries money. Inside the sandbox money is whole centavos. */
export const pesos = (centavos: number) => centavos / 100;
/** Centavos of '189.00', 189 or 189.5; undefined for a value that is no amount. */
export function centavosOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) return undefined;
  return Math.round(number * 100);
}

/** A share of an amount, to the centavo. */
export const share = (centavos: number, rate: number) => Math.round(centavos * rate + 1e-7);

export const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
