import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { dudaOfImporte, enPesos, parseImporte } from '~/core/importe';

const read = (text: string) => {
  const lectura = parseImporte(text);
  return lectura.clase === 'importe'
    ? lectura.importe
    : lectura.clase === 'dudoso'
      ? `${lectura.lecturas[0]} | ${lectura.lecturas[1]}`
      : null;
};

describe('an amount is read as its writer meant it', () => {
  test.each([
    ['1234', '1234.00'],
    ['1,234.50', '1234.50'],
    ['$ 1,234.50', '1234.50'],
    ['$1234.5 MXN', '1234.50'],
    ['MXN 799', '799.00'],
    ['$ 799 MXN', '799.00'],
    ['799 pesos', '799.00'],
    ['799,00', '799.00'],
    ['1,50', '1.50'],
    ['150,00', '150.00'],
    ['1234,5', '1234.50'],
    ['.50', '0.50'],
    ['0.5', '0.50'],
    ['1234.', '1234.00'],
    ['1,234', '1234.00'],
    ['12,345,678', '12345678.00'],
    ["1'234,567.89", '1234567.89'],
    ["1'234'567.89", '1234567.89'],
    ['1.234,50', '1234.50'],
    ['1 234.50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u00a0234.50', '1234.50'],
    ['007.5', '7.50'],
    ['0', '0.00'],
  ])('%s is %s', (text, importe) => expect(read(text)).toBe(importe));

  test.each([
    ['1.234', '1234.00 | 1.23'],
    ['1234,567', '1234567.00 | 1234.57'],
    ['0,500', '500.00 | 0.50'],
    ['1,234,56', '1234.56 | 123456.00'],
    ['1,2345', '12345.00 | 1.23'],
  ])('%s could be two: %s, and nobody guesses', (text, lecturas) => expect(read(text)).toBe(lecturas));

  test.each([
    '',
    ' ',
    'abc',
    '-5',
    '1-5',
    '1 5',
    '12,34.5',
    '1234.567',
    '1..2',
    '1,,2',
    '1e3',
    '$',
    ',',
    '.',
    '1,234.5.6',
    '9'.repeat(13),
    '1'.repeat(400),
  ])('%s is no amount', (text) => expect(read(text)).toBeNull());

  test('both readings are told with their difference in sight', () => {
    expect(dudaOfImporte(['1234.00', '1.23'])).toBe(
      'Puede ser $1,234.00 o $1.23. Escríbelo con punto y dos decimales.',
    );
    expect(enPesos('1234567.50')).toBe('$1,234,567.50');
    expect(enPesos('799.00')).toBe('$799.00');
    expect([enPesos('-123456.5'), enPesos('8'), enPesos(Money.of('1555.544'))]).toEqual([
      '-$123,456.50',
      '$8.00',
      '$1,555.54',
    ]);
  });
});
