import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import { checkDigitMatches, isRfc, normalizeRfc, personaOf } from '~/core/rfc';

test('a net price has six decimals inside and two for people', () => {
  const neto = Money.of('100.00').withoutIva();
  expect(neto.toFixed(6)).toBe('86.206897');
  expect(String(neto.withIva())).toBe('100.00');
});

test('half goes away from zero, on both sides of it', () => {
  expect(Money.of('0.005').cents().toString()).toBe('0.01');
  expect(Money.of('-0.005').cents().toString()).toBe('-0.01');
  expect(Money.of('0.0000005').toFixed(6)).toBe('0.000001');
  expect(Money.of('-1.9999999').toFixed(6)).toBe('-2.000000');
});

test('text that is no plain amount is refused', () => {
  for (const text of ['', '1,298.00', '1e3', ' 5', 'NaN', '--1', '.5'])
    expect(() => Money.of(text)).toThrow(RangeError);
});

test('nothing is lost on the way to the browser', () => {
  expect(JSON.stringify([Money.of('86.206897'), Money.of('1298')])).toBe('["86.206897","1298.00"]');
});

test.each([
  ['EKU9003173C9', true],
  ['MCI7306249Y1', false],
  ['XIA190128J61', true],
  ['URE180429TM6', true],
  ['GODE561231GR8', true],
  ['MAB9307148T4', true],
  ['VACE460910SX6', false],
  ['XAXX010101000', false],
  ['XEXX010101000', true],
])('%s is well formed, and its check digit may only warn', (rfc, coincide) => {
  expect(isRfc(rfc)).toBe(true);
  expect(checkDigitMatches(rfc)).toBe(coincide);
});

test('an RFC needs a date that exists in some century', () => {
  expect(isRfc('GODE560231GR8')).toBe(false);
  expect(isRfc('GODE000229GR8')).toBe(true);
  expect(isRfc('GODE990229GR8')).toBe(false);
  expect(normalizeRfc(' ñup-s910117.qx5 ')).toBe('ÑUPS910117QX5');
  expect([personaOf('EKU9003173C9'), personaOf('GODE561231GR8')]).toEqual(['moral', 'fisica']);
});

test('it is written as short as it is exact', () => {
  const written = ['0.5', '12', '100', '0.125', '0', '-1.50'].map((text) => Money.of(text).toShort());
  expect(written).toEqual(['0.5', '12', '100', '0.125', '0', '-1.5']);
});
