/** Prices against the market on 'Publicaciones': the panel of a listing, 'Leer ahora', and the view of those that lose. */
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '~/core/submission';
import type { Rol, Usuario } from '~/core/usuario';
import { openSession } from '~/domain/personal/sesiones.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { Competencia } from '~/routes/publicaciones/publicaciones/Competencia';
import { action, loader } from '~/routes/publicaciones/publicaciones/lista';
import { get, post } from '../support/api';
import { seedCatalogo } from '../support/builders/catalogo';
import { buildPersona } from '../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../support/db';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const people = new Map<Rol, Usuario>();
let ultima = 4_820_000_000;

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  for (const rol of ['sa', 'aux', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
}, 60_000);

function args(path: string, fields?: Record<string, string>, rol: Rol = 'sa'): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    fields && { method: 'POST', body: new URLSearchParams(fields) },
  );
  return { request, params: {}, context: { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext };
}
async function nueva(rivals: number[], sku: string | null = null) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, {
    price: 1_000,
    sku,
    catalog: { product: 'MLM18000001', rivals },
    sinAviso: true,
  });
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', clave).executeTakeFirstOrThrow();
  return id;
}
const abrir = async (id: string) => {
  const { abierto } = await loader(args(`publicaciones?ver=${id}`));
  if (!abierto || abierto === 'ausente') throw new Error('the panel is not open');
  return abierto;
};
const panel = async (id: string) => (await abrir(id)).competencia;
/** The part of the panel as people read it. */
async function dicho(id: string): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([
    { path: '*', element: <Competencia publicacion={await abrir(id)} /> },
  ]);
  const context = await query(new Request(`http://trastienda.test/sa/publicaciones?ver=${id}`));
  if (context instanceof Response) throw new Error('a page was expected');
  const html = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />,
  );
  return html.replace(/<[^<>]+>/g, ' ').replace(/\s+/g, ' ');
}
const leer = (id: string, rol: Rol = 'sa') => action(args('publicaciones', { intent: 'leerCompetencia', id }, rol));

test('the panel tells the place, the price to win and what is unknown after a press, and nothing is written outside', async () => {
  const id = await nueva([940]);
  expect(await panel(id)).toMatchObject({ lugar: null, porque: 'Todavía no se lee.', sePregunta: true });
  const antes = (await ml.get<{ cambios: unknown[] }>('/publicaciones')).cambios.length;
  expect(await leer(id, 'aux')).toBeInstanceOf(Response);
  expect(await panel(id)).toMatchObject({
    lugar: 'pierde',
    nuestro: '1000.00',
    paraGanar: '939.00',
    ganador: '940.00',
    quedaria: { de: 'paraGanar', porque: expect.stringContaining('no se sabe su costo') as string },
  });
  expect((await ml.get<{ cambios: unknown[] }>('/publicaciones')).cambios).toHaveLength(antes);
});

test('who may not read listings is refused, and a refusal of the marketplace is said with its reason', async () => {
  const id = await nueva([940]);
  await expect(leer(id, 'cont')).rejects.toThrow('El rol de este usuario no puede hacer este cambio.');
  expect((await panel(id))?.lugar).toBeNull();
  await ml.post('/interruptores', { precioParaGanar: '403' });
  const no = (await leer(id)) as { data: Answer; init: ResponseInit };
  await ml.post('/interruptores', { precioParaGanar: 'llega' });
  expect(no.init.status).toBe(422);
  expect(
    Object.values(no.data.error ?? {})
      .flat()
      .join(),
  ).toContain('403');
});

test('the view of those that lose holds them and no others', async () => {
  const [pierde, gana, sinLeer] = [await nueva([900]), await nueva([1_100]), await nueva([900])];
  await leer(pierde);
  await leer(gana);
  const { lista } = await loader(args('publicaciones?cuales=pierden'));
  const ids = lista.ventana.filas.map(({ id }) => id);
  expect(ids).toContain(pierde);
  expect(ids).not.toContain(gana);
  expect(ids, 'unknown is no loss').not.toContain(sinLeer);
});

test('the panel is read in words: unknown is a dash with its reason, an estimate is marked, a loss is called one', async () => {
  await seedCatalogo(ownerDatabase().db, 40);
  const producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  const cuesta = (precio: string) =>
    db
      .updateTable('oferta')
      .set({ precio, moneda: 'MXN', sinPrecio: null })
      .where('productoId', '=', producto.id)
      .execute();
  await cuesta('500');
  const id = await nueva([940], `AMS|P30|${producto.proveedor}|X`);
  expect(await dicho(id)).toContain('Lugar — Todavía no se lee. Nuestro precio $1,000.00 Leer ahora');
  await leer(id);
  expect(await dicho(id)).toMatch(
    /Lugar Pierde .*Precio para ganar \$939\.00 Precio de quien gana \$940\.00 Al precio para ganar Quedarían ≈ \$\d+\.\d\d \(\d+\.\d %\) Estimado con la comisión por omisión/,
  );
  await cuesta('900');
  expect(await dicho(id)).toMatch(/Se perderían ≈ \$\d+\.\d\d \(-\d+\.\d %\)/);
  await ml.post('/interruptores', { precioParaGanar: 'sinPrecio' });
  await leer(id);
  expect(await dicho(id)).toContain('Precio para ganar — Precio de quien gana — Al precio para ganar —');
  await ml.post('/interruptores', { precioParaGanar: '403' });
  await leer(id);
  await ml.post('/interruptores', { precioParaGanar: 'llega' });
  expect(await dicho(id)).toMatch(/Lugar Perdía .*La última lectura no salió: Mercado Libre dijo que no \(403/);
});

test('the API tells the same, and reads it on demand', async () => {
  const { id: usuario } = people.get('sa')!;
  const token = await db.transaction().execute((trx) => openSession(trx, { id: usuario }, true));
  const id = await nueva([940]);
  const address = `/api/v1/publicaciones/${id}/competencia`;
  const antes = await get(address, token);
  expect(antes.body).toMatchObject({ lugar: null, porque: 'Todavía no se lee.', quedaria: null });
  const { status, body } = await post(address, {}, token);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    lugar: 'pierde',
    paraGanar: '939.00',
    quedaria: { precio: '939.00', queda: null, porque: expect.stringContaining('no se sabe su costo') as string },
  });
});
