/** Upper ends in ms of the classes of a duration; the last class has none. From a webhook to a page that somebody gave up on. */
export const CLASES_MS: readonly number[] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/** Counts of durations by class: one more than `CLASES_MS`. */
export type Histograma = readonly number[];

/** Returns the class of a duration in ms. */
export function claseOf(ms: number): number {
  const at = CLASES_MS.findIndex((end) => ms <= end);
  return at < 0 ? CLASES_MS.length : at;
}

/** Adds histograms; one that is shorter counts nothing in the classes that it lacks. */
export const sumOf = (all: readonly Histograma[]): number[] =>
  Array.from({ length: CLASES_MS.length + 1 }, (_, at) => all.reduce((sum, one) => sum + (one[at] ?? 0), 0));

/**
 * Returns the duration in ms that so large a part of all is not above, as near as the classes tell it: between the ends of a class as if its durations were
 * spread evenly, and the end itself for what is beyond the last one. Null without any.
 */
export function percentilOf(histograma: Histograma, parte: number): number | null {
  const total = histograma.reduce((sum, n) => sum + n, 0);
  if (total === 0) return null;
  let rest = total * parte;
  for (const [at, n] of histograma.entries()) {
    if (n > 0 && rest <= n) {
      const from = at === 0 ? 0 : CLASES_MS[at - 1]!;
      return from + (((CLASES_MS[at] ?? from) - from) * rest) / n;
    }
    rest -= n;
  }
  return CLASES_MS.at(-1)!;
}
