/** Civil time of the issuer's zone, without offset, as CFDI writes it. */
import { EMISOR } from './cuenta';

const LOCAL = new Intl.DateTimeFormat('sv-SE', { timeZone: EMISOR.zona, dateStyle: 'short', timeStyle: 'medium' });

/** The present in the issuer's zone, 'YYYY-MM-DDTHH:mm:ss'. */
export function localNow(now = new Date()): string {
  return LOCAL.format(now).replace(' ', 'T');
}

/** Seconds from now to a local instant, negative in the past; undefined when the text is no date of the calendar. */
export function secondsFromNow(local: string, now = new Date()): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(local)) return undefined;
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 19) !== local) return undefined;
  return (asUtc - Date.parse(`${localNow(now)}Z`)) / 1_000;
}
