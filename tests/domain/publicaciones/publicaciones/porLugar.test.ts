/** Accounts whose pieces go by place: the store of ours is written by its version, others and those with the marketplace stay as they are. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NotAllowed, Stale } from '~/core/errors';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { chooseAlmacen, fetchAlmacenes, readAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { editPublicacion, readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { bringPublicaciones, bringTodas } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { drainInbox, receiveNotice } from '~/domain/sync/inbox.server';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { buildUsuario, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const PRIMERO = '71000001';
const SEGUNDO = '71000002';
let usuarioId: string;
let ultima = 4_100_000_000;

const ponerCuenta = (cuenta: object) =>
  ml.post('/interruptores', {
    almacenes: 0,
    stockIgnorado: false,
    versionesMovidas: 0,
    nodoConLetras: false,
    ...cuenta,
  });
type Enviado = {
  cambios: { id: string; body: Record<string, unknown> }[];
  porLugar: { id: string; body: Record<string, unknown> }[];
};
const escrito = async (clave: string) => {
  const { cambios, porLugar } = await ml.get<Enviado>('/publicaciones');
  const de = (todos: Enviado['cambios']) => todos.filter(({ id }) => id === clave).map(({ body }) => body);
  return { cambios: de(cambios), porLugar: de(porLugar) };
};
const alla = (clave: string) =>
  ml.get<{ quantity: number; inFull?: number; stores?: object }>(`/publicaciones/${clave}`);

/** Puts a listing on sale at the marketplace, and reads it here. */
async function nueva(item: object = {}) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, { quantity: 5, ...item });
  return { clave, id: await leer(clave) };
}
async function leer(clave: string): Promise<string> {
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', clave).executeTakeFirstOrThrow();
  return id;
}
const fila = async (id: string) => (await readPublicacion(db, id))!;

/** A person writes other values into the form of a listing. */
async function editar(id: string, cambio: { stock?: number; precio?: string }) {
  const { version, titulo, precio, stock, estatus } = await fila(id);
  const editada = { id, version, titulo, precio: precio!.toFixed(2), stock: stock ?? 0, estatus, autoSync: false };
  await db.transaction().execute((trx) => editPublicacion(trx, { ...editada, ...cambio }, usuarioId));
  await runUntilSettled();
}
async function elegir(almacen: string) {
  const { huella } = (await readAlmacenes(db, 'ml'))!;
  await db.transaction().execute((trx) => chooseAlmacen(trx, { market: 'ml', almacen, huella }, usuarioId));
}
const porLugar = (quantity: number, store_id = PRIMERO, network_node_id = '123451') => ({
  locations: [{ store_id, network_node_id, quantity }],
});

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  ({ id: usuarioId } = await buildUsuario(db));
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await ponerCuenta({});
  await fetchAlmacenes(db, 'ml');
  await db.updateTable('mercadolibreCuenta').set({ almacen: null }).execute();
  await db.deleteFrom('connection').execute();
});

test('an account that counts pieces by listing has no stores to choose, and takes them as before', async () => {
  expect(await readAlmacenes(db, 'ml')).toBeNull();
  const { id, clave } = await nueva();
  await editar(id, { stock: 8 });
  expect(await escrito(clave)).toEqual({ cambios: [{ available_quantity: 8 }], porLugar: [] });
});

test('a whole reading learns that the account counts by place, and its only store is taken by itself', async () => {
  await ponerCuenta({ almacenes: 1 });
  await bringTodas(db, 'ml');
  expect(await readAlmacenes(db, 'ml')).toMatchObject({
    elegido: PRIMERO,
    falta: null,
    lista: [{ id: PRIMERO, nombre: 'Bodega Colima' }],
  });
});

test.each([false, true])('pieces go to the store by its version, and its node as it was told (%s)', async (letras) => {
  await ponerCuenta({ almacenes: 1, nodoConLetras: letras });
  await fetchAlmacenes(db, 'ml');
  const { id, clave } = await nueva();
  await editar(id, { stock: 8 });
  expect(await escrito(clave)).toEqual({
    cambios: [],
    porLugar: [porLugar(8, PRIMERO, letras ? 'MXP123451' : '123451')],
  });
  expect((await fila(id)).stock).toBe(8);
  await editar(id, { stock: 0, precio: '1234.00' });
  expect((await escrito(clave)).cambios).toEqual([{ price: 1234 }]);
  expect(await fila(id)).toMatchObject({ stock: 0, estatus: 'paused' });
});

