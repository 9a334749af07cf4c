import { isCivilDay } from './time';

/** With the flag u a pair of surrogates is one character, so these are the lonely ones. PostgreSQL keeps neither them nor NUL. */
const UNSTORABLE = /[\0\u{D800}-\u{DFFF}]/u;

/** Whether the database can keep this text. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** The text without what the database cannot keep. */
export function withoutUnstorable(text: string): string {
  return text.replace(/[\0\u{D800}-\u{DFFF}]/gu, '');
}

/** A real day of this century, 'YYYY-MM-DD'. */
export function isDia(text: string): boolean {
  return /^20\d\d-/.test(text) && isCivilDay(text);
}

/** A month of this century, 'YYYY-MM'. */
export function isMes(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}
