import { MantineProvider } from '@mantine/core';
import type { ActionFunctionArgs, AppLoadContext, LoaderFunctionArgs } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { forgetEnv } from '~/core/env.server';
import type { Usuario } from '~/core/usuario';
import { readPrimerosPasos } from '~/domain/operacion/primerosPasos.server';
import { saveCredential } from '~/platform/connections/credentials.server';
import { forget } from '~/platform/hoy/fresco.server';
import { PrimerosPasos } from '~/routes/inicio/hoy/PrimerosPasos';
import { action, loader as conexiones } from '~/routes/operacion/conexiones/conexiones';
import { loader as hoy } from '~/routes/inicio/hoy/hoy';
import { Cartas } from '~/routes/inicio/hoy/Cartas';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
let sa: Usuario;

beforeAll(async () => {
  sa = await buildPersona(db, 'sa');
});
beforeEach(() => {
  vi.unstubAllEnvs();
  for (const name of ['MERCADOLIBRE_CLIENT_ID', 'MERCADOLIBRE_CLIENT_SECRET', 'SMTP_URL', 'DEMO']) vi.stubEnv(name, '');
  vi.stubEnv('APP_URL', 'https://tienda.ejemplo.mx');
  vi.stubEnv('WEBHOOK_SECRETO', 'un-secreto');
  forgetEnv();
  forget();
});

const set = (name: string, value: string) => {
  vi.stubEnv(name, value);
  forgetEnv();
};
const pasos = async () => {
  const read = await readPrimerosPasos(db, sa);
  return read && new Map(read.map((paso) => [paso.clave, paso]));
};
const link = (kind: 'facturacom' | 'mercadolibre' | 'syscom' | 'tvc') =>
  db.transaction().execute((trx) => saveCredential(trx, kind, { account: 'la nuestra', label: null, secrets: {} }));

async function render(element: React.ReactElement) {
  const { query, dataRoutes } = createStaticHandler([{ path: '*', element }]);
  const context = await query(new Request('http://trastienda.test/sa'));
  if (context instanceof Response) throw new Error('a page was expected');
  return renderToStaticMarkup(
    <MantineProvider>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
    </MantineProvider>,
  );
}
const args = (path: string) =>
  ({
    request: new Request(`http://trastienda.test/${sa.rol}/${path}`),
    params: {},
    context: { usuario: sa } as unknown as AppLoadContext,
  }) as LoaderFunctionArgs;

test('an empty installation is told every step, what each is for and where its keys are', async () => {
  const vacia = (await pasos())!;
  expect([...vacia.values()].filter(({ estado }) => estado === 'listo')).toEqual([]);
  expect([...vacia.keys()]).toEqual([
    'facturacom',
    'mercadolibre',
    'amazon',
    'proveedores',
    'comoSeCompra',
    'reglaDePrecio',
    'correo',
    'codigosPostales',
    'personas',
    'segundoFactor',
  ]);
  expect(vacia.get('mercadolibre')).toMatchObject({
    donde: expect.stringContaining('Configura MERCADOLIBRE_CLIENT_ID y MERCADOLIBRE_CLIENT_SECRET') as string,
    registra: [
      { nombre: 'Redirect URI', direccion: 'https://tienda.ejemplo.mx/activacion' },
      { direccion: 'https://tienda.ejemplo.mx/avisos/mercadolibre/un-secreto' },
      { direccion: expect.stringContaining('stock-location') as string },
    ],
  });
  const page = await render(<PrimerosPasos pasos={[...vacia.values()]} area="/sa" />);
  expect(page).toContain('0 de 10');
  expect(page.match(/data-tono="acento"/g)).toHaveLength(1);
  expect(page).toMatch(/data-tono="acento"[^>]*aria-label="Hacerlo: factura.com"/);
});

test('nobody is sent to a far side half filled: without its application there is no button, and no act', async () => {
  set('MERCADOLIBRE_CLIENT_ID', 'uno');
  const activar = async () => {
    const body = new URLSearchParams({ intent: 'activar', conexion: 'mercadolibre' });
    const request = new Request('http://trastienda.test/sa/tokens', { method: 'POST', body });
    const context = { usuario: sa, sesion: { token: 'x', probada: true } } as unknown as AppLoadContext;
    const answer = await action({ request, params: {}, context } as ActionFunctionArgs);
    return 'init' in answer ? answer.data.error : answer.headers.get('Location');
  };
  const linkOf = async () =>
    (await conexiones(args('tokens'))).conexiones.find(({ kind }) => kind === 'mercadolibre')!.link;
  expect(await linkOf()).toMatchObject({ falta: ['MERCADOLIBRE_CLIENT_SECRET'] });
  expect(await activar()).toEqual({
    '': ['Falta la aplicación de Mercado Libre: configura MERCADOLIBRE_CLIENT_SECRET en el servidor.'],
  });
  set('MERCADOLIBRE_CLIENT_SECRET', 'dos');
  expect(await linkOf()).toMatchObject({ falta: [] });
});

test('what is not connected is not up to date, and one marketplace is enough for the steps', async () => {
  const dice = async (clave: string) => {
    forget();
    const { cartas } = await hoy(args('hoy'));
    return render(<Cartas cartas={cartas.filter((una) => una.clave === clave)} area="/sa" yo={sa.id} />);
  };
  expect(await dice('preguntas')).toContain('Sin conectar');
  expect(await dice('porConfirmar')).toContain('Sin conectar');
  await link('mercadolibre');
  expect(await dice('preguntas')).toContain('Al día');
  expect(await dice('porConfirmar')).toContain('Sin conectar');
  const con = (await pasos())!;
  expect(con.get('mercadolibre')).toMatchObject({ estado: 'listo', opcional: false });
  expect(con.get('amazon')).toMatchObject({ estado: 'falta', opcional: true });
});

test('a step that was done and broke says so, and the demo has none', async () => {
  await link('facturacom');
  await link('syscom');
  await db.updateTable('credential').set({ status: 'broken' }).where('connection', '=', 'facturacom').execute();
  expect((await pasos())!.get('facturacom')).toMatchObject({ estado: 'mal' });
  expect((await pasos())!.get('comoSeCompra')).toMatchObject({ estado: 'falta', donde: 'Falta en Syscom.' });
  set('DEMO', '1');
  expect(await pasos()).toBeNull();
});

test('the steps go once a shop can work, with or without the others', async () => {
  await sql`delete from credential`.execute(db);
  for (const kind of ['facturacom', 'mercadolibre', 'tvc'] as const) await link(kind);
  set('SMTP_URL', 'smtp://127.0.0.1:25');
  await sql`insert into ganancia (proveedor, market, tipo, ganancia) values ('tvc', 'ml', '', 0.3)`.execute(db);
  const antes = (await pasos())!;
  expect([...antes.values()].filter(({ estado, opcional }) => estado !== 'listo' && !opcional)).toMatchObject([
    { clave: 'codigosPostales' },
  ]);
  await sql`insert into codigo_postal values ('03100', 'Del Valle Centro', 'Colonia', 'Benito Juárez', '', 'Ciudad de México', 'sepomex')`.execute(
    db,
  );
  expect(await pasos()).toBeNull();
  await db.updateTable('credential').set({ status: 'broken' }).where('connection', '=', 'tvc').execute();
  expect((await pasos())!.get('proveedores')).toMatchObject({ estado: 'mal' });
});
