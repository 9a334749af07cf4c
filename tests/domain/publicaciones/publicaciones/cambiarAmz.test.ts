import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { editPublicacion, movePalanca } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { checkMovidos, followProveedores } from '~/domain/publicaciones/publicaciones/followProveedores.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { linkSandboxAmazon } from '../../../support/amazon';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { runJobs, runUntilSettled } from '../../../support/jobs';
import { buildUsuario } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');

type Parche = { path: string; value: Record<string, unknown>[] };
type Enviado = {
  patches: { sku: string; body: { productType: string; patches: Parche[] }; status: string }[];
  mostrados: { sku: string; centavos: number; cantidad: number }[];
};
const enviados = () => amz.get<Enviado>('/publicaciones');
let sku: string;
let usuarioId: string;
let producto: { id: string; proveedor: string };

const poner = (body: object) => amz.post(`/publicaciones/${encodeURIComponent(sku)}`, body);
const fila = () =>
  db
    .selectFrom('publicacion')
    .selectAll()
    .where('market', '=', 'amz')
    .where('clave', '=', sku)
    .executeTakeFirstOrThrow();
const efecto = () =>
  db
    .selectFrom('effect')
    .selectAll()
    .where('type', '=', 'amz.publicacion')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
async function editar(
  cambio: Partial<{ titulo: string; precio: string; stock: number; estatus: string; autoSync: boolean }>,
) {
  const { id, version, titulo, precio, stock, estatus, autoSync } = await fila();
  const editada = { id, version, titulo, precio: precio!.toFixed(2), stock: stock!, estatus, autoSync, ...cambio };
  return db.transaction().execute((trx) => editPublicacion(trx, editada, usuarioId));
}
/** The account answers at the pace of the impostor: what it shows late is not waited for by the clock. */
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
  producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  sku = `AMS|P30|${producto.proveedor}|X`;
  await runJobs();
});
/** 1000 pesos of cost: 1160 with VAT, 1740 with a half on it. */
beforeEach(async () => {
  await amz.post('/interruptores', { cambio: 'seVe', precioRaro: 'pasa', tipoGenerico: 'rechaza' });
  await amz.post('/demoras', { cambio: 0 });
  await db.deleteFrom('publicacionPendiente').execute();
  await poner({
    centavos: 174_000,
    cantidad: 10,
    issues: [],
    espera: [],
    oferta: { discounted_price: [{ schedule: [{ value_with_tax: 1_500 }] }] },
    otrasOfertas: [{ marketplace_id: 'A1AM78C64UM0Y8', audience: 'B2B', currency: 'MXN', our_price: [] }],
    entrega: { lead_time_to_ship_max_days: 5 },
  });
  await bringPublicaciones(db, fuenteOf('amz'), [sku]);
  await db.updateTable('publicacion').set({ autoSync: false, precioNegado: null }).where('clave', '=', sku).execute();
  await db
    .updateTable('oferta')
    .set({ precio: '1000', moneda: 'MXN', sinPrecio: null, existencia: 10, leidaEn: new Date() })
    .where('productoId', '=', producto.id)
    .execute();
  await db.deleteFrom('publicacionMirar').execute();
});

