import { tableOf } from '~/core/table';
import type { List } from '~/platform/lists/list.server';
import { OFFERS } from '../offers.server';

/** Every list of the product by its screen's key. Each may be scrolled in windows and exported to Excel. */
export const LISTS: Record<string, List> = tableOf(
  Object.fromEntries(OFFERS.flatMap(({ lists = [] }) => lists).map((list) => [list.lista, list])),
);

/** Returns the list with this key; undefined for a key that no list has. */
export function findList(lista: string): List | undefined {
  return Object.hasOwn(LISTS, lista) ? LISTS[lista] : undefined;
}
