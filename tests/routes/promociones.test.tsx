/** Promotions on 'Publicaciones': the panel of a listing in words, 'Excluir' with its question, the view behind the card of Hoy, and the API. */
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeAll, expect, test } from 'vitest';
import type { Answer } from '~/core/submission';
import type { Rol, Usuario } from '~/core/usuario';
import { openSession } from '~/domain/personal/sesiones.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { bringPublicaciones } from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { forget } from '~/platform/hoy/fresco.server';
import { loader as loadHoy } from '~/routes/inicio/hoy/hoy';
import { Promociones } from '~/routes/publicaciones/publicaciones/Promociones';
import { action, loader } from '~/routes/publicaciones/publicaciones/lista';
import { get, post } from '../support/api';
import { seedCatalogo } from '../support/builders/catalogo';
import { buildPersona } from '../support/builders/ventas';
import { ownerDatabase, testDatabase } from '../support/db';
import { runJobs, withWorker } from '../support/jobs';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const people = new Map<Rol, Usuario>();
let ultima = 4_920_000_000;
let sku: string;

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  for (const rol of ['sa', 'aux', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
  await seedCatalogo(ownerDatabase().db, 40);
  const { id, proveedor } = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  sku = `AMS|P30|${proveedor}|X`;
  await db
    .updateTable('oferta')
    .set({ precio: '500', moneda: 'MXN', sinPrecio: null })
    .where('productoId', '=', id)
    .execute();
  // A new link asks for a whole reading, which would bring the listings of other tests.
  await runJobs();
}, 60_000);

function args(path: string, fields?: Record<string, string>, rol: Rol = 'sa'): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    fields && { method: 'POST', body: new URLSearchParams(fields) },
  );
  return { request, params: {}, context: { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext };
}
async function nueva(...promociones: object[]) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, { price: 1_000, sku, sinAviso: true });
  for (const una of promociones) await ml.post(`/promociones/${clave}`, { ...una, sinAviso: true });
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', clave).executeTakeFirstOrThrow();
  return id;
}
const abrir = async (id: string, rol: Rol = 'sa') => {
  const { abierto } = await loader(args(`publicaciones?ver=${id}`, undefined, rol));
  if (!abierto || abierto === 'ausente') throw new Error('the panel is not open');
  return abierto;
};
const promocionDe = async (id: string) => (await abrir(id)).promociones!.promociones[0]!;
/** The part of the panel as people read it. */
async function dicho(id: string, rol: Rol = 'sa'): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([
    { path: '*', element: <Promociones publicacion={await abrir(id, rol)} /> },
  ]);
  const context = await query(new Request(`http://trastienda.test/${rol}/publicaciones?ver=${id}`));
  if (context instanceof Response) throw new Error('a page was expected');
  const html = renderToStaticMarkup(
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />,
  );
  return html.replace(/<[^<>]+>/g, ' ').replace(/\s+/g, ' ');
}
const leer = (id: string, rol: Rol = 'sa') => action(args('publicaciones', { intent: 'leerPromociones', id }, rol));
const excluir = (fields: Record<string, string>, rol: Rol = 'sa') =>
  action(args('publicaciones', { intent: 'excluirPromocion', ...fields }, rol));
const SMART = { type: 'SMART', id: 'P-MLM1', price: 700, name: 'Hot Sale' };
const carta = async () => {
  forget();
  return (await loadHoy(args('hoy'))).cartas.find(({ clave }) => clave === 'promocionesBajoElPiso');
};

