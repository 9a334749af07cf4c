/** Commissions that a marketplace estimates: who is asked for and when, what they make of a sale's ledger, and of what would be left of an offer. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { bringComisiones, enqueueComisiones } from '~/domain/publicaciones/publicaciones/comisiones.server';
import { carasOf } from '~/domain/compras/precios/precio';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { preciableOf } from '~/domain/compras/catalogo/producto';
import { readProducto } from '~/domain/compras/catalogo/productos.server';
import { readVista, saveBorrador } from '~/domain/publicaciones/publicador/borrador.server';
import { readCaras, readQuedarias } from '~/domain/compras/precios/precios.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { balanceLibros, descuadradas, ultimoCuadreDeLibros } from '~/domain/ventas/libro/cuadreLibro.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import { bringVentas } from '~/domain/ventas/ordenes/bringVentas.server';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { type AmazonFacts, linkSandboxAmazon } from '../../../support/amazon';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { buildQuien } from '../../../support/builders/ordenes';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.001';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const DAY = 86_400_000;
let producto: { id: string; proveedor: string };

beforeAll(async () => {
  await linkSandboxAmazon(db, sandbox);
  await seedCatalogo(ownerDatabase().db, 50);
  producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('oferta')
    .set({ precio: '500', moneda: 'MXN', sinPrecio: null })
    .where('productoId', '=', producto.id)
    .execute();
});
beforeEach(async () => {
  await sandbox.clear();
  await amz.post('/interruptores', {
    estimacion: 'llega',
    tandaDeEstimaciones: 'veinte',
    ivaEnEstimacion: 'dentro',
    comision: 'conIva',
  });
  await amz.post('/retrasos', { horasTarde: 48 });
  await ownerDatabase().db.deleteFrom('orden').execute();
  for (const tabla of ['comisionEstimada', 'publicacion', 'syncRun'] as const) await db.deleteFrom(tabla).execute();
  await db.transaction().execute((trx) => resumeConnection(trx, 'amazon'));
});

const fuente = fuenteOf('amz');
const preguntar = () => bringComisiones(db, 'amz');
const preguntas = async () => (await amz.get<{ preguntas: number[] }>('/comisiones')).preguntas;
const deEsta = async (run: () => Promise<unknown>) => {
  const antes = (await preguntas()).length;
  await run();
  return (await preguntas()).slice(antes);
};
const corridas = () =>
  db.selectFrom('syncRun').select(['kind', 'seen', 'written', 'failed', 'error', 'endedAt']).execute();
const vencer = () => sql`update comision_estimada set pedir_en = now() - interval '1 minute'`.execute(db);

/** A sale of Amazon, as its adapter brings it. */
async function vender(escenario = 'porEnviar', cambios: object = {}) {
  const hechos = await amz.post<AmazonFacts>('/ventas', { escenario, ...cambios });
  await bringVentas(db, fuente, fuente.open(db), [hechos.id]);
  const { id } = await db.selectFrom('orden').select('id').where('marketId', '=', hechos.id).executeTakeFirstOrThrow();
  return { ...hechos, id, marketId: hechos.id };
}
const libro = (id: string) =>
  db.selectFrom('libroVenta').selectAll().where('ordenId', '=', id).executeTakeFirstOrThrow();
const comisionDe = async (id: string) => {
  const { comision, estima } = await libro(id);
  return [comision?.toFixed(2), estima.includes('comision'), estima.includes('estimacion')];
};
const cents = (centavos: number) => (centavos / 100).toFixed(2);

/** An offer of the product at Amazon, at a price in pesos. */
async function ofrecer(sku: string, pesos: number) {
  await amz.post(`/publicaciones/${encodeURIComponent(sku)}`, { centavos: pesos * 100 });
  await bringPublicaciones(db, fuente, [sku]);
  await db.updateTable('publicacion').set({ productoId: producto.id }).where('clave', '=', sku).execute();
}

