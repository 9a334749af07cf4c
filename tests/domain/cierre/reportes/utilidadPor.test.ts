/** Profit of a range by what divides it: sums of the ledger's row of each sale, the unknown left out and counted. */
import { beforeAll, expect, test } from 'vitest';
import { PedidoDeUtilidad, readUtilidadPor, writeUtilidadPor } from '~/domain/cierre/reportes/utilidadPor.server';
import { mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import type { Clase, Market } from '~db/columns';
import { buildOrden } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

type Sketch = { sku: string; costo: string | null; clase?: Clase; market?: Market; piezas?: number };

/** A sale of 1,160.00 that receives 960.00. `costo`: what its supplier invoiced; null where nobody knows it. */
async function venta({ sku, costo, clase = 'normal', market = 'ml', piezas = 1 }: Sketch) {
  const { id } = await buildOrden(db, {
    sku,
    market,
    clase,
    titulo: `Venta de ${sku}`,
    pagado: '1160.00',
    fechaCreacion: new Date('2026-10-10T18:00:00Z'),
    envio: null,
  });
  await db.updateTable('orden').set({ comision: '100.00', retencion: '100.00' }).where('id', '=', id).execute();
  await db.updateTable('articulo').set({ cantidad: piezas }).where('ordenId', '=', id).execute();
  const proveedor = sku.split('|')[2]!;
  if (costo !== null)
    await db.insertInto('proveedorFactura').values({ ordenId: id, proveedor, folio: id, monto: costo }).execute();
  return id;
}
const CAMARA = 'AMS|1|syscom|Camara';
const CABLE = 'AMS|2|ct|Cable';
const FUNDA = 'AMS|3|propio|Funda';

beforeAll(async () => {
  await venta({ sku: CAMARA, costo: '500.00' });
  await venta({ sku: CAMARA.toLowerCase(), costo: '600.00', piezas: 2 });
  await venta({ sku: CAMARA, costo: null });
  await venta({ sku: CAMARA, costo: '300.00', market: 'amz' });
  await venta({ sku: CABLE, costo: '1000.00' });
  await venta({ sku: CABLE, costo: '80.00', clase: 'devuelta' });
  await venta({ sku: FUNDA, costo: null });
  const canasta = await venta({ sku: FUNDA, costo: '100.00' });
  await db
    .insertInto('articulo')
    .values({
      ordenId: canasta,
      posicion: 1,
      nombre: 'Cable',
      sku: CABLE,
      cantidad: 1,
      importe: '1.00',
      precioUnitario: '1.00',
    })
    .execute();
  await db
    .insertInto('publicacion')
    .values({ market: 'ml', clave: CABLE, sku: CABLE, titulo: 'Cable', estatus: 'active', categoriaId: 'MLM1055' })
    .execute();
  await db.insertInto('categoria').values({ market: 'ml', categoriaId: 'MLM1055', nombre: 'Cables de red' }).execute();
});

const leer = (query: Partial<Record<'por' | 'ver', string>>, limite = 50) =>
  readUtilidadPor(db, PedidoDeUtilidad.parse({ desde: '2026-10-01', hasta: '2026-10-31', ...query }), limite);
const cifras = ({ filas }: Awaited<ReturnType<typeof leer>>) =>
  filas.map(({ clave, market, ventas, conUtilidad, queda }) => [
    clave,
    market,
    `${conUtilidad} de ${ventas}`,
    queda?.toFixed(2) ?? null,
  ]);

test('products are SKUs at a marketplace, the best first, and an unknown profit is left out and counted', async () => {
  const leido = await leer({});
  expect(cifras(leido)).toEqual([
    ['ams|2|ct|cable ×1 + ams|3|propio|funda ×1', 'ml', '1 de 1', '860.00'],
    ['ams|1|syscom|camara', 'ml', '2 de 3', '820.00'],
    ['ams|1|syscom|camara', 'amz', '1 de 1', '660.00'],
    ['ams|2|ct|cable', 'ml', '2 de 2', '-320.00'],
    ['ams|3|propio|funda', 'ml', '0 de 1', null],
  ]);
  expect(leido.filas[1]).toMatchObject({ piezas: 4, sku: expect.stringMatching(/camara/i) });
  expect(leido.filas[0]).toMatchObject({ sku: null, piezas: 1, nombre: expect.stringMatching(/ y 1 más$/) });
});

test('the worst come first, and what came back tells what it left', async () => {
  expect(cifras(await leer({ ver: 'peores' })).map(([clave]) => clave)[0]).toBe('ams|2|ct|cable');
  const devueltos = await leer({ ver: 'devueltos' });
  expect(devueltos.filas).toHaveLength(1);
  expect(devueltos.filas[0]).toMatchObject({ clave: 'ams|2|ct|cable', volvieron: 1, conVolvieron: 1 });
  expect(devueltos.filas[0]!.quedaVolvieron!.toFixed(2)).toBe('-280.00');
  expect((await leer({ ver: 'devueltos', por: 'proveedor' })).filas.map(({ nombre }) => nombre)).toEqual(['CT']);
  expect(cifras(await leer({ ver: 'sinSaber' })).map(([clave]) => clave)).toEqual([
    'ams|1|syscom|camara',
    'ams|3|propio|funda',
  ]);
});

test('suppliers, marketplaces and categories have names, and each division adds up to the same total as the month', async () => {
  const { utilidad, estimada, pagado, registros } = await mensualList.totals(
    db,
    mensualList.parse(new URLSearchParams('mes=2026-10')),
  );
  for (const por of ['producto', 'proveedor', 'mercado', 'categoria']) {
    const { filas, total } = await leer({ por });
    const suma = filas.reduce((sum, { queda }) => sum + Number(queda?.toFixed(2) ?? 0), 0);
    expect([por, suma.toFixed(2)]).toEqual([por, total.queda!.toFixed(2)]);
    expect([total.ventas, total.pagado.toFixed(2)]).toEqual([registros, Number(pagado).toFixed(2)]);
    expect(total.queda!.toFixed(2)).toBe((Number(utilidad) + Number(estimada)).toFixed(2));
  }
  expect((await leer({ por: 'proveedor' })).filas.map(({ nombre }) => nombre).toSorted()).toEqual([
    'CT',
    'Marca propia',
    'Syscom',
  ]);
  expect((await leer({ por: 'mercado' })).filas.map(({ nombre }) => nombre).toSorted()).toEqual([
    'Amazon',
    'Mercado Libre',
  ]);
  expect((await leer({ por: 'categoria' })).filas.map(({ nombre }) => nombre).toSorted()).toEqual([
    'Cables de red',
    'Sin categoría',
    'Sin categoría',
    'Varios artículos',
  ]);
});

test('a page shows some rows and counts all, and the sheet has them', async () => {
  const { filas, todas } = await leer({}, 2);
  expect([filas.length, todas]).toEqual([2, 5]);
  const vacio = await readUtilidadPor(db, PedidoDeUtilidad.parse({ desde: '2025-01-01', hasta: '2025-01-31' }), 50);
  expect([vacio.filas, vacio.total.ventas, vacio.total.queda]).toEqual([[], 0, null]);
  expect(
    (await writeUtilidadPor(db, PedidoDeUtilidad.parse({ desde: '2026-10-01', hasta: '2026-10-31' }))).length,
  ).toBeGreaterThan(1000);
});
