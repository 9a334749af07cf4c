import { Money } from './money';

/**
 * Result of reading an amount as people write or paste amounts. Mexico writes 1,234.50; pasted text may say 1.234,50 or
 * 1 234.50, and calculators say 1234,5. `importe`: a single reading, plain decimal text with two decimals. `dudoso`:
 * two readings, a hundred or a thousand times apart, and nobody guesses. `nada`: no amount.
 */
export type LecturaDeImporte =
  { clase: 'importe'; importe: string } | { clase: 'dudoso'; lecturas: readonly [string, string] } | { clase: 'nada' };

const NADA: LecturaDeImporte = { clase: 'nada' };
/** Most digits before the point; every column of the database holds fewer. */
const ENTEROS = 12;
/** Longest text that can be an amount. */
const LARGO = 60;
/** Signs of currency around an amount, without meaning here. */
const DELANTE = /^(?:mxn?)?\s*\$?/i;
const DETRAS = /(?:mxn|m\.n\.|mn|pesos)$/i;
/** Digits in groups of three behind one to three digits, with the same mark between all groups. */
const EN_GRUPOS = /^[1-9]\d{0,2}([,.' ])\d{3}(?:\1\d{3})*$/;

/** Reads an amount in pesos; see `LecturaDeImporte`. The result never depends on a guess. */
export function parseImporte(text: string): LecturaDeImporte {
  if (text.length > LARGO) return NADA;
  const escrito = sinAdorno(text);
  if (!/^[\d.,' ]+$/.test(escrito) || !/\d/.test(escrito)) return NADA;
  if (/^\d+$/.test(escrito)) return importe(escrito, '');
  if (/^\d*\.\d{0,2}$/.test(escrito)) return importe(...partes(escrito, '.'));

  const ultima = Math.max(escrito.lastIndexOf('.'), escrito.lastIndexOf(','));
  const [antes, despues] = ultima < 0 ? [escrito, ''] : [escrito.slice(0, ultima), escrito.slice(ultima + 1)];
  const marca = ultima < 0 ? '' : escrito[ultima]!;

  // At most two digits after a mark of a single kind, used once: these digits are cents.
  if (marca !== '' && despues.length <= 2 && !antes.includes(marca)) {
    const pesos = enteros(antes);
    return pesos === null || (marca === ',' && despues === '') ? NADA : importe(pesos, despues);
  }
  // 1,234,56: the last mark may begin the cents, or a group that lost a digit.
  if (marca !== '' && despues.length > 0 && despues.length <= 2) {
    const pesos = enteros(antes);
    return pesos === null ? NADA : dudoso(`${pesos}.${despues}`, `${pesos}${despues}`);
  }
  // 1.234: a point means cents in Mexico and thousands elsewhere. With a comma, 0,500 and 1234,567 are as unclear.
  if (marca === '.' && /^\d{1,3}\.\d{3}$/.test(escrito)) return dudoso(`${antes}${despues}`, `${antes}.${despues}`);
  if (EN_GRUPOS.test(escrito)) return importe(escrito.replace(/\D/g, ''), '');
  if (/^\d+,\d{3,}$/.test(escrito)) return dudoso(`${antes}${despues}`, `${antes}.${despues}`);
  return NADA;
}

/**
 * Returns the text without currency and with a single kind of blank. The apostrophe of millions (1'234,567.89) becomes
 * a comma.
 */
function sinAdorno(text: string): string {
  const llano = text
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/’/g, "'")
    .trim();
  return llano
    .replace(DELANTE, '')
    .replace(DETRAS, '')
    .trim()
    .replace(/^(\d{1,3})'(?=\d{3},\d{3})/, '$1,');
}

/**
 * Returns the amount in plain decimal text, or the text itself when no single amount can be read; null for an empty
 * text.
 */
export function readImporte(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const lectura = parseImporte(unmaskMonto(text));
  return lectura.clase === 'importe' ? lectura.importe : text;
}

/** Returns the error of a form for an amount with two readings. */
export function dudaOfImporte([una, otra]: readonly [string, string]): string {
  return `Puede ser ${enPesos(una)} o ${enPesos(otra)}. Escríbelo con punto y dos decimales.`;
}

/** Returns an amount as pages, sentences and letters write it: '$1,234.50' for '1234.5', '-$1.00' for '-1'. An amount as text is plain decimal text. */
export function enPesos(importe: string | { toFixed(decimales: 2): string }): string {
  const texto = typeof importe === 'string' ? importe : importe.toFixed(2);
  const [pesos = '0', centavos = ''] = texto.replace('-', '').split('.');
  return `${texto.startsWith('-') ? '-' : ''}$${enMiles(pesos)}.${centavos.padEnd(2, '0')}`;
}

/** Returns whole pesos in words for a sum that is rounded: '$1,235' for '1235'. */
export const enPesosEnteros = (pesos: string): string => `$${enMiles(pesos)}`;

/** Returns digits in groups of three from their end: '1,234,567' for '1234567'. */
export function enMiles(digitos: string): string {
  const primeros = digitos.length % 3;
  const grupos = digitos.slice(primeros).match(/\d{3}/g) ?? [];
  return (primeros === 0 ? grupos : [digitos.slice(0, primeros), ...grupos]).join(',');
}

/** Returns the digits of the whole pesos, plain or in groups of three; null for any other shape. */
function enteros(antes: string): string | null {
  if (antes === '') return '0';
  return /^\d+$/.test(antes) || EN_GRUPOS.test(antes) ? antes.replace(/\D/g, '') : null;
}

function partes(escrito: string, marca: string): [string, string] {
  const [pesos = '', centavos = ''] = escrito.split(marca);
  return [pesos === '' ? '0' : pesos, centavos];
}

function importe(pesos: string, centavos: string): LecturaDeImporte {
  const plain = pesos.replace(/^0+(?=\d)/, '');
  return plain.length > ENTEROS ? NADA : { clase: 'importe', importe: `${plain}.${centavos.padEnd(2, '0')}` };
}

function dudoso(una: string, otra: string): LecturaDeImporte {
  const [a, b] = [una, otra].map((text) => Money.of(text).toFixed(2)) as [string, string];
  return a.length > ENTEROS + 3 || b.length > ENTEROS + 3 ? NADA : { clase: 'dudoso', lecturas: [a, b] };
}

/** Returns the text of a masked field with zeros in place of the mask's underscores: `$ 1,234._0` means 1234.00. */
export function unmaskMonto(text: string): string {
  return text.replace(/_/g, '0');
}
