/**
 * Returns the configured address of Amazon's Seller Central. The page carries the address to the browser, so links of
 * the browser follow the server's setting.
 */
function configured(): string | undefined {
  if (typeof document !== 'undefined') return document.documentElement.dataset.seller;
  return typeof process === 'undefined' ? undefined : process.env.AMAZON_SELLER_URL;
}

/** Address of Amazon's Seller Central, for links to a sale or a listing. */
export const SELLER_CENTRAL = configured() || 'https://sellercentral.amazon.com.mx';
