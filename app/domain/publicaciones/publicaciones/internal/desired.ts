import type { Money } from '~/core/money';

/** What a listing that follows its supplier should show, and what it shows. */
export type Seguida = {
  /** By the price rule; null where there is no price, and then nothing is sold. */ precioDeRegla: Money | null;
  /** As the supplier told it; null where nobody could read it. */ existencia: number | null;
  /** Too old to count, gone from the catalogue, or no longer sold. */ noCuenta: boolean;
  /** Pieces sold that the supplier still counts. */ comprometidas: number;
  colchon: number;
  tope: number | null;
};

export type Deseo = { precio: Money | null; stock: number; sobreventa: number };

/** Sold pieces, then the buffer, are taken from what the supplier has; the cap holds what is left. Without a price that can be told there is nothing to sell. */
export function desiredOf({ precioDeRegla, existencia, noCuenta, comprometidas, colchon, tope }: Seguida): Deseo {
  const hay = existencia ?? 0;
  const libre = Math.max(0, hay - comprometidas - colchon);
  const vendible = noCuenta || precioDeRegla === null ? 0 : libre;
  return {
    precio: precioDeRegla,
    stock: tope === null ? vendible : Math.min(vendible, tope),
    // What is not known to be there is not known to be missing.
    sobreventa: noCuenta || existencia === null ? 0 : Math.max(0, comprometidas - hay),
  };
}

/** A change of price over two fifths, up or down, waits for a person. */
export function jumpsTooMuch(antes: Money | null, despues: Money): boolean {
  if (antes === null || antes.isZero()) return false;
  const cambio = despues.minus(antes);
  const salto = (cambio.isNegative() ? antes.minus(despues) : cambio).times(100);
  return salto.compare(antes.times(40)) > 0;
}

/** So many listings of a supplier at 0 at once wait for a person: over a fifth of them, and never for a handful. */
export const hasTooManyZeros = (ceros: number, seguidas: number): boolean => ceros >= 5 && ceros * 5 > seguidas;
