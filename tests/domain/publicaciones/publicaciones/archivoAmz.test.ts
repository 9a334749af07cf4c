import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { movePalanca } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { checkMovidos, followProveedores } from '~/domain/publicaciones/publicaciones/followProveedores.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { linkSandboxAmazon } from '../../../support/amazon';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { runJobs } from '../../../support/jobs';
import { buildUsuario } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const CUANTAS = 40;
let skus: string[];
let productos: string[];
let usuarioId: string;

type Enviado = { patches: { sku: string }[]; mostrados: { sku: string; cantidad: number }[] };
const asked = async () => (await amz.get<{ asked: Record<string, number> }>('/ritmo')).asked;
const mover = (cambio: object, cuales = productos) =>
  db.updateTable('oferta').set(cambio).where('productoId', 'in', cuales).execute();
const pendientes = () => db.selectFrom('publicacionPendiente').selectAll().execute();
const stocks = async () =>
  new Set((await db.selectFrom('publicacion').select('stock').execute()).map(({ stock }) => stock));
const archivo = () =>
  db
    .selectFrom('effect')
    .select(['id', 'state', 'sends', 'reason'])
    .where('type', '=', 'amz.archivo')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const segundos = (n: number) => amz.post('/reloj', { segundos: n });
/** What Amazon works on is not waited for by the clock. */
const unaVuelta = async () => {
  await db
    .updateTable('effect')
    .set({ nextAt: sql<Date>`now()` })
    .where('state', '=', 'unknown')
    .execute();
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(ownerDatabase().db);
  await runJobs();
};

beforeAll(async () => {
  await linkSandboxAmazon(db, sandbox);
  ({ id: usuarioId } = await buildUsuario(db));
  await seedCatalogo(ownerDatabase().db, 50);
  const catalogo = await db
    .selectFrom('producto')
    .innerJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['producto.id', 'producto.proveedor', 'producto.idProveedor'])
    .orderBy('producto.id')
    .limit(CUANTAS)
    .execute();
  productos = catalogo.map(({ id }) => id);
  skus = catalogo.map(({ proveedor, idProveedor }) => `AMS|${idProveedor}|${proveedor}|X`);
  await runJobs();
});

/** 1000 pesos of cost: 1160 with VAT, 1740 with a half on it. */
beforeEach(async () => {
  await amz.post('/interruptores', {
    archivo: 'hecho',
    resultadoDeArchivo: 'llega',
    precioRaro: 'pasa',
    cambio: 'seVe',
  });
  await amz.post('/demoras', { cambio: 0 });
  await amz.post('/archivos', { retraso: 20_000 });
  await db.deleteFrom('publicacionPendiente').execute();
  await db.updateTable('producto').set({ enVenta: true, ausenteDesde: null }).where('id', 'in', productos).execute();
  await mover({ precio: '1000', moneda: 'MXN', sinPrecio: null, existencia: 10, leidaEn: new Date() });
  await amz.post('/publicaciones', { cantidad: CUANTAS, skus });
  for (const sku of skus)
    await amz.post(`/publicaciones/${encodeURIComponent(sku)}`, { centavos: 174_000, cantidad: 10 });
  await bringPublicaciones(db, fuenteOf('amz'), skus);
  await db.updateTable('publicacion').set({ autoSync: true, precioNegado: null, dichoEn: null }).execute();
  await db.deleteFrom('publicacionMirar').execute();
  // The next file may go at once.
  await sql`delete from connection where kind like 'archivos:%'`.execute(db);
});

/** Every listing has something to tell, and a file is on its way. */
async function enCamino(existencia: number) {
  await mover({ existencia });
  await followProveedores(db, ['amz']);
  await unaVuelta();
}

test('many changes go in one file, and each is done when its listing shows it', async () => {
  const antes = await asked();
  await enCamino(7);
  expect([(await archivo()).state, await stocks()]).toEqual(['unknown', new Set([10])]);
  await segundos(21);
  await unaVuelta();
  expect([(await archivo()).state, await stocks(), await pendientes()]).toEqual(['done', new Set([7]), []]);
  const despues = await asked();
  expect([despues.createFeed! - (antes.createFeed ?? 0), despues.patchListingsItem]).toEqual([1, undefined]);
  const historia = await db.selectFrom('publicacionHistoria').select('error').where('stock', '=', 7).execute();
  expect(historia).toHaveLength(CUANTAS);
});

