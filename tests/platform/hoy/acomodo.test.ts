import { expect, test } from 'vitest';
import { acomodar, mover, type Columna } from '~/platform/hoy/acomodo';

/** Cards by letter, in the order of the house: capitals stand in the first column, the others in the second. */
const casaOf = (letras: string) =>
  [...letras].map((clave) => ({ clave, columna: (clave === clave.toUpperCase() ? 1 : 2) as Columna }));
const CASA = casaOf('AaBbCc');
const dicho = (cartas: readonly { clave: string }[]) => cartas.map(({ clave }) => clave).join('');
const tras = (casa: typeof CASA, ...moves: [string, 'arriba' | 'abajo'][]) =>
  moves.reduce<string[]>((elegido, [carta, hacia]) => mover(casa, elegido, { carta, hacia, aparte: [] }), []);

test('who never moved a card has the order of the house', () => {
  expect(dicho(acomodar(CASA, []))).toBe('AaBbCc');
});

test.each([
  ['C', 'arriba', 'AaCbBc'],
  ['A', 'abajo', 'BaAbCc'],
  ['c', 'arriba', 'AaBcCb'],
  ['A', 'arriba', 'AaBbCc'],
  ['c', 'abajo', 'AaBbCc'],
  ['zz', 'abajo', 'AaBbCc'],
] as const)(
  '%s moved %s changes places within its column, and no card changes its column: %s',
  (carta, hacia, orden) => {
    const elegido = tras(CASA, [carta, hacia]);
    const despues = acomodar(CASA, elegido);
    expect(dicho(despues)).toBe(orden);
    expect(despues.map(({ columna }) => columna)).toEqual(CASA.map(({ columna }) => columna));
  },
);

test('a new kind stands after the one that it follows in the house, wherever that was moved, and moves nothing else', () => {
  const elegido = tras(CASA, ['C', 'arriba'], ['C', 'arriba']);
  expect(dicho(acomodar(CASA, elegido))).toBe('CaAbBc');
  expect(dicho(acomodar(casaOf('AaBbDCc'), elegido).filter(({ columna }) => columna === 1))).toBe('CABD');
  expect(dicho(acomodar(casaOf('DAaBbCc'), elegido).filter(({ columna }) => columna === 1))).toBe('DCAB');
});

test('a kind that is gone leaves no gap, and a card passes those that stand aside', () => {
  const elegido = tras(CASA, ['A', 'abajo']);
  expect(dicho(acomodar(casaOf('AabCc'), elegido))).toBe('AabCc');
  expect(dicho(acomodar(CASA, mover(CASA, [], { carta: 'A', hacia: 'abajo', aparte: ['B'] })))).toBe('BaCbAc');
});
