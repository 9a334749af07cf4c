/** Prices where Mercado Libre tells them: the price really sold at comes with a notice, and the list price survives its leaving the listing. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { bringPublicaciones, bringTodas } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { drainInbox, receiveNotice } from '~/domain/sync/inbox.server';
import { testDatabase } from '../../../support/db';
import { linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
let ultima = 4_300_000_000;

beforeAll(() => linkSandbox(db, sandbox));
beforeEach(() => ml.post('/interruptores', { preciosAparte: false, avisoDePrecioComoItem: false }));

/** Puts a listing of 1,000.00 on sale at the marketplace, and reads it here. */
async function nueva(item: object = {}) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, { price: 1_000, sinAviso: true, ...item });
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  return clave;
}
async function precios(clave: string) {
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', clave).executeTakeFirstOrThrow();
  const { precio, precioVenta } = (await readPublicacion(db, id))!;
  return [precio?.toFixed(2) ?? null, precioVenta?.toFixed(2) ?? null];
}
/** The notice that the marketplace sends once a price moved, taken in and worked off. */
async function avisar(topic: string, resource: string) {
  const aviso = fuenteOf('ml').open(db).avisos!.parse(topic, resource);
  expect(aviso).toBeDefined();
  await receiveNotice(db, 'mercadolibre', aviso!);
}
const trabajar = async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await drainInbox(db);
};

test('a promotion lowers the price really sold at, and its notice has it read; the list price stays', async () => {
  const clave = await nueva();
  expect(await precios(clave)).toEqual(['1000.00', '1000.00']);
  await ml.post(`/publicaciones/${clave}`, { deal: 849.5, sinAviso: true });
  await avisar('items_prices', `/items/${clave}`);
  await trabajar();
  expect(await precios(clave)).toEqual(['1000.00', '849.50']);
});

test("a notice of a price under the listings' topic has it read too, and both topics at once end", async () => {
  const clave = await nueva();
  await ml.post(`/publicaciones/${clave}`, { deal: 700, sinAviso: true });
  await avisar('items', `/items/${clave}`);
  await avisar('items_prices', `items/${clave}/prices`);
  await trabajar();
  expect(await precios(clave)).toEqual(['1000.00', '700.00']);
  const abiertos = await db
    .selectFrom('inbox')
    .select('topic')
    .where('resource', '=', `/items/${clave}`)
    .where('state', 'not in', ['done', 'ignored'])
    .execute();
  expect(abiertos).toEqual([]);
});

test('a listing without prices in its document has its list price from where it is told, by each way of reading', async () => {
  const clave = await nueva();
  await ml.post('/interruptores', { preciosAparte: true });
  await ml.post(`/publicaciones/${clave}`, { price: 1_250, sinAviso: true });
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  expect(await precios(clave)).toEqual(['1250.00', '1250.00']);
  const otra = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${otra}`, { price: 320, deal: 300, sinAviso: true });
  await bringTodas(db, 'ml');
  expect(await precios(otra), 'the reading of all asks for no price really sold at').toEqual(['320.00', null]);
});
