import { expect, test } from 'vitest';
import { placeIn, siguienteOf } from '~/routes/operacion/pendientes/useSiguiente';
import type { Memory } from '~/ui/lista/usePlace';

/** A board: a capital waits for a decision, a small letter is still looked for. */
const boardOf = (letters: string) =>
  [...letters].map((letter) => ({
    id: letter.toLowerCase(),
    state: letter === letter.toUpperCase() ? ('manual' as const) : ('unknown' as const),
    alarma: null,
    tardia: false,
  }));

test.each([
  ['the one below it', 'b', 'ABC', 'AC', 'c'],
  ['the one below it, though the decided one is still checked', 'b', 'ABC', 'AbC', 'c'],
  ['none that nobody has to decide', 'a', 'AbC', 'bC', 'c'],
  ['the one above it, after the last one', 'c', 'ABC', 'AB', 'b'],
  ['what came meanwhile', 'b', 'AB', 'AD', 'd'],
  ['none, once all is decided', 'a', 'Ab', 'b', undefined],
])('after a decision opens %s', (_what, id, before, now, next) => {
  const memory: Memory = new Map();
  placeIn(boardOf(before), id, memory);
  expect(siguienteOf(boardOf(now), id, memory)?.id).toBe(next);
});
