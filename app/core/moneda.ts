/** Of what a wholesaler asks for a product. */
export const MONEDAS = ['MXN', 'USD'] as const;
export type Moneda = (typeof MONEDAS)[number];

/**
 * Why a product of a wholesaler has no price. It is kept and shown so, never priced at 0 and never listed.
 * `sinDistribucion`: this account may not buy it. `proyecto`: only quoted by hand. `cero`, `ilegible`, `moneda`: it came as nothing, as no amount, in no currency we know.
 */
export type SinPrecio = 'sinDistribucion' | 'proyecto' | 'cero' | 'ilegible' | 'moneda';
