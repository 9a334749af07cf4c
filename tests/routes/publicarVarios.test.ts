/** From several rows of 'Publicador ML' to the question, step by step, as a browser without JavaScript goes. */
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeAll, expect, test } from 'vitest';
import type { Rol } from '~/core/usuario';
import { openSession } from '~/domain/personal/sesiones.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { runBatch } from '~/platform/batches/prepared.server';
import Lote, { action as enLote, loader as verLote } from '~/routes/operacion/lotes/lote';
import { action, loader } from '~/routes/publicaciones/publicador/publicador';
import { ask } from '../support/api';
import { buildPorPublicar } from '../support/builders/publicador';
import { testDatabase } from '../support/db';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';
import { PROBADA } from '../support/sesion';
import { buildUsuarios } from '../support/web';

process.env.IMAGENES_DE = 'syscom.mx.invalid';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let people: Awaited<ReturnType<typeof buildUsuarios>>;
let productos: { id: string }[];
const LISTA = 'publicadorML';
const CAMARAS = 'MLM167538';
const COMUNES = { CAMERA_TYPE: '7000', RESOLUTION: '1080p', IS_WIRELESS: '242084', EMPTY_GTIN_REASON: '17055160' };

beforeAll(async () => {
  people = await buildUsuarios(db);
  await linkSandbox(db, sandbox);
  productos = [await buildPorPublicar(db), await buildPorPublicar(db), await buildPorPublicar(db)];
  for (const { id } of productos.slice(0, 2))
    await db
      .updateTable('producto')
      .set({ imagenes: [`https://fotos.syscom.mx.invalid/${id}.png`] })
      .where('id', '=', id)
      .execute();
}, 60_000);

