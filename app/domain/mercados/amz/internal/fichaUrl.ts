/** Returns the page of the catalogue that buyers see; null while the listing has no ASIN. */
export const fichaUrl = (asin: string | null): string | null =>
  asin && `https://www.amazon.com.mx/dp/${encodeURIComponent(asin)}`;
