import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addFotos } from '~/domain/compras/catalogo/fotos.server';
import { makeRetratos } from '~/domain/compras/catalogo/retratos.server';
import {
  devolucionesPorRecibir,
  findArticulos,
  findPorRecibir,
  readOfQue,
} from '~/domain/compras/stock/devoluciones.server';
import { changeEstado, sellPieza } from '~/domain/compras/stock/piezas.server';
import { valorEnBodega } from '~/domain/compras/stock/listStock.server';
import { jpegOf } from '../../../sandbox/imagenes/dibujo';
import { buildOrden, buildQuien, type OrdenSketch } from '../../../support/builders/ordenes';
import { buildPiezas, buildProductoDeStock } from '../../../support/builders/stock';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const quien = await buildQuien(db, 'user');

const cosas = async () =>
  (
    await devolucionesPorRecibir.mira(db, {
      ahora: new Date(),
      limite: 50,
      aparte: [],
      quien: { id: quien.id, rol: 'user' },
    })
  ).cosas;
const cosa = async (id: string) => (await cosas()).find((una) => una.id === id);
const SALIO: OrdenSketch = { envio: { estatus: 'delivered' } };

async function buildReclamo(ordenId: string, estatus: string, problema = 'Llegó roto') {
  await sql`insert into reclamo (market, market_id, orden_market_id, recurso, recurso_id, estatus, tipo, problema, devoluciones, fecha, actualizado_en, leido_en, datos)
    select 'ml', 'R' || market_id, market_id, 'order', market_id, 'abierto', 'mediations', ${problema}, ${JSON.stringify([{ estatus }])}::jsonb, now(), now(), now(), '{}'
    from orden where id = ${ordenId}`.execute(db);
}
const versionDe = async (id: string) =>
  (await db.selectFrom('stockInterno').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;

test('a sale that ended after its parcel left waits to be received, until each of its pieces is', async () => {
  const devuelta = await buildOrden(db, { ...SALIO, clase: 'devuelta' });
  await db.updateTable('articulo').set({ cantidad: 2 }).where('ordenId', '=', devuelta.id).execute();
  expect(await cosa(devuelta.id)).toMatchObject({
    detalle: `${devuelta.numOrden} · Venta devuelta`,
    a: `devoluciones?orden=${devuelta.id}&articulo=0`,
  });
  await buildPiezas(db, quien.id, { orden: devuelta.id });
  expect(await cosa(devuelta.id)).toBeDefined();
  await buildPiezas(db, quien.id, { orden: devuelta.id });
  expect(await cosa(devuelta.id)).toBeUndefined();
});

test('what never left, what stands, and what the marketplace sends back to its own shelves wait for nobody', async () => {
  const [nunca, vive, full] = await Promise.all([
    buildOrden(db, { clase: 'devuelta', envio: { estatus: 'ready_to_ship' } }),
    buildOrden(db, SALIO),
    buildOrden(db, { ...SALIO, clase: 'devuelta' }),
  ]);
  await db.updateTable('envio').set({ tipoLogistico: 'fulfillment' }).where('id', '=', full.envioId!).execute();
  for (const { id } of [nunca, vive, full]) expect(await cosa(id)).toBeUndefined();
});

test('a claim proposes its return once that is on its way', async () => {
  const [sale, espera] = await Promise.all([buildOrden(db, SALIO), buildOrden(db, SALIO)]);
  await buildReclamo(sale.id, 'shipped');
  await buildReclamo(espera.id, 'pending');
  expect(await cosa(sale.id)).toMatchObject({ detalle: expect.stringMatching(/ · Reclamo R\d+$/) });
  expect(await cosa(espera.id)).toBeUndefined();
  const { propuesta } = (await readOfQue(db, new URLSearchParams({ orden: sale.id })))!;
  expect(propuesta.observaciones).toMatch(/^Reclamo R\d+: Llegó roto$/);
});

test('a piece of our own shelf comes back as itself', async () => {
  const orden = await buildOrden(db, { ...SALIO, clase: 'devuelta' });
  const [pieza] = await buildPiezas(db, quien.id, {
    producto: (await buildProductoDeStock(db)).id,
    estado: 'disponible',
  });
  const { id } = pieza!;
  const vende = { id, version: await versionDe(id), venta: orden.numOrden };
  await db.transaction().execute((trx) => sellPieza(trx, vende, quien.id));
  expect(await cosa(orden.id)).toMatchObject({ a: `stockInterno?ver=${id}` });
  const vuelve = { id, version: await versionDe(id), estado: 'enRevision' as const };
  await db.transaction().execute((trx) => changeEstado(trx, vuelve, quien.id));
  expect(await cosa(orden.id)).toBeUndefined();
});

test('what comes back stands beside the picture of its product, as an article or as our own piece', async () => {
  const producto = await buildProductoDeStock(db);
  const foto = new File([new Uint8Array(jpegOf(800, 600))], 'a.jpg');
  await addFotos(db, { id: producto.id, fotos: [foto] }, quien.id);
  const [articulo, nuestra, ajena] = await Promise.all([
    buildOrden(db, { ...SALIO, sku: `AMS|${producto.idProveedor}|syscom|x`, clase: 'devuelta' }),
    buildOrden(db, { ...SALIO, clase: 'devuelta' }),
    buildOrden(db, { ...SALIO, clase: 'devuelta' }),
  ]);
  const [pieza] = await buildPiezas(db, quien.id, { producto: producto.id, estado: 'disponible' });
  const vende = { id: pieza!.id, version: await versionDe(pieza!.id), venta: nuestra.numOrden };
  await db.transaction().execute((trx) => sellPieza(trx, vende, quien.id));

  const porRecibir = async () => {
    const { ventas } = await findPorRecibir(db, { id: quien.id, rol: 'user' });
    return [articulo, nuestra, ajena].map(({ numOrden }) => ventas.find(({ numero }) => numero === numOrden)?.alLado);
  };
  const sin = { retrato: null };
  expect(await porRecibir()).toEqual([sin, sin, sin]);
  await makeRetratos(db, new AbortController().signal);
  const suya = { retrato: expect.stringMatching(/^\/fotos\//) as string };
  expect(await porRecibir()).toEqual([suya, suya, sin]);
  expect((await findArticulos(db, articulo.numOrden)).map(({ alLado }) => alLado)).toEqual([suya]);
  expect((await findArticulos(db, ajena.numOrden)).map(({ alLado }) => alLado)).toEqual([sin]);
});

test('the form is filled with the pieces that did not come yet and with what each cost where it was bought', async () => {
  const producto = await buildProductoDeStock(db);
  await sql`insert into oferta (producto_id, precio, moneda, existencia, tope, almacenes, promociones, raw, huella, leida_en)
    values (${producto.id}, 200, 'MXN', 1, false, '[]', '[]', '{}', '-', now())`.execute(db);
  const orden = await buildOrden(db, { ...SALIO, sku: `AMS|${producto.idProveedor}|syscom|x`, clase: 'devuelta' });
  await db.updateTable('articulo').set({ cantidad: 3 }).where('ordenId', '=', orden.id).execute();
  const propuesta = async () => (await readOfQue(db, new URLSearchParams({ orden: orden.id })))!.propuesta;
  expect(await propuesta()).toMatchObject({
    cantidad: 3,
    costo: '232.00',
    observaciones: null,
    recibidas: 0,
    deLaOrden: 0,
  });
  const [pedido] = (
    await sql<{
      id: string;
    }>`insert into pedido (market, num_orden, proveedor, via) values ('ml', ${orden.numOrden}, 'syscom', 'api') returning id`.execute(
      db,
    )
  ).rows;
  await sql`insert into pedido_linea (pedido_id, posicion, orden_id, producto_id, id_proveedor, descripcion, cantidad, precio, moneda, tipo_cambio)
    values (${pedido!.id}, 0, ${orden.id}, ${producto.id}, 'x', 'x', 3, 10, 'USD', 18)`.execute(db);
  // A draft bought nothing.
  expect((await propuesta()).costo).toBe('232.00');
  await db.updateTable('pedido').set({ estado: 'enviando' }).where('id', '=', pedido!.id).execute();
  await buildPiezas(db, quien.id, { orden: orden.id, producto: producto.id });
  expect(await propuesta()).toMatchObject({
    cantidad: 2,
    costo: '208.80',
    observaciones: null,
    recibidas: 1,
    deLaOrden: 1,
  });
});

test('what is on the shelf is told by supplier and state, without what left', async () => {
  const { id: producto } = await buildProductoDeStock(db);
  await buildPiezas(db, quien.id, { producto, cantidad: '2', costo: '100.50', proveedor: 'tvc', estado: 'disponible' });
  await buildPiezas(db, quien.id, { producto, costo: '30', proveedor: 'tvc', estado: 'danado' });
  await buildPiezas(db, quien.id, { producto, costo: '900', proveedor: 'cva', estado: 'enRevision' });
  await buildPiezas(db, quien.id, { producto, costo: '5000', proveedor: 'cva', estado: 'baja' });
  const valor = (await valorEnBodega(db)).filter(({ proveedor }) => proveedor !== 'Syscom');
  expect(
    valor.map(({ proveedor, piezas, costo, estados }) => [
      proveedor,
      piezas,
      costo.toFixed(2),
      estados.map(({ estado, piezas, costo }) => [estado, piezas, costo.toFixed(2)]),
    ]),
  ).toEqual([
    ['CVA', 1, '900.00', [['enRevision', 1, '900.00']]],
    [
      'TVC',
      3,
      '231.00',
      [
        ['disponible', 2, '201.00'],
        ['danado', 1, '30.00'],
      ],
    ],
  ]);
});
