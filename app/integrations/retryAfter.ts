import { readHttpDate } from '~/core/time';
/**
 * Returns the wait in ms of a Retry-After header, given in seconds or as a date, 15 minutes at most. Undefined without
 * a readable header. No far side promises the header.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : (readHttpDate(text)?.getTime() ?? Number.NaN) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 15 * 60_000) : undefined;
}
