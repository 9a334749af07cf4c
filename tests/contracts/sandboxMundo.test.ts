import { expect, test } from 'vitest';
import { seedVentas } from '../sandbox/amazon/ventas';
import { orderFacts } from '../sandbox/mercadolibre/facts';
import { Ledger } from '../sandbox/mercadolibre/ledger';
import { centavos, claveOf, pieza, PRODUCTOS, sells, skuOf } from '../sandbox/world/catalogo';
import { costoOf, DE_AMAZON, DE_MERCADO_LIBRE, type Mayorista } from '../sandbox/world/tienda';

const ANCHOR = Date.parse('2026-11-27T18:00:00Z');
const MAYORISTAS: readonly Mayorista[] = ['syscom', 'ct', 'tvc', 'ts', 'cva'];
const ARTICULOS = [...new Set([...DE_MERCADO_LIBRE, ...DE_AMAZON])];

const ventasOf = (seed: string) =>
  new Ledger(seed, { anchor: ANCHOR, blocks: [], sales: [], changes: [] }).orders().map(orderFacts);

test('a seed makes the same sales each time, and another seed makes others', () => {
  const una = JSON.stringify(ventasOf('una'));
  expect(JSON.stringify(ventasOf('una'))).toBe(una);
  expect(JSON.stringify(ventasOf('otra'))).not.toBe(una);
  expect(seedVentas(40, ANCHOR)).toEqual(seedVentas(40, ANCHOR));
});

test('an article is sold by its supplier, under the key of its sku, at the cost from which its price follows', () => {
  for (const articulo of ARTICULOS) {
    const { n, proveedor, modelo, marca, precio } = articulo;
    expect(sells(proveedor, n), modelo).toBe(true);
    expect(skuOf(articulo)).toBe(`AMS|${claveOf(proveedor, n)}|${proveedor}|${modelo}`);
    expect(pieza(n)).toMatchObject({ modelo, marca });
    expect(centavos(n, proveedor)).toBe(costoOf(articulo));
    expect(Math.abs(costoOf(articulo) * 1.16 * 1.5 - precio)).toBeLessThan(1);
  }
  expect(new Set(ARTICULOS.map(({ n }) => n)).size).toBe(ARTICULOS.length);
  expect(ARTICULOS.every(({ n }) => n < PRODUCTOS)).toBe(true);
});

test('a key names one piece at each wholesaler', () => {
  for (const proveedor of MAYORISTAS) {
    const claves = Array.from({ length: PRODUCTOS }, (_, n) => claveOf(proveedor, n));
    expect(new Set(claves).size, proveedor).toBe(PRODUCTOS);
  }
});

test('most articles are sold by more than one wholesaler, and none asks more than a tenth beside the first', () => {
  const otros = ARTICULOS.map(
    ({ n, proveedor }) => MAYORISTAS.filter((one) => one !== proveedor && sells(one, n)).length,
  );
  expect(otros.filter((some) => some > 0).length / otros.length).toBeGreaterThan(0.9);
  for (const { n, proveedor } of ARTICULOS)
    for (const otro of MAYORISTAS)
      expect(Math.abs(centavos(n, otro) / centavos(n, proveedor) - 1)).toBeLessThanOrEqual(0.101);
});
