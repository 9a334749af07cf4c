import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readNoticia } from '~/domain/mercados/ml/avisos.server';
import { drainInbox, processInbox, receiveNotices, sweepInbox } from '~/domain/sync/inbox.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { action, loader } from '~/routes/files/avisosMercadolibre';
import { startWorker, type Worker } from '~jobs/worker';
import { FOREIGN_ORDER_ID } from '../sandbox/mercadolibre';
import { testDatabase } from '../support/db';
import { fuenteDe, linkSandbox, type OrderFacts, type SaleFacts } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const { db, url } = testDatabase();
const secreto = 'secreto-de-prueba';
const context: AppLoadContext = { nonce: '', requestId: '', ip: '', setCookie: () => undefined };

/** The webhook's route, listening where the marketplace can reach it. */
const door = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    void knock(Buffer.concat(chunks).toString('utf8'), req.url!.split('/').pop()!).then(
      (response) => res.writeHead(response.status).end(),
      () => res.writeHead(500).end(),
    );
  });
}).listen(0, '127.0.0.1');
await once(door, 'listening');
const sandbox = await startTestSandbox({
  webhookUrl: `http://127.0.0.1:${(door.address() as AddressInfo).port}/avisos/mercadolibre/${secreto}`,
  mercadolibre: { timeScale: 1 / 600 },
});

const knock = (body: string, secret: string) =>
  action({
    request: new Request('http://trastienda.test/avisos', { method: 'POST', body }),
    params: { secreto: secret },
    context,
  });
const notice = (fields: object) =>
  knock(
    JSON.stringify({ _id: 'x', user_id: 468123907, application_id: 5503910054140000, topic: 'orders_v2', ...fields }),
    secreto,
  );

let ml: Mercadolibre;
let worker: Worker;
beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  worker = await startWorker({ url, concurrency: 8, schedule: false });
}, 120_000);
beforeEach(() => sandbox.clear('mercadolibre'));
afterAll(async () => {
  await worker.stop();
  await new Promise((resolve) => door.close(resolve));
});

const inbox = (resource: string) =>
  db.selectFrom('inbox').selectAll().where('resource', '=', resource).executeTakeFirst();
/** Waits for what happens: `ms` only ends a wait in vain. How long a sale takes is measured by `npm run bench -- webhooks`. */
async function until<T>(look: () => Promise<T | undefined>, ms = 55_000): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end; await wait(ms > 60_000 ? 200 : 20)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error('it never came');
}
const ordenesOf = async (sale: SaleFacts) => {
  const rows = await db.selectFrom('orden').selectAll().where('numOrden', '=', sale.numOrden).execute();
  return rows.length === sale.ordenes.length ? rows : undefined;
};

test('a sale that is made there is here by its notice alone, whole', async () => {
  for (const scenario of ['simple', 'pack', 'envioCobrado', 'b2b', 'envioPropio']) {
    const sale = await sandbox.mercadolibre.newOrden<SaleFacts>(scenario);
    const rows = await until(() => ordenesOf(sale));
    expect(rows.every(({ clase }) => clase === 'normal')).toBe(true);
  }
}, 300_000);

test('only the secret path is a door, and only POST opens it', async () => {
  expect(loader().status).toBe(404);
  for (const secret of ['', 'otro', `${secreto}x`]) expect((await knock('{}', secret)).status).toBe(404);
});

test('a notice whose names the database cannot keep loses them, and takes no other down with it', () => {
  const aviso = { topic: 'orders_v2', resource: '/orders/2000016200010001' };
  const named = (name: object) => readNoticia({ ...aviso, user_id: 468123907, ...name });
  for (const bad of ['a\0b', '\ud800', 'x'.repeat(101)]) {
    expect(named({ _id: bad })).toMatchObject({ id: null, account: '468123907' });
    expect(named({ id: bad })).toMatchObject({ id: null });
    expect(named({ user_id: bad })).toBeUndefined();
  }
  expect(named({ _id: 'f9f08571-1f65-4c46-9e0a-c0f43faas1557e' })).toMatchObject({
    id: 'f9f08571-1f65-4c46-9e0a-c0f43faas1557e',
  });
});

