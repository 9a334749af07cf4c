/** The heights of a list, in px. All rows share one height, so the place of a row is known before the row is read; one row may be expanded. */
export type Heights = {
  /** How many rows the list has. */
  total: number;
  row: number;
  /** The expanded row, and its extra height. */
  opened: number | null;
  extra: number;
  /** The height that stays in sight above the rows, and below them. */
  head: number;
  foot: number;
};

/** Rows in the document beyond those in sight, on either side. */
export const OVERSCAN = 10;

/** Returns the height of the rows from one up to another, without the latter. */
export function heightOf({ row, opened, extra }: Heights, from: number, to: number): number {
  return (to - from) * row + (opened !== null && opened >= from && opened < to ? extra : 0);
}

/** Returns the rows that belong in the document while the box stands at `top` and shows `height`; none while the box shows nothing. */
export function rowsInSight(heights: Heights, top: number, height: number): { first: number; last: number } {
  if (height === 0) return { first: 0, last: -1 };
  const last = heights.total - 1;
  return {
    first: Math.max(0, Math.min(last, rowAt(heights, top)) - OVERSCAN),
    last: Math.min(last, rowAt(heights, top + height - heights.head) + OVERSCAN),
  };
}

/** Returns the scroll position at which a row is wholly in sight; the current position where it is already. */
export function scrollFor(index: number, heights: Heights, top: number, height: number): number {
  const begins = heightOf(heights, 0, index);
  const ends = begins + heightOf(heights, index, index + 1);
  if (begins < top) return begins;
  return Math.max(top, heights.head + ends + heights.foot - height);
}

function rowAt(heights: Heights, y: number): number {
  const { row, opened, extra } = heights;
  const beyond = opened !== null && y >= heightOf(heights, 0, opened + 1);
  const within = opened !== null && !beyond && y >= heightOf(heights, 0, opened);
  return within ? opened : Math.floor((beyond ? y - extra : y) / row);
}
