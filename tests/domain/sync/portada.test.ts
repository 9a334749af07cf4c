import { beforeEach, expect, test, vi } from 'vitest';
import { saveCredential, breakCredential } from '~/platform/connections/credentials.server';
import { openMercadolibre, linkMercadolibre, startLink } from '~/domain/mercados/ml/cuenta.server';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import { listFreshness, listLastRuns } from '~/domain/sync/freshness.server';
import { readPortada } from '~/domain/operacion/portada.server';
import { readFuentes } from '~/domain/sync/fuentes.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { listUltimasVentas } from '~/domain/ventas/ordenes/ultimasVentas.server';
import { testDatabase, withoutTables } from '../../support/db';
import { fuenteDe, authorize, buildUsuario, linkSandbox, type SaleFacts } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const LATELY = new Date(Date.now() - 4 * 86_400_000);

beforeEach(async () => {
  await db.deleteFrom('fiscalClaim').execute();
  for (const table of ['articulo', 'orden', 'envio', 'credential', 'syncCursor', 'syncRun'] as const)
    await db.deleteFrom(table).execute();
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const reach = (kind: string, reachedAt: Date) =>
  db.updateTable('syncCursor').set({ reachedAt }).where('source', '=', `mercadolibre:${kind}`).execute();
const state = async () => (await listFreshness(db))[0]!.state;

test('a cart is one row with its whole amount, and the newest sale is the first', async () => {
  const ml = await linkSandbox(db, sandbox);
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep', since: LATELY });
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('packEnvioCobrado', { sinAviso: true });
  expect(await bringNumero(db, fuenteDe(ml), sale.packId!)).toBe(true);
  const ventas = await listUltimasVentas(db, 10);
  expect(ventas).toHaveLength(10);
  expect(ventas[0]).toMatchObject({
    numOrden: sale.numOrden,
    ordenes: 3,
    clase: 'normal',
    factura: 'sinFactura',
    folio: null,
    facturable: true,
  });
  expect(String(ventas[0]!.pagado)).toBe(sale.total.toFixed(2));
  expect(new Set(ventas.map(({ numOrden }) => numOrden)).size).toBe(10);
  const dates = ventas.map(({ fecha }) => fecha.getTime());
  expect(dates).toEqual([...dates].sort((a, b) => b - a));
});

test('what cannot be invoiced offers no button', async () => {
  const ml = await linkSandbox(db, sandbox);
  for (const scenario of ['cancelada', 'noCumplida', 'reventa', 'pagoEnProceso']) {
    const sale = await sandbox.mercadolibre.newOrden<SaleFacts>(scenario, { sinAviso: true });
    await bringNumero(db, fuenteDe(ml), sale.ordenes[0]!);
    expect(
      (await listUltimasVentas(db, 50)).find(({ numOrden }) => numOrden === sale.numOrden),
      scenario,
    ).toMatchObject({ facturable: false });
  }
});

test('a sale whose stamp is accepted is in process', async () => {
  const ml = await linkSandbox(db, sandbox);
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await bringNumero(db, fuenteDe(ml), sale.numOrden);
  const orden = await db
    .selectFrom('orden')
    .select('id')
    .where('numOrden', '=', sale.numOrden)
    .executeTakeFirstOrThrow();
  const effect = await db
    .insertInto('effect')
    .values({
      type: 'cfdi.stamp',
      key: sale.numOrden,
      ref: sale.numOrden,
      connection: 'facturacom',
      request: '{}',
      requestHash: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('fiscalClaim').values({ ordenId: orden.id, kind: 'individual', effectId: effect.id }).execute();
  expect((await listUltimasVentas(db, 1))[0]).toMatchObject({ factura: 'enProceso', facturable: false });
});

test('the home says how fresh it is: not linked, bringing, up to date, late, broken', async () => {
  expect(await state()).toBe('sinVincular');
  await saveCredential(db, 'mercadolibre', { account: '1', secrets: {} });
  expect(await state()).toBe('empezando');
  await db.insertInto('syncCursor').values({ source: 'mercadolibre:sweep', reachedAt: new Date() }).execute();
  expect(await state()).toBe('empezando');
  await db
    .insertInto('syncCursor')
    .values({ source: 'mercadolibre:cancelled', reachedAt: minutesAgo(140) })
    .execute();
  expect(await state()).toBe('alDia');
  await reach('sweep', minutesAgo(20));
  expect(await state()).toBe('atrasada');
  await reach('sweep', new Date());
  await breakCredential(db, 'mercadolibre', 1, 'Se perdió el permiso');
  expect((await listFreshness(db))[0]).toMatchObject({ state: 'rota', error: 'Se perdió el permiso' });
});

test('nothing is said to be up to date while cancellations were not asked for, sales could not be read, or a clock ran ahead', async () => {
  await saveCredential(db, 'mercadolibre', { account: '1', secrets: {} });
  await db
    .insertInto('syncCursor')
    .values(['sweep', 'cancelled'].map((kind) => ({ source: `mercadolibre:${kind}`, reachedAt: new Date() })))
    .execute();
  expect(await state()).toBe('alDia');
  await reach('cancelled', minutesAgo(151));
  const [late] = await listFreshness(db);
  expect([late!.state, Math.round((Date.now() - late!.lastSuccess!.getTime()) / 60_000)]).toEqual(['atrasada', 151]);
  await reach('cancelled', new Date());
  await reach('sweep', minutesAgo(-60));
  expect((await listFreshness(db))[0]).toMatchObject({ state: 'atrasada', lastSuccess: null });
  await reach('sweep', new Date());
  const aviso = {
    source: 'mercadolibre',
    topic: 'orders_v2',
    resource: '/orders/1',
    dedupeKey: 'orders_v2:/orders/1',
    error: 'contestó otra forma',
  };
  await db
    .insertInto('inbox')
    .values([
      { ...aviso, state: 'failed' },
      { ...aviso, state: 'pending', attempts: 4, resource: '/orders/2', dedupeKey: '2' },
      { ...aviso, state: 'pending', attempts: 1, resource: '/orders/3', dedupeKey: '3' },
      { ...aviso, state: 'failed', topic: 'payments', resource: '/collections/4', dedupeKey: '4' },
      { ...aviso, state: 'ignored', resource: '/orders/5', dedupeKey: '5' },
    ])
    .execute();
  expect((await listFreshness(db))[0]).toMatchObject({
    state: 'incompleta',
    sinLeer: 2,
    motivo: 'contestó otra forma',
  });
  await db.deleteFrom('inbox').execute();
});

test('the mark of the home moves when a sale arrives, and not by itself', async () => {
  const ml = await linkSandbox(db, sandbox);
  const now = new Date();
  const before = await readPortada(db, now);
  expect((await readPortada(db, now)).marca).toBe(before.marca);
  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  await bringNumero(db, fuenteDe(ml), sale.numOrden);
  expect((await readPortada(db, now)).marca).not.toBe(before.marca);
});

test('what cannot be read is told by its last reading, of when, and nothing else falls with it: neither front nor bar says that it is up to date', async () => {
  await saveCredential(db, 'mercadolibre', { account: '1', secrets: {} });
  await db
    .insertInto('syncCursor')
    .values(['sweep', 'cancelled'].map((kind) => ({ source: `mercadolibre:${kind}`, reachedAt: new Date() })))
    .execute();
  const before = await readPortada(db);
  expect(before).toMatchObject({ ventas: { sinLeer: null }, fuentes: { sinLeer: null }, pausadas: { sinLeer: null } });
  vi.useFakeTimers({ now: Date.now() + 3_000, toFake: ['Date'] });
  expect((await readFuentes(db)).fuentes[0]).toMatchObject({ estado: 'alDia', hasta: expect.any(String) as string });
  vi.setSystemTime(Date.now() + 3_000);
  await withoutTables(['sync_cursor'], async () => {
    const after = await readPortada(db);
    expect(after).toMatchObject({ ventas: { sinLeer: null }, pausadas: { sinLeer: null } });
    expect(after.fuentes).toEqual({ valor: before.fuentes.valor, sinLeer: { desde: expect.any(Date) as Date } });
    expect(after.marca).not.toBe(before.marca);
    const [fuente] = (await readFuentes(db)).fuentes;
    expect(fuente).toMatchObject({ estado: 'sinLeer', hasta: expect.any(String) as string });
  });
  vi.setSystemTime(Date.now() + 16_000);
  expect((await readPortada(db)).fuentes.sinLeer).toBeNull();
  vi.useRealTimers();
});

test('without a link, or with a broken one, a sync leaves no run behind', async () => {
  expect(await syncVentas(db, fuenteDe(openMercadolibre(db)), { kind: 'sweep' })).toBeNull();
  expect(await listLastRuns(db, 'mercadolibre')).toEqual([]);
  const ml = await linkSandbox(db, sandbox);
  await syncVentas(db, fuenteDe(ml), { kind: 'sweep', since: LATELY });
  await syncVentas(db, fuenteDe(ml), { kind: 'cancelled', since: LATELY });
  expect((await listLastRuns(db, 'mercadolibre')).map(({ kind, error, failed }) => ({ kind, error, failed }))).toEqual([
    { kind: 'sweep', error: null, failed: 0 },
    { kind: 'cancelled', error: null, failed: 0 },
  ]);
});

test('another account starts from the beginning; the same one goes on where it was', async () => {
  await linkSandbox(db, sandbox);
  await db.insertInto('syncCursor').values({ source: 'mercadolibre:sweep', reachedAt: new Date() }).execute();
  const usuario = await buildUsuario(db);
  await linkMercadolibre(db, usuario, await authorize(sandbox, await startLink(db, usuario)));
  expect(await db.selectFrom('syncCursor').select('source').execute()).toHaveLength(1);
  await db.updateTable('credential').set({ account: '7' }).execute();
  await linkMercadolibre(db, usuario, await authorize(sandbox, await startLink(db, usuario)));
  expect(await db.selectFrom('syncCursor').select('source').execute()).toHaveLength(0);
});

test('a number that is not there, or is somebody else’s, brings nothing', async () => {
  const ml = await linkSandbox(db, sandbox);
  for (const numero of ['2000016999999999', '2000009199999999', 'abc', '1/../users/me'])
    expect(await bringNumero(db, fuenteDe(ml), numero)).toBe(false);
  expect(await listUltimasVentas(db, 5)).toEqual([]);
});