test.each([false, true])(
  'an account that changed overnight is found out by its answer (taken and ignored: %s)',
  async (stockIgnorado) => {
    const { id, clave } = await nueva();
    await ponerCuenta({ almacenes: 1, stockIgnorado });
    expect(await readAlmacenes(db, 'ml')).toBeNull();
    await editar(id, { stock: 9, precio: '777.00' });
    expect((await escrito(clave)).porLugar).toEqual([porLugar(9)]);
    const { stock, precio, rechazo } = await fila(id);
    expect([stock, precio?.toFixed(2), rechazo]).toEqual([9, '777.00', null]);
    expect((await readAlmacenes(db, 'ml'))?.elegido).toBe(PRIMERO);
  },
);

test.each([1, 3])(
  'a version that moved %i times is read again and decided again, and nothing is written twice',
  async (veces) => {
    await ponerCuenta({ almacenes: 1 });
    await fetchAlmacenes(db, 'ml');
    const { id, clave } = await nueva();
    await ponerCuenta({ almacenes: 1, versionesMovidas: veces });
    await editar(id, { stock: 3 });
    expect((await escrito(clave)).porLugar).toEqual([porLugar(3)]);
    expect((await fila(id)).stock).toBe(3);
  },
);

test('a lost answer is looked for at the place, and the pieces are not written again', async () => {
  await ponerCuenta({ almacenes: 1 });
  await fetchAlmacenes(db, 'ml');
  const { id, clave } = await nueva();
  await ml.failNext('reset-after-doing', { route: 'seller_warehouse' });
  await editar(id, { stock: 6 });
  const intentos = await db
    .selectFrom('effectAttempt')
    .innerJoin('effectSubject', 'effectSubject.effectId', 'effectAttempt.effectId')
    .select('kind')
    .where('entidadId', '=', id)
    .execute();
  expect(intentos.map(({ kind }) => kind)).toContain('find');
  expect((await escrito(clave)).porLugar).toEqual([porLugar(6)]);
  expect((await fila(id)).stock).toBe(6);
});

test('with several stores and none chosen nothing is pressed: the panel and the form say why and where', async () => {
  await ponerCuenta({ almacenes: 2 });
  await fetchAlmacenes(db, 'ml');
  const { id, clave } = await nueva();
  expect(await fila(id)).toMatchObject({
    stock: null,
    sinAlmacen: expect.stringContaining('Configuración de tiendas'),
  });
  await expect(editar(id, { stock: 8 })).rejects.toThrow(NotAllowed);
  expect((await escrito(clave)).porLugar).toEqual([]);
  const { huella } = (await readAlmacenes(db, 'ml'))!;
  await elegir(SEGUNDO);
  // The screen showed another choice by then.
  await expect(
    db.transaction().execute((trx) => chooseAlmacen(trx, { market: 'ml', almacen: PRIMERO, huella }, usuarioId)),
  ).rejects.toThrow(Stale);
  await expect(elegir('1')).rejects.toThrow(NotAllowed);
  expect(await fila(id)).toMatchObject({ sinAlmacen: null });
});

test('a store without the product gets a place, the other store keeps its pieces, and the listing shows our part', async () => {
  await ponerCuenta({ almacenes: 2 });
  await fetchAlmacenes(db, 'ml');
  await elegir(SEGUNDO);
  const { id, clave } = await nueva({ stores: { [PRIMERO]: 5 } });
  expect((await fila(id)).stock).toBe(0);
  await editar(id, { stock: 4 });
  expect((await escrito(clave)).porLugar).toEqual([{ store_id: SEGUNDO, network_node_id: '123452', quantity: 4 }]);
  expect(await alla(clave)).toMatchObject({ quantity: 9, stores: { [PRIMERO]: 5, [SEGUNDO]: 4 } });
  await editar(id, { stock: 2 });
  expect((await escrito(clave)).porLugar.at(-1)).toEqual(porLugar(2, SEGUNDO, '123452'));
  // A change of the price alone brings the sum of all stores back: our part stays what it is.
  await editar(id, { precio: '555.00' });
  expect((await fila(id)).stock).toBe(2);
  await leer(clave);
  expect((await fila(id)).stock).toBe(2);
});

