/** The spec's pattern: something, an at sign, and a domain whose last part has two to four letters. */
const EMAIL = /^[^\s@,;<>"']+@[^\s@,;<>"']+\.[a-z]{2,4}$/i;

export const EMAIL_NO_VALIDO = 'Email No Valido';

export function isEmail(text: string): boolean {
  return text.length <= 120 && EMAIL.test(text);
}
