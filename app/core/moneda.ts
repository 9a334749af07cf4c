/** Currencies of the prices of wholesalers. */
export const MONEDAS = ['MXN', 'USD'] as const;
export type Moneda = (typeof MONEDAS)[number];

/**
 * Reason for the missing price of a wholesaler's product. A product without a price is kept and shown, never priced at
 * 0 and never listed. `sinDistribucion`: this account may not buy the product. `proyecto`: the price is quoted by hand.
 * `cero`, `ilegible`, `moneda`: the price came as zero, as no amount, or in an unknown currency.
 */
export type SinPrecio = 'sinDistribucion' | 'proyecto' | 'cero' | 'ilegible' | 'moneda';
