import { z } from 'zod';
import { UnexpectedShape } from '../errors';
import type { Item } from './cara';

/** Each by itself: one that cannot be read is told, and takes no other with it. */
export function leerItems(raws: readonly unknown[], itemOf: (raw: unknown) => Item) {
  const items: Item[] = [];
  const ilegibles: string[] = [];
  raws.forEach((raw, index) => {
    try {
      items.push(itemOf(raw));
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      ilegibles.push(`renglón ${index + 1}: ${error.issues.map(({ path }) => path.join('.')).join(', ')}`);
    }
  });
  return { items, ilegibles };
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
