import { expect, test } from 'vitest';
import { HASTA, instantOfHasta, type Hasta } from '~/platform/hoy/hasta';
import { DIA, HORA, isTarde, limiteOf, MINUTO, relojOf } from '~/platform/hoy/reloj';

const ahora = new Date('2026-11-22T18:00:00Z');
const antes = (ms: number) => new Date(ahora.getTime() - ms);
const PLAZOS = { aviso: 24 * HORA, mal: 48 * HORA };

test.each([
  [22 * MINUTO, 'hace 22 min', 'neutro'],
  [24 * HORA - MINUTO, 'hace 23 h', 'neutro'],
  [24 * HORA, 'hace 24 h', 'aviso'],
  [48 * HORA, 'hace 2 días', 'mal'],
])('without a day of its own a thing is told by its age: %i ms', (age, texto, tono) => {
  expect(relojOf({ desde: antes(age), vence: null }, PLAZOS, ahora)).toEqual({ texto, tono });
  expect(isTarde({ desde: antes(age), vence: null }, PLAZOS, ahora)).toBe(tono === 'mal');
});

test.each([
  [8 * DIA, 'quedan 8 días', 'neutro'],
  [5 * HORA, 'quedan 5 h', 'aviso'],
  [61 * MINUTO, 'queda 1 h', 'aviso'],
  [-2 * HORA, 'Vencido hace 2 h', 'mal'],
])('with a day of its own, what is left of it: %i ms', (left, texto, tono) => {
  const plazo = { desde: antes(4 * DIA), vence: antes(-left) };
  expect(relojOf(plazo, PLAZOS, ahora)).toEqual({ texto, tono });
  expect(limiteOf(plazo, PLAZOS)).toBe(plazo.vence.getTime());
});

test('the last quarter of its time is looked at twice, and not before', () => {
  const tono = (left: number) => relojOf({ desde: antes(8 * HORA - left), vence: antes(-left) }, PLAZOS, ahora).tono;
  expect([tono(2 * HORA + MINUTO), tono(2 * HORA - MINUTO)]).toEqual(['neutro', 'aviso']);
});

test.each<[Hasta, string, string]>([
  ['unaHora', '2026-11-22T18:00:00Z', '2026-11-22T19:00:00Z'],
  ['estaTarde', '2026-11-22T18:00:00Z', '2026-11-22T22:00:00Z'],
  ['estaTarde', '2026-11-22T23:00:00Z', '2026-11-23T22:00:00Z'],
  // Eleven at night in Mexico is the next day in UTC.
  ['manana', '2026-11-23T05:00:00Z', '2026-11-23T15:00:00Z'],
  ['lunes', '2026-11-22T18:00:00Z', '2026-11-23T15:00:00Z'],
  ['lunes', '2026-11-23T18:00:00Z', '2026-11-30T15:00:00Z'],
  ['unaSemana', '2026-11-22T18:00:00Z', '2026-11-29T18:00:00Z'],
])('«%s» said at %s is until %s', (hasta, at, until) => {
  expect(HASTA).toHaveProperty(hasta);
  expect(instantOfHasta(hasta, new Date(at)).toISOString()).toBe(new Date(until).toISOString());
});
