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
