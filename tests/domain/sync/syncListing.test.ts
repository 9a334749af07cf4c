import { beforeAll, expect, test } from 'vitest';
import type { Cambio } from '~/domain/mercados/mercado';
import { cutInTwo, type Listing, listSlice, type Slice } from '~/domain/mercados/ml/internal/listing';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { moveCursor, readCursor } from '~/platform/syncRuns.server';
import { Refused } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { testDatabase } from '../../support/db';
import { fuenteDe, linkSandbox, type OrderFacts, type SaleFacts } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let ml: Mercadolibre;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  await sandbox.mercadolibre.post('/generar', { cantidad: 700 });
}, 60_000);

const UNTIL = new Date('2026-11-20T12:00:00Z');
type Listed = { id: string; version: Date };
const old = (n: number): Listed => ({ id: `orden-${n}`, version: new Date(UNTIL.getTime() - DAY + n) });

/** A search over rows that change between one page and the next. */
function moving(rows: Listed[], between: (asked: number, rows: Listed[]) => void, wrong = 0) {
  let asked = 0;
  const seen: string[] = [];
  const search = (offset: number) => {
    const page = { total: rows.length + wrong, orders: rows.slice(offset, offset + 50) };
    between(++asked, rows);
    return Promise.resolve(page);
  };
  const run = async (evenFull = false) => {
    const pages: AsyncGenerator<Cambio[], Listing> = listSlice(search, { until: UNTIL, evenFull });
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) seen.push(...page.value.map(({ marketId }) => marketId));
    return page.value;
  };
  return { seen, asked: () => asked, run };
}
const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => old(n));

test('a row that leaves while its window is paged hides no other', async () => {
  const list = moving(rowsOf(120), (asked, rows) => void (asked === 1 && rows.splice(3, 1)));
  expect(await list.run()).toBe('whole');
  expect(new Set(list.seen)).toEqual(new Set(rowsOf(120).map(({ id }) => id)));
});

test('a row that leaves while another comes in, so that the total stays, hides no other', async () => {
  const list = moving(
    rowsOf(120),
    (asked, rows) => void (asked === 1 && (rows.splice(3, 1), rows.push({ id: 'nueva', version: UNTIL }))),
  );
  expect(await list.run()).toBe('whole');
  expect(new Set(list.seen).size).toBe(121);
});

test('one page is one moment and is asked for once; two pages are gone through twice', async () => {
  const one = moving(rowsOf(49), () => undefined);
  expect([await one.run(), one.asked()]).toEqual(['whole', 1]);
  const two = moving(rowsOf(80), () => undefined);
  expect([await two.run(), two.asked(), two.seen.length]).toEqual(['whole', 4, 80]);
});

test('a total that is wrong ends nothing too early and nothing too late', async () => {
  for (const wrong of [-40, 7]) {
    const list = moving(rowsOf(120), () => undefined, wrong);
    expect(await list.run()).toBe('whole');
    expect(list.seen).toHaveLength(120);
  }
});

test('sales made while the window is paged do not keep it open', async () => {
  const list = moving(
    rowsOf(120),
    (asked, rows) => void rows.push({ id: `recién-${asked}`, version: new Date(UNTIL.getTime() + asked) }),
  );
  expect(await list.run()).toBe('whole');
  expect(list.asked()).toBeLessThan(9);
});

test('a window that never holds still is not said to be whole', async () => {
  const list = moving(
    rowsOf(2_000),
    (asked, rows) => void (asked % 5 === 0 && rows.splice(0, 1, { id: `otra-${asked}`, version: old(1).version })),
  );
  expect(await list.run()).toBe('moving');
});

test('more rows than the search shows are cut, down to the hour and then by when they were created; what can be cut no more is listed as far as it goes', async () => {
  const full = moving(rowsOf(10_500), () => undefined);
  expect([await full.run(), full.asked(), full.seen.length]).toEqual(['full', 1, 0]);
  const even = moving(rowsOf(10_500), () => undefined);
  expect([await even.run(true), even.seen.length]).toEqual(['full', 10_000]);

  const [first, second] = cutInTwo({ from: new Date(UNTIL.getTime() - 7 * DAY), to: UNTIL })!;
  expect([first.to, second.to]).toEqual([second.from, UNTIL]);
  let slice: Slice | undefined = { from: new Date(UNTIL.getTime() - HOUR), to: UNTIL };
  let cuts = 0;
  for (let halves = cutInTwo(slice); halves; halves = cutInTwo(slice)) {
    expect(halves[0].created!.to).toEqual(halves[1].created!.from);
    slice = halves[1];
    cuts += 1;
  }
  expect(slice).toMatchObject({ from: new Date(UNTIL.getTime() - HOUR), to: UNTIL });
  expect(cuts).toBeLessThan(20);
});

const stored = async () =>
  new Set((await db.selectFrom('orden').select('marketId').execute()).map(({ marketId }) => marketId));

