import { beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { Money } from '~/core/money';
import { processInbox } from '~/domain/sync/inbox.server';
import { countUnread, listUnread } from '~/domain/sync/inboxUnread.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { testDatabase } from '../../support/db';
import { fuenteDe, linkSandbox, type OrderFacts, type SaleFacts } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
let ml: Mercadolibre;
let facts: OrderFacts[];

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  await syncVentas(db, fuenteDe(ml), { kind: 'cancelled' });
  facts = await sandbox.mercadolibre.get('/ordenes');
}, 120_000);

const pesos = (amount: number) => Money.ofJsonNumber(amount).toString();
const requestsSince = async (start: string) =>
  (await sandbox.requests('mercadolibre', 5000)).filter(({ at, path }) => at >= start && !path.includes('/control'));

test('the first sync brings every sale of the last months, cancelled ones included', async () => {
  const rows = await db
    .selectFrom('orden')
    .select(['marketId', 'numOrden', 'packId', 'marketStatus', 'clase', 'meliResale', 'total'])
    .execute();
  const stored = new Map(rows.map((row) => [row.marketId, row]));
  expect(facts.length).toBeGreaterThan(400);
  expect(stored.size).toBe(facts.length);
  for (const fact of facts) {
    const row = stored.get(fact.id)!;
    expect({ numOrden: row.numOrden, packId: row.packId, status: row.marketStatus, total: String(row.total) }).toEqual({
      numOrden: fact.numOrden,
      packId: fact.packId,
      status: fact.status,
      total: pesos(fact.total),
    });
    if (fact.clase === 'reventa') expect(row.meliResale).toBe(true);
    else if (fact.clase !== 'pendiente') expect(row.clase, fact.scenario).toBe(fact.clase);
  }
});

test('what was paid for a plain sale is its articulos plus the shipping charged, once per shipment', async () => {
  const rows = await db
    .selectFrom('orden')
    .leftJoin('envio', 'envio.id', 'orden.envioId')
    .select([
      'orden.marketId',
      'numOrden',
      'pagado',
      'orden.total',
      'envioAdicional',
      'envio.id as envioId',
      'envio.cobrado',
    ])
    .execute();
  const importes = new Map(
    (
      await db
        .selectFrom('articulo')
        .innerJoin('orden', 'orden.id', 'articulo.ordenId')
        .select(['numOrden', 'importe'])
        .execute()
    ).reduce(
      (sums, { numOrden, importe }) => sums.set(numOrden, (sums.get(numOrden) ?? Money.zero).plus(importe)),
      new Map<string, Money>(),
    ),
  );
  const plain = new Set(
    facts
      .filter(
        ({ clase, scenario }) =>
          (clase === 'normal' || clase === 'invalida' || clase === 'reventa') && scenario !== 'reembolsoParcial',
      )
      .map(({ numOrden }) => numOrden),
  );
  let charged = 0;
  for (const numOrden of plain) {
    const ordenes = rows.filter((row) => row.numOrden === numOrden);
    const envios = new Map(ordenes.flatMap(({ envioId, cobrado }) => (envioId ? [[envioId, cobrado] as const] : [])));
    const shipping =
      envios.size > 0
        ? Money.sum([...envios.values()].map((cobrado) => cobrado ?? Money.zero))
        : Money.sum(ordenes.map(({ envioAdicional }) => envioAdicional));
    const paid = Money.sum(ordenes.map(({ pagado }) => pagado));
    expect(String(paid), numOrden).toBe(String(importes.get(numOrden)!.plus(shipping)));
    expect(String(shipping), numOrden).toBe(pesos(facts.find((fact) => fact.numOrden === numOrden)!.envio));
    if (!shipping.isZero()) charged += 1;
  }
  expect(plain.size).toBeGreaterThan(300);
  expect(charged).toBeGreaterThan(20);
});

test('a sale that was cancelled or came back counts nothing, and what had been paid stays known', async () => {
  const ended = await db
    .selectFrom('orden')
    .select(['clase', 'pagado', 'pagadoAbs', 'total'])
    .where('clase', 'in', ['cancelada', 'devuelta'])
    .execute();
  expect(ended.length).toBeGreaterThan(15);
  for (const { pagado, pagadoAbs, total } of ended) {
    expect(pagado.isZero()).toBe(true);
    expect(pagadoAbs.compare(total)).toBeGreaterThanOrEqual(0);
  }
});

