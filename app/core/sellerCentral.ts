/** Where Amazon's seller works. The page carries it to the browser, so that links go where the server says. */
function told(): string | undefined {
  if (typeof document !== 'undefined') return document.documentElement.dataset.seller;
  return typeof process === 'undefined' ? undefined : process.env.AMAZON_SELLER_URL;
}

export const SELLER_CENTRAL = told() || 'https://sellercentral.amazon.com.mx';