describe('what a person changes of a listing at Amazon', () => {
  test('keeps what else was said of it, and goes by its own product type', async () => {
    await editar({ precio: '1800.50', stock: 7 });
    await runUntilSettled();
    const { body } = (await enviados()).patches.at(-1)!;
    expect(body.productType).toBe('CAMERA_CONTINUOUS_LIGHT');
    const [oferta, disponible] = body.patches;
    expect(oferta?.value).toEqual([
      expect.objectContaining({
        currency: 'MXN',
        our_price: [{ schedule: [{ value_with_tax: 1_800.5 }] }],
        discounted_price: [{ schedule: [{ value_with_tax: 1_500 }] }],
      }),
      expect.objectContaining({ audience: 'B2B' }),
    ]);
    expect(disponible?.value).toEqual([
      { fulfillment_channel_code: 'DEFAULT', quantity: 7, lead_time_to_ship_max_days: 5 },
    ]);
    const { precio, stock, estatus } = await fila();
    expect([precio?.toFixed(2), stock, estatus]).toEqual(['1800.50', 7, 'DONE']);
    const { state, result } = await efecto();
    expect([state, typeof (result as { submissionId: unknown }).submissionId]).toEqual(['done', 'string']);
  });

  test('is not done when it was taken in, but when the listing shows it', async () => {
    await amz.post('/demoras', { cambio: 60_000 });
    await editar({ stock: 6 });
    await unaVuelta();
    expect([(await efecto()).state, (await fila()).stock]).toEqual(['unknown', 10]);
    await expect(editar({ stock: 5 })).rejects.toThrow('va en camino');
    await amz.post('/reloj', { segundos: 61 });
    await unaVuelta();
    expect([(await efecto()).state, (await fila()).stock]).toEqual(['done', 6]);
    expect((await efecto()).sends).toBe(1);
  });

  test('that is invalid is refused at once, with what is wrong by its field', async () => {
    await amz.post('/interruptores', { precioRaro: 'seRechaza' });
    await editar({ precio: '9.00' });
    await runUntilSettled();
    expect(await efecto()).toMatchObject({
      state: 'refused',
      reason: 'Precio: El precio está fuera del rango permitido.',
    });
    expect((await fila()).precio?.toFixed(2)).toBe('1740.00');
  });

  test('that was taken in and then found wrong is refused while nobody knew, and never looked for again', async () => {
    await amz.post('/interruptores', { precioRaro: 'seDetiene' });
    await amz.post('/demoras', { cambio: 30_000 });
    await editar({ precio: '9.00' });
    await unaVuelta();
    expect((await efecto()).state).toBe('unknown');
    await amz.post('/reloj', { segundos: 31 });
    await unaVuelta();
    expect(await efecto()).toMatchObject({
      state: 'refused',
      reason: 'Precio: El precio está fuera del rango permitido y la oferta se desactivó.',
      lookAgainAt: null,
    });
    // What it shows since is read.
    await unaVuelta();
    expect(await fila()).toMatchObject({ estatus: 'FATAL' });
  });

  test('that never shows is given up after an hour', async () => {
    await amz.post('/interruptores', { cambio: 'nunca' });
    await editar({ stock: 3 });
    await unaVuelta();
    const { id } = await efecto();
    await sql`update effect set result = result || jsonb_build_object('en', now() - interval '2 hours') where id = ${id}`.execute(
      db,
    );
    await unaVuelta();
    expect(await efecto()).toMatchObject({ state: 'refused', reason: 'Amazon lo recibió y en una hora no lo mostró.' });
  });

  test('whose answer was lost is found by what the listing shows', async () => {
    await sandbox.proveedor('amazon').failNext('500-after-doing', { route: 'PATCH /listings' });
    await editar({ stock: 4 });
    await runUntilSettled();
    expect((await enviados()).patches.filter(({ body }) => body.patches[0]?.value[0]?.quantity === 4)).toHaveLength(1);
    expect([(await efecto()).state, (await fila()).stock]).toEqual(['done', 4]);
  });

  test('is paused by having no pieces, and its title is told to be the catalogue’s', async () => {
    await editar({ estatus: 'inactiva' });
    await runUntilSettled();
    expect(await fila()).toMatchObject({ stock: 0, estatus: 'inactiva' });
    await expect(editar({ estatus: 'DONE' })).rejects.toThrow('escribe cuántas hay');
    await editar({ estatus: 'DONE', stock: 2 });
    await runUntilSettled();
    expect(await fila()).toMatchObject({ stock: 2, estatus: 'DONE' });
    await expect(editar({ titulo: 'Otro' })).rejects.toThrow('título es de la ficha del catálogo');
  });
});

describe('what follows its supplier at Amazon', () => {
  const mover = (cambio: object) =>
    db.updateTable('oferta').set(cambio).where('productoId', '=', producto.id).execute();
  const pendiente = () => db.selectFrom('publicacionPendiente').selectAll().executeTakeFirst();
  beforeEach(() => db.updateTable('publicacion').set({ autoSync: true }).where('clave', '=', sku).execute());

  test('goes once with the newest, and a value that came meanwhile goes after it and never under it', async () => {
    const antes = (await enviados()).mostrados.length;
    await amz.post('/demoras', { cambio: 30_000 });
    for (const existencia of [9, 8]) await mover({ existencia });
    await followProveedores(db, ['amz']);
    await unaVuelta();
    await mover({ existencia: 5 });
    await checkMovidos(db);
    await amz.post('/reloj', { segundos: 31 });
    await unaVuelta();
    expect(await pendiente()).toMatchObject({ stock: 5, effectId: null });
    await amz.post('/demoras', { cambio: 0 });
    await followProveedores(db, ['amz']);
    await runUntilSettled();
    expect((await enviados()).mostrados.slice(antes).map(({ cantidad }) => cantidad)).toEqual([8, 5]);
    expect([(await fila()).stock, await pendiente()]).toEqual([5, undefined]);
  });

  test('a jump of price waits for a person, and the switch holds what was already accepted', async () => {
    const antes = (await enviados()).patches.length;
    await mover({ precio: '3000' });
    await checkMovidos(db);
    expect((await pendiente())?.precioRetenido?.toFixed(2)).toBe('5220.00');
    await mover({ precio: '1000', existencia: 3 });
    await followProveedores(db, ['amz']);
    const palanca = (detener: boolean) =>
      db.transaction().execute((trx) => movePalanca(trx, { market: 'amz', detener }, usuarioId));
    await palanca(true);
    await runUntilSettled();
    expect((await enviados()).patches.length).toBe(antes);
    await palanca(false);
    await followProveedores(db, ['amz']);
    await runUntilSettled();
    expect([(await enviados()).patches.length, (await fila()).stock]).toEqual([antes + 1, 3]);
  });

  test('a no waits with its reason, longer each time', async () => {
    await amz.post('/interruptores', { precioRaro: 'seRechaza' });
    await mover({ precio: '1100' });
    await followProveedores(db, ['amz']);
    await runUntilSettled();
    expect(await pendiente()).toMatchObject({
      effectId: null,
      fallas: 1,
      error: 'Precio: El precio está fuera del rango permitido.',
    });
  });
});
