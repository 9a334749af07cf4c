import { expect, test } from 'vitest';
import { porDia } from '~/domain/ventas/ordenes/porDia';

const ENVIO = 'actualizaciones del envío';
let last = 0;
const suceso = (en: string, extra: Partial<Parameters<typeof porDia>[0][number]> = {}) => ({
  id: String((last += 1)),
  en,
  tono: 'neutro' as const,
  quien: null,
  varios: ENVIO as string | null,
  ...extra,
});
const told = (sucesos: ReturnType<typeof suceso>[]) =>
  porDia(sucesos).map(({ dia, renglones }) => [dia, ...renglones.map(({ titulo, de }) => titulo ?? de.length)]);

test('events are grouped by their day in Mexico, newest first', () => {
  expect(
    told([
      suceso('2026-11-22T18:00:00Z', { varios: null }),
      suceso('2026-11-22T05:30:00Z', { varios: null }),
      suceso('2026-11-21T20:00:00Z', { varios: null }),
    ]),
  ).toEqual([
    ['2026-11-22', 1],
    ['2026-11-21', 1, 1],
  ]);
});

test('equal events of a machine that came one after another are one line; two of them are two', () => {
  const at = (minute: number) => `2026-11-22T18:0${minute}:00Z`;
  expect(told([1, 2, 3, 4, 5].map((minute) => suceso(at(minute))))).toEqual([['2026-11-22', `5 ${ENVIO}`]]);
  expect(told([suceso(at(1)), suceso(at(2))])).toEqual([['2026-11-22', 1, 1]]);
  expect(
    told([suceso(at(1)), suceso(at(2)), suceso(at(3), { varios: 'intentos: Correo' }), suceso(at(4)), suceso(at(5))]),
    'of another kind in between',
  ).toEqual([['2026-11-22', 1, 1, 1, 1, 1]]);
});

test('what somebody did and what went wrong stand by themselves', () => {
  const at = (minute: number) => `2026-11-22T18:0${minute}:00Z`;
  expect(told([1, 2, 3].map((minute) => suceso(at(minute), { quien: 'Ana Ríos' })))).toEqual([['2026-11-22', 1, 1, 1]]);
  expect(told([1, 2, 3].map((minute) => suceso(at(minute), { tono: 'mal' })))).toEqual([['2026-11-22', 1, 1, 1]]);
});
