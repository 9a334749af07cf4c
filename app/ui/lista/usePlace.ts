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

/** Where rows stood, by key, with the keys on either side of each, the nearest first. */
export type Memory = Map<string, { index: number; after: string[]; before: string[] }>;
type Place = { index: number | null; next: number | null; previous: number | null };

const NOWHERE: Place = { index: null, next: null, previous: null };

/** Returns `placeOf` of a key, and remembers each key that was asked for. */
export function usePlace(key: string | null, places: Places): Place {
  const memory = useRef<Memory>(new Map());
  return key === null ? NOWHERE : placeOf(key, memory.current, places);
}

/**
 * Returns where a row stands, by its key: rows come and go around it. `index` is null for a row that has left the list or was never met there. `next` and
 * `previous` are the rows on either side; of a row that has left, the nearest that stay, and between them whatever came into its place.
 */
export function placeOf(key: string, memory: Memory, { total, keyAt, indexOf }: Places): Place {
  const known = memory.get(key);
  const within = (place: number) => (place >= 0 && place < total ? place : null);
  const at = (index: number) => ({ index, next: within(index + 1), previous: within(index - 1) });
  const index = known && keyAt(known.index) === key ? known.index : indexOf(key);
  if (index !== null) {
    const keysFrom = (step: 1 | -1) =>
      Array.from({ length: NEIGHBOURS }, (_, by) => keyAt(index + step * (by + 1))).filter((one) => one !== undefined);
    memory.set(key, { index, after: keysFrom(1), before: keysFrom(-1) });
    return at(index);
  }
  if (!known) return NOWHERE;
  // The rows around it are not read any more: nobody says that it left.
  if (within(known.index) !== null && keyAt(known.index) === undefined) return at(known.index);
  const firstOf = (keys: readonly string[]) => keys.map(indexOf).find((place) => place !== null) ?? null;
  const [after, previous] = [firstOf(known.after), firstOf(known.before)];
  const isSorted = previous !== null && (after === null || previous < after);
  return { index: null, next: isSorted ? within(previous + 1) : (after ?? within(0)), previous };
}
