import { useRef } from 'react';

/** The rows of a list by place and by key, as far as they were read. */
export type Places = {
  total: number;
  keyAt: (index: number) => string | undefined;
  /** The place of a key among the rows that were read; null where none of them has it. */
  indexOf: (key: string) => number | null;
};

/** The number of keys on either side that are remembered of a row, for the day it leaves the list alone or with others. */
const NEIGHBOURS = 20;

type Known = { key: string; index: number; after: string[]; before: string[] };

/**
 * Returns where a row stands, by its key: rows come and go around it. `index` is null for a row that has left the list or was never met there. `next` and
 * `previous` are the rows on either side; of a row that has left, the nearest that stay.
 */
export function usePlace(
  key: string | null,
  { total, keyAt, indexOf }: Places,
): { index: number | null; next: number | null; previous: number | null } {
  const memory = useRef<Known | null>(null);
  if (key === null) return NOWHERE;
  const known = memory.current?.key === key ? memory.current : null;
  const stays = known !== null && keyAt(known.index) === key;
  const index = stays ? known.index : indexOf(key);
  const within = (place: number) => (place >= 0 && place < total ? place : null);
  if (index !== null) {
    const keysFrom = (step: 1 | -1) =>
      Array.from({ length: NEIGHBOURS }, (_, at) => keyAt(index + step * (at + 1))).filter((one) => one !== undefined);
    memory.current = { key, index, after: keysFrom(1), before: keysFrom(-1) };
    return { index, next: within(index + 1), previous: within(index - 1) };
  }
  if (known === null) return NOWHERE;
  // The rows around it are not read any more: nobody says that it left.
  if (within(known.index) !== null && keyAt(known.index) === undefined)
    return { index: known.index, next: within(known.index + 1), previous: within(known.index - 1) };
  const firstOf = (keys: readonly string[]) => {
    for (const one of keys) {
      const place = indexOf(one);
      if (place !== null) return place;
    }
    return null;
  };
  return { index: null, next: firstOf(known.after), previous: firstOf(known.before) };
}

const NOWHERE = { index: null, next: null, previous: null };
