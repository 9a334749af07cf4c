/** The cost of what nobody orders for a sale: typed by its day, an estimate until the sale is settled, and fixed from then on. */
import { beforeAll, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { civilDay } from '~/core/time';
import { postLibros } from '~/domain/ventas/libro/asentar.server';
import { askCosto, costosList, listSinCosto, readCosto, saveCosto } from '~/domain/ventas/ordenes/costos.server';
import { descuadradas } from '~/domain/ventas/libro/cuadreLibro.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import type { Clase } from '~db/columns';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { runJobs } from '../../../support/jobs';

const { db } = testDatabase();
let usuarioId: string;
beforeAll(async () => {
  usuarioId = (await buildQuien(db, 'admin')).id;
});

let last = 0;
/** A SKU of its own for each test; `propio` of our brand, `syscom` of a supplier that takes orders. */
const skuDe = (de: 'propio' | 'syscom') => `AMS|${++last}|${de}|Funda-${last}`;

type Sketch = { sku: string; dia?: string; full?: boolean; clase?: Clase; piezas?: number };

/** A paid sale of 1,160.00 that receives 960.00; `full`: it leaves from the marketplace's warehouse. */
async function venta({ sku, dia = '2026-11-10', full = false, clase = 'normal', piezas = 1 }: Sketch) {
  const fechaCreacion = new Date(`${dia}T18:00:00Z`);
  const { id, envioId } = await buildOrden(db, {
    sku,
    pagado: '1160.00',
    clase,
    fechaCreacion,
    envio: full ? {} : null,
  });
  await db.updateTable('orden').set({ comision: '100.00', retencion: '100.00' }).where('id', '=', id).execute();
  await db.updateTable('articulo').set({ cantidad: piezas }).where('ordenId', '=', id).execute();
  if (full)
    await db
      .updateTable('envio')
      .set({ tipoLogistico: 'fulfillment', costo: '0.00' })
      .where('id', '=', envioId!)
      .execute();
  return id;
}

type Costo = { sku: string; desde?: string; costo: string | null; soloAlmacen?: boolean };
async function write({ sku, desde = '2026-11-01', costo, soloAlmacen = false }: Costo) {
  const { huella } = (await readCosto(db, sku))!;
  await db.transaction().execute((trx) => saveCosto(trx, { sku, huella, desde, costo, soloAlmacen }, usuarioId));
  await runJobs();
}

const queda = async (id: string) => {
  const row = await db.selectFrom('libroVenta').selectAll().where('ordenId', '=', id).executeTakeFirstOrThrow();
  return [row.queda?.toFixed(2) ?? null, row.certeza];
};

/** The marketplace settles a sale for what it said. `en` is the day on which it did. */
async function settle(ordenId: string, en = new Date()) {
  await db
    .insertInto('conciliacion')
    .values({
      ordenId,
      market: 'ml',
      fecha: en,
      movimientos: 3,
      eCobrado: '1160.00',
      eComision: '-100.00',
      eEnvio: '0',
      eRetencion: '-100.00',
      rCobrado: '1160.00',
      rDevuelto: '0',
      rComision: '-100.00',
      rEnvio: '0',
      rIva: '-100.00',
      rIsr: '0',
      rRetencion: '0',
      rOtros: '0',
      completa: true,
    })
    .execute();
  await db.updateTable('orden').set({ liquidado: '960.00' }).where('id', '=', ordenId).execute();
  await postLibros(db, [ordenId]);
}

test('a sale of our own brand takes the cost of its day, by piece; before the first day nobody knows it', async () => {
  const sku = skuDe('propio');
  const antes = await venta({ sku, dia: '2026-10-31' });
  const despues = await venta({ sku, dia: '2026-11-01', piezas: 2 });
  expect(await queda(despues)).toEqual([null, 'desconocida']);
  await write({ sku, costo: '120.50' });
  expect(await queda(despues), '960.00 − 2 × 120.50').toEqual(['719.00', 'estimada']);
  expect(await queda(antes)).toEqual([null, 'desconocida']);
  const dinero = (await readDinero(db, despues))!;
  expect(dinero.costos.map(({ concepto, importe, cierto }) => [concepto, importe.toFixed(2), cierto])).toEqual([
    [`Costo propio: ${sku}`, '-241.00', false],
  ]);
  expect(dinero.porque).toEqual([
    'El costo es el escrito para el producto: queda fijo cuando el mercado liquida la venta.',
  ]);
  const nueva = await venta({ sku: sku.toUpperCase(), dia: '2026-11-12' });
  expect(await queda(nueva), 'its lines came after its row').toEqual(['839.50', 'estimada']);
  expect(await descuadradas(db, [antes, despues, nueva])).toEqual([]);
});

test('another cost moves the sales that are open, and never one that was settled', async () => {
  const sku = skuDe('propio');
  const [abierta, liquidada] = [await venta({ sku }), await venta({ sku })];
  await write({ sku, costo: '100.00' });
  await settle(liquidada);
  expect(await queda(liquidada)).toEqual(['860.00', 'conocida']);
  await write({ sku, costo: '300.00' });
  expect(await queda(abierta)).toEqual(['660.00', 'estimada']);
  expect(await queda(liquidada)).toEqual(['860.00', 'conocida']);
  await postLibros(db, [abierta, liquidada]);
  expect(await queda(liquidada), 'reckoned again').toEqual(['860.00', 'conocida']);
  await settle(abierta);
  expect(await queda(abierta)).toEqual(['660.00', 'conocida']);
  await write({ sku, costo: null });
  expect([await queda(abierta), await queda(liquidada)]).toEqual([
    ['660.00', 'conocida'],
    ['860.00', 'conocida'],
  ]);
  const sin = await venta({ sku });
  expect(await queda(sin), 'the cost was taken back').toEqual([null, 'desconocida']);
  expect(await descuadradas(db, [abierta, liquidada, sin])).toEqual([]);
});

test('a settled sale without a cost takes the first that is typed, and keeps it', async () => {
  const sku = skuDe('propio');
  const id = await venta({ sku });
  await settle(id, new Date('2026-11-11T00:00:00Z'));
  expect(await queda(id)).toEqual([null, 'desconocida']);
  expect(
    (await askCosto(db, { sku, huella: '', desde: '2026-11-01', costo: '200.00', soloAlmacen: false })).hechos,
  ).toBe(`${sku}: $200.00 por pieza desde el 01/11/2026. 1 venta ya liquidada toma este costo y ya no cambia.`);
  await write({ sku, costo: '200.00' });
  expect(await queda(id)).toEqual(['760.00', 'conocida']);
  await write({ sku, costo: '150.00' });
  expect(await queda(id)).toEqual(['760.00', 'conocida']);
  expect(
    (await askCosto(db, { sku, huella: '', desde: '2026-11-01', costo: '1.00', soloAlmacen: false })).hechos,
  ).toContain('1 venta con su costo ya fijo no cambia.');
});

test("a cost for the marketplace's warehouse counts only for what leaves from there, and an invoice or an order goes before it", async () => {
  const sku = skuDe('syscom');
  const [deAqui, deAlla] = [await venta({ sku }), await venta({ sku, full: true })];
  await write({ sku, costo: '400.00', soloAlmacen: true });
  expect(await queda(deAqui), 'its supplier is still to be asked').toEqual([null, 'desconocida']);
  expect(await queda(deAlla)).toEqual(['560.00', 'estimada']);
  await db
    .insertInto('proveedorFactura')
    .values({ ordenId: deAlla, proveedor: 'syscom', folio: 'F-1', monto: '500.00' })
    .execute();
  expect(await queda(deAlla)).toEqual(['460.00', 'conocida']);
});

test('a sale whose shipment moves to the warehouse is reckoned, a cancelled one costs nothing, and half a basket is unknown', async () => {
  const sku = skuDe('syscom');
  await venta({ sku });
  await write({ sku, costo: '400.00', soloAlmacen: true });
  const full = await venta({ sku, full: true });
  await db
    .updateTable('envio')
    .set({ tipoLogistico: 'drop_off' })
    .where('id', '=', (is) => is.selectFrom('orden').select('envioId').where('id', '=', full).$asScalar())
    .execute();
  expect(await queda(full)).toEqual([null, 'desconocida']);

  const propio = skuDe('propio');
  const dos = await venta({ sku: propio });
  await write({ sku: propio, costo: '50.00' });
  expect(await queda(await venta({ sku: propio, clase: 'cancelada' }))).toEqual(['-200.00', 'conocida']);
  await db
    .insertInto('articulo')
    .values({
      ordenId: dos,
      posicion: 1,
      nombre: 'Otro',
      sku: skuDe('propio'),
      cantidad: 1,
      importe: '1.00',
      precioUnitario: '1.00',
    })
    .execute();
  await postLibros(db, [dos]);
  expect(await queda(dos)).toEqual([null, 'desconocida']);
});

test('a product without a cost is named until it has one, and what a supplier is asked for is not', async () => {
  const [propio, deProveedor, full] = [skuDe('propio'), skuDe('syscom'), skuDe('syscom')];
  const hoy = civilDay(new Date());
  await venta({ sku: propio, dia: hoy, piezas: 3 });
  await venta({ sku: deProveedor, dia: hoy });
  await venta({ sku: full, dia: hoy, full: true });
  const skus = async () => (await listSinCosto(db)).filas.map(({ sku }) => sku);
  expect(await skus()).toEqual(expect.arrayContaining([propio, full]));
  expect(await skus()).not.toContain(deProveedor);
  expect((await listSinCosto(db)).filas.find(({ sku }) => sku === propio)).toMatchObject({ ventas: 1, piezas: 3 });
  await write({ sku: propio, costo: '10.00' });
  expect(await skus()).not.toContain(propio);
});

test('whoever types a cost typed it over what the screen showed, and no row is ever changed', async () => {
  const sku = skuDe('propio');
  await venta({ sku });
  const { huella } = (await readCosto(db, sku))!;
  await write({ sku, costo: '10.00' });
  const otra = db
    .transaction()
    .execute((trx) =>
      saveCosto(trx, { sku, huella, desde: '2026-11-01', costo: '20.00', soloAlmacen: false }, usuarioId),
    );
  await expect(otra).rejects.toThrow(Stale);
  await expect(db.updateTable('costoPropio').set({ costo: '1.00' }).execute()).rejects.toThrow(/permission denied/);
  await expect(db.deleteFrom('costoPropio').execute()).rejects.toThrow(/permission denied/);
  expect(await readCosto(db, 'NO-EXISTE')).toBeNull();
  const filtro = costosList.parse(new URLSearchParams({ q: sku }));
  expect((await costosList.whole(db, filtro, null)).filas).toMatchObject([
    { sku: sku.toLowerCase(), titulo: expect.any(String) },
  ]);
});
