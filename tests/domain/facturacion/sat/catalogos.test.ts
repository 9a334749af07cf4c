import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  catalogNotices,
  readClaves,
  refreshCatalogos,
  searchProductos,
} from '~/domain/facturacion/sat/catalogos.server';
import { usosFor } from '~/domain/facturacion/sat/opciones';
import { FORMAS_PAGO, REGIMENES, USOS } from '~/domain/facturacion/sat/sat';
import { pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { refreshCatalogosOfPac, connectPacReader, linkFacturacom } from '~/domain/facturacion/cfdi/emisor.server';
import { loader } from '~/routes/files/clavesSat';
import type { CatalogoSat } from '~db/columns';
import { testDatabase } from '../../../support/db';
import { runJobs } from '../../../support/jobs';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const DAY = 86_400_000;

beforeAll(async () => {
  expect(await refreshCatalogosOfPac(db), 'without a link there is nothing to read').toEqual([]);
  const { apiKey, secretKey } = await sandbox.facturacom.keys();
  await linkFacturacom(db, { apiKey, secret: secretKey, usuarioId: null });
});
beforeEach(() => sandbox.clear());

const countOf = async (catalogo: CatalogoSat) =>
  Number(
    (
      await db
        .selectFrom('satClave')
        .where('catalogo', '=', catalogo)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );
const pending = async () =>
  (
    await sql<{
      runAt: Date;
    }>`select run_at as "runAt" from graphile_worker.jobs where key = 'catalogos.refresh:refresh'`.execute(db)
  ).rows;
/** A reader that knows these lists and fails for the rest. */
const readerOf = (lists: Record<string, { key: string; name: string }[]>) => ({
  catalogue: async (name: string) => lists[name] ?? [],
});

test('linking factura.com brings its catalogues', async () => {
  await runJobs();
  for (const catalogo of ['usos', 'regimenes', 'formasPago', 'unidades', 'productos'] as const)
    expect(await countOf(catalogo), catalogo).toBeGreaterThan(15);
  expect(await pending()).toEqual([]);
});

test('a second reading changes nothing; a newer list adds, renames and takes away', async () => {
  const before = await sql<{ xmin: string }>`select xmin::text from sat_clave order by catalogo, clave`.execute(db);
  await refreshCatalogos(db, await connectPacReader(db));
  expect(
    (await sql<{ xmin: string }>`select xmin::text from sat_clave order by catalogo, clave`.execute(db)).rows,
  ).toEqual(before.rows);
  await refreshCatalogos(
    db,
    readerOf({
      FormaPago: [
        { key: '01', name: 'Efectivo y monedas' },
        { key: '32', name: 'Moneda digital' },
      ],
    }),
  );
  const formas = await readClaves(db, 'formasPago');
  expect(formas.find(({ id }) => id === '01')?.texto).toBe('Efectivo y monedas');
  expect(formas.find(({ id }) => id === '03')?.texto).toBe('Transferencia electrónica de fondos');
  expect(formas.at(-1)).toEqual({ id: '32', texto: 'Moneda digital' });
  expect(formas).toHaveLength(FORMAS_PAGO.length + 1);
});

test('what cannot be read keeps its last copy and is asked for again in an hour', async () => {
  const [usos, productos] = [await countOf('usos'), await countOf('productos')];
  await sandbox.facturacom.failNext('503', { route: 'UsoCfdi' });
  await sandbox.facturacom.failNext('html', { route: 'ClaveProductServ' });
  expect(await refreshCatalogosOfPac(db)).toEqual(['regimenes', 'formasPago', 'unidades']);
  expect([await countOf('usos'), await countOf('productos')]).toEqual([usos, productos]);
  expect(
    await db.selectFrom('satCatalogo').select('catalogo').where('error', 'is not', null).orderBy('catalogo').execute(),
  ).toEqual([{ catalogo: 'productos' }, { catalogo: 'usos' }]);
  const [job] = await pending();
  expect(job!.runAt.getTime()).toBeGreaterThan(Date.now() + 50 * 60_000);
});

test('while factura.com is paused nothing is read', async () => {
  const asked = (await sandbox.requests('facturacom', 500)).length;
  await db.transaction().execute((trx) => pauseConnection(trx, 'facturacom'));
  expect(await refreshCatalogosOfPac(db)).toEqual([]);
  expect((await sandbox.requests('facturacom', 500)).length).toBe(asked);
  await db.transaction().execute((trx) => resumeConnection(trx, 'facturacom'));
});

test('the forms say so when the last read failed, or when neither the copy nor the constants are fresh', async () => {
  await refreshCatalogosOfPac(db);
  const todos = ['usos', 'regimenes', 'formasPago'] as const;
  const old = new Date(Date.now() - 4 * DAY);
  await db.updateTable('satCatalogo').set({ leidoEn: old }).execute();
  expect(await catalogNotices(db, [...todos], new Date('2027-01-15T12:00:00Z'))).toEqual([]);
  await db.updateTable('satCatalogo').set({ error: 'se cayó' }).where('catalogo', '=', 'formasPago').execute();
  expect(await catalogNotices(db, [...todos])).toEqual(['Error al obtener las formas de pago.']);
  const later = new Date('2027-03-01T12:00:00Z');
  expect(await catalogNotices(db, [...todos], later)).toEqual([
    'Error usosCFDI.',
    'Error al obtener los regimenes fiscales.',
    'Error al obtener las formas de pago.',
  ]);
  await db
    .updateTable('satCatalogo')
    .set({ leidoEn: new Date(later.getTime() - DAY) })
    .where('catalogo', '=', 'usos')
    .execute();
  expect(await catalogNotices(db, [...todos], later)).toEqual([
    'Error al obtener los regimenes fiscales.',
    'Error al obtener las formas de pago.',
  ]);
});

test('what the PAC adds changes no rule', async () => {
  await refreshCatalogos(
    db,
    readerOf({
      UsoCfdi: [
        { key: 'G03', name: 'Gastos' },
        { key: 'Z99', name: 'Nuevo' },
      ],
      RegimenFiscal: [{ key: '601', name: 'General' }],
    }),
  );
  expect((await readClaves(db, 'usos')).filter(({ id }) => id === 'G03' || id === 'Z99')).toEqual([
    { id: 'G03', texto: 'Gastos' },
    { id: 'Z99', texto: 'Nuevo' },
  ]);
  expect(await readClaves(db, 'regimenes')).toHaveLength(REGIMENES.length);
  expect(usosFor('EKU9003173C9', '601').map(({ id }) => id)).not.toContain('Z99');
  expect(usosFor('EKU9003173C9', '601').find(({ id }) => id === 'G03')?.texto).toBe(
    USOS.find(({ id }) => id === 'G03')?.texto,
  );
});

test('a product key is found by its digits or by words, accents or none', async () => {
  await refreshCatalogos(
    db,
    readerOf({
      ClaveProductServ: [
        { key: '46171610', name: 'Cámaras de seguridad' },
        { key: '45121500', name: 'Cámaras' },
        { key: '46171600', name: 'Equipo de vigilancia y detección' },
      ],
    }),
  );
  expect((await searchProductos(db, 'camara')).map(({ id }) => id)).toEqual(['45121500', '46171610']);
  expect((await searchProductos(db, 'seguridad CÁMARAS')).map(({ id }) => id)).toEqual(['46171610']);
  expect((await searchProductos(db, '461716')).map(({ id }) => id)).toEqual(['46171610', '46171600']);
  for (const q of ['', 'c', '%%', "';--"]) expect(await searchProductos(db, q)).toEqual([]);
  const answer = await loader({
    request: new Request('http://trastienda.test/user/clavesSat?q=vigilancia'),
    params: {},
    context: {},
  } as never);
  expect(await answer.json()).toEqual({
    q: 'vigilancia',
    claves: [{ id: '46171600', texto: 'Equipo de vigilancia y detección' }],
  });
});