test('what is not for us is thanked for and forgotten, and no resource is ever visited', async () => {
  const before = await db
    .selectFrom('inbox')
    .select(sql<number>`count(*)`.as('n'))
    .executeTakeFirstOrThrow();
  const strange = [
    { topic: 'catalog_suggestions', resource: '/items/MLM1' },
    { topic: 'items', resource: '/items/1?x=1' },
    { resource: 'http://malo.example/orders/1' },
    { resource: '/orders/1/../../users/me' },
    { resource: '/orders/1?x=1' },
    { resource: '/shipments/1' },
    { resource: '' },
    { resource: '/orders/2000016200010001', application_id: 1 },
    { resource: '/orders/2000016200010001', user_id: '77' },
    { resource: 7 },
  ];
  for (const fields of strange) expect((await notice(fields)).status).toBe(200);
  expect((await knock('no es json', secreto)).status).toBe(200);
  expect(
    await db
      .selectFrom('inbox')
      .select(sql<number>`count(*)`.as('n'))
      .executeTakeFirstOrThrow(),
  ).toEqual(before);
});

test('a notice that repeats while it waits is one row, however it is spelled', async () => {
  const {
    ordenes: [id],
  } = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await sandbox.latency('mercadolibre', 400);
  await Promise.all([
    notice({ resource: `/orders/${id}` }),
    notice({ resource: `orders/${id}`, user_id: '468123907' }),
    notice({ resource: `/orders/${id}` }),
  ]);
  await sandbox.latency('mercadolibre', 0);
  const row = await until(async () =>
    (await inbox(`/orders/${id}`))?.state === 'done' ? await inbox(`/orders/${id}`) : undefined,
  );
  expect(row.times).toBe(3);
});

