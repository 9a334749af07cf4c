import { Money } from '~/core/money';

/** What a sale leaves, and that as part of what was paid for it, with six decimals. A loss is negative; a sale that pays nothing is a total loss. */
export type Queda = { queda: Money; margen: Money };

/**
 * Returns what a sale leaves: what arrives of it, less its cost. It is the ledger's rule (`libro_venta.queda`), so a price that is thought of, a purchase that is judged
 * and a sale that was settled tell the same amount. `recibe` is without commission, shipping and withheld taxes; `costo` is with VAT; all in pesos.
 */
export function quedaOf({ pagado, recibe, costo }: { pagado: Money; recibe: Money; costo: Money }): Queda {
  const queda = recibe.minus(costo);
  return { queda, margen: pagado.isZero() ? Money.of('-1') : ratio(queda, pagado) };
}

/** Rounded half away from zero. */
function ratio(part: Money, whole: Money): Money {
  const scaled = (part.micros * 1_000_000n * 2n) / whole.micros;
  return Money.ofMicros((scaled + (scaled < 0n ? -1n : 1n)) / 2n);
}
