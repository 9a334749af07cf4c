import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { drainInbox, processInbox, putBack, receiveNotice, sweepInbox } from '~/domain/sync/inbox.server';
import { countUnread, dismissUnread, listUnread, retryUnread } from '~/domain/sync/inboxUnread.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { readJson } from '~/integrations/mercadolibre/answer';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { Order } from '~/integrations/mercadolibre/wire';
import { testDatabase } from '../../support/db';
import { fuenteDe, buildUsuario, linkSandbox, type SaleFacts } from '../../support/mercadolibre';
import { seqScansDuring } from '../../support/plans';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const HOUR = 3_600_000;
let ml: Mercadolibre;
let usuarioId: string;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  usuarioId = (await buildUsuario(db)).id;
});
beforeEach(async () => {
  await sandbox.clear('mercadolibre');
  await db.deleteFrom('inbox').execute();
});

const newSale = (scenario = 'simple') => sandbox.mercadolibre.newOrden<SaleFacts>(scenario, { sinAviso: true });
async function shipmentOf(id: string): Promise<string> {
  const [sale] = await sandbox.mercadolibre.get<{ envioId: string }[]>(`/ordenes?numOrden=${id}&limit=1`);
  return `/shipments/${sale!.envioId}`;
}
const row = (resource: string) =>
  db.selectFrom('inbox').selectAll().where('resource', '=', resource).executeTakeFirstOrThrow();
const work = async (resource: string, client = ml) => {
  await processInbox(db, (await row(resource)).id, () => fuenteDe(client));
  return await row(resource);
};
const stored = async (id: string) =>
  (await db.selectFrom('orden').select('id').where('marketId', '=', id).execute()).length > 0;
/** As one that was tried for hours. */
const fail = (resource: string, hoursAgo = 0, error = 'contestó otra forma') =>
  db
    .insertInto('inbox')
    .values({
      source: 'mercadolibre',
      topic: 'orders_v2',
      resource,
      dedupeKey: `orders_v2:${resource}`,
      state: 'failed',
      attempts: 9,
      error,
      processedAt: new Date(Date.now() - hoursAgo * HOUR),
    })
    .execute();

test('one no does not end a notice: it is asked for again, like what is down', async () => {
  const {
    ordenes: [id],
  } = await newSale();
  await sandbox.mercadolibre.failNext('refuse', { route: `/orders/${id}`, times: 1 });
  await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: `/orders/${id}` });
  expect(await work(`/orders/${id}`)).toMatchObject({ state: 'pending', attempts: 1 });
  expect(await work(`/orders/${id}`)).toMatchObject({ state: 'done' });
  expect(await stored(id!)).toBe(true);
});

test('what failed is tried again each day, and at once by a worker that starts', async () => {
  const {
    ordenes: [id],
  } = await newSale();
  await fail(`/orders/${id}`, 2);
  await sweepInbox(db, new Date(Date.now() - 3 * HOUR));
  expect(await row(`/orders/${id}`)).toMatchObject({ state: 'failed' });
  await sweepInbox(db, new Date());
  expect(await row(`/orders/${id}`)).toMatchObject({ state: 'pending', error: 'contestó otra forma' });
  expect((await countUnread(db, 'mercadolibre')).sinLeer).toBe(1);
  expect(await work(`/orders/${id}`)).toMatchObject({ state: 'done', error: null });
  expect(await stored(id!)).toBe(true);

  await fail('/orders/2000016200019991', 21);
  await sweepInbox(db);
  expect(await row('/orders/2000016200019991')).toMatchObject({ state: 'pending' });
});

