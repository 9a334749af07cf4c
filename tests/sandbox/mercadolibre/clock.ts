import { HOUR } from './constants';

/** The sandbox's Mexico City: UTC-6 all year, as since October 2022. */
const MEXICO = -6 * HOUR;

function shifted(ms: number, hours: number, suffix: string): string {
  return new Date(ms + hours * HOUR).toISOString().slice(0, 19) + '.000' + suffix;
}

/** An instant as orders and payments write it, with -04:00 whatever the country. */
export const orderTime = (ms: number) => shifted(ms, -4, '-04:00');
/** An instant as packs write it, with -0400. */
export const packTime = (ms: number) => shifted(ms, -4, '-0400');
export const localTime = (ms: number) => shifted(ms, -6, '-06:00');
export const zulu = (ms: number) => new Date(ms).toISOString();

/** The first instant of a civil month: the one that holds `ms`, or `back` months before it. */
export function monthStart(ms: number, back = 0): number {
  const local = new Date(ms + MEXICO);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - back, 1) - MEXICO;
}

/** The first instant of the civil day that holds `ms`. */
export function dayStart(ms: number): number {
  const local = new Date(ms + MEXICO);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()) - MEXICO;
}