test('the panel says what is not known, then each promotion in words with what it leaves', async () => {
  const id = await nueva(
    SMART,
    { type: 'DEAL', id: 'P-MLM2', status: 'candidate' },
    { type: 'PRICE_MATCHING_MELI_ALL', id: 'P-MLM3', price: 950 },
  );
  expect(await dicho(id)).toContain('Todavía no se sabe en cuáles está.');
  await leer(id);
  const leido = await dicho(id);
  expect(leido).toMatch(
    /Campaña automática: Hot Sale Activa \$700\.00 en vez de \$1,000\.00 .*(?:Quedarían|Se perderían) ≈ \$\d+\.\d\d \(-?\d+\.\d %\), bajo el piso Estimado con la comisión por omisión/,
  );
  expect(leido).toContain('Solo se quita en su panel.');
  expect(leido).toMatch(/Campaña tradicional Invitación —/);
  expect(leido.match(/Excluir/g), 'one button alone: of what runs and leaves from here').toHaveLength(1);
  expect(await dicho(id, 'aux'), 'who may not change listings has none').not.toContain('Excluir');
});

test('Excluir asks first with the facts, is refused to who may not, and then tells both parts and leaves Hoy', async () => {
  const id = await nueva(SMART);
  await leer(id);
  const { lista } = await loader(args('publicaciones?cuales=bajoElPiso'));
  const espera = await carta();
  expect(espera?.total).toBe(lista.ventana.filas.length);
  expect(espera?.lineas.map(({ a }) => a)).toContain(`publicaciones?cuales=bajoElPiso&ver=${id}`);
  const { id: promocion, huella } = await promocionDe(id);
  await expect(excluir({ id: promocion, huella, confirmado: '1' }, 'aux')).rejects.toThrow(
    'El rol de este usuario no puede hacer este cambio.',
  );
  const pregunta = (await excluir({ id: promocion, huella })) as { data: Answer };
  expect(JSON.stringify(pregunta.data)).toMatch(/Campaña automática: Hot Sale a \$700\.00: (?:quedarían|se perderían)/);
  const parte = /\(-?\d+\.\d %\)/;
  expect(parte.exec(JSON.stringify(pregunta.data))?.[0], 'the number that the panel tells').toBe(
    parte.exec(await dicho(id))?.[0],
  );
  await withWorker(() => excluir({ id: promocion, huella, confirmado: '1' }) as Promise<unknown>);
  expect(await dicho(id)).toContain('Ya no entra en promociones automáticas. La oferta se quitó.');
  expect(await dicho(id)).toContain('No está en ninguna.');
  expect(((await carta())?.total ?? 0) + 1).toBe(espera?.total);
  const { excluidas } = await ml.get<{ excluidas: string[] }>('/promociones');
  expect(excluidas).toHaveLength(1);
});

test('a promotion that moved since it was shown is not decided about', async () => {
  const id = await nueva(SMART);
  await leer(id);
  const { id: promocion, huella } = await promocionDe(id);
  await ml.post(`/promociones/MLM${ultima - 1}`, { ...SMART, price: 600, sinAviso: true });
  await leer(id);
  const no = (await excluir({ id: promocion, huella, confirmado: '1' })) as { data: Answer; init: ResponseInit };
  expect(JSON.stringify(no.data)).toContain('Mientras tanto la promoción cambió. Ahora: a $600.00');
});

test('the API tells the same, reads on demand and excludes', async () => {
  const token = await db.transaction().execute((trx) => openSession(trx, { id: people.get('sa')!.id }, true));
  const id = await nueva(SMART);
  const address = `/api/v1/publicaciones/${id}/promociones`;
  expect((await get(address, token)).body).toMatchObject({ promociones: [], leidaEn: null, excluida: null });
  const { status, body } = await post(address, {}, token);
  expect(status).toBe(200);
  expect(body).toMatchObject({ promociones: [{ precio: '700.00', estado: 'activa', bajo: true }] });
  const [una] = (body as unknown as { promociones: { id: string; huella: string }[] }).promociones;
  const hecha = await withWorker(() =>
    post(`/api/v1/promociones/${una!.id}/exclusion`, { huella: una!.huella }, token),
  );
  expect([hecha.status, hecha.body]).toEqual([
    202,
    { dicho: 'Ya no entra en promociones automáticas. La oferta se quitó.' },
  ]);
});
