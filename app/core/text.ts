import { isCivilDay } from './time';

/**
 * Characters that PostgreSQL cannot store: NUL, and surrogates without a partner. With the flag u a pair of surrogates
 * is a single character and does not match.
 */
const UNSTORABLE = /[\0\u{D800}-\u{DFFF}]/u;

/** Returns whether the database can store the text. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Returns the text without the characters that the database cannot store. */
export function withoutUnstorable(text: string): string {
  return text.replace(/[\0\u{D800}-\u{DFFF}]/gu, '');
}

/** Said of a field that may not be empty. */
export const REQUERIDO = 'Este dato es requerido';
/** Said of an email address that is none. It stands apart from the check: every page fetches the words, few the check. */
export const EMAIL_NO_VALIDO = 'Email No Valido';

/** Returns the text with its first letter in upper case. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns whether the text is a real day of this century, 'YYYY-MM-DD'. */
export function isDia(text: string): boolean {
  return /^20\d\d-/.test(text) && isCivilDay(text);
}

/** Returns whether the text is a month of this century, 'YYYY-MM'. */
export function isMes(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}
