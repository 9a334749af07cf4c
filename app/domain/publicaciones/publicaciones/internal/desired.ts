import type { Money } from '~/core/money';

/** The facts by which a listing follows its supplier. */
export type Seguida = {
  /** Price by the price rule, in pesos; null without a price, and then nothing is sold. */
  precioDeRegla: Money | null;
  /** Stock as the supplier told it; null when it could not be read. */
  existencia: number | null;
  /** The offer is too old to count, gone from the catalogue, or no longer sold. */
  noCuenta: boolean;
  /** Pieces sold that the supplier still counts in its stock. */
  comprometidas: number;
  colchon: number;
  tope: number | null;
};

/** The price and stock that a listing should show, and the pieces sold too many. */
export type Deseo = { precio: Money | null; stock: number; sobreventa: number };

/** Returns what a listing should show. Sold pieces, then the buffer, are taken from the supplier's stock; the cap limits the rest. Without a price nothing is for sale. */
export function desiredOf({ precioDeRegla, existencia, noCuenta, comprometidas, colchon, tope }: Seguida): Deseo {
  const hay = existencia ?? 0;
  const libre = Math.max(0, hay - comprometidas - colchon);
  const vendible = noCuenta || precioDeRegla === null ? 0 : libre;
  return {
    precio: precioDeRegla,
    stock: tope === null ? vendible : Math.min(vendible, tope),
    // An unknown stock proves no oversale.
    sobreventa: noCuenta || existencia === null ? 0 : Math.max(0, comprometidas - hay),
  };
}

/** Tells whether a change of price waits for a person: over two fifths, up or down. */
export function jumpsTooMuch(antes: Money | null, despues: Money): boolean {
  if (antes === null || antes.isZero()) return false;
  const cambio = despues.minus(antes);
  const salto = (cambio.isNegative() ? antes.minus(despues) : cambio).times(100);
  return salto.compare(antes.times(40)) > 0;
}

/** Tells whether the zeros of a supplier wait for a person: five or more, and over a fifth of its listings. */
export const hasTooManyZeros = (ceros: number, seguidas: number): boolean => ceros >= 5 && ceros * 5 > seguidas;