test('a first sync during which sales are cancelled and delivered misses none', { timeout: 120_000 }, async () => {
  const since = new Date(Date.now() - 30 * DAY);
  const touched: string[] = [];
  const listed = new Set<string>();
  let moves = 0;
  const restless: Mercadolibre = {
    ...ml,
    async searchOrders(window, filter, offset) {
      const page = await ml.searchOrders(window, filter, offset);
      for (const { id } of page.orders) listed.add(id);
      // Somebody's sale of the first page is cancelled before the second one is asked for.
      if (offset === 0 && page.total > 50 && window.to.getTime() < Date.now() - DAY && moves < 4) {
        moves += 1;
        touched.push(page.orders[moves]!.id);
        await sandbox.mercadolibre.post(`/ordenes/${page.orders[moves]!.id}/cancelar`, { sinAviso: true });
      }
      return page;
    },
  };
  expect(await syncVentas(db, fuenteDe(restless), { kind: 'sweep', since })).toMatchObject({ failed: 0, error: null });
  expect(moves).toBe(4);
  await syncVentas(db, fuenteDe(ml), { kind: 'cancelled', since });
  const facts = await sandbox.mercadolibre.get<OrderFacts[]>('/ordenes');
  const young = new Set<string>();
  for (let offset = 0; ; offset += 50) {
    const { orders } = await ml.searchOrders({ from: since, to: new Date() }, {}, offset);
    if (orders.length === 0) break;
    for (const { id } of orders) young.add(id);
  }
  const have = await stored();
  expect([...young].filter((id) => !have.has(id))).toEqual([]);
  expect(young.size).toBeGreaterThan(300);
  expect(touched.every((id) => facts.find((fact) => fact.id === id)!.status === 'cancelled' && have.has(id))).toBe(
    true,
  );
});

test('a window that cannot be listed whole is said, holds the cursor and lets later sales arrive', async () => {
  const since = new Date(Date.now() - 16 * DAY);
  await db.deleteFrom('syncCursor').execute();
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  // 20,000 sales of one hour of last year, all touched within one hour of last week.
  const [touched, created] = [Date.now() - 12 * DAY, Date.now() - 300 * DAY];
  const within = (at: number, window?: { from: Date; to: Date }) =>
    !window || (at >= window.from.getTime() && at < window.to.getTime());
  const known = (await sandbox.mercadolibre.get<OrderFacts[]>('/ordenes?limit=50')).map(({ id }) => id);
  let asked = 0;
  const overfull: Mercadolibre = {
    ...ml,
    async searchOrders(window, filter, offset) {
      if (window.from.getTime() > Date.now() - 10 * DAY) return await ml.searchOrders(window, filter, offset);
      asked += 1;
      if (offset >= 9_951) throw new Refused('Invalid offset', { status: 400 });
      if (!within(touched, window) || !within(created, filter.created)) return { total: 0, orders: [] };
      return { total: 20_000, orders: Array.from({ length: 50 }, (_, n) => ({ id: known[n]!, version: new Date(0) })) };
    },
  };
  const run = await syncVentas(db, fuenteDe(overfull), { kind: 'sweep', since });
  expect(run!.error).toContain('más de las que Mercado Libre deja ver');
  expect(asked).toBeGreaterThan(200);
  expect(asked).toBeLessThan(300);
  expect(await readCursor(db, 'mercadolibre:sweep')).toBeNull();
  expect(await stored()).toContain(sale.ordenes[0]);
});

test(
  'a clock that ran ahead once stops no sweep: what it left unread is read, and the cursor comes back',
  { timeout: 150_000 },
  async () => {
    const end = new Date();
    await moveCursor(db, 'mercadolibre:sweep', new Date(end.getTime() + 30 * DAY), new Date(end.getTime() + 30 * DAY));
    const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
    await syncVentas(db, fuenteDe(ml), { kind: 'sweep' });
    expect(await stored()).toContain(sale.ordenes[0]);
    expect((await readCursor(db, 'mercadolibre:sweep'))!.getTime()).toBeLessThanOrEqual(Date.now());
    await moveCursor(db, 'mercadolibre:sweep', new Date(0), new Date());
    expect((await readCursor(db, 'mercadolibre:sweep'))!.getTime()).toBeGreaterThan(Date.now() - HOUR);
  },
);

test('missed notices that repeat for ever, or never end, end', async () => {
  const repeating = {
    ...ml,
    missedFeeds: () =>
      Promise.resolve([{ resource: '/orders/2000016200010001', topic: 'orders_v2', sent: new Date(0) }]),
  };
  expect(await syncVentas(db, fuenteDe(repeating), { kind: 'missed' })).toMatchObject({ seen: 7, error: null });
  const endless = {
    ...ml,
    missedFeeds: (_: string, topic: string, offset: number) =>
      Promise.resolve([{ resource: `/items/${offset}`, topic, sent: null }]),
  };
  const run = await syncVentas(db, fuenteDe(endless), { kind: 'missed' });
  expect(run).toMatchObject({ seen: 1_400, failed: 7 });
  expect(run!.error).toContain('más de los que se leen');
  const stopped = new AbortController();
  stopped.abort();
  await expect(syncVentas(db, fuenteDe(endless), { kind: 'missed', signal: stopped.signal })).rejects.toThrow();
});
