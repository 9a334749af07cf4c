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

/**
 * Default rates. Withholdings follow the income tax law for platforms and sellers with an RFC (2026): half of the VAT, and 2.5 %. No single
 * commission is right for all categories.
 */
export const TARIFA: Tarifa = {
  comision: Money.of('0.15'),
  comisionDe: 'omision',
  retencionIva: Money.of('0.08'),
  retencionIsr: Money.of('0.025'),
};

/** Returns the key of a marketplace's rates in `ajuste`. Without a row the default rates hold. */
export const claveOfTarifa = (market: Market) => `tarifa_${market}`;
