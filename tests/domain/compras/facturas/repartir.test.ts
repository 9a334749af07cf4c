import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { enlaceFactura, labelOf } from '~/domain/compras/directorio/proveedor';
import { Monto } from '~/domain/compras/facturas/forms';
import { referenciasEn, distribute, type Candidata, type Linea } from '~/domain/compras/facturas/internal/distribute';

const orden = (id: string, modelo: string, sketch: Partial<Candidata> = {}, cantidad = 1): Candidata => ({
  id,
  numOrden: `20000${id}`,
  marketId: `20000${id}`,
  titulo: modelo,
  referencias: [`20000${id}`],
  fecha: `2026-11-0${id.at(-1)}T00:00:00Z`,
  pagado: '500.00',
  conFactura: false,
  articulos: [{ modelo, cantidad }],
  ...sketch,
});
const linea = (clave: string, bruto: string, sketch: Partial<Linea> = {}): Linea => ({
  clave,
  descripcion: 'Equipo',
  cantidad: '1',
  bruto,
  ...sketch,
});
const montos = (total: string, lineas: Linea[], candidatas: Candidata[]) => {
  const { filas, sinOrden } = distribute(Money.of(total), lineas, candidatas);
  return { filas: filas.map(({ ordenId, monto }) => [ordenId, monto]), sinOrden: sinOrden.map(({ monto }) => monto) };
};

test('one word of megabytes costs what it weighs and is nobody’s number', () => {
  const start = performance.now();
  for (const word of ['A'.repeat(60_000), '1'.repeat(2_000_000), 'A1'.repeat(500_000), '123-'.repeat(500_000)]) {
    expect(referenciasEn(word)).toEqual([]);
    distribute(Money.of('1.00'), [linea(word, '1.00', { descripcion: word })], [orden('1', 'A1')]);
  }
  expect(performance.now() - start).toBeLessThan(500);
  expect(referenciasEn('x701-1234567-7654321, pedido#2000012345678901')).toEqual([
    '2000012345678901',
    '701-1234567-7654321',
  ]);
});

describe('a folio links to the page of its supplier', () => {
  const base = { linkFactura: 'https://p.mx/f/', sufijoFactura: null };
  test('Syscom joins with a dash what its slash divides, TVC adds a suffix, others have one page, some none', () => {
    expect(enlaceFactura({ ...base, reglaFactura: 'guion' }, 'FA/12/3')).toBe('https://p.mx/f/FA-12-3');
    expect(enlaceFactura({ ...base, reglaFactura: 'sufijo', sufijoFactura: '?t=pdf' }, 'F1 2')).toBe(
      'https://p.mx/f/F1%202?t=pdf',
    );
    expect(enlaceFactura({ ...base, reglaFactura: 'base' }, 'F1')).toBe('https://p.mx/f/');
    expect(enlaceFactura({ ...base, reglaFactura: 'ninguna' }, 'F1')).toBeNull();
    expect(enlaceFactura({ ...base, linkFactura: null, reglaFactura: 'guion' }, 'F1')).toBeNull();
    expect(enlaceFactura(undefined, 'F1')).toBeNull();
  });
  test('a code nobody knows is told in the agreed words', () => {
    expect(labelOf([{ value: 'syscom', label: 'Syscom' }], 'SYSCOM')).toBe('Syscom');
    expect(labelOf([], 'otro')).toBe('Error proveedor');
  });
});

test.each([
  ['$ 1,234.5_', '1234.50'],
  ['12', '12.00'],
  ['12.', '12.00'],
  ['$ _.__', '0.00'],
  ['0.5', '0.50'],
  ['1,50', '1.50'],
  ['150,00', '150.00'],
])('the mask %s is %s', (typed, read) => {
  expect(Monto.parse(typed)).toBe(read);
});
test.each(['', 'doce', '-1', '1.234', '1e3', '12345678901'])('%j is no amount', (typed) => {
  expect(Monto.safeParse(typed).success).toBe(false);
});

describe('a document is divided over the sales it names', () => {
  test('by the number in a line, and the rest follows when it is the only one', () => {
    const known = orden('1', 'A', { referencias: ['2000077001'] });
    expect(
      montos('348.00', [linea('X', '232.00', { descripcion: 'Pedido 2000077001' }), linea('Y', '116.00')], [known]),
    ).toEqual({ filas: [['1', '348.00']], sinOrden: [] });
  });
  test('by model and quantity, the oldest first, those without invoice before', () => {
    const candidatas = [orden('3', 'DS-2CD'), orden('1', 'ds2cd'), orden('2', 'DS 2CD', { conFactura: true })];
    expect(montos('200.00', [linea('DS-2CD', '200.00', { cantidad: '2' })], candidatas)).toEqual({
      filas: [
        ['1', '100.00'],
        ['3', '100.00'],
      ],
      sinOrden: [],
    });
  });
  test('one with just this quantity takes the line', () => {
    expect(
      montos('300.00', [linea('M1', '300.00', { cantidad: '3' })], [orden('1', 'M1'), orden('2', 'M1', {}, 3)]),
    ).toEqual({ filas: [['2', '300.00']], sinOrden: [] });
  });
  test('what nobody waits for is listed, to the cent', () => {
    expect(
      montos('100.00', [linea('M1', '30.00', { cantidad: '3' }), linea('Z9', '70.00')], [orden('1', 'M1')]),
    ).toEqual({ filas: [['1', '10.00']], sinOrden: ['90.00'] });
  });
  test('carriage follows the sales, and the parts are the total', () => {
    const lineas = [
      linea('M1', '33.33'),
      linea('M2', '33.33'),
      linea('M3', '33.33'),
      linea('', '0.02', { descripcion: 'Flete a domicilio' }),
    ];
    const { filas, sinOrden } = distribute(Money.of('100.00'), lineas, [
      orden('1', 'M1'),
      orden('2', 'M2'),
      orden('3', 'M3'),
    ]);
    expect(sinOrden).toEqual([]);
    expect(String(Money.sum(filas.map(({ monto }) => Money.of(monto))))).toBe('100.00');
  });
  test('sales of one cart are told apart by model and shown by their own number', () => {
    const cart = ['1', '2'].map((id) => orden(id, `M${id}`, { numOrden: '2000099', referencias: ['2000099000'] }));
    const { filas } = distribute(
      Money.of('30.00'),
      [linea('M1', '10.00', { descripcion: '2000099000' }), linea('M2', '20.00', { descripcion: '2000099000' })],
      cart,
    );
    expect(filas.map(({ numero, monto }) => [numero, monto])).toEqual([
      ['200001', '10.00'],
      ['200002', '20.00'],
    ]);
  });
  test('more than the customer paid is marked', () => {
    expect(distribute(Money.of('900.00'), [linea('M1', '900.00')], [orden('1', 'M1')]).filas[0]).toMatchObject({
      excede: true,
      motivos: ['modelo'],
    });
  });
  test('nothing to divide proposes nothing', () => {
    expect(distribute(Money.of('0.00'), [], [])).toEqual({ filas: [], sinOrden: [] });
    expect(distribute(Money.of('5.00'), [linea('A', '0.00')], []).filas).toEqual([]);
  });
  test('numbers in words: sales, guides, Amazon, and no short ones', () => {
    expect(referenciasEn('Pedido 2000003508897196, guía MX12345678A / 701-1234567-7654321, modelo 4060')).toEqual([
      '2000003508897196',
      'MX12345678A',
      '701-1234567-7654321',
    ]);
  });
});
