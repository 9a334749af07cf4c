import { expect, test } from 'vitest';
import { enLetras } from '~/core/enLetras';
import { Money } from '~/core/money';

test.each([
  ['0.00', 'CERO PESOS 00/100 M.N.'],
  ['0.05', 'CERO PESOS 05/100 M.N.'],
  ['1.00', 'UN PESO 00/100 M.N.'],
  ['16.00', 'DIECISÉIS PESOS 00/100 M.N.'],
  ['21.10', 'VEINTIÚN PESOS 10/100 M.N.'],
  ['22.00', 'VEINTIDÓS PESOS 00/100 M.N.'],
  ['30.00', 'TREINTA PESOS 00/100 M.N.'],
  ['31.99', 'TREINTA Y UN PESOS 99/100 M.N.'],
  ['100.00', 'CIEN PESOS 00/100 M.N.'],
  ['101.00', 'CIENTO UN PESOS 00/100 M.N.'],
  ['500.00', 'QUINIENTOS PESOS 00/100 M.N.'],
  ['999.99', 'NOVECIENTOS NOVENTA Y NUEVE PESOS 99/100 M.N.'],
  ['1000.00', 'MIL PESOS 00/100 M.N.'],
  ['1231.50', 'MIL DOSCIENTOS TREINTA Y UN PESOS 50/100 M.N.'],
  ['21000.00', 'VEINTIÚN MIL PESOS 00/100 M.N.'],
  ['31001.00', 'TREINTA Y UN MIL UN PESOS 00/100 M.N.'],
  ['100100.00', 'CIEN MIL CIEN PESOS 00/100 M.N.'],
  ['1000000.00', 'UN MILLÓN DE PESOS 00/100 M.N.'],
  ['1000001.00', 'UN MILLÓN UN PESOS 00/100 M.N.'],
  ['2500000.00', 'DOS MILLONES QUINIENTOS MIL PESOS 00/100 M.N.'],
  ['21000000.00', 'VEINTIÚN MILLONES DE PESOS 00/100 M.N.'],
  [
    '999999999999.99',
    'NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE MILLONES NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE PESOS 99/100 M.N.',
  ],
  ['-2.00', 'MENOS DOS PESOS 00/100 M.N.'],
])('%s is written %s', (amount, letras) => {
  expect(enLetras(Money.of(amount))).toBe(letras);
});

test('half a cent rounds before it is written', () => {
  expect(enLetras(Money.of('9.995'))).toBe('DIEZ PESOS 00/100 M.N.');
});

test('what nobody writes in words is refused', () => {
  expect(() => enLetras(Money.of('1000000000000'))).toThrow(RangeError);
});
