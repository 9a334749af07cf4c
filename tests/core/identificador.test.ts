import { expect, test } from 'vitest';
import { identificadorOf } from '~/core/identificador';

test.each([
  ['2000009000000901', { clase: 'numero', texto: '2000009000000901' }],
  ['# 2000009000000901', { clase: 'numero', texto: '2000009000000901' }],
  ['702-1234567-1234567', { clase: 'numero', texto: '702-1234567-1234567' }],
  ['megj-800101 qx1', { clase: 'rfc', texto: 'MEGJ800101QX1' }],
  ['a-12', { clase: 'documento', texto: 'a-12', serie: 'A', folio: 12 }],
  ['B/2231', { clase: 'folio', texto: 'B/2231' }],
  ['45100012345', { clase: 'folio', texto: '45100012345' }],
])('%s is one whole identifier', (q, expected) => expect(identificadorOf(q)).toEqual(expected));

test.each(['', 'camara', 'camara domo 4', 'XAXX010101000', 'xexx010101000', '12', '1234567'])('%s is none', (q) =>
  expect(identificadorOf(q)).toBeNull(),
);