test('withholding is read from the payments and never computed; resale has none', async () => {
  const rows = await db
    .selectFrom('orden')
    .select(['marketId', 'retencion', 'meliResale', 'marketStatus', 'total'])
    .where('marketStatus', '=', 'paid')
    .where('clase', '<>', 'devuelta')
    .execute();
  expect(rows.filter(({ retencion }) => retencion === null)).toEqual([]);
  for (const { meliResale, retencion } of rows) expect(retencion!.isZero()).toBe(meliResale);
});

test('own shipping is told from the mode, and from a shipment that never came', async () => {
  const rows = await db
    .selectFrom('orden')
    .select(['marketId', 'envioPropio', 'acordada', 'envioId'])
    .where('marketStatus', '=', 'paid')
    .where('clase', '<>', 'devuelta')
    .execute();
  const own = new Set([
    'envioPropio',
    'envioPersonalizado',
    'envioAcordado',
    'envioAdicional',
    'envioAdicionalPendiente',
  ]);
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  for (const { marketId, envioPropio, acordada } of rows) {
    const { scenario } = byId.get(marketId)!;
    expect(envioPropio, scenario).toBe(own.has(scenario));
    expect(acordada, scenario).toBe(/^envio(Acordado|Adicional)/.test(scenario));
  }
});

test('tax data of the buyer are a proposal: generic ones propose nothing, holes stay holes', async () => {
  const rows = await db
    .selectFrom('orden')
    .leftJoin('compradorFiscal', 'compradorFiscal.billingInfoId', 'orden.billingInfoId')
    .select([
      'orden.marketId',
      'orden.billingInfoId',
      'compradorFiscal.rfc',
      'compradorFiscal.cp',
      'compradorFiscal.regimen',
    ])
    .execute();
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const kinds = new Set<string>();
  for (const row of rows) {
    const { datosFiscales, rfc } = byId.get(row.marketId)!;
    kinds.add(datosFiscales);
    if (datosFiscales === 'ninguno') expect(row.billingInfoId).toBeNull();
    else if (datosFiscales === 'generico') expect(row.rfc).toBeNull();
    else expect(row.rfc).toBe(rfc);
    if (datosFiscales === 'conNulos') expect([row.cp, row.regimen]).toEqual([null, null]);
  }
  expect(kinds.size).toBeGreaterThanOrEqual(6);
});

test('a sweep after which nothing changed reads no order, no shipment and no payment', async () => {
  const start = new Date().toISOString();
  const run = await syncVentas(db, fuenteDe(ml), {
    kind: 'sweep',
    since: new Date(Date.now() - 20 * 86_400_000),
    now: () => new Date(Date.now()),
  });
  const asked = await requestsSince(start);
  expect(asked.length).toBeGreaterThan(0);
  expect(run).toMatchObject({ written: 0, failed: 0 });
  expect(run!.seen).toBeGreaterThan(20);
  expect(asked.filter(({ path }) => !path.includes('/orders/search') && !path.includes('/control'))).toEqual([]);
});

test('an idle sweep asks for each page once, however far the dates of a row and of its order lie apart', async () => {
  const start = new Date().toISOString();
  let pages = 0;
  for (const kind of ['sweep', 'cancelled'] as const) {
    const run = await syncVentas(db, fuenteDe(ml), { kind });
    expect(run).toMatchObject({ written: 0, failed: 0 });
    // Early in a month the sales of the month lie close together.
    pages += Math.max(1, Math.ceil(run!.seen / 50));
  }
  const asked = (await requestsSince(start)).map(({ path }) => path);
  expect([asked.length, asked.every((path) => path.includes('/orders/search'))]).toEqual([pages, true]);
});

test('a cancelled pass that lists paid sales believes only the order itself', async () => {
  await sandbox.mercadolibre.post('/interruptores', { canceladasFalsas: 10 });
  const before = await db.selectFrom('orden').select(['marketId', 'clase', 'estatus']).orderBy('marketId').execute();
  const run = await syncVentas(db, fuenteDe(ml), { kind: 'cancelled', since: new Date(Date.now() - 110 * 86_400_000) });
  await sandbox.mercadolibre.post('/interruptores', { canceladasFalsas: 0 });
  expect(run!.seen).toBeGreaterThan(20);
  expect(await db.selectFrom('orden').select(['marketId', 'clase', 'estatus']).orderBy('marketId').execute()).toEqual(
    before,
  );
});

