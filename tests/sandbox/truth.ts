/**
 * What is true of a sale, as the outside world knows it: the side against which the product is held. Amounts are centavos. Nothing here is asked of the product.
 */
export interface SaleTruth {
  market: 'mercadolibre' | 'amazon';
  /** The number that the seller sees. */
  numOrden: string;
  /** Ids of the orders of the sale, as the marketplace tells them. */
  ids: string[];
  /** Class of each order. A CFDI may be made of 'normal' ones. */
  clases: string[];
  soldAt: number;
  /** What the buyer paid and was not given back. */
  paid: number;
  /** What was given back. */
  refunded: number;
  /** What the marketplace keeps of what stands: its fees, the seller's part of coupons and the shipping, the withholdings. Null while it has not said so. */
  kept: { fee: number; coupon: number; shipping: number; withheld: number } | null;
  lines: { sku: string | null; pieces: number; amount: number }[];
  rfc: string | null;
}
