import { expect, test } from 'vitest';
import { eleccionOf, FALLAS, TIPOS } from './eleccion';
import { Fallas } from './fallas';

const TODAS = [...TIPOS, ...FALLAS];
const five = [1, 2, 3, 4, 5].map((semilla) => eleccionOf(semilla));

test('each kind, and each pair of kinds, is on in one of the five seeds', () => {
  for (const una of TODAS)
    for (const otra of TODAS)
      expect(
        five.some((eleccion) => eleccion.has(una) && eleccion.has(otra)),
        `${una} with ${otra}`,
      ).toBe(true);
});

test('each of the five seeds turns four off at least, and each is off in two of them', () => {
  for (const eleccion of five) expect(eleccion.size).toBeLessThanOrEqual(TODAS.length - 4);
  for (const una of TODAS) expect(five.filter((eleccion) => !eleccion.has(una)).length, una).toBe(2);
});

test('a seed beyond the table has its own choice, the same each time', () => {
  const choices = [6, 7, 8, 9, 10, 11].map((semilla) => [...eleccionOf(semilla)].join());
  expect(choices).toEqual([6, 7, 8, 9, 10, 11].map((semilla) => [...eleccionOf(semilla)].join()));
  expect(new Set(choices).size).toBe(choices.length);
});

/** The faults and deaths of a hundred hours. */
async function hundredHours(eleccion: ReadonlySet<string>, semilla = 3) {
  const told: { api: string; mode: string }[] = [];
  const fallas = new Fallas(eleccion as never, semilla);
  let deaths = 0;
  for (let hour = 0; hour < 100; hour++)
    if (await fallas.arm({ fail: (body) => Promise.resolve(void told.push(body as (typeof told)[number])) })) deaths++;
  return { told, deaths };
}

test('a family that is off never happens', async () => {
  const { told, deaths } = await hundredHours(new Set(['rechazo']));
  expect(new Set(told.map(({ mode }) => mode))).toEqual(new Set(['429', '503', 'mantenimiento']));
  expect(deaths).toBe(0);
  expect((await hundredHours(new Set(['amazon']))).told).toEqual([]);
});

test('a family that is on happens at every far side, the same each time', async () => {
  const { told, deaths } = await hundredHours(new Set(['duda', 'muerte']));
  expect(new Set(told.map(({ api }) => api)).size).toBe(8);
  expect(deaths).toBeGreaterThan(0);
  expect(await hundredHours(new Set(['duda', 'muerte']))).toEqual({ told, deaths });
});