test('they are reopened slowly, for a month, and payments not at all', async () => {
  for (let n = 0; n < 30; n++) await fail(`/orders/20000162000${n}`, 30);
  await sweepInbox(db, new Date());
  expect(await db.selectFrom('inbox').select('id').where('state', '=', 'pending').execute()).toHaveLength(20);
  await db
    .updateTable('inbox')
    .set({ state: 'failed', receivedAt: new Date(Date.now() - 31 * 24 * HOUR) })
    .execute();
  await sweepInbox(db, new Date());
  expect(await db.selectFrom('inbox').select('id').where('state', '=', 'pending').execute()).toHaveLength(0);
  expect((await countUnread(db, 'mercadolibre')).sinLeer).toBe(30);
  await db.updateTable('inbox').set({ topic: 'payments', receivedAt: new Date() }).execute();
  await sweepInbox(db, new Date());
  expect(await countUnread(db, 'mercadolibre')).toEqual({ sinLeer: 0, motivo: null });
});

test('an order that does not exist for a week was none; before that it may only be late', async () => {
  await fail('/orders/2000016299999999', 21, 'Mercado Libre dijo que no (404)');
  await sweepInbox(db);
  expect(await work('/orders/2000016299999999')).toMatchObject({ state: 'failed' });
  await db
    .updateTable('inbox')
    .set({ state: 'pending', receivedAt: new Date(Date.now() - 8 * 24 * HOUR) })
    .execute();
  expect(await work('/orders/2000016299999999')).toMatchObject({ state: 'ignored' });
});

test('people try all of them now, or put one aside, and both are written down', async () => {
  const {
    ordenes: [id],
  } = await newSale();
  await fail(`/orders/${id}`);
  await fail('/orders/1', 5);
  expect((await listUnread(db, 10)).map(({ resource }) => resource).sort()).toEqual(
    [`/orders/${id}`, '/orders/1'].sort(),
  );
  await dismissUnread(db, (await row('/orders/1')).id, usuarioId);
  await expect(dismissUnread(db, (await row('/orders/1')).id, usuarioId)).rejects.toThrow('ya no está');
  expect(await retryUnread(db, usuarioId)).toBe(1);
  expect(await row(`/orders/${id}`)).toMatchObject({ state: 'pending', attempts: 0 });
  await work(`/orders/${id}`);
  expect(await retryUnread(db, usuarioId)).toBe(0);
  expect(await countUnread(db, 'mercadolibre')).toEqual({ sinLeer: 0, motivo: null });
  const lines = await db.selectFrom('bitacora').select('accion').where('entidad', '=', 'inbox').orderBy('id').execute();
  expect(lines.map(({ accion }) => accion)).toEqual(['descartar', 'reintentar']);
});

test('a missed notice of what could not be read opens it again; of what was read, not', async () => {
  await fail('/orders/21');
  const sent = new Date(Date.now() - HOUR);
  expect(
    await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: '/orders/21' }, { unlessReadSince: sent }),
  ).toBe(true);
  await db.updateTable('inbox').set({ state: 'done', processedAt: new Date() }).execute();
  expect(
    await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: '/orders/21' }, { unlessReadSince: sent }),
  ).toBe(false);
});

test('a shipment whose costs are not told still moves its sale', async () => {
  const sale = await newSale();
  await bringNumero(db, fuenteDe(ml), sale.numOrden);
  const envio = await db
    .selectFrom('envio')
    .innerJoin('orden', 'orden.envioId', 'envio.id')
    .select(['envio.marketId', 'costo'])
    .where('orden.numOrden', '=', sale.numOrden)
    .executeTakeFirstOrThrow();
  await sandbox.mercadolibre.post(`/ordenes/${sale.ordenes[0]}/actualizar`, {
    status: 'shipped',
    substatus: null,
    sinAviso: true,
  });
  await sandbox.mercadolibre.failNext('refuse', { route: `/shipments/${envio.marketId}/costs`, times: 5 });
  await receiveNotice(db, 'mercadolibre', { topic: 'shipments', resource: `/shipments/${envio.marketId}` });
  expect(await work(`/shipments/${envio.marketId}`)).toMatchObject({ state: 'done' });
  const after = await db
    .selectFrom('envio')
    .select(['estatus', 'costo'])
    .where('marketId', '=', envio.marketId)
    .executeTakeFirstOrThrow();
  expect([after.estatus, String(after.costo)]).toEqual(['shipped', String(envio.costo)]);
});

