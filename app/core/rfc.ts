import { isCivilDay } from './time';

/** Shape of an RFC in the SAT's XSD of CFDI 4.0; `isRfc` also checks the date. */
const PATTERN = /^([A-ZÑ&]{3,4})(\d{2})(\d{2})(\d{2})[A-Z0-9]{2}[0-9A]$/;
const DIGITS = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

/** Generic RFC of sales to the public in general. */
export const RFC_PUBLICO = 'XAXX010101000';
/** Generic RFC of buyers abroad. */
export const RFC_EXTRANJERO = 'XEXX010101000';

/** Kind of taxpayer: a natural person or a legal person. */
export type PersonaFiscal = 'fisica' | 'moral';

/** Returns the text in upper case without spaces, hyphens or dots; Ñ and & stay. */
export function normalizeRfc(text: string): string {
  return text
    .normalize('NFC')
    .toUpperCase()
    .replace(/[\s.\-\u2010-\u2015]/g, '');
}

/** Returns whether a normalized text is a well-formed RFC whose date exists in the 20th or the 21st century. */
export function isRfc(rfc: string): boolean {
  const match = PATTERN.exec(rfc);
  if (!match) return false;
  const [, , year, month, day] = match;
  return ['19', '20'].some((century) => isCivilDay(`${century}${year}-${month}-${day}`));
}

/** Returns whether the RFC is the SAT's generic RFC of the public or of foreigners. */
export function isGenericRfc(rfc: string): boolean {
  return rfc === RFC_PUBLICO || rfc === RFC_EXTRANJERO;
}

/**
 * Returns the kind of taxpayer: 12 characters are a legal person, 13 a natural person. Generic RFCs count as natural in
 * the SAT's catalogues.
 */
export function personaOf(rfc: string): PersonaFiscal {
  return rfc.length === 12 ? 'moral' : 'fisica';
}

/** Returns the check digit that belongs to the first characters. */
function checkDigit(rfc: string): string {
  const padded = rfc.slice(0, -1).padStart(12, ' ');
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += DIGITS.indexOf(padded[i]!) * (13 - i);
  const rest = sum % 11;
  return rest === 0 ? '0' : rest === 1 ? 'A' : String(11 - rest);
}

/**
 * Returns whether the last character is the check digit. About 1.5 % of live RFCs differ, so a mismatch may only warn.
 */
export function checkDigitMatches(rfc: string): boolean {
  return rfc.at(-1) === checkDigit(rfc);
}
