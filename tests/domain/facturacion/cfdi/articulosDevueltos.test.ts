import { describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { articulosOf, type OrdenVendida } from '~/domain/facturacion/cfdi/articulos';
import { splitLineas, verifyCfdiAmounts, writtenAmounts } from '~/domain/facturacion/cfdi/importes';
import { luck } from '../../../faults/support/scene';

type Sketch = { lineas: [cantidad: number, importe: string, tasaIva?: string][]; envio?: string; pagado: string };

const orden = (
  id: string,
  { lineas, envio, pagado }: Sketch,
  situacion: 'pagada' | 'devueltaEnParte',
): OrdenVendida => ({
  id,
  articulos: lineas.map(([cantidad, importe, tasaIva]) => ({
    nombre: 'Cámara',
    cantidad,
    precioUnitario: Money.of(importe).dividedBy(cantidad),
    importe: Money.of(importe),
    sku: null,
    ...(tasaIva && { tasaIva }),
  })),
  envio: envio ? { id, cobrado: Money.of(envio) } : null,
  envioAdicional: Money.zero,
  situacion,
  pagadoAbs: Money.of(pagado),
});
const rowsOf = (...ordenes: OrdenVendida[]) =>
  articulosOf(ordenes).map(({ cantidad, importe, precioUnitario }) => [cantidad, precioUnitario, importe]);

describe('the rows of a sale that was given back in part', () => {
  test('whole pieces that came back are taken off the quantity', () => {
    expect(
      rowsOf(orden('a', { lineas: [[2, '200.00']], envio: '50.00', pagado: '150.00' }, 'devueltaEnParte')),
    ).toEqual([
      [1, '100.00', '100.00'],
      [1, '50.00', '50.00'],
    ]);
    const dos: Sketch = {
      lineas: [
        [1, '300.00'],
        [1, '80.00'],
      ],
      pagado: '300.00',
    };
    expect(rowsOf(orden('a', dos, 'devueltaEnParte'))).toEqual([[1, '300.00', '300.00']]);
  });

  test('the price of more pieces than a row has is no price of its pieces', () => {
    const dos: Sketch = {
      lineas: [
        [1, '100.00'],
        [1, '500.00'],
      ],
      pagado: '400.00',
    };
    expect(rowsOf(orden('a', dos, 'devueltaEnParte'))).toEqual([
      [1, '66.67', '66.67'],
      [1, '333.33', '333.33'],
    ]);
    const regalo: Sketch = {
      lineas: [
        [1, '0.00'],
        [1, '500.00'],
      ],
      pagado: '400.00',
    };
    expect(rowsOf(orden('a', regalo, 'devueltaEnParte')).at(-1)).toEqual([1, '400.00', '400.00']);
  });

  test('any other amount lowers the prices of goods, and shipping only when goods do not suffice', () => {
    const una: Sketch = { lineas: [[3, '300.00']], envio: '50.00', pagado: '339.99' };
    expect(rowsOf(orden('a', una, 'devueltaEnParte'))).toEqual([
      [3, '96.66', '289.99'],
      [1, '50.00', '50.00'],
    ]);
    expect(rowsOf(orden('a', { ...una, pagado: '20.00' }, 'devueltaEnParte'))).toEqual([[1, '20.00', '20.00']]);
  });

  test('only the ordenes that were given back from change, and nothing that no refund explains', () => {
    const a: Sketch = { lineas: [[1, '100.00']], pagado: '100.00' };
    const b: Sketch = { lineas: [[1, '80.00']], pagado: '70.00' };
    expect(rowsOf(orden('a', a, 'pagada'), orden('b', b, 'devueltaEnParte'))).toEqual([
      [1, '100.00', '100.00'],
      [1, '70.00', '70.00'],
    ]);
    expect(rowsOf(orden('a', { ...a, pagado: '90.00' }, 'pagada'))).toEqual([[1, '100.00', '100.00']]);
    expect(rowsOf(orden('a', { ...a, pagado: '120.00' }, 'devueltaEnParte'))).toEqual([[1, '100.00', '100.00']]);
  });

  test('whatever is given back, the rows come to what stayed paid, and the SAT adds them up', () => {
    const next = luck(20261128);
    const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
    const pesos = (cents: number) => (cents / 100).toFixed(2);
    const TASAS = ['0.160000', '0.080000', '0.000000'];
    for (let round = 0; round < 400; round++) {
      const lineas = Array.from({ length: whole(1, 4) }, () => ({
        cantidad: whole(1, 5),
        cents: whole(1, 900_000),
        tasa: TASAS[whole(0, 2)]!,
      }));
      const envio = next() < 0.5 ? whole(1, 50_000) : 0;
      const total = lineas.reduce((sum, { cents }) => sum + cents, envio);
      if (total < 2) continue;
      const pagado = whole(1, total - 1);
      const sketch: Sketch = {
        lineas: lineas.map(({ cantidad, cents, tasa }) => [cantidad, pesos(cents), tasa]),
        ...(envio > 0 && { envio: pesos(envio) }),
        pagado: pesos(pagado),
      };
      const rows = articulosOf([orden('a', sketch, 'devueltaEnParte')]);
      const told = JSON.stringify(sketch);
      expect(Money.sum(rows.map(({ importe }) => Money.of(importe))).toFixed(2), told).toBe(pesos(pagado));
      const split = splitLineas(rows.map((row) => ({ ...row, importe: Money.of(row.importe) })));
      expect(verifyCfdiAmounts(writtenAmounts(split)), told).toEqual([]);
    }
  });
});