function args(rol: Rol, path: string, body?: Record<string, string>): ActionFunctionArgs {
  const request = new Request(
    `http://trastienda.test/${rol}/${path}`,
    body ? { method: 'POST', body: new URLSearchParams(body) } : {},
  );
  const usuario = { id: people[rol], rol, nombre: rol, email: `${rol}@trastienda.test` };
  return {
    request,
    params: {},
    context: { usuario, sesion: PROBADA, ip: '127.0.0.1' } as unknown as AppLoadContext,
  } as ActionFunctionArgs;
}
const to = (answer: unknown) => (answer as Response).headers.get('Location')!.replace(/^\/\w+\//, '');
const escoger = (rol: Rol) =>
  enLote(
    args(rol, 'lote', {
      intent: 'preparar',
      lista: LISTA,
      consulta: '?q=cámara',
      hacer: 'publicadorML.publicar',
      ...Object.fromEntries(productos.map(({ id }, at) => [`fila[${at}]`, id])),
    }),
  );
const decir = (rol: Rol, path: string, respuestas: Record<string, string>) =>
  action(
    args(rol, path, {
      intent: 'comunes',
      ...Object.fromEntries(Object.entries(respuestas).map(([campo, valor]) => [`valor.${campo}`, valor])),
    }),
  );

/** The page of a batch, as its person has it. */
async function page(path: string): Promise<string> {
  const { context } = args('user', path);
  const { query, dataRoutes } = createStaticHandler([
    { path: '*', element: createElement(Lote), loader: ({ request }) => verLote({ request, params: {}, context }) },
  ]);
  const answer = await query(new Request(`http://trastienda.test/user/${path}`));
  if (answer instanceof Response) throw new Error('a page was expected');
  const router = createStaticRouter(dataRoutes, answer);
  return renderToStaticMarkup(createElement(StaticRouterProvider, { router, context: answer, hydrate: false }));
}

test('several are chosen, their category and common answers are said, and then it is asked', async () => {
  expect((await loader(args('user', LISTA))).acciones.map(({ hacer }) => hacer)).toEqual([
    'publicadorML.publicar',
    'excel',
  ]);
  const paso = to(await escoger('user'));
  expect(paso).toMatch(/^publicadorML\?q=c%C3%A1mara&lote=/);
  const { varios } = await loader(args('user', paso));
  expect(varios).toMatchObject({ total: 3, fuera: 1, vista: { eleccion: { q: 'Cámara bala 1080p lente 2.8 mm' } } });
  expect(varios!.vista!.eleccion!.sugeridas.map(({ id }) => id)).toContain(CAMARAS);
  // On its own page too the question waits for the category.
  const lote = new URLSearchParams(paso.split('?')[1]).get('lote')!;
  const sinDecir = await page(`lote?lote=${lote}`);
  expect(sinDecir).toContain('Elegir la categoría');
  expect(sinDecir).not.toContain('value="correr"');

  expect(await action(args('user', paso, { intent: 'categoriaComun', categoriaId: '' }))).toMatchObject({
    data: { error: { categoriaId: ['Elige una categoría.'] } },
  });
  const elegida = LISTA + to(await action(args('user', paso, { intent: 'categoriaComun', categoriaId: CAMARAS })));
  expect(elegida).toBe(`${paso}&categoria=${CAMARAS}`);
  const segundo = (await loader(args('user', elegida))).varios!.vista!.elegida!;
  expect(segundo.solos).toEqual(expect.arrayContaining(['Marca', 'Modelo']));

  const { RESOLUTION: _, ...sinResolucion } = COMUNES;
  expect(await decir('user', elegida, sinResolucion)).toMatchObject({
    data: { error: { 'valor.RESOLUTION': ['Resolución: Este dato es requerido'] } },
    init: { status: 422 },
  });
  const pregunta = to(await decir('user', elegida, COMUNES));
  expect(pregunta).toMatch(/^lote\?lote=/);
  const html = await page(pregunta);
  expect(html).toContain('Califican 2 de 3.');
  expect(html).toContain('value="correr"');
  expect(html).toContain('Elegir la categoría otra vez');
  expect(html).toMatch(/>Elegiste 3 productos\. Categoría: [^<]*Cámaras de Vigilancia<\/p>/);
  expect(html, 'a product left out leads to its own publisher').toContain(`ver=${productos[2]!.id}"`);
  // What was said is there again for who goes back.
  const otra = new URLSearchParams(pregunta.split('?')[1]).get('lote')!;
  const deVuelta = await loader(args('user', `publicadorML?lote=${otra}&categoria=${CAMARAS}`));
  expect(deVuelta.varios!.vista!.elegida!.respuestas).toMatchObject({ RESOLUTION: { valor: '1080p' } });

  const si = { intent: 'correr', lote: otra };
  expect(await enLote(args('user', pregunta, si)), 'it asks first').toMatchObject({
    data: { confirmar: { titulo: 'Publicar' } },
  });
  await enLote(args('user', pregunta, { ...si, confirmado: '1' }));
  // A batch that was started is no longer asked about.
  expect((await loader(args('user', `publicadorML?lote=${otra}`))).varios).toMatchObject({ vista: null });
  await runBatch(db, ACCIONES, otra);
  const { lote: hecho } = await verLote(args('user', pregunta));
  expect(hecho!.filas.map(({ estado }) => estado)).toEqual(['camino', 'camino', 'fuera']);
}, 60_000);

test('a batch is its person’s alone, and only who may publish prepares one', async () => {
  const paso = to(await escoger('user'));
  expect((await loader(args('admin', paso))).varios).toMatchObject({ vista: null });
  expect(await decir('admin', `${paso}&categoria=${CAMARAS}`, COMUNES)).toMatchObject({
    data: { titulo: 'Lo que elegiste ya no está aquí' },
    init: { status: 422 },
  });
  expect(await escoger('aux')).toMatchObject({ init: { status: 422 } });
});

test('a program says the category and the common answers with the rows', async () => {
  process.env.API_POR_MINUTO = '100000';
  const token = await db.transaction().execute((trx) => openSession(trx, { id: people.sa }, true));
  const nuevo = await buildPorPublicar(db);
  await db
    .updateTable('producto')
    .set({ imagenes: [`https://fotos.syscom.mx.invalid/${nuevo.id}.png`] })
    .where('id', '=', nuevo.id)
    .execute();
  const pedir = (datos?: unknown) =>
    ask('POST', '/api/v1/lotes', {
      token,
      body: {
        lista: LISTA,
        accion: 'publicadorML.publicar',
        filas: [nuevo.id, productos[2]!.id],
        ...(datos ? { datos } : {}),
      },
    });
  expect((await pedir()).status, 'nothing was said').toBe(422);
  expect((await pedir({ categoriaId: CAMARAS })).status, 'an answer is missing').toBe(422);
  const respuestas = Object.fromEntries(Object.entries(COMUNES).map(([campo, valor]) => [campo, { valor }]));
  const { status, body } = await pedir({ categoriaId: CAMARAS, respuestas });
  expect([status, body]).toMatchObject([
    201,
    { pedidoEn: null, fuera: 1, suma: '870.00', filas: [{ estado: 'pendiente' }, { estado: 'fuera' }] },
  ]);
  const { id } = body as { id: string };
  expect((await ask('POST', `/api/v1/lotes/${id}/inicio`, { token })).status).toBe(202);
});