test('a store that left the account is told, and another one is asked for', async () => {
  await ponerCuenta({ almacenes: 3 });
  await fetchAlmacenes(db, 'ml');
  await elegir('71000003');
  await ponerCuenta({ almacenes: 2 });
  await fetchAlmacenes(db, 'ml');
  expect((await readAlmacenes(db, 'ml'))!.falta).toContain('ya no está en la cuenta');
});

test('pieces with the marketplace stand beside ours: both are shown, and ours alone are written', async () => {
  await ponerCuenta({ almacenes: 1 });
  await fetchAlmacenes(db, 'ml');
  const { id, clave } = await nueva({ inFull: 40 });
  expect(await fila(id)).toMatchObject({ stock: 5, piezasAjenas: 40, stockAjeno: false });
  await editar(id, { stock: 7, precio: '1300.00' });
  expect((await escrito(clave)).porLugar).toEqual([porLugar(7)]);
  expect(await alla(clave)).toMatchObject({ quantity: 7, inFull: 40 });
  expect(await fila(id)).toMatchObject({ stock: 7, piezasAjenas: 40 });
  // A sale of theirs lowers their place alone.
  await ml.post(`/publicaciones/${clave}`, { inFull: 39 });
  await leer(clave);
  expect(await fila(id)).toMatchObject({ stock: 7, piezasAjenas: 39 });
});

test('without stores, pieces of ours beside theirs are told apart and not written', async () => {
  const { id, clave } = await nueva({ inFull: 40 });
  expect(await fila(id)).toMatchObject({ stock: 5, piezasAjenas: 40, stockAjeno: true });
  await editar(id, { stock: 7 });
  expect(await escrito(clave)).toEqual({ cambios: [], porLugar: [] });
  await editar(id, { precio: '1300.00' });
  expect(await fila(id)).toMatchObject({ stock: 5, piezasAjenas: 40 });
});

test('the second place appears by data alone, and goes again', async () => {
  const { id, clave } = await nueva({ full: true, quantity: 12 });
  expect(await fila(id)).toMatchObject({ stock: 12, piezasAjenas: null, stockAjeno: true });
  await ml.post(`/publicaciones/${clave}`, { full: false, quantity: 3, inFull: 12 });
  await leer(clave);
  expect(await fila(id)).toMatchObject({ stock: 3, piezasAjenas: 12, stockAjeno: true });
});

/** A notice about the pieces of a user product, without one about its listing. */
async function avisada(clave: string) {
  const resource = `/user-products/${clave.replace('MLM', 'MLMU')}/stock`;
  await receiveNotice(db, 'mercadolibre', fuenteOf('ml').open(db).avisos!.parse('stock-location', resource)!);
  await drainInbox(db);
  return db
    .selectFrom('inbox')
    .select(['state', 'error', 'attempts'])
    .where('topic', '=', 'stock-location')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}

test('a notice about pieces by place is answered by the places, whatever the listing still says', async () => {
  await ponerCuenta({ almacenes: 1 });
  await fetchAlmacenes(db, 'ml');
  const { clave, id } = await nueva({ stores: { [PRIMERO]: 5 } });
  // The listing follows its places later.
  await ml.post(`/publicaciones/${clave}`, { stores: { [PRIMERO]: 2 }, quantity: 5, sinAviso: true });
  expect(await avisada(clave)).toEqual({ state: 'done', error: null, attempts: 0 });
  expect(await fila(id)).toMatchObject({ stock: 2 });
  // What lies with the marketplace beside ours is told too.
  await ml.post(`/publicaciones/${clave}`, { inFull: 4, sinAviso: true });
  await avisada(clave);
  expect(await fila(id)).toMatchObject({ stock: 2, piezasAjenas: 4 });
});

test('a notice about pieces of nobody we know is forgotten, and a place that does not answer is asked again', async () => {
  await ponerCuenta({ almacenes: 1 });
  await fetchAlmacenes(db, 'ml');
  expect(await avisada('MLM4199999999')).toMatchObject({
    state: 'ignored',
    error: 'No es de una publicación nuestra',
  });
  const { clave, id } = await nueva({ stores: { [PRIMERO]: 5 } });
  await ml.post(`/publicaciones/${clave}`, { stores: { [PRIMERO]: 3 }, sinAviso: true });
  await ml.failNext('503', { route: '/stock', times: 5 });
  expect(await avisada(clave)).toMatchObject({ state: 'pending', attempts: 1 });
  expect(await fila(id)).toMatchObject({ stock: 5 });
});
