/** Chance by a seed: the same seed gives the same row of numbers. */
export interface Azar {
  /** A number from 0 up to 1, without 1. */
  next(): number;
  chance(share: number): boolean;
  /** A whole number of both bounds. */
  int(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
}

export function azarOf(seed: number): Azar {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    chance: (share) => next() < share,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}
