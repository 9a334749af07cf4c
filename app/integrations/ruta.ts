/**
 * Returns the route of an address, such as '/shipments/{}/payments?caller'. Words of the API stay, ids become '{}', and
 * a query keeps only its names.
 */
export function routeOf(url: string, root: string): string {
  const { pathname, searchParams } = new URL(url);
  const base = new URL(root).pathname.replace(/\/$/, '');
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
  const words = path.split('/').map((part) => (/^(?:[a-z][a-z_-]*|v\d|cfdi40)?$/.test(part) ? part : '{}'));
  const asked = [...new Set(searchParams.keys())].filter(isWord).sort();
  return words.join('/') + (asked.length > 0 ? `?${asked.join('&')}` : '');
}

/**
 * Returns whether a key is a word of the API. A key that identifies a record (a map by number or e-mail) is no word.
 */
export const isWord = (key: string) => /^[a-z_$@#][\w$.-]{0,40}$/i.test(key) && !/\d{4}/.test(key);
