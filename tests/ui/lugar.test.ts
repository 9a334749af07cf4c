import { expect, test } from 'vitest';
import { placeOf, type Memory, type Places } from '~/ui/lista/usePlace';

/** A list of these rows, all of them read. */
const listOf = (keys: string): Places => ({
  total: keys.length,
  keyAt: (index) => keys[index],
  indexOf: (key) => (keys.includes(key) ? keys.indexOf(key) : null),
});

/** The rows before and after `open`, once a list of `before` has become one of `now`; '-' where there is none. */
function besideOf(open: string, before: string, ...now: string[]): string {
  const memory: Memory = new Map();
  let beside = '';
  for (const keys of [before, ...now]) {
    const place = placeOf(open, memory, listOf(keys));
    const keyOf = (index: number | null) => (index === null ? '-' : keys[index]!);
    beside = `${keyOf(place.previous)}${keyOf(place.index)}${keyOf(place.next)}`;
  }
  return beside;
}

test.each([
  ['in its place', 'b', ['abc'], 'abc'],
  ['the row after it', 'b', ['abc', 'ac'], 'a-c'],
  ['the row before the last one', 'c', ['abc', 'ab'], 'b--'],
  ['none of a list that is done', 'a', ['a', ''], '---'],
  ['the nearest that stay, when several leave at once', 'c', ['abcdef', 'af'], 'a-f'],
  ['a row that came into its place meanwhile', 'b', ['abc', 'axc'], 'a-x'],
  ['a row that came after the last one', 'c', ['abc', 'abx'], 'b-x'],
  ['the row after the first one, though rows came before it', 'a', ['abc', 'xbc'], '--b'],
  ['what came into a list that was done', 'a', ['a', 'xy'], '--x'],
  ['a row moved by those that came at the top', 'b', ['abc', 'xyabc', 'xyac'], 'a-c'],
  ['the row after it, where the list was sorted anew', 'b', ['abc', 'ca'], 'a-c'],
  ['its place again, once it is back', 'b', ['abc', 'ac', 'abc'], 'abc'],
  ['one after the other, when rows leave one after the other', 'b', ['abcd', 'acd', 'ad'], 'a-d'],
])('what stands beside a row: %s', (_what, open, [before, ...now], beside) => {
  expect(besideOf(open, before!, ...now)).toBe(beside);
});

test('a row nobody met has no place, and rows that are not read say nothing', () => {
  const memory: Memory = new Map();
  expect(placeOf('z', memory, listOf('abc'))).toEqual({ index: null, next: null, previous: null });
  placeOf('b', memory, listOf('abc'));
  const unread: Places = { total: 3, keyAt: () => undefined, indexOf: () => null };
  expect(placeOf('b', memory, unread)).toEqual({ index: 1, next: 2, previous: 0 });
});

test('a finished row that is opened again leads on to the row that followed it', () => {
  const memory: Memory = new Map();
  for (const [key, keys] of [
    ['b', 'abc'],
    ['c', 'ac'],
  ] as const)
    placeOf(key, memory, listOf(keys));
  expect(placeOf('b', memory, listOf('ac'))).toEqual({ index: null, next: 1, previous: 0 });
});
