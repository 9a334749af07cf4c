import { z } from 'zod';
import { withoutEntities } from '~/core/htmlEntities';
import { Money } from '~/core/money';
import { tableOf } from '~/core/table';
import { type Moneda, type Precio, type SinPrecio } from './cara';

/**
 * Readers for loosely typed answers: numbers as text, lists as one object or nothing, names with entities and spaces. A value that is no money is
 * null and never 0, and its reader decides what that means.
 */

/**
 * Version of the readers of catalogue rows, over all suppliers. Raise it when a row is read in another way, here or in a `wire.ts`; unchanged rows
 * are then read once more.
 */
export const LECTURA = 1;

/** Any value, or none. */
export const cualquiera = z.unknown().optional();

/** Signs that a text needs cleaning. Most texts need none. */
const POR_LIMPIAR = /&|[^\S ]|^ | {2}| $/;

/** One line of text; null when there is none. */
export const texto = cualquiera.transform((value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  const clean = POR_LIMPIAR.test(text) ? withoutEntities(text).replace(/\s+/g, ' ').trim() : text;
  return clean === '' || clean === '-' || clean === 'null' ? null : clean;
});

/** A key: text or number, never empty. */
export const clave = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().min(1));

const DECIMAL = /^\d{1,12}(?:\.\d{1,10})?$/;

/** Reads an amount of zero or more; null for anything else. A comma only marks thousands. */
export function importeOf(value: unknown): Money | null {
  const text = typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value.trim() : '';
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return DECIMAL.test(plain) ? Money.of(plain) : null;
}

/** A number without an exponent. */
const numberText = (value: number) => (Number.isFinite(value) ? value.toFixed(6) : '');

/** An amount, or null. */
export const importe = cualquiera.transform(importeOf);

/** Reads a number of pieces; null for anything else. A negative number counts as none. */
export function piezasOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() ? Number(value) : NaN;
  return Number.isFinite(number) && number < 1e9 ? Math.max(0, Math.floor(number)) : null;
}

/** A number of pieces, or null. */
export const piezas = cualquiera.transform(piezasOf);

/** A list. One object counts as a list of it, and anything else as an empty one. */
export const lista = <S extends z.ZodType>(item: S) =>
  cualquiera
    .transform((value) => (Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value] : []))
    .pipe(z.array(item));

/** The single element of an answer that comes alone or as a list; undefined for an empty list. */
export const unoOf = <S extends z.ZodType>(item: S) =>
  cualquiera.transform((value) => (Array.isArray(value) ? (value as unknown[])[0] : value)).pipe(item.optional());

const PALABRAS: Readonly<Record<string, Moneda>> = tableOf({
  mxn: 'MXN',
  mn: 'MXN',
  'm.n.': 'MXN',
  peso: 'MXN',
  pesos: 'MXN',
  usd: 'USD',
  us: 'USD',
  dolar: 'USD',
  dolares: 'USD',
});

/** Reads the word for a currency; null for an unknown one. An amount without its currency is no price. */
export function monedaOf(value: unknown): Moneda | null {
  if (typeof value !== 'string') return null;
  const word = value.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
  return Object.hasOwn(PALABRAS, word) ? PALABRAS[word]! : null;
}

/** Reads a price to buy at, or the reason why there is none. */
export function precioOf(
  value: unknown,
  moneda: Moneda | null,
): { precio: Precio; sinPrecio: null } | { precio: null; sinPrecio: SinPrecio } {
  const read = importeOf(value);
  if (!read) return { precio: null, sinPrecio: 'ilegible' };
  if (read.isZero()) return { precio: null, sinPrecio: 'cero' };
  if (!moneda) return { precio: null, sinPrecio: 'moneda' };
  return { precio: { importe: read, moneda }, sinPrecio: null };
}

const GTIN = /^\d{8}$|^\d{12,14}$/;

/** Returns the GTINs among some values, each once. */
export function gtinsOf(...values: unknown[]): string[] {
  const texts = values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [`${value}`] : []));
  return [...new Set(texts.map((text) => text.trim()).filter((text) => GTIN.test(text) && !/^0+$/.test(text)))];
}

/** Reads a key of the SAT: eight digits. Null for 'No disponible.' and the like. */
export function claveSatOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';
  return /^\d{8}$/.test(text) ? text : null;
}

/** Reads a web address, since it is shown or fetched later; null for any other scheme. */
export function enlaceOf(value: unknown, base?: string): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  try {
    const { protocol, href } = new URL(value.trim(), base);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}
