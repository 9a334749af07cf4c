import { z } from 'zod';
import { UnexpectedShape } from '../errors';
import type { Crudo, Item, Tramo } from './cara';

/** Rows as they came. `clave` is the name under which the supplier writes its key. */
const crudosOf = (raws: readonly unknown[], clave: string, leidoEn: Date): Crudo[] =>
  raws.map((raw, index) => ({ raw, clave: claveEn(raw, clave), renglon: index + 1, leidoEn }));

/** Returns a page as the last stretch. The caller sets `sigue` when another one follows. */
export const tramoOf = (raws: readonly unknown[], clave: string, itemOf: Tramo['itemOf'], leidoEn: Date): Tramo => ({
  crudos: crudosOf(raws, clave, leidoEn),
  itemOf,
  ilegibles: [],
  rastros: [],
  sigue: null,
  total: null,
});

/** Returns the key that a row has under a name; null when it has none. */
export function claveEn(raw: unknown, name: string): string | null {
  const value = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[name] : null;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() || null : null;
}

/** Reads rows one by one. An unreadable row is reported and stops no other. */
export function readCrudos(crudos: readonly Crudo[], itemOf: Tramo['itemOf']) {
  const items: Item[] = [];
  const ilegibles: string[] = [];
  const rastros: string[] = [];
  for (const { raw, renglon, leidoEn } of crudos)
    try {
      items.push(itemOf(raw, leidoEn));
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      ilegibles.push(`renglón ${renglon}: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`);
      rastros.push(...rastrosOf(raw));
    }
  return { items, ilegibles, rastros };
}

/** Reads the rows of a page. */
export const readItems = (raws: readonly unknown[], itemOf: (raw: unknown) => Item) =>
  readCrudos(crudosOf(raws, '', new Date()), itemOf);

/** Longest text that may be a key, and texts of a row that are kept to recognise it by. */
const RASTRO = { largo: 80, cuantos: 60 };

/** Every short text and number in a row, however deep. */
function rastrosOf(raw: unknown): string[] {
  const found = new Set<string>();
  const look = (value: unknown) => {
    if (found.size >= RASTRO.cuantos) return;
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(look);
    else if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).trim();
      if (text !== '' && text.length <= RASTRO.largo) found.add(text);
    }
  };
  look(raw);
  return [...found];
}

/** Returns the product that was asked for; null when nothing came. Throws `UnexpectedShape` when only other products came. */
export function itemPedido(
  raws: readonly unknown[],
  id: string,
  itemOf: (raw: unknown) => Item,
  label: string,
): Item | null {
  const { items } = readItems(raws, itemOf);
  const item = items.find(({ idProveedor }) => idProveedor === id);
  if (!item && raws.length > 0) throw new UnexpectedShape(`${label} contestó otro producto que el ${id}`);
  return item ?? null;
}
