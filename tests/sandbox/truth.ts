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

/** What is true of a transfer of a marketplace to the bank: `before` and the lines add up to `amount` and `after`. */
export interface DepositTruth {
  market: 'mercadolibre' | 'amazon';
  at: number;
  /** From when on the marketplace tells of it. */
  toldAt: number;
  amount: number;
  /** What lay at the marketplace before its lines, and what stays there. */
  before: number;
  after: number;
  /** What moved since the transfer before, one sum for each sale; null is what no sale explains. */
  lines: { numOrden: string | null; amount: number }[];
}

/** What is true between the shop and one supplier. */
export interface SupplierTruth {
  proveedor: string;
  /** Orders that it has, by its folio and by our reference. It took those that it delivers. */
  orders: { folio: string; referencia: string; at: number; taken: boolean; amount: number }[];
  /** Its invoices, each of one order, and what transfers paid of each. */
  invoices: { folio: string; order: string; at: number; amount: number; paid: number }[];
  payments: { folio: string; at: number; amount: number }[];
  /** What its invoices charge and nothing paid. */
  owed: number;
}
