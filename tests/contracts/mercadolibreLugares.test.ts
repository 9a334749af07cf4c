/** Stock by place: what stores and places look like, how a place is written, and each way to be refused. Unconfirmed facts are played both ways. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { env } from '~/core/env.server';
import { findFila } from '~/core/rechazo';
import { mercadolibreOauth } from '~/domain/mercados/ml/conexion.server';
import { mercadolibreTokens } from '~/domain/mercados/ml/internal/tokens.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { Refused, Unavailable, Uncertain } from '~/integrations/errors';
import { RECHAZOS_ML } from '~/integrations/mercadolibre/rechazos';
import { cuentaPorLugar, piezasEn } from '~/integrations/mercadolibre/wireLugares';
import { testDatabase } from '../support/db';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = () =>
  effectRuntime(db)
    .clients(() => undefined)
    .ml();
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
const poner = (piezas: number) => (stock: Parameters<typeof piezasEn>[0]) => {
  const hay = piezasEn(stock, PRIMERO);
  return hay === piezas ? null : { piezas, nueva: hay === null };
};
const CLAVE = 'MLM4200000000';
const PRODUCTO = 'MLMU4200000000';
const PRIMERO = { id: '71000001', nombre: 'Bodega Colima', nodo: '123451' };
let token: string;

/** Speaks to the marketplace past our client, to see what it refuses. */
async function directo(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(env().MERCADOLIBRE_URL + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const { message } = (await answer.json()) as { message?: string };
  return { status: answer.status, message, version: answer.headers.get('x-version') };
}

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  token = (await mercadolibreTokens(db, mercadolibreOauth()).current()).token;
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sandbox.mercadolibre.post('/interruptores', { almacenes: 1, nodoConLetras: false, versionesMovidas: 0 });
  await sandbox.mercadolibre.post(`/publicaciones/${CLAVE}`, { quantity: 5, stores: { '71000001': 5 } });
});

test.each([
  [0, []],
  [1, ['warehouse_management']],
  [2, ['warehouse_management', 'multiwarehouse']],
])('the tags of an account with %i stores tell how it counts', async (almacenes, esperadas) => {
  await sandbox.mercadolibre.post('/interruptores', { almacenes });
  const etiquetas = await ml().cuenta.etiquetas();
  expect(etiquetas.filter((tag) => tag.includes('warehouse'))).toEqual(esperadas);
  expect(cuentaPorLugar(etiquetas)).toBe(almacenes > 0);
  expect(await ml().cuenta.almacenes()).toHaveLength(almacenes);
});

test.each([
  [false, '123451'],
  [true, 'MXP123451'],
])('a node is opaque, in whatever spelling it comes (%s)', async (nodoConLetras, nodo) => {
  await sandbox.mercadolibre.post('/interruptores', { nodoConLetras });
  const [almacen] = await ml().cuenta.almacenes();
  expect(almacen).toEqual({ ...PRIMERO, nodo });
  const lugares = await ml().lugares.ponerPiezas(PRODUCTO, almacen!, poner(6));
  expect(piezasEn(lugares, almacen!)).toBe(6);
  const otro = nodoConLetras ? '123451' : 'MXP123451';
  const failure = await failureOf(ml().lugares.ponerPiezas(PRODUCTO, { ...almacen!, nodo: otro }, poner(7)));
  expect(failure).toBeInstanceOf(Refused);
});

test('a version is of 64 bits, and goes back digit by digit', async () => {
  const path = `/user-products/${PRODUCTO}/stock`;
  const { version } = await directo('GET', path, undefined);
  expect(Number(version).toString()).not.toBe(version);
  const body = { locations: [{ store_id: PRIMERO.id, network_node_id: PRIMERO.nodo, quantity: 6 }] };
  const put = `${path}/type/seller_warehouse`;
  expect(await directo('PUT', put, body)).toMatchObject({ status: 400, message: 'Missing X-Version header' });
  expect(await directo('PUT', put, body, { 'x-version': Number(version).toString() })).toMatchObject({
    status: 409,
    message: 'Version mismatch',
  });
  expect(await directo('PUT', put, body, { 'x-version': version! })).toMatchObject({ status: 200 });
});

test('a bare amount, a store of nobody and an address are refused; both forms of a new place are taken', async () => {
  const put = `/user-products/${PRODUCTO}/stock/type/seller_warehouse`;
  const { version } = await directo('GET', `/user-products/${PRODUCTO}/stock`, undefined);
  const con = { 'x-version': version! };
  expect((await directo('PUT', put, { quantity: 10 }, con)).status).toBe(400);
  expect((await directo('PUT', put, { locations: [{ store_id: '9', quantity: 1 }] }, con)).message).toBe(
    'store not found: 9',
  );
  expect((await directo('PUT', `/user-products/${PRODUCTO}/stock/type/selling_address`, { quantity: 1 })).status).toBe(
    403,
  );
  const lugar = { store_id: PRIMERO.id, network_node_id: PRIMERO.nodo, quantity: 4 };
  expect((await directo('POST', put, lugar)).status).toBe(200);
  expect((await directo('POST', put, { stock_locations: [lugar] })).status).toBe(200);
});

test.each([
  ['the fields [stock_locations] are required for requested call', 'Stock'],
  ['the fields [available_quantity] are invalid for requested call', 'Stock'],
  ['store does not belong to seller: 9', 'Almacén'],
  ['store not found: 9', 'Almacén'],
  ['store cannot be null or empty', 'Almacén'],
  ['store is not configured to be a stock location', 'Almacén'],
  ['seller with a single warehouse cannot update stock across multiple network nodes', 'Almacén'],
])('«%s» has its remedy in words', (words, campo) => {
  const fila = findFila(RECHAZOS_ML, JSON.stringify({ message: words, error: 'bad_request', status: 400, cause: [] }));
  expect(fila).toMatchObject({ campo, remedio: expect.stringMatching(/(Configuración de tiendas|Mis depósitos)/) });
});

test('a user product without places is read as none, and gets its place by the other call', async () => {
  await sandbox.mercadolibre.post(`/publicaciones/${CLAVE}`, { stores: {}, quantity: 0 });
  expect(await ml().lugares.leerStock(PRODUCTO)).toEqual({ deEllos: null, direccion: null, tiendas: [] });
  const lugares = await ml().lugares.ponerPiezas(PRODUCTO, PRIMERO, poner(3));
  expect(piezasEn(lugares, PRIMERO)).toBe(3);
});

test('a version that never stands still ends as unavailable, and a lost answer as unclear', async () => {
  await sandbox.mercadolibre.post('/interruptores', { versionesMovidas: 9 });
  const failure = await failureOf(ml().lugares.ponerPiezas(PRODUCTO, PRIMERO, poner(8)));
  expect(failure).toBeInstanceOf(Unavailable);
  await sandbox.mercadolibre.post('/interruptores', { versionesMovidas: 0 });
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'seller_warehouse' });
  expect(await failureOf(ml().lugares.ponerPiezas(PRODUCTO, PRIMERO, poner(8)))).toBeInstanceOf(Uncertain);
  expect(piezasEn(await ml().lugares.leerStock(PRODUCTO), PRIMERO)).toBe(8);
});
