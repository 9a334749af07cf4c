/** A source of chance that gives the same numbers for the same key. No data of the sandbox comes from Math.random. */
export interface Random {
  /** A number from 0 (included) to 1. */
  next(): number;
  /** A whole number between two, both included. */
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  shuffle<T>(list: readonly T[]): T[];
}

/** FNV-1a of the text of a key. */
export function hashOf(...key: (string | number)[]): number {
  let hash = 0x811c9dc5;
  const text = key.join('/');
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** A source of chance for a key, by Mulberry32. */
export function randomOf(...key: (string | number)[]): Random {
  let state = hashOf(...key);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick(list) {
      const one = list[int(0, list.length - 1)];
      if (one === undefined) throw new Error('pick() of an empty list');
      return one;
    },
    chance: (probability) => next() < probability,
    shuffle(list) {
      const copy = [...list];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(0, i);
        [copy[i], copy[j]] = [copy[j]!, copy[i]!];
      }
      return copy;
    },
  };
}
