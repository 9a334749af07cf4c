/** Profit by product and the costs that people type, as screens show them and programs ask them. */
import { MantineProvider } from '@mantine/core';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { openSession } from '~/domain/personal/sesiones.server';
import UtilidadPor, { loader } from '~/routes/cierre/reportes/utilidadPor';
import { loader as descargar } from '~/routes/files/descargasUtilidadPor';
import { ask, get, post } from '../support/api';
import { buildOrden } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';
import { runJobs } from '../support/jobs';
import { buildUsuarios } from '../support/web';

const { db } = testDatabase();
const SKU = 'AMS|9|propio|Funda';
let sa: string;
let cont: string;
let aux: string;

beforeAll(async () => {
  const ids = await buildUsuarios(db);
  [sa, cont, aux] = (await Promise.all(
    [ids.sa, ids.cont, ids.aux].map((id) => db.transaction().execute((trx) => openSession(trx, { id }, true))),
  )) as [string, string, string];
  for (const day of ['2026-10-15', '2026-10-16'])
    await buildOrden(db, {
      sku: SKU,
      pagado: '1100.00',
      titulo: 'Funda propia',
      envio: null,
      fechaCreacion: new Date(`${day}T18:00:00Z`),
    });
});

const RANGO = 'desde=2026-10-01&hasta=2026-10-31';
const args = (query: string) =>
  ({
    request: new Request(`http://trastienda.test/sa/utilidadPor?${query}`),
    params: {},
    context: {},
  }) as LoaderFunctionArgs;

async function page(query: string): Promise<string> {
  const route = { id: 'uno', path: '*', element: <UtilidadPor />, loader: () => loader(args(query)) };
  const { query: open, dataRoutes } = createStaticHandler([route]);
  const context = await open(new Request(`http://trastienda.test/sa/utilidadPor?${query}`));
  if (context instanceof Response) throw new Error('a page was expected');
  return renderToStaticMarkup(
    <MantineProvider>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
    </MantineProvider>,
  )
    .replace(/<[^<>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

test('an unknown profit is — with its count, and a typed cost makes it an estimate with its mark, on screen and for programs', async () => {
  expect(await page(RANGO)).toMatch(/Mercado Libre · AMS\|9\|propio\|Funda 2 \$2,200\.00 — de 0 de 2 ventas/);
  const { body } = await get(`/api/v1/costos/sku?${new URLSearchParams({ sku: SKU })}`, sa);
  const { huella } = body as { huella: string };
  const costo = { sku: SKU, huella, desde: '2026-10-16', costo: '250.00', soloAlmacen: false };
  expect((await post('/api/v1/costos', costo, cont)).status, 'whoever only looks').toBe(403);
  expect((await post('/api/v1/costos', { ...costo, sku: 'NADA' }, sa)).status).toBe(422);
  const escrito = await post('/api/v1/costos', costo, sa);
  expect([escrito.status, escrito.body]).toMatchObject([200, { filas: [{ desde: '2026-10-16', costo: '250.00' }] }]);
  expect((await post('/api/v1/costos', costo, sa)).status, 'of what it showed before').toBe(409);
  await runJobs();
  // 1,100.00 − 100.00 − 250.00, of the sale of the second day.
  expect(await page(RANGO)).toMatch(/≈ \$750\.00 de 1 de 2 ventas/);
  const dicho = await get(`/api/v1/reportes/utilidadPor?${RANGO}&por=proveedor`, cont);
  expect([dicho.status, dicho.body]).toMatchObject([
    200,
    { filas: [{ clave: 'propio', ventas: 2, conUtilidad: 1, estimadas: 1, queda: '750.00' }], todas: 1 },
  ]);
  expect((await get('/api/v1/costos', cont)).text).toContain('250.00');
});

test('whoever may not open the report gets neither it nor its sheet, and a range without sales says so', async () => {
  expect((await ask('GET', '/api/v1/reportes/utilidadPor', { token: aux })).status).toBe(403);
  expect(await page('desde=2025-01-01&hasta=2025-01-31')).toContain('Sin ventas en este periodo.');
  expect(await page(`${RANGO}&ver=devueltos`)).toContain('Nada volvió ni se canceló en este periodo.');
  const sheet = await descargar(args(`${RANGO}&por=categoria`));
  expect(sheet.headers.get('content-disposition')).toContain('Utilidad');
});
