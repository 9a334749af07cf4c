import { expect, test } from 'vitest';
import { heightOf, OVERSCAN, rowsInSight, scrollFor, type Heights } from '~/ui/lista/heights';

const HEIGHT = 400;
const LISTS: [string, Heights][] = [
  ['a long list', { total: 17_000, row: 36, opened: null, extra: 0, head: 34, foot: 34 }],
  ['a list with a row expanded', { total: 300, row: 50, opened: 7, extra: 720, head: 34, foot: 0 }],
  ['a list whose last row is expanded', { total: 30, row: 30, opened: 29, extra: 90, head: 34, foot: 34 }],
  ['a list of one row', { total: 1, row: 36, opened: null, extra: 0, head: 34, foot: 34 }],
];

/** Row by row, as a person would see them. */
function seen(heights: Heights, top: number) {
  const rows = Array.from({ length: heights.total }, (_, at) => ({
    at,
    begins: heightOf(heights, 0, at),
    ends: heightOf(heights, 0, at + 1),
  }));
  const bottom = top + HEIGHT - heights.head;
  return rows.filter(({ begins, ends }) => ends > top && begins < bottom).map(({ at }) => at);
}

const placesOf = (heights: Heights) => {
  const most = Math.max(0, heights.head + heightOf(heights, 0, heights.total) + heights.foot - HEIGHT);
  return [0, 1, 35, 349, 350, 399, 400, 700, 1_069, 1_070, 1_119, 1_120, most / 2, most - 1, most].filter(
    (top) => top >= 0 && top <= most,
  );
};

test.each(LISTS)('%s has in the document all rows in sight, and only some more', (_, heights) => {
  for (const top of placesOf(heights)) {
    const { first, last } = rowsInSight(heights, top, HEIGHT);
    const rows = seen(heights, top);
    expect(first).toBeLessThanOrEqual(rows[0]!);
    expect(last).toBeGreaterThanOrEqual(rows.at(-1)!);
    expect(first).toBeGreaterThanOrEqual(Math.max(0, rows[0]! - OVERSCAN));
    expect(last).toBeLessThanOrEqual(Math.min(heights.total - 1, rows.at(-1)! + OVERSCAN + 1));
  }
});

test.each(LISTS)('%s stands still for a row in sight, and moves until another is', (_, heights) => {
  for (const top of placesOf(heights))
    for (const index of [0, 6, 7, 8, 29, 150, heights.total - 1].filter((at) => at < heights.total)) {
      const [begins, ends] = [heightOf(heights, 0, index), heightOf(heights, 0, index + 1)];
      const inSight = (at: number) => begins >= at && heights.head + ends + heights.foot <= at + HEIGHT;
      const to = scrollFor(index, heights, top, HEIGHT);
      if (inSight(top)) expect(to).toBe(top);
      // What is taller than the box shows its end or its beginning.
      else if (ends - begins <= HEIGHT - heights.head - heights.foot) expect(inSight(to)).toBe(true);
    }
});

test('a list that was filtered to less than where its box stands has its last rows', () => {
  const heights: Heights = { total: 12, row: 36, opened: null, extra: 0, head: 34, foot: 34 };
  expect(rowsInSight(heights, 90_000, HEIGHT)).toEqual({ first: 1, last: 11 });
});

test('a list without rows, or in a box that shows nothing, has none in the document', () => {
  const heights: Heights = { total: 0, row: 36, opened: null, extra: 0, head: 34, foot: 34 };
  expect(rowsInSight(heights, 0, HEIGHT).last).toBe(-1);
  expect(rowsInSight({ ...heights, total: 50 }, 0, 0).last).toBe(-1);
});
