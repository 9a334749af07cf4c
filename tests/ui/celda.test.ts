import { expect, test } from 'vitest';
import { enUnaLinea } from '~/core/antesYAhora';
import { pideOf, type Celda } from '~/ui/lista/celda';

const PRECIO: Pick<Celda, 'tipo' | 'valor'> = { tipo: 'importe', valor: '1200.00' };
const STOCK: Pick<Celda, 'tipo' | 'valor'> = { tipo: 'entero', valor: '5' };
const FOLIO: Pick<Celda, 'tipo' | 'valor'> = { tipo: 'texto', valor: '' };

test.each([
  [PRECIO, '1200.00', 'nada'],
  [PRECIO, ' $1,200 ', 'nada'],
  [PRECIO, '1250', 'cambio'],
  [PRECIO, '', 'vacio'],
  [PRECIO, '   ', 'vacio'],
  [PRECIO, '0', 'cero'],
  [PRECIO, '$0.00', 'cero'],
  // What has two readings is sent, and the server names both.
  [PRECIO, '1.200', 'cambio'],
  [PRECIO, 'mil', 'cambio'],
  [STOCK, '5', 'nada'],
  [STOCK, '00', 'cero'],
  [STOCK, '6', 'cambio'],
  [{ ...STOCK, valor: '0' }, '0', 'nada'],
  [FOLIO, '', 'nada'],
  [FOLIO, '0', 'cambio'],
  [FOLIO, ' TVC-9 ', 'cambio'],
] as const)('over %o the text %o asks for %s', (celda, texto, pide) => {
  expect(pideOf(texto, celda)).toBe(pide);
});

test('a notice names the old value and the new one, and what nobody knew by a dash', () => {
  expect(
    enUnaLinea([
      { campo: 'Precio', antes: '$1,200.00', ahora: '$1,250.00' },
      { campo: 'Stock', antes: null, ahora: '4' },
    ]),
  ).toBe('Precio: $1,200.00 → $1,250.00. Stock: — → 4.');
  expect(enUnaLinea([])).toBe('');
});