test('what Amazon estimates of a sale goes before the rates, and what it charges takes its place', async () => {
  await amz.post('/retrasos', { horasTarde: 1_000 });
  const venta = await vender('simple', { precio: 100_000, creada: Date.now() - 3 * DAY });
  expect(await comisionDe(venta.id), 'by the rates').toEqual(['150.00', true, false]);
  expect(await preguntar()).toBe(1);
  expect(await comisionDe(venta.id)).toEqual(['174.00', true, true]);
  const dinero = (await readDinero(db, venta.id))!;
  expect(dinero.porque).toContain(
    'La comisión es la que Amazon estima para el precio vendido: todavía no dice la que cobra.',
  );
  expect(dinero.porque.join()).not.toContain('La comisión se estima con las tasas');
  expect(dinero.ingresos.find(({ clave }) => clave === 'comision')).toMatchObject({
    cierto: false,
    fuente: 'estimacion',
    dicho: 'estimada por el mercado',
  });
  expect(dinero.recibeEstimado).toBe(true);
  const estimado = (await libro(venta.id)).recibe;

  await amz.post('/retrasos', { horasTarde: 0 });
  await db.updateTable('orden').set({ cargosEn: null }).where('id', '=', venta.id).execute();
  await bringVentas(db, fuente, fuente.open(db), [venta.marketId]);
  expect(await comisionDe(venta.id), 'told').toEqual([cents(venta.cargos.comision), false, false]);
  const { recibe, estima } = await libro(venta.id);
  expect([recibe, estima]).toEqual([estimado, []]);
  const { rows } = await sql<{ importe: Money; fuente: string }>`
    select importe, fuente from asiento where orden_id = ${venta.id} and renglon = 'comision' order by id`.execute(db);
  expect(rows.map(({ importe, fuente: una }) => [importe.toFixed(2), una])).toEqual([
    ['150.00', 'tarifa'],
    ['24.00', 'estimacion'],
    ['0.00', 'mercado'],
  ]);
  expect(await descuadradas(db, [venta.id])).toEqual([]);
  await balanceLibros(db);
  expect(await ultimoCuadreDeLibros(db)).toMatchObject({ descuadradas: 0 });
});

test('the estimate of a sale is what its movements will charge: of several lines, pieces and shipments, to the cent', async () => {
  for (const escenario of ['variosArticulos', 'dosPiezas', 'amazon', 'envioCobrado', 'promocion']) {
    const venta = await vender(escenario);
    await preguntar();
    const [comision] = await comisionDe(venta.id);
    const falta = Math.abs(Number(comision) * 100 - venta.cargos.comision);
    expect(falta, `${escenario}: ${comision}`).toBeLessThanOrEqual(3);
    expect(await descuadradas(db, [venta.id])).toEqual([]);
  }
});

test('sales at one price are one row of one question, and a later sale at that price asks nothing', async () => {
  const ventas = [
    await vender('porEnviar', { precio: 50_000, sku: 'AMS|1|syscom|A' }),
    await vender('porEnviar', { precio: 50_000, sku: 'AMS|1|syscom|A' }),
    await vender('porEnviar', { precio: 50_100, sku: 'AMS|1|syscom|A' }),
  ];
  expect(await deEsta(preguntar)).toEqual([2]);
  for (const { id } of ventas) expect((await comisionDe(id))[2]).toBe(true);
  expect(await corridas()).toEqual([
    { kind: 'comisiones', seen: 2, written: 2, failed: 0, error: null, endedAt: expect.any(Date) as Date },
  ]);
  const otra = await vender('porEnviar', { precio: 50_000, sku: 'AMS|1|syscom|A' });
  expect(await deEsta(preguntar)).toEqual([]);
  expect(await comisionDe(otra.id)).toEqual(['87.00', true, true]);
});

test('a sale without a sku, and one whose commission is told or that is not paid, asks nothing', async () => {
  const sin = await vender('sinSku');
  await vender('pendiente');
  await vender('cancelada');
  const dicha = await vender('porEnviar');
  await db.updateTable('orden').set({ comision: '10.00' }).where('id', '=', dicha.id).execute();
  expect(await deEsta(preguntar)).toEqual([]);
  expect((await comisionDe(sin.id))[2]).toBe(false);
});