test('an order that is not visible yet is asked for again, and one that never was is given up', async () => {
  await sandbox.mercadolibre.post('/interruptores', { segundosSinOrden: 60, avisosDobles: 0 });
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple');
  const waiting = await until(async () => {
    const row = await inbox(`/orders/${sale.ordenes[0]}`);
    return row && row.attempts > 0 ? row : undefined;
  });
  expect(waiting.state).toBe('pending');
  expect(waiting.error).toContain('404');
  expect(waiting.nextAt.getTime() - Date.now()).toBeGreaterThan(2_000);
  await sandbox.mercadolibre.post('/interruptores', { segundosSinOrden: 0 });
  // Its own job asks again; here its seconds have gone by.
  const { rows } = await sql<{
    at: Date;
  }>`update graphile_worker._private_jobs job set run_at = now() from graphile_worker._private_jobs before
    where job.id = before.id and before.locked_at is null and job.payload ->> 'inboxId' = ${waiting.id}::text returning before.run_at as at`.execute(
    db,
  );
  expect(rows).toEqual([{ at: waiting.nextAt }]);
  await until(() => ordenesOf(sale));

  const { id } = await db
    .insertInto('inbox')
    .values({
      source: 'mercadolibre',
      dedupeKey: 'orders_v2:/orders/99',
      topic: 'orders_v2',
      resource: '/orders/99',
      attempts: 3,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await processInbox(db, id, () => fuenteDe(ml));
  expect(await inbox('/orders/99')).toMatchObject({ state: 'failed' });
});

test('a young sale without shipment is not own shipping; its shipment arrives with its notice', async () => {
  await sandbox.mercadolibre.post('/interruptores', { segundosSinEnvio: 2 });
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple');
  const [young] = await until(() => ordenesOf(sale));
  expect(young).toMatchObject({ envioId: null, envioPropio: false });
  expect(young!.revisarEn).not.toBeNull();
  await until(async () => ((await ordenesOf(sale))?.[0]?.envioId ? true : undefined));
  await sandbox.mercadolibre.post('/interruptores', { segundosSinEnvio: 0 });
});

test('a shipment that moves is told by its own notice', async () => {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('packEnvioCobrado');
  await until(() => ordenesOf(sale));
  await sandbox.mercadolibre.post(`/ordenes/${sale.ordenes[0]}/actualizar`, { status: 'shipped', substatus: null });
  await until(async () => ((await ordenesOf(sale))?.every(({ estatus }) => estatus === 'enviado') ? true : undefined));
});

test('a sale that is cancelled there is cancelled here, with a line in the trail', async () => {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple');
  await until(() => ordenesOf(sale));
  await sandbox.mercadolibre.post(`/ordenes/${sale.ordenes[0]}/cancelar`, {});
  const row = await until(async () => (await ordenesOf(sale))?.find(({ clase }) => clase === 'cancelada'));
  expect(row).toMatchObject({ estatus: 'cancelado', marketStatus: 'cancelled' });
  const lines = await db.selectFrom('bitacora').select('datos').where('entidadId', '=', row.id).execute();
  expect(lines.map(({ datos }) => datos)).toContainEqual({
    numOrden: sale.numOrden,
    antes: { estatus: 'enPreparacion', clase: 'normal' },
    despues: { estatus: 'cancelado', clase: 'cancelada' },
  });
});

test('notices that found the door closed come in with the missed feeds', async () => {
  await sandbox.mercadolibre.post('/interruptores', { sinAvisos: true });
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple');
  // Some notices go twice, the second a little later.
  await until(async () => {
    const { pendientes, perdidos } = await sandbox.mercadolibre.get<{ pendientes: number; perdidos: number }>(
      '/avisos',
    );
    return pendientes === 0 && perdidos > 0 ? true : undefined;
  });
  await sandbox.mercadolibre.post('/interruptores', { sinAvisos: false });
  expect(await syncVentas(db, fuenteDe(ml), { kind: 'missed' })).toMatchObject({ failed: 0 });
  await until(() => ordenesOf(sale));
  await until(async () => ((await inbox(`/orders/${sale.ordenes[0]}`))?.state === 'done' ? true : undefined));
  // The marketplace tells of them for two days; what was read since is left alone.
  await wait(50);
  expect(await syncVentas(db, fuenteDe(ml), { kind: 'missed' })).toMatchObject({ written: 0 });
});

test('a notice whose job got lost is found by the sweep', async () => {
  const {
    ordenes: [id],
  } = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await db
    .insertInto('inbox')
    .values({
      source: 'mercadolibre',
      dedupeKey: `orders_v2:/orders/${id}`,
      topic: 'orders_v2',
      resource: `/orders/${id}`,
    })
    .execute();
  expect(await sweepInbox(db)).toBeGreaterThanOrEqual(1);
  await until(async () => ((await inbox(`/orders/${id}`))?.state === 'done' ? true : undefined));
});

test(
  'a storm of repeated, shuffled notices leaves nothing pending and every sale as it is there',
  { timeout: 600_000 },
  async () => {
    const patience = 280_000;
    const long = process.env.FAULTS === 'long';
    const storm = await sandbox.mercadolibre.post<{ avisos: number; recursos: number }>('/avisos', {
      count: long ? 5_000 : 70,
      repeated: 0.3,
      shuffled: true,
    });
    expect(storm.recursos).toBeGreaterThan(long ? 100 : 30);
    const sent = await until(async () => {
      const counts = await sandbox.mercadolibre.get<{ pendientes: number; perdidos: number }>('/avisos');
      return counts.pendientes === 0 ? counts : undefined;
    }, patience);
    // On a busy machine some are not answered in half a second, time after time.
    if (sent.perdidos > 0) await syncVentas(db, fuenteDe(ml), { kind: 'missed' });
    await until(async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from inbox where state = 'pending'`.execute(db);
      return rows[0]!.n === 0 ? true : undefined;
    }, patience);
    const facts = await sandbox.mercadolibre.get<OrderFacts[]>('/ordenes');
    const stored = new Map(
      (await db.selectFrom('orden').select(['marketId', 'marketStatus', 'numOrden']).execute()).map((row) => [
        row.marketId,
        row,
      ]),
    );
    for (const { id, status, numOrden } of facts)
      if (status !== 'cancelled' || stored.has(id))
        expect(stored.get(id)).toEqual({ marketId: id, marketStatus: status, numOrden });
  },
);

test('three notices of one change are one set of calls, and the very same one again is none', async () => {
  const {
    ordenes: [id],
  } = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  const { envioId } = (await sandbox.mercadolibre.get<OrderFacts[]>(`/ordenes?numOrden=${id}`))[0]!;
  const start = new Date().toISOString();
  const asked = async () =>
    (await sandbox.requests('mercadolibre', 5_000))
      .filter(({ at, path }) => at >= start && !path.includes('/control'))
      .map(({ path }) => path.split('?')[0]!.replace(/^\/[a-z]+/, ''));
  await notice({ _id: 'uno', resource: `/orders/${id}` });
  await notice({ _id: 'dos', topic: 'shipments', resource: `/shipments/${envioId}` });
  await notice({ _id: 'tres', resource: `/orders/${id}` });
  const whole = async () => {
    const rows = [await inbox(`/orders/${id}`), await inbox(`/shipments/${envioId}`)];
    return rows.every((row) => row?.state === 'done') ? rows : undefined;
  };
  expect((await until(whole)).map((row) => row!.times)).toEqual([2, 1]);
  const paths = await asked();
  expect(paths.filter((path) => path === `/orders/${id}`)).toHaveLength(1);
  expect(new Set(paths).size).toBe(paths.length);
  expect(paths.length).toBeLessThanOrEqual(6);

  await notice({ _id: 'tres', resource: `/orders/${id}` });
  expect((await inbox(`/orders/${id}`))!.state).toBe('done');
  await notice({ _id: 'cuatro', resource: `/orders/${id}` });
  expect((await inbox(`/orders/${id}`))!.state).not.toBe('done');
  await until(whole);
});

test('what a worker took and never ended is worked on again when its time is over', async () => {
  await worker.stop();
  const {
    ordenes: [id],
  } = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await notice({ _id: 'tomado', resource: `/orders/${id}` });
  await db
    .updateTable('inbox')
    .set({ takenUntil: sql`now() + interval '1 minute'`, nextAt: sql`now()` })
    .where('resource', '=', `/orders/${id}`)
    .execute();
  expect(await drainInbox(db, { fuenteOf: () => fuenteDe(ml) })).toBe(0);
  await db
    .updateTable('inbox')
    .set({ takenUntil: sql`now() - interval '1 second'` })
    .where('resource', '=', `/orders/${id}`)
    .execute();
  expect(await drainInbox(db, { fuenteOf: () => fuenteDe(ml) })).toBe(1);
  expect((await inbox(`/orders/${id}`))!).toMatchObject({ state: 'done', takenUntil: null });
  worker = await startWorker({ url, concurrency: 8, schedule: false });
});

test('one sale of many that cannot be read holds back none of the others', async () => {
  await worker.stop();
  const sales = await Promise.all(
    Array.from({ length: 5 }, () => sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true })),
  );
  const ids = sales.map(({ ordenes }) => ordenes[0]!);
  await sandbox.mercadolibre.failNext('html', { route: `/orders/${ids[2]}`, times: 1 });
  await receiveNotices(
    db,
    'mercadolibre',
    ids.map((one) => ({ aviso: { topic: 'orders_v2', resource: `/orders/${one}` }, id: null, account: null })),
  );
  await drainInbox(db, { fuenteOf: () => fuenteDe(ml) });
  const states = await Promise.all(ids.map(async (one) => (await inbox(`/orders/${one}`))!.state));
  expect(states).toEqual(['done', 'done', 'pending', 'done', 'done']);
  worker = await startWorker({ url, concurrency: 8, schedule: false });
});

test('missed notices pass the door of those that come in: another account’s is none of ours', async () => {
  await sandbox.mercadolibre.post('/interruptores', { sinAvisos: true });
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple');
  await sandbox.mercadolibre.post('/interruptores', { sinAvisos: false });
  expect(await syncVentas(db, fuenteDe(ml), { kind: 'missed' })).toMatchObject({ failed: 0, error: null });
  await until(() => ordenesOf(sale));
  expect(await inbox(`/orders/${FOREIGN_ORDER_ID}`)).toBeUndefined();
});