test('a message that is not taken keeps no other back, and waits with its reason', async () => {
  await amz.post('/interruptores', { precioRaro: 'seRechaza' });
  await mover({ precio: '1100' }, productos.slice(0, 1));
  await enCamino(6);
  await segundos(21);
  await unaVuelta();
  expect((await archivo()).state).toBe('done');
  expect(await pendientes()).toEqual([
    expect.objectContaining({ fallas: 1, error: 'Precio: El precio está fuera del rango permitido.' }),
  ]);
  expect(await stocks()).toEqual(new Set([6, 10]));
});

test.each([
  ['hecho', 'falta', 6],
  ['fatal', 'falta', 6],
  ['cancelado', 'falta', 10],
])(
  'a file that ends as %s, with a result that is %s, is told by what its listings show',
  async (como, resultado, stock) => {
    await amz.post('/interruptores', { archivo: como, resultadoDeArchivo: resultado });
    await enCamino(6);
    await segundos(21);
    await unaVuelta();
    expect((await archivo()).state).toBe('done');
    const faltan = await pendientes();
    expect(faltan.length).toBe(como === 'hecho' ? 0 : como === 'fatal' ? CUANTAS / 2 : CUANTAS);
    expect(new Set(faltan.map(({ error, effectId }) => `${error} ${effectId}`)).size).toBe(como === 'hecho' ? 0 : 1);
    expect((await stocks()).has(stock)).toBe(true);
  },
);

test('one that does not show leaves the others free, and is given up after an hour', async () => {
  await amz.post(`/publicaciones/${encodeURIComponent(skus[0]!)}`, { terca: true });
  await enCamino(5);
  await segundos(21);
  await unaVuelta();
  const { id, state } = await archivo();
  expect([state, await stocks()]).toEqual(['unknown', new Set([5, 10])]);
  expect(await pendientes()).toEqual([expect.objectContaining({ effectId: id })]);
  await sql`update effect set result = result || jsonb_build_object('en', now() - interval '2 hours') where id = ${id}`.execute(
    db,
  );
  await unaVuelta();
  expect((await archivo()).state).toBe('done');
  expect(await pendientes()).toEqual([
    expect.objectContaining({ effectId: null, error: 'Amazon lo recibió y en una hora no lo mostró.' }),
  ]);
});

test('a file whose answer was lost is found among those that were asked for, and asked for once', async () => {
  const antes = (await asked()).createFeed ?? 0;
  await amz.failNext('500-after-doing', { route: 'POST /feeds/2021-06-30/feeds' });
  await enCamino(4);
  expect((await archivo()).state).toBe('unknown');
  await segundos(21);
  await unaVuelta();
  expect([(await archivo()).state, (await archivo()).sends, await stocks()]).toEqual(['done', 1, new Set([4])]);
  expect((await asked()).createFeed! - antes).toBe(1);
});

test('the switch takes back a file that waits at Amazon, and what it held goes when it is let go', async () => {
  await amz.post('/interruptores', { archivo: 'enCola' });
  const palanca = (detener: boolean) =>
    db.transaction().execute((trx) => movePalanca(trx, { market: 'amz', detener }, usuarioId));
  await enCamino(3);
  await palanca(true);
  await unaVuelta();
  await unaVuelta();
  expect((await archivo()).state).toBe('done');
  expect(new Set((await pendientes()).map(({ effectId, error }) => `${effectId} ${error}`))).toEqual(
    new Set(['null null']),
  );
  await palanca(false);
  await amz.post('/interruptores', { archivo: 'hecho' });
  await sql`delete from connection where kind like 'archivos:%'`.execute(db);
  await followProveedores(db, ['amz']);
  await unaVuelta();
  await segundos(21);
  await unaVuelta();
  expect(await stocks()).toEqual(new Set([3]));
});

test('a wish that grew old before its file left goes with the next one', async () => {
  await mover({ existencia: 9 });
  await followProveedores(db, ['amz']);
  await mover({ existencia: 2 }, productos.slice(0, 5));
  await checkMovidos(db);
  await unaVuelta();
  await segundos(21);
  await unaVuelta();
  const { mostrados } = await amz.get<Enviado>('/publicaciones');
  expect(mostrados.slice(-CUANTAS + 5).filter(({ cantidad }) => cantidad === 9)).toHaveLength(CUANTAS - 5);
  expect((await pendientes()).map(({ stock, effectId }) => [stock, effectId])).toEqual(Array(5).fill([2, null]));
});
