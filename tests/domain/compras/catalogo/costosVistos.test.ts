/** The supplier's price when a sale was seen: its cost until something is ordered for it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { keepCostosVistos } from '~/domain/compras/catalogo/costosVistos.server';
import { descuadradas } from '~/domain/ventas/libro/cuadreLibro.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import type { Clase } from '~db/columns';
import type { Moneda } from '~/core/moneda';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildTomado } from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

type Precio = { precio?: string | null; moneda?: Moneda; tipoCambio?: string | null };

/** A product of TVC with its offer; a price of null is one that the supplier does not tell. */
async function producto({ precio = '100.00', moneda = 'MXN', tipoCambio = null }: Precio = {}) {
  const idProveedor = `TV-${randomUUID()}`;
  const { id } = await db
    .insertInto('producto')
    .values({ proveedor: 'tvc', idProveedor, enVenta: true, huella: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('oferta')
    .values({
      productoId: id,
      precio,
      moneda: precio === null ? null : moneda,
      sinPrecio: precio === null ? 'proyecto' : null,
      tipoCambio,
      tope: false,
      almacenes: '[]',
      promociones: '[]',
      raw: '{}',
      huella: 'x',
      leidaEn: sql<Date>`now()`,
    })
    .execute();
  return { id, sku: `AMS|${idProveedor}|TVC|M-1` };
}
const ask = (id: string, precio: string) =>
  db.updateTable('oferta').set({ precio }).where('productoId', '=', id).execute();

type Sketch = { id?: string; skus: string[]; clase?: Clase; full?: boolean; hace?: string; piezas?: number };

/** A paid sale of 1,160.00 that receives 960.00, of one line for each SKU. */
async function venta({ id: suyo, skus, clase = 'normal', full = false, hace = '1 day', piezas = 1 }: Sketch) {
  const { id, envioId } = await buildOrden(db, {
    id: suyo,
    sku: skus[0]!,
    pagado: '1160.00',
    clase,
    envio: full ? {} : null,
  });
  if (full)
    await db
      .updateTable('envio')
      .set({ tipoLogistico: 'fulfillment', costo: '0.00' })
      .where('id', '=', envioId!)
      .execute();
  await db
    .updateTable('orden')
    .set({ comision: '100.00', retencion: '100.00', fechaCreacion: sql<Date>`now() - ${sql.lit(hace)}::interval` })
    .where('id', '=', id)
    .execute();
  await db.updateTable('articulo').set({ cantidad: piezas }).where('ordenId', '=', id).execute();
  for (const [n, sku] of skus.slice(1).entries())
    await db
      .insertInto('articulo')
      .values({ ordenId: id, posicion: n + 1, nombre: 'Otra', sku, cantidad: 1, importe: '1', precioUnitario: '1' })
      .execute();
  return id;
}
const see = () => keepCostosVistos(db, { llegadas: true });
const queda = async (id: string) => {
  const row = await db.selectFrom('libroVenta').selectAll().where('ordenId', '=', id).executeTakeFirstOrThrow();
  return [row.queda?.toFixed(2) ?? null, row.certeza];
};

const buy = (ordenId: string, precio: string) =>
  buildTomado(db, { ordenId, numOrden: ordenId, proveedor: 'tvc', precio });

test('a sale costs what its supplier asked when it came, until something is ordered for it', async () => {
  const { id: productoId, sku } = await producto();
  const id = await venta({ skus: [sku], piezas: 2 });
  expect(await queda(id)).toEqual([null, 'desconocida']);
  expect(await see()).toBe(1);
  expect(await queda(id), '960.00 − 2 × 116.00').toEqual(['728.00', 'estimada']);
  const dinero = (await readDinero(db, id))!;
  expect(
    dinero.costos.map(({ concepto, importe, cierto, dicho }) => [concepto, importe.toFixed(2), cierto, dicho]),
  ).toEqual([['Costo de catálogo: TVC', '-232.00', false, 'del catálogo del proveedor']]);
  expect(dinero.porque).toEqual([
    'El costo es el precio del proveedor cuando se vio la venta: su pedido, o su factura, lo hace definitivo.',
  ]);
  await ask(productoId, '500.00');
  expect(await see(), 'a price that was seen stays').toBe(0);
  await buy(id, '110.00');
  expect(await queda(id), '960.00 − 127.60, as it was ordered').toEqual(['832.40', 'estimada']);
  expect(await descuadradas(db, [id])).toEqual([]);
});

test('no supplier is owed what was not ordered', async () => {
  const { sku } = await producto();
  const id = await venta({ skus: [sku] });
  await see();
  const cuentas = () =>
    db
      .selectFrom('asiento')
      .select(['de', sql<string>`sum(importe)::text`.as('suma')])
      .where('ordenId', '=', id)
      .where('a', '=', 'costo')
      .groupBy('de')
      .orderBy('de')
      .execute();
  expect(await cuentas()).toEqual([{ de: 'porPedir:tvc', suma: '116.00' }]);
  await buy(id, '100.00');
  expect(await cuentas()).toEqual([
    { de: 'porPedir:tvc', suma: '0.00' },
    { de: 'proveedor:tvc', suma: '116.00' },
  ]);
});

test('dollars are told by the supplier’s rate of that moment, and without a rate nobody knows them', async () => {
  const dolares = await producto({ precio: '10.00', moneda: 'USD', tipoCambio: '20.00' });
  const sinTasa = await producto({ precio: '10.00', moneda: 'USD' });
  const [una, otra] = [await venta({ skus: [dolares.sku] }), await venta({ skus: [sinTasa.sku] })];
  expect(await see()).toBe(1);
  expect(await queda(una), '960.00 − 10 × 20 × 1.16').toEqual(['728.00', 'estimada']);
  expect(await queda(otra)).toEqual([null, 'desconocida']);
});

test('half a cost is none: each line needs a price, or a cost that somebody typed', async () => {
  const [uno, otro] = [await producto(), await producto({ precio: null })];
  const id = await venta({ skus: [uno.sku, otro.sku] });
  await see();
  expect(await queda(id)).toEqual([null, 'desconocida']);
  await db
    .updateTable('oferta')
    .set({ precio: '50.00', moneda: 'MXN', sinPrecio: null })
    .where('productoId', '=', otro.id)
    .execute();
  expect(await see(), 'the first line keeps the price that was seen first').toBe(1);
  expect(await queda(id), '960.00 − 116.00 − 58.00').toEqual(['786.00', 'estimada']);

  const nuestra = 'AMS|1|propio|Funda';
  await db
    .insertInto('costoPropio')
    .values({ sku: nuestra.toLowerCase(), desde: '2026-01-01', costo: '30.00', soloAlmacen: false })
    .execute();
  const mezclada = await venta({ skus: [uno.sku, nuestra] });
  await see();
  expect(await queda(mezclada), '960.00 − 116.00 − 30.00').toEqual(['814.00', 'estimada']);
  expect(await descuadradas(db, [id, mezclada])).toEqual([]);
});

test('goods of the marketplace’s warehouse, and sales that came back, have no such price', async () => {
  const { sku } = await producto();
  const ids = [
    await venta({ skus: [sku], full: true }),
    await venta({ skus: [sku], clase: 'devuelta' }),
    await venta({ skus: [sku], clase: 'cancelada' }),
  ];
  expect(await see()).toBe(0);
  expect(await Promise.all(ids.slice(0, 2).map(queda))).toEqual([
    [null, 'desconocida'],
    [null, 'desconocida'],
  ]);
  const despues = await venta({ skus: [sku] });
  await see();
  await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', despues).execute();
  expect(await queda(despues), 'it came back before anything was ordered').toEqual([null, 'desconocida']);
});

test('a sale that is not paid yet is no loss, and costs the price of its day once it is', async () => {
  const { id: productoId, sku } = await producto();
  const id = await venta({ skus: [sku] });
  const pay = (pagadoAbs: string) => db.updateTable('orden').set({ pagadoAbs }).where('id', '=', id).execute();
  await pay('0');
  await see();
  expect(await queda(id)).toEqual([null, 'desconocida']);
  await ask(productoId, '500.00');
  await pay('1160.00');
  expect(await queda(id), '960.00 − 116.00').toEqual(['844.00', 'estimada']);
});

test('a line that is corrected loses its price and takes up another one', async () => {
  const [mal, bien] = [await producto(), await producto({ precio: '200.00' })];
  const id = await venta({ skus: [mal.sku] });
  await see();
  await db.updateTable('articulo').set({ sku: bien.sku }).where('ordenId', '=', id).execute();
  expect(await queda(id)).toEqual([null, 'desconocida']);
  await see();
  expect(await queda(id), '960.00 − 232.00').toEqual(['728.00', 'estimada']);
});

test('sales of long ago wait for the night, and those of another time get no price of today', async () => {
  const { sku } = await producto();
  await venta({ skus: [sku], hace: '80 days' });
  const deOtraEpoca = await venta({ skus: [sku], hace: '200 days' });
  const { rows } = await sql<{ antes: string }>`select uuidv7(interval '-2 hours') as antes`.execute(db);
  const aMedias = await venta({ skus: [sku], id: rows[0]!.antes });
  expect(await see(), 'the one that came in now, of whatever day it is').toBe(1);
  expect((await queda(aMedias))[1]).toBe('desconocida');
  expect(await keepCostosVistos(db, { llegadas: false })).toBe(1);
  expect((await queda(aMedias))[1]).toBe('estimada');
  expect((await queda(deOtraEpoca))[1]).toBe('desconocida');
});