test('an offer is asked for at its price, and again only for a price that is more than a tenth away, or after two weeks', async () => {
  await ofrecer('AMS|P30|x|1', 1_000);
  expect(await deEsta(preguntar)).toEqual([1]);
  const cambia = (precio: string) => db.updateTable('publicacion').set({ precio }).execute();
  await cambia('1100.00');
  expect(await deEsta(preguntar)).toEqual([]);
  await cambia('1100.01');
  expect(await deEsta(preguntar)).toEqual([1]);
  const { rows } = await sql<{ dias: number }>`
    select round(extract(epoch from pedir_en - dicha_en) / 86400)::int as dias from comision_estimada`.execute(db);
  expect(rows.map(({ dias }) => dias)).toEqual([14, 14]);
  await vencer();
  expect(await deEsta(preguntar), 'the present price alone').toEqual([1]);
  await sql`update comision_estimada set pedir_en = now() - interval '61 days', dicha_en = now() - interval '75 days' where precio = 1000`.execute(
    db,
  );
  await preguntar();
  expect(await db.selectFrom('comisionEstimada').select('precio').execute()).toHaveLength(1);
});

test('what would be left of an offer takes the estimate, in proportion near its price and by the rates beyond', async () => {
  await ofrecer('AMS|P30|x|2', 1_000);
  const alPrecio = async (precio: string) => {
    const [una] = await readQuedarias(db, [{ productoId: producto.id, market: 'amz', precio: Money.of(precio) }]);
    return 'estima' in una! ? [una.queda.toFixed(2), una.estima[0]] : una;
  };
  // 1,000.00 − 15 % − 10.5 % of its price without VAT − 580.00.
  const deTasas = ['179.48', 'con la comisión por omisión'];
  expect(await alPrecio('1000')).toEqual(deTasas);
  await preguntar();
  expect(await alPrecio('1000')).toEqual(['155.48', 'con la comisión que Amazon estima']);
  // 1,100.00 − 191.40 − 99.57 − 580.00.
  expect(await alPrecio('1100')).toEqual(['229.03', 'con la comisión que Amazon estima']);
  expect(await alPrecio('1100.01')).toEqual(['255.44', 'con la comisión por omisión']);
  const [deMl] = await readQuedarias(db, [{ productoId: producto.id, market: 'ml', precio: Money.of('1000') }]);
  expect(deMl).toMatchObject({ estima: expect.arrayContaining(['con la comisión por omisión']) as string[] });
  // The price of the rule, 870.00, is more than a tenth away: it is asked for once the offer stands there.
  const deRegla = async () => (await readCaras(db, [producto.id])).get(producto.id)!.amz.margen!;
  expect((await deRegla()).comisionDe).toBe('omision');
  await db.updateTable('publicacion').set({ precio: '870.00' }).execute();
  await preguntar();
  const { comision, comisionDe: cual } = await deRegla();
  expect([comision.toFixed(2), cual]).toEqual(['151.38', 'estimada']);
});

test('lists, the panel of a product and the publisher tell what the price rule tells', async () => {
  await ofrecer('AMS|P30|x|5', 870);
  await preguntar();
  const { margen } = (await readCaras(db, [producto.id])).get(producto.id)!.amz;
  expect(margen!.comisionDe).toBe('estimada');
  const queda = margen!.queda.toFixed(2);
  const reglas = await readReglas(db);
  const leido = (await readProducto(db, producto.id, { conOrdenes: false }))!;
  expect(carasOf(reglas, preciableOf(leido)).amz.margen!.queda.toFixed(2)).toBe(queda);
  const filtro = productosList.parse(new URLSearchParams({ q: leido.idProveedor! }));
  const { filas } = await productosList.whole(db, filtro, '1');
  expect(filas.find(({ id }) => id === producto.id)!.precios.amz!.queda.toFixed(2)).toBe(queda);
  const usuarioId = (await buildQuien(db)).id;
  await db
    .transaction()
    .execute((trx) =>
      saveBorrador(trx, 'amz', producto.id, 0, { categoriaId: 'ASIN_B0EXAMPL01', respuestas: {}, usuarioId }),
    );
  const { precios } = (await readVista(db, 'amz', producto.id, { paso: '3', q: null, nodo: null }))!;
  expect(precios).toMatchObject({ sugerido: '870.00', estimadas: [{ precio: '870.00', comision: '151.38' }] });
});

