import { HOUR } from './constants';

/** The sandbox's Mexico City: UTC-6 all year, as since October 2022. */
const MEXICO = -6 * HOUR;

function shifted(ms: number, hours: number, suffix: string): string {
  return new Date(ms + hours * HOUR).toISOString().slice(0, 19) + '.000' + suffix;
}

/** Orders and payments: fixed -04:00 whatever the country. */
export const orderTime = (ms: number) => shifted(ms, -4, '-04:00');
/** Packs write the same offset without its colon. */
export const packTime = (ms: number) => shifted(ms, -4, '-0400');
export const localTime = (ms: number) => shifted(ms, -6, '-06:00');
export const zulu = (ms: number) => new Date(ms).toISOString();

/** First instant of the civil month that holds `ms`, `back` months before. */
export function monthStart(ms: number, back = 0): number {
  const local = new Date(ms + MEXICO);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() - back, 1) - MEXICO;
}

/** First instant of the civil day that holds `ms`. */
export function dayStart(ms: number): number {
  const local = new Date(ms + MEXICO);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()) - MEXICO;
}
