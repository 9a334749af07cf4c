import { expect, test } from 'vitest';
import { isNombre } from '~/core/nombre';
import { storedTelefono, parseTelefono } from '~/core/telefono';

const read = (text: string) => {
  const telefono = parseTelefono(text);
  return telefono && storedTelefono(telefono);
};

test.each([
  ['5512345678', '5512345678'],
  ['55 1234 5678', '5512345678'],
  ['(55) 1234-5678', '5512345678'],
  ['+52 55 1234 5678', '5512345678'],
  ['+52 1 55 1234 5678', '5512345678'],
  ['5215512345678', '5512345678'],
  ['044 55 1234 5678', '5512345678'],
  ['01 (442) 123.45.67', '4421234567'],
  ['55 1234 5678 ext. 12', '5512345678 ext. 12'],
  ['5512345678x9', '5512345678 ext. 9'],
  ['5512345678 ext. 12', '5512345678 ext. 12'],
])('the phone %s is kept as %s', (text, kept) => expect(read(text)).toBe(kept));

test.each([
  '',
  '12345',
  '123456789',
  '55123456789',
  '+1 212 555 0100',
  '55 1234 5678 y 9',
  'sin teléfono',
  '0012345678',
  `${' '.repeat(100_000)}x`,
])('%s is no phone of ten digits, and nothing is cut to make one', (text) => expect(read(text)).toBeNull());

test.each(["O'Brien", 'Ma. José', 'Pérez-Gil', 'José Ángel', 'D’Artagnan', 'Ñandú 3'])('%s is a name', (text) =>
  expect(isNombre(text)).toBe(true),
);

test.each(['', ' Ana', 'Ana  María', '-', '. Ana', '<b>', 'Ana;', 'Ana\u0000'])('%j is no name', (text) =>
  expect(isNombre(text)).toBe(false),
);
