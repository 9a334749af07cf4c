import { z } from 'zod';
import { UnexpectedShape } from '../errors';
import type { Item } from './cara';

/** Each by itself: one that cannot be read is told, and takes no other with it. */
export function leerItems(raws: readonly unknown[], itemOf: (raw: unknown) => Item) {
  const items: Item[] = [];
  const ilegibles: string[] = [];
  const rastros: string[] = [];
  raws.forEach((raw, index) => {
    try {
      items.push(itemOf(raw));
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      ilegibles.push(`renglón ${index + 1}: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`);
      rastros.push(...rastrosDe(raw));
    }
  });
  return { items, ilegibles, rastros };
}

/** Longer texts are no key, and so many of a row are enough to know it by. */
const RASTRO = { largo: 80, cuantos: 60 };

/** Every short text and number in it, however deep. */
function rastrosDe(raw: unknown): string[] {
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

/** The one that was asked for; null where nothing came, and a failure where only others did. */
export function itemPedido(
  raws: readonly unknown[],
  id: string,
  itemOf: (raw: unknown) => Item,
  label: string,
): Item | null {
  const { items } = leerItems(raws, itemOf);
  const item = items.find(({ idProveedor }) => idProveedor === id);
  if (!item && raws.length > 0) throw new UnexpectedShape(`${label} contestó otro producto que el ${id}`);
  return item ?? null;
}