test('a refusal keeps what was told before, waits, and holds back no other price', async () => {
  await ofrecer('AMS|P30|x|3', 1_000);
  await preguntar();
  await vencer();
  await amz.post('/interruptores', { estimacion: 'falla' });
  const venta = await vender('porEnviar', { precio: 20_000 });
  expect(await preguntar()).toBe(0);
  expect((await corridas()).at(-1)).toMatchObject({ seen: 2, written: 0, failed: 2 });
  expect(await comisionDe(venta.id), 'the rates hold').toEqual(['30.00', true, false]);
  const [una] = await readQuedarias(db, [{ productoId: producto.id, market: 'amz', precio: Money.of('1000') }]);
  expect(una).toMatchObject({ estima: expect.arrayContaining(['con la comisión que Amazon estima']) as string[] });
  expect(await deEsta(preguntar), 'not before it is due').toEqual([]);
  await amz.post('/interruptores', { estimacion: 'llega' });
  await vencer();
  expect(await preguntar()).toBe(2);
  expect(await comisionDe(venta.id)).toEqual(['34.80', true, true]);
});

test('an account that is refused is left alone for a day, and silence ends a run that the next one takes up', async () => {
  const venta = await vender('porEnviar', { precio: 20_000 });
  await amz.post('/interruptores', { estimacion: '403' });
  expect(await preguntar()).toBe(0);
  expect(await deEsta(preguntar)).toEqual([]);
  const { rows } = await sql<{ horas: number }>`
    select round(extract(epoch from pedir_en - now()) / 3600)::int as horas from comision_estimada`.execute(db);
  expect(rows).toEqual([{ horas: 24 }]);
  await amz.post('/interruptores', { estimacion: 'llega' });
  await vencer();
  await amz.failNext('503', { route: 'POST /products' });
  expect(await preguntar()).toBe(0);
  expect(await comisionDe(venta.id)).toEqual(['30.00', true, false]);
  await vencer();
  expect(await preguntar()).toBe(1);
  expect((await comisionDe(venta.id))[2]).toBe(true);
});

test('an account that is not linked, or paused, is not asked, and the rates hold', async () => {
  const venta = await vender('porEnviar', { precio: 20_000 });
  await db.transaction().execute((trx) => pauseConnection(trx, 'amazon'));
  expect(await preguntar()).toBeNull();
  expect(await bringComisiones(db, 'ml'), 'a marketplace that tells nothing beforehand').toBeNull();
  expect(await comisionDe(venta.id)).toEqual(['30.00', true, false]);
  await enqueueComisiones(db);
  const { rows } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where key like 'comisiones.preguntar:%'`.execute(ownerDatabase().db);
  expect(rows).toEqual([{ key: 'comisiones.preguntar:amz' }]);
});

test('where estimates leave out the VAT that is charged, the first told sales teach it, also to estimates of before', async () => {
  await amz.post('/interruptores', { ivaEnEstimacion: 'fuera' });
  const ventas = [];
  for (let n = 0; n < 4; n++) ventas.push(await vender('porEnviar', { precio: 100_000 + n * 100 }));
  await ofrecer('AMS|P30|x|4', 1_000);
  await preguntar();
  expect(await comisionDe(ventas[3]!.id)).toEqual(['150.45', true, true]);
  for (const { id, cargos } of ventas.slice(0, 3))
    await db
      .updateTable('orden')
      .set({ comision: cents(cargos.comision) })
      .where('id', '=', id)
      .execute();
  await preguntar();
  expect(await comisionDe(ventas[3]!.id)).toEqual(['174.52', true, true]);
  const [una] = await readQuedarias(db, [{ productoId: producto.id, market: 'amz', precio: Money.of('1000') }]);
  expect('queda' in una! && una.queda.toFixed(2)).toBe('155.48');
  const nueva = await vender('porEnviar', { precio: 100_300 });
  await preguntar();
  expect(await comisionDe(nueva.id)).toEqual(['174.52', true, true]);
  expect(
    await descuadradas(
      db,
      [...ventas, nueva].map(({ id }) => id),
    ),
  ).toEqual([]);
});

test('the estimate of a sale of which a part went back is of what stays paid', async () => {
  const venta = await vender('porEnviar', { precio: 100_000 });
  await preguntar();
  await db.updateTable('orden').set({ pagadoAbs: '500.00' }).where('id', '=', venta.id).execute();
  expect(await comisionDe(venta.id)).toEqual(['87.00', true, true]);
});
