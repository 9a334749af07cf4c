/** A Mexican telephone: ten digits, and the extension if written. */
export type Telefono = { numero: string; extension: string | null };

const EXTENSION = /(?:ext(?:ensi[oó]n)?|x|#)\.?\s*(\d{1,6})$/i;
/** Longest text that can be a telephone. */
const LARGO = 60;
const PREFIJOS = ['52', '521', '01', '044', '045', '0052', '00521'];

export const TELEFONO_NO_VALIDO = 'Telefono no valido';

/**
 * Reads a Mexican telephone however written: with spaces, dashes, dots, parentheses, +52, 521, or the prefixes from
 * before 2019 (01, 044, 045). Null when ten digits cannot be told; no digit is ever cut.
 */
export function parseTelefono(text: string): Telefono | null {
  if (text.length > LARGO) return null;
  const escrita = EXTENSION.exec(text.trim());
  const antes = escrita ? escrita.input.slice(0, escrita.index) : text;
  const extension = escrita?.[1] ?? null;
  if (!/^\+?[\d\s().\-\u2010-\u2015/]+$/.test(antes.trim())) return null;
  const digits = antes.replace(/\D/g, '');
  const numero = digits.slice(-10);
  const prefijo = digits.slice(0, -10);
  return numero.length === 10 && !numero.startsWith('0') && (prefijo === '' || PREFIJOS.includes(prefijo))
    ? { numero, extension }
    : null;
}

/** Returns the ten digits of a telephone however written, as other programs take telephones; null when ten cannot be told. */
export function diezDigitosOf(text: string | null | undefined): string | null {
  return parseTelefono(text ?? '')?.numero ?? null;
}

/** Returns the telephone as rows store telephones: '5512345678' or '5512345678 ext. 12'. */
export function storedTelefono({ numero, extension }: Telefono): string {
  return extension === null ? numero : `${numero} ext. ${extension}`;
}
