import type { Market } from '~/core/market';
import { Money } from '~/core/money';

/** Rates that a marketplace takes from a sale. */
export type Tarifa = {
  /** Part of the price with VAT; includes the commission's VAT. */
  comision: Money;
  /** Whether the commission is known for the product's category, or is the default setting. */
  comisionDe: 'categoria' | 'omision';
  /** Part of the price without VAT, like `retencionIsr`. */
  retencionIva: Money;
  retencionIsr: Money;
};

/** Default commission. No single one is right for all categories; withholdings are those of the law (`tasas.server.ts`). */
export const COMISION = { comision: Money.of('0.15'), comisionDe: 'omision' } as const;

/** Returns the key of a marketplace's rates in `ajuste`. Without a row the default rates hold. */
export const claveOfTarifa = (market: Market) => `tarifa_${market}`;

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