test('the notices of one change that fall into two turns ask the marketplace once', async () => {
  const {
    ordenes: [id],
  } = await newSale();
  const [orden, envio] = [`/orders/${id}`, await shipmentOf(id!)];
  const arrive = (topic: string, resource: string, inSeconds: number) =>
    db
      .insertInto('inbox')
      .values({
        source: 'mercadolibre',
        topic,
        resource,
        dedupeKey: `${topic}:${resource}`,
        receivedAt: sql`now() - interval '2 seconds'`,
        nextAt: sql`now() + make_interval(secs => ${inSeconds})`,
      })
      .execute();
  const asked = async () =>
    (await sandbox.requests('mercadolibre', 200)).filter(({ path }) => path.endsWith(envio)).length;
  await arrive('orders_v2', orden, 0);
  await arrive('shipments', envio, 0.5);
  await drainInbox(db, { fuenteOf: () => fuenteDe(ml) });
  expect(await row(orden)).toMatchObject({ state: 'done' });
  expect(await row(envio)).toMatchObject({ state: 'done' });
  expect(await asked()).toBe(1);
  // One that comes later tells of another change.
  await receiveNotice(db, 'mercadolibre', { topic: 'shipments', resource: envio });
  await drainInbox(db, { fuenteOf: () => fuenteDe(ml) });
  expect(await asked()).toBe(2);
});

test('what was put back after its sale was read is read again', async () => {
  const {
    ordenes: [id],
  } = await newSale();
  const envio = await shipmentOf(id!);
  await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: `/orders/${id}` });
  await putBack(db, 'mercadolibre', { topic: 'shipments', resource: envio }, { cambio: null, error: 'no contestó' });
  await db
    .updateTable('inbox')
    .set({ receivedAt: sql`now() - interval '2 seconds'`, nextAt: sql`now() + interval '500 milliseconds'` })
    .where('resource', '=', envio)
    .execute();
  await drainInbox(db, { fuenteOf: () => fuenteDe(ml) });
  expect((await sandbox.requests('mercadolibre', 200)).filter(({ path }) => path.endsWith(envio))).toHaveLength(2);
});

test('a purchase of ours that is announced brings no sale, and is not asked for again', async () => {
  const {
    ordenes: [id],
  } = await newSale();
  const buying: Mercadolibre = {
    ...ml,
    async getOrder(orderId) {
      const read = await ml.getOrder(orderId);
      const raw = { ...(read.raw as object), seller: { id: 999 } };
      return { ...read, doc: Order.parse(raw), raw };
    },
  };
  await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: `/orders/${id}` });
  expect(await work(`/orders/${id}`, buying)).toMatchObject({ state: 'ignored', error: 'No es una venta nuestra' });
  expect(await bringNumero(db, fuenteDe(buying), id!)).toBe(false);
  expect(await stored(id!)).toBe(false);
});

test.each([
  ['half an emoji', String.raw`Puerta azul \ud83c`, 'Puerta azul \ufffd'],
  ['a NUL', String.raw`tel\u0000efono`, 'telefono'],
  ['a whole emoji', String.raw`\ud83c\udf89`, '\u{1f389}'],
])('a document that carries %s is kept, without what the database refuses', async (_, written, kept) => {
  const json = readJson(
    { status: 200, headers: new Headers(), body: Buffer.from(`{"a":[{"comment":"${written}"}],"${written}":1}`) },
    'orders',
  );
  expect(json).toEqual({ a: [{ comment: kept }], [kept]: 1 });
  await db
    .insertInto('bitacora')
    .values({ usuarioId: null, entidad: 'prueba', entidadId: '1', accion: 'guardar', datos: JSON.stringify(json) })
    .execute();
});

test('counting what is unread has an index of its own: the home does it every two seconds', async () => {
  await fail('/orders/31');
  expect(
    await seqScansDuring(db, ['inbox'], async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      expect(await countUnread(trx, 'mercadolibre')).toMatchObject({ sinLeer: 1 });
      expect(await listUnread(trx, 10)).toHaveLength(1);
    }),
  ).toEqual({});
});
