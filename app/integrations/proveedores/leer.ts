import { z } from 'zod';
import { sinEntidades } from '~/core/entidades';
import { Money } from '~/core/money';
import { type Moneda, type Precio, type SinPrecio } from './cara';

/**
 * How loose answers are read. Numbers come as text, lists as one object or as nothing, names with entities and spaces. What is no money is null and never 0: who reads it
 * decides what that means.
 */

/**
 * Of how rows of a catalogue are read, all suppliers together. Whoever changes what is made of a row, here or in a `wire.ts`, raises it: a row that came as before is
 * then read once more.
 */
export const LECTURA = 1;

/** Whatever comes, or nothing. */
export const cualquiera = z.unknown().optional();

/** What has to be mended in a text, so that most of them are not gone through three times. */
const POR_LIMPIAR = /&|[^\S ]|^ | {2}| $/;

/** One line of people's text; null where there is none. */
export const texto = cualquiera.transform((value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  const clean = POR_LIMPIAR.test(text) ? sinEntidades(text).replace(/\s+/g, ' ').trim() : text;
  return clean === '' || clean === '-' || clean === 'null' ? null : clean;
});

/** A key: text or number, never empty. */
export const clave = z
  .union([z.string(), z.number()])
  .transform((value) => String(value).trim())
  .pipe(z.string().min(1));

const DECIMAL = /^\d{1,12}(?:\.\d{1,10})?$/;

/** An amount that is zero or more; null for all else. A comma is only read as the mark of thousands. */
export function importeOf(value: unknown): Money | null {
  const text = typeof value === 'number' ? numberText(value) : typeof value === 'string' ? value.trim() : '';
  const plain = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return DECIMAL.test(plain) ? Money.of(plain) : null;
}

/** Without the exponents of very small and very large numbers. */
const numberText = (value: number) => (Number.isFinite(value) ? value.toFixed(6) : '');

export const importe = cualquiera.transform(importeOf);

/** A count of pieces; null for all else. Below zero there are none. */
export function piezasOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() ? Number(value) : NaN;
  return Number.isFinite(number) && number < 1e9 ? Math.max(0, Math.floor(number)) : null;
}

export const piezas = cualquiera.transform(piezasOf);

/** A list; one object is a list of it, and anything else is an empty one. */
export const lista = <S extends z.ZodType>(item: S) =>
  cualquiera
    .transform((value) => (Array.isArray(value) ? value : typeof value === 'object' && value !== null ? [value] : []))
    .pipe(z.array(item));

/** The one of an answer that comes as it or as a list of it; undefined where the list is empty. */
export const unoOf = <S extends z.ZodType>(item: S) =>
  cualquiera.transform((value) => (Array.isArray(value) ? (value as unknown[])[0] : value)).pipe(item.optional());

const PALABRAS: Readonly<Record<string, Moneda>> = {
  mxn: 'MXN',
  mn: 'MXN',
  'm.n.': 'MXN',
  peso: 'MXN',
  pesos: 'MXN',
  usd: 'USD',
  us: 'USD',
  dolar: 'USD',
  dolares: 'USD',
};

/** null for a word nobody told us: an amount without its currency is no price. */
export function monedaOf(value: unknown): Moneda | null {
  if (typeof value !== 'string') return null;
  const word = value.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
  return Object.hasOwn(PALABRAS, word) ? PALABRAS[word]! : null;
}

/** A price to buy at, or why there is none. */
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

export function gtinsOf(...values: unknown[]): string[] {
  const texts = values.flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [`${value}`] : []));
  return [...new Set(texts.map((text) => text.trim()).filter((text) => GTIN.test(text) && !/^0+$/.test(text)))];
}

/** A key of the SAT's catalogue: eight digits; null for 'No disponible.' and the like. */
export function claveSatOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';
  return /^\d{8}$/.test(text) ? text : null;
}

/** Only addresses of the web: what is shown or fetched later came from outside. */
export function enlaceOf(value: unknown, base?: string): string | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  try {
    const { protocol, href } = new URL(value.trim(), base);
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}
