import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test } from 'vitest';
import { noteFailure, noteSuccess } from '~/platform/connections/breaker.server';
import { saveCredential } from '~/platform/connections/credentials.server';
import { forget } from '~/platform/hoy/fresco.server';
import { MINUTO } from '~/platform/hoy/reloj';
import type { Rol } from '~/core/usuario';
import { Frescura } from '~/routes/inicio/hoy/Frescura';
import { frescurasOf } from '~/routes/inicio/hoy/frescuraOf';
import { loader } from '~/routes/inicio/hoy/hoy';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase, withoutTables } from '../support/db';

const { db } = testDatabase();

beforeEach(async () => {
  forget();
  for (const table of ['connectionBreaker', 'connection', 'credential', 'syncCursor', 'catalogoProveedor'] as const)
    await db.deleteFrom(table).execute();
});

const hace = (minutes: number) => new Date(Date.now() - minutes * MINUTO);

async function hoy(rol: Rol = 'sa') {
  forget();
  const usuario = await buildPersona(db, rol);
  const request = new Request(`http://trastienda.test/${rol}/hoy`);
  return loader({ request, params: {}, context: { usuario } as unknown as AppLoadContext } as ActionFunctionArgs);
}
const frescuras = async () => (await hoy()).frescuras.valor!;
const una = async (kind: string) => (await frescuras()).conectadas.find((one) => one.kind === kind);
const link = (kind: string) => saveCredential(db, kind as 'ct', { account: '1', secrets: {} });

test('what is not connected is named as such, with the way there for who may connect it, and is never up to date', async () => {
  const { conectadas, sinConectar } = await frescuras();
  expect(sinConectar.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['mercadolibre', 'amazon', 'facturacom', 'ct']),
  );
  expect(conectadas.map(({ kind }) => kind)).not.toContain('ct');
  const leidas = (await hoy()).frescuras;
  const page = (conectar: string | null) =>
    renderToStaticMarkup(<Frescura frescuras={leidas} ahora={new Date()} conectar={conectar} />);
  expect(page('/sa/tokens')).toContain('<a href="/sa/tokens?abrir=amazon#titulo-amazon">Amazon</a>');
  expect(page('/sa/tokens')).not.toContain('al día');
  expect(page(null)).toContain('Un administrador las conecta.');
  expect(page(null)).not.toContain('<a');
});

test('a source of sales says what the bar says of it: bringing the first ones, up to date, late', async () => {
  await link('mercadolibre');
  expect(await una('mercadolibre')).toMatchObject({ dice: 'trayendo las primeras ventas', en: null });
  const reach = (minutes: number) =>
    db
      .insertInto('syncCursor')
      .values(['sweep', 'cancelled'].map((kind) => ({ source: `mercadolibre:${kind}`, reachedAt: hace(minutes) })))
      .onConflict((on) => on.column('source').doUpdateSet({ reachedAt: hace(minutes) }))
      .execute();
  await reach(1);
  expect(await una('mercadolibre')).toMatchObject({ tono: 'ok', dice: 'al día', en: expect.any(Date) as Date });
  await reach(40);
  expect(await una('mercadolibre')).toMatchObject({ tono: 'aviso', dice: 'llega con retraso' });
});

test('a supplier says how old its catalogue is by the rule of the catalogues', async () => {
  await link('ct');
  expect(await una('ct')).toMatchObject({ tono: 'neutro', dice: 'sin uso todavía', en: null });
  await db.insertInto('productoCuenta').values({ proveedor: 'ct', existencia: 'con', cuantos: 7 }).execute();
  await db
    .insertInto('catalogoProveedor')
    .values({ proveedor: 'ct', version: 0, frescaDe: hace(60) })
    .execute();
  expect(await una('ct')).toMatchObject({ tono: 'ok', dice: 'al día' });
  await db
    .updateTable('catalogoProveedor')
    .set({ frescaDe: hace(13 * 60) })
    .execute();
  expect(await una('ct')).toMatchObject({ tono: 'aviso', dice: 'su catálogo es viejo' });
  await db.deleteFrom('productoCuenta').execute();
});

test('the PAC answers when it is asked: its last answer is told, and never that it is up to date; one that fails says so', async () => {
  await link('facturacom');
  await noteSuccess(db, 'facturacom', 'send');
  expect(await una('facturacom')).toMatchObject({ tono: 'neutro', dice: 'respondió', en: expect.any(Date) as Date });
  await noteFailure(db, 'facturacom', 'send', 'No contesta');
  expect(await una('facturacom')).toMatchObject({ tono: 'aviso', dice: 'falla a ratos' });
  await db.updateTable('connection').set({ pausedAt: new Date() }).execute();
  expect(await una('facturacom')).toMatchObject({ tono: 'aviso', dice: 'en pausa' });
});

test('a late reading is told before calls that fail now and then, and after a far side that does not answer', () => {
  const lado = {
    kind: 'ct',
    account: '',
    label: 'CT',
    link: { type: 'settings', isSet: true, where: '' },
    linked: null,
    pausedAt: null,
    accountProblem: null,
    accountSince: null,
    prueba: null,
  } as const;
  const breaker = {
    call: 'read',
    until: null,
    failures: 1,
    lastOkAt: null,
    lastError: null,
    lastErrorAt: null,
  } as const;
  const de = (state: 'bien' | 'descansa') =>
    frescurasOf({
      conexiones: [{ ...lado, breaker: [{ ...breaker, state }], seen: [] }],
      catalogos: [{ proveedor: 'ct', productos: 7, frescaDe: hace(900), caducada: true }],
      ventas: { valor: [], sinLeer: null },
      mercados: [],
    }).conectadas[0]!.dice;
  expect([de('bien'), de('descansa')]).toEqual(['su catálogo es viejo', 'no responde']);
});

test('what cannot be read says so in its place', async () => {
  await link('mercadolibre');
  await withoutTables(['sync_cursor'], async () => {
    expect(await una('mercadolibre')).toMatchObject({ tono: 'aviso', dice: 'no se pudo leer' });
  });
  await withoutTables(['connection_breaker'], async () => {
    const { frescuras: leidas } = await hoy();
    const page = renderToStaticMarkup(<Frescura frescuras={leidas} ahora={new Date()} conectar={null} />);
    expect(page).toContain('No se pudo leer; es de las');
    expect(page).not.toContain('data-tono="ok"');
  });
});