test('one order that cannot be read is counted, said and brought later; the others arrive', async () => {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('packVarias', { sinAviso: true });
  const [bad] = sale.ordenes;
  await sandbox.mercadolibre.failNext('html', { route: `/orders/${bad}`, times: 1 });
  const run = await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  expect(run).toMatchObject({ failed: 1 });
  expect(run!.error).toContain(bad);
  const stored = await db.selectFrom('orden').select('marketId').where('numOrden', '=', sale.numOrden).execute();
  expect(stored).toHaveLength(sale.ordenes.length - 1);
  const waiting = await db.selectFrom('inbox').select(['resource', 'state']).where('state', '=', 'pending').execute();
  expect(waiting).toContainEqual({ resource: `/orders/${bad}`, state: 'pending' });
});

test('429 and 503 are waited for and repeated; the run says nothing of them', async () => {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await sandbox.mercadolibre.failNext('429', { route: 'GET /orders/search', times: 1 });
  await sandbox.mercadolibre.failNext('503', { route: 'GET /orders/2', times: 2 });
  expect(await syncVentas(db, fuenteDe(ml), { kind: 'sweep' })).toMatchObject({ failed: 0, error: null });
  expect(await db.selectFrom('orden').select('marketId').where('numOrden', '=', sale.numOrden).execute()).toHaveLength(
    1,
  );
});

test('a payments host that says no leaves the withholding unknown and the sale in place', async () => {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await sandbox.mercadolibre.failNext('refuse', { route: '/v1/payments', times: 5 });
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  await sandbox.clear('mercadolibre');
  const row = await db
    .selectFrom('orden')
    .select(['retencion', 'revisarEn', 'clase'])
    .where('marketId', '=', sale.ordenes[0]!)
    .executeTakeFirstOrThrow();
  expect(row.retencion).toBeNull();
  expect(row.revisarEn).not.toBeNull();
  await db
    .updateTable('orden')
    .set({ revisarEn: new Date(0) })
    .where('marketId', '=', sale.ordenes[0]!)
    .execute();
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  expect(
    (
      await db
        .selectFrom('orden')
        .select('retencion')
        .where('marketId', '=', sale.ordenes[0]!)
        .executeTakeFirstOrThrow()
    ).retencion?.isZero(),
  ).toBe(false);
});

test('a sale that cannot be read is asked for at its own growing pace, and never by a sweep that met its change before', async () => {
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  const [bad] = sale.ordenes;
  const sweep = () => syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
  await sandbox.mercadolibre.failNext('html', { route: `/orders/${bad}`, times: 99 });
  expect(await sweep()).toMatchObject({ failed: 1 });

  const notice = () =>
    db
      .selectFrom('inbox')
      .select(['id', 'attempts', 'nextAt', 'error'])
      .where('resource', '=', `/orders/${bad}`)
      .executeTakeFirstOrThrow();
  const waits: number[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const { id, nextAt } = await notice();
    const start = new Date().toISOString();
    expect(await sweep()).toMatchObject({ failed: 0, written: 0 });
    const asked = (await requestsSince(start)).map(({ path }) => path.split('?')[0]);
    expect([...new Set(asked)]).toEqual(['/mercadolibre/orders/search']);
    expect((await notice()).nextAt).toEqual(nextAt);
    await processInbox(db, id, () => fuenteDe(ml));
    const { rows } = await sql<{
      s: number;
    }>`select extract(epoch from next_at - now())::float8 as s from inbox where id = ${id}`.execute(db);
    waits.push(rows[0]!.s);
  }
  expect(waits.slice(1).every((wait, at) => wait > 2 * waits[at]!)).toBe(true);
  const { sinLeer } = await countUnread(db, 'mercadolibre');
  expect(sinLeer).toBe(1);
  expect(await listUnread(db, 5)).toMatchObject([
    { resource: `/orders/${bad}`, attempts: 5, nextAt: (await notice()).nextAt, error: expect.any(String) },
  ]);

  // Another change than the one that waits is asked for at once.
  await sandbox.clear('mercadolibre');
  await sql`update inbox set cambio_en = cambio_en - interval '1 hour' where resource = ${`/orders/${bad}`}`.execute(
    db,
  );
  expect(await sweep()).toMatchObject({ failed: 0, written: 1 });
});
