import { expect, test } from 'vitest';
import { writeFecha, parseFecha } from '~/core/fecha';

test.each([
  ['22/11/2026', '2026-11-22'],
  ['1/2/26', '2026-02-01'],
  [' 01-02-2026 ', '2026-02-01'],
  ['1.2.26', '2026-02-01'],
  ['01022026', '2026-02-01'],
  ['010226', '2026-02-01'],
  ['2026-02-01', '2026-02-01'],
  ['2026-02-01T18:30:00.000Z', '2026-02-01'],
  ['29/02/2024', '2024-02-29'],
])('%j is the day %s', (text, valor) => {
  expect(parseFecha(text)).toEqual({ valor });
});

test.each([
  ['22/11/2026', '2026-11-22T23:59'],
  ['22/11/2026 7:05', '2026-11-22T07:05'],
  ['2026-11-22T07:05', '2026-11-22T07:05'],
])('%j with its hour is %s', (text, valor) => {
  expect(parseFecha(text, '23:59')).toEqual({ valor });
});

test.each([
  ['30/02/2026', 'Ese día no existe.'],
  ['29/02/2026', 'Ese día no existe.'],
  ['11/22/2026', 'Ese día no existe: primero va el día y después el mes.'],
  ['00/01/2026', 'Ese día no existe.'],
  ['22/11/1899', 'Ese día no existe.'],
  ['22/11', 'Escribe la fecha como dd/mm/aaaa.'],
  ['mañana', 'Escribe la fecha como dd/mm/aaaa.'],
  ['22/11/20261', 'Escribe la fecha como dd/mm/aaaa.'],
])('%j is refused: %s', (text, motivo) => {
  expect(parseFecha(text)).toEqual({ motivo });
});

test('an hour that no clock has is refused', () => {
  expect(parseFecha('22/11/2026 24:00', '00:00')).toEqual({ motivo: 'Esa hora no existe.' });
  expect(parseFecha('22/11/2026 noche', '00:00')).toEqual({ motivo: 'Esa hora no existe.' });
});

test('what is written is read again as the same', () => {
  for (const valor of ['2026-11-22', '2024-02-29']) expect(parseFecha(writeFecha(valor))).toEqual({ valor });
  expect(writeFecha('2026-11-22T07:05')).toBe('22/11/2026 07:05');
  expect(parseFecha(writeFecha('2026-11-22T07:05'), '00:00')).toEqual({ valor: '2026-11-22T07:05' });
  expect(writeFecha('')).toBe('');
});
