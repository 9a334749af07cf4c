import { z } from 'zod';
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
