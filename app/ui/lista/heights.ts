/** Every row of a list has the same height, so that any row's place is known before it is read; one of them may be expanded. All in px. */
export type Heights = {
  /** How many rows the list has. */
  total: number;
  row: number;
  /** The row that is expanded, and by how much. */
  opened: number | null;
  extra: number;
  /** What stays in sight above the rows, and under them. */
  head: number;
  foot: number;
};

/** Rows in the document beyond those in sight, on either side. */
export const OVERSCAN = 10;

/** How tall the rows are from one up to another, without the latter. */
export function heightOf({ row, opened, extra }: Heights, from: number, to: number): number {
  return (to - from) * row + (opened !== null && opened >= from && opened < to ? extra : 0);
}

/** The rows that belong into the document while the box stands at `top` and shows `height`: none as long as it shows nothing. */
export function rowsInSight(heights: Heights, top: number, height: number): { first: number; last: number } {
  if (height === 0) return { first: 0, last: -1 };
  const last = heights.total - 1;
  return {
    first: Math.max(0, Math.min(last, rowAt(heights, top)) - OVERSCAN),
    last: Math.min(last, rowAt(heights, top + height - heights.head) + OVERSCAN),
  };
}

/** Where the box has to stand so that all of a row is seen: where it stands, if it is. */
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
