import { expect, test } from 'vitest';
import { columnKeyOf, withAncho, sortColumnas, readColumnas, writeColumnas } from '~/core/columnas';

const CLAVES = ['fecha', 'numero', 'titulo', 'monto'];
const enOrden = (text: string) => sortColumnas(CLAVES, text).map(({ clave, oculta }) => `${oculta ? '-' : ''}${clave}`);

test('a column is called by the letters and digits of its header', () => {
  expect(['No. Orden / Envío', 'Título', 'RFC', 'Facturas proveedor'].map(columnKeyOf)).toEqual([
    'noordenenvio',
    'titulo',
    'rfc',
    'facturasproveedor',
  ]);
});

test('what is written is read again', () => {
  const text = 'fecha.120_-numero_titulo';
  expect(writeColumnas(readColumnas(text))).toBe(text);
  expect(readColumnas(text)).toEqual([
    { clave: 'fecha', oculta: false, ancho: 120 },
    { clave: 'numero', oculta: true, ancho: null },
    { clave: 'titulo', oculta: false, ancho: null },
  ]);
});

test.each(['', '_', 'DROP TABLE', '-', 'fecha.9', 'fecha.12345', '<script>'])(
  'what is no column of an address is left out: %o',
  (text) => expect(readColumnas(text)).toEqual([]),
);

test('a column named twice counts once, a width stays within what can be read, and a long address ends', () => {
  expect(writeColumnas(readColumnas('fecha.999_-fecha_numero.10'))).toBe('fecha.900_numero.48');
  expect(readColumnas(Array.from({ length: 500 }, (_, at) => `c${at}`).join('_'))).toHaveLength(40);
});

test('columns come in the order that was chosen, and one that nobody chose stays where its list has it', () => {
  expect(enOrden('')).toEqual(CLAVES);
  expect(enOrden('monto_fecha_titulo_numero')).toEqual(['monto', 'fecha', 'titulo', 'numero']);
  expect(enOrden('-titulo')).toEqual(['fecha', 'numero', '-titulo', 'monto']);
  expect(enOrden('monto_fecha_titulo')).toEqual(['monto', 'fecha', 'numero', 'titulo']);
  expect(enOrden('deOtraLista_titulo_fecha')).toEqual(['titulo', 'monto', 'fecha', 'numero']);
});

test('a width changes one column and leaves the rest', () => {
  expect(withAncho('fecha_-numero.100', 'numero', 250.4)).toBe('fecha_-numero.250');
  expect(withAncho('', 'titulo', 3)).toBe('titulo.48');
});
