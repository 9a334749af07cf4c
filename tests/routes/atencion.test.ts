import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { screensOf } from '~/access/screens';
import { addFotos, readRetrato } from '~/domain/compras/catalogo/fotos.server';
import { fill } from '~/domain/atencion/preguntas/plantilla';
import type { Rol, Usuario } from '~/core/usuario';
import { search } from '~/platform/search/search.server';
import { BUSCADORES } from '~/domain/operacion/searchCatalog.server';
import { action as enPreguntas, loader as preguntas } from '~/routes/atencion/preguntas/lista';
import { action as enReclamos, loader as reclamos } from '~/routes/atencion/reclamos/lista';
import { loader as ficha } from '~/routes/files/fichas';
import { action as enResponder, loader as responder } from '~/routes/atencion/preguntas/responder';
import type { questionOf } from '~/routes/atencion/preguntas/record';
import type { reclamoOf } from '~/routes/atencion/reclamos/record';
import { jpegOf } from '../sandbox/imagenes/dibujo';
import { buildOrden } from '../support/builders/ordenes';
import { buildPorPublicar } from '../support/builders/publicador';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';
import { runJobs } from '../support/jobs';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
const MINUTO = 60_000;

beforeAll(async () => {
  for (const rol of ['sa', 'admin', 'user', 'aux', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
});
beforeEach(() => db.deleteFrom('pregunta').execute());

function args(rol: Rol, path: string, body?: Record<string, string>, params: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, value);
  const request = new Request(`http://trastienda.test/${rol}/${path}`, body ? { method: 'POST', body: form } : {});
  const context = { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext;
  return { request, params, context } as ActionFunctionArgs;
}

async function build(more: {
  publicacionId: string;
  texto?: string;
  hace?: number;
  respuesta?: { texto: string; a: number };
  sku?: string;
}) {
  const fecha = new Date(Date.now() - (more.hace ?? 5) * MINUTO);
  return await db
    .insertInto('pregunta')
    .values({
      market: 'ml',
      marketId: String(13_900_000_000 + Math.floor(Math.random() * 90_000_000)),
      publicacionId: more.publicacionId,
      titulo: `Cámara ${more.publicacionId}`,
      sku: more.sku ?? null,
      compradorId: '900000001',
      texto: more.texto ?? '¿Tienen disponible?',
      estatus: more.respuesta ? 'respondida' : 'pendiente',
      respuesta: more.respuesta?.texto ?? null,
      respondidaEn: more.respuesta ? new Date(fecha.getTime() + more.respuesta.a * 1_000) : null,
      fecha,
      leidaEn: new Date(),
      datos: JSON.stringify({ from: { id: 900000001 }, secreto: 'XAXX010101000' }),
    })
    .returning(['id', 'marketId', 'version'])
    .executeTakeFirstOrThrow();
}
type Leida<T extends (args: ActionFunctionArgs) => unknown> = Awaited<ReturnType<T>>;
const porResponder = async (query = '') =>
  ((await responder(args('user', `responderPreguntas?${query}`))) as Leida<typeof responder>).lista;
const abierta = async (rol: Rol, lista: string, id: string) =>
  (await (await ficha(args(rol, `fichas/${lista}/${id}`, undefined, { lista, id }))).json()) as NonNullable<
    Awaited<ReturnType<typeof questionOf>>
  >;

test('questions that wait stand by listing, under the oldest, and are found by any of them', async () => {
  const oldest = await build({ publicacionId: 'MLM1', texto: '¿Sirve para exterior?', hace: 90 });
  const newer = await build({ publicacionId: 'MLM1', texto: '¿Trae tornillos?', hace: 3 });
  await build({ publicacionId: 'MLM1', respuesta: { texto: 'Sí.', a: 60 }, hace: 100 });
  const otra = await build({ publicacionId: 'MLM2', hace: 20 });
  const { ventana, totales } = await porResponder();
  expect(ventana.filas.map(({ id, esperan }) => [id, esperan])).toEqual([
    [oldest.id, 2],
    [otra.id, 1],
  ]);
  expect(totales).toMatchObject({ esperan: 3 });
  const found = await porResponder('q=tornillos');
  expect(found.ventana.filas.map(({ id }) => id)).toEqual([oldest.id]);
  expect((await abierta('user', 'responderPreguntas', oldest.id)).preguntas.map(({ id }) => id)).toEqual([
    oldest.id,
    newer.id,
  ]);
});

test('claims stand by what is left until they are due; those without a clock come next, and those that ended last', async () => {
  const ahora = Date.now();
  const comun = { market: 'ml', recurso: 'order', recursoId: '1', tipo: 'mediations' } as const;
  const claims: [clave: string, estatus: 'abierto' | 'cerrado', vence: number | null][] = [
    ['540001', 'abierto', null],
    ['540002', 'cerrado', 1],
    ['540003', 'abierto', 90],
    ['540004', 'abierto', -30],
    ['540005', 'abierto', 4],
  ];
  await db
    .insertInto('reclamo')
    .values(
      claims.map(([marketId, estatus, vence], at) => ({
        ...comun,
        marketId,
        estatus,
        venceEn: vence === null ? null : new Date(ahora + vence * MINUTO),
        // The order in which they came is another one.
        fecha: new Date(ahora - at * MINUTO),
        actualizadoEn: new Date(),
        leidoEn: new Date(),
        datos: '{}',
      })),
    )
    .execute();
  const { lista } = (await reclamos(args('sa', 'reclamos?orden=vence'))) as Leida<typeof reclamos>;
  const suyos = lista.ventana.filas.map(({ marketId }) => marketId).filter((clave) => clave.startsWith('54000'));
  expect(suyos).toEqual(['540004', '540005', '540003', '540001', '540002']);
  await db.deleteFrom('reclamo').where('marketId', 'like', '54000%').execute();
});

test('each question stands beside the picture of the product that its sku names', async () => {
  const { id, idProveedor, modelo } = await buildPorPublicar(db);
  const foto = new File([new Uint8Array(jpegOf(800, 600))], 'a.jpg');
  await addFotos(db, { id, fotos: [foto] }, people.get('user')!.id);
  await build({ publicacionId: 'MLM1', sku: `AMS|${idProveedor}|syscom|${modelo}`, hace: 9 });
  // A model alone names its product where one product of the supplier has it.
  await build({ publicacionId: 'MLM2', sku: `AMS|0|syscom|${modelo}`, hace: 8 });
  await build({ publicacionId: 'MLM3', sku: `AMS|0|ct|${modelo}`, hace: 7 });
  await build({ publicacionId: 'MLM4', hace: 6 });
  await porResponder();
  await runJobs();
  const suyo = { retrato: expect.stringMatching(/^\/fotos\//) as string };
  const lados = [suyo, suyo, { retrato: null }, { retrato: null }];
  expect((await porResponder()).ventana.filas.map(({ alLado }) => alLado)).toEqual(lados);
  const todas = ((await preguntas(args('user', 'preguntas'))) as Leida<typeof preguntas>).lista;
  expect(todas.ventana.filas.map(({ alLado }) => alLado)).toEqual([...lados].reverse());
});

test('each claim stands beside the picture of the product of its sale, in the list and in its panel', async () => {
  const { id, idProveedor, modelo } = await buildPorPublicar(db);
  await addFotos(db, { id, fotos: [new File([new Uint8Array(jpegOf(800, 600))], 'a.jpg')] }, people.get('user')!.id);
  const suya = await buildOrden(db, { sku: `AMS|${idProveedor}|syscom|${modelo}` });
  const ajena = await buildOrden(db, { sku: 'AMS|NO-ESTA|syscom|NO-ESTA' });
  const fecha = new Date();
  const comun = { market: 'ml', recurso: 'order', recursoId: '1', estatus: 'abierto', tipo: 'mediations' } as const;
  const filas = await db
    .insertInto('reclamo')
    .values(
      [suya.numOrden, ajena.numOrden, null].map((ordenMarketId, at) => ({
        ...comun,
        marketId: `53000${at}`,
        ordenMarketId,
        venceEn: new Date(fecha.getTime() + (at + 1) * MINUTO),
        fecha,
        actualizadoEn: fecha,
        leidoEn: fecha,
        datos: '{}',
      })),
    )
    .returning('id')
    .execute();
  const lados = async () => {
    const { lista } = (await reclamos(args('sa', 'reclamos'))) as Leida<typeof reclamos>;
    return filas.map((fila) => lista.ventana.filas.find((una) => una.id === fila.id)?.alLado);
  };
  const sin = { retrato: null };
  expect(await lados()).toEqual([sin, sin, sin]);
  await runJobs();
  expect(await lados()).toEqual([{ retrato: expect.stringMatching(/^\/fotos\//) as string }, sin, sin]);
  const panel = async (at: number) => {
    const params = { lista: 'reclamos', id: filas[at]!.id };
    const answer = await ficha(args('sa', `fichas/reclamos/${params.id}`, undefined, params));
    return ((await answer.json()) as NonNullable<Awaited<ReturnType<typeof reclamoOf>>>).alLado;
  };
  expect(await Promise.all([panel(0), panel(1), panel(2)])).toEqual([
    { foto: await readRetrato(db, id) },
    { foto: null },
    { foto: null },
  ]);
  expect(await readRetrato(db, id)).not.toBeNull();
});

test('one question of a listing is read alone where it is answered alone', async () => {
  const { id } = await build({ publicacionId: 'MLM1', hace: 90 });
  await build({ publicacionId: 'MLM1', hace: 3 });
  const path = `fichas/responderPreguntas/${id}?sola=1`;
  const answer = await ficha(args('user', path, undefined, { lista: 'responderPreguntas', id }));
  const { preguntas } = (await answer.json()) as NonNullable<Awaited<ReturnType<typeof questionOf>>>;
  expect(preguntas.map((una) => una.id)).toEqual([id]);
});

test('an answer is in time up to the hour of the marketplace, to the second', async () => {
  await build({ publicacionId: 'MLM1', respuesta: { texto: 'a', a: 3_600 } });
  await build({ publicacionId: 'MLM1', respuesta: { texto: 'b', a: 3_601 } });
  await build({ publicacionId: 'MLM1' });
  const { lista } = (await preguntas(args('sa', 'preguntas'))) as Leida<typeof preguntas>;
  expect(lista.totales).toMatchObject({ respondidas: 2, enUnaHora: 1 });
});

test('a template is filled with what is known of the listing, and what is not known stays to be filled', async () => {
  const send = (body: Record<string, string>, rol: Rol = 'sa') => enResponder(args(rol, 'responderPreguntas', body));
  const nueva = { intent: 'agregarPlantilla', nombre: 'Existencia', texto: 'Del {modelo} ({sku}) hay {existencia}.' };
  expect(await send({ ...nueva, texto: 'Hola {cliente}' })).toMatchObject({
    data: { error: { texto: [expect.stringContaining('No hay una variable {cliente}. Hay: {titulo}')] } },
  });
  expect(await send(nueva)).toBeInstanceOf(Response);
  expect(await send({ ...nueva, nombre: 'EXISTENCIA' })).toMatchObject({
    data: { error: { nombre: ['Ya hay una plantilla con ese nombre.'] } },
  });
  const { id } = await build({ publicacionId: 'MLM1', sku: 'AMS|77|SYSCOM|RX-4' });
  const { plantillas, variables } = await abierta('user', 'responderPreguntas', id);
  expect(plantillas.map(({ texto }) => fill(texto, variables))).toEqual([
    'Del {modelo} (AMS|77|SYSCOM|RX-4) hay {existencia}.',
  ]);
});

test('who answers may block; who does not may do neither; templates and claims are of those who see to them', async () => {
  const { id, version } = await build({ publicacionId: 'MLM1' });
  const responde = { intent: 'responder', pregunta: id, version: String(version), texto: 'Sí.' };
  const bloquea = { intent: 'bloquear', pregunta: id, bloquear: '1' };
  const say = (rol: Rol, body: Record<string, string>, action = enResponder) => action(args(rol, 'x', body));
  const no = (answer: Promise<unknown>, quien: string) =>
    expect(answer, quien).rejects.toThrow('El rol de este usuario no puede hacer este cambio.');
  for (const rol of ['aux', 'cont'] as const) {
    await no(say(rol, responde), rol);
    await no(say(rol, bloquea, enPreguntas), rol);
  }
  expect(await say('user', bloquea)).toMatchObject({ data: { confirmar: { titulo: 'Bloquear cliente' } } });
  await no(say('user', { intent: 'agregarPlantilla', nombre: 'a', texto: 'b' }), 'plantillas');
  await no(say('user', { intent: 'correoReclamo', reclamo: randomUUID() }, enReclamos), 'reclamos');
});

test('an answer is asked nothing, says how it is stopped, and is stopped by that', async () => {
  const { id, version } = await build({ publicacionId: 'MLM1' });
  const say = (body: Record<string, string>) => enResponder(args('user', 'responderPreguntas', body));
  const answer = (await say({ intent: 'responder', pregunta: id, version: String(version), texto: 'Sí.' })) as Response;
  expect(answer.status).toBe(302);
  const { enCamino } = (await abierta('user', 'responderPreguntas', id)).preguntas[0]!;
  expect(enCamino).toMatchObject({ texto: 'Sí.', detenible: true });
  const stopped = (await say({ intent: 'detenerRespuesta', pregunta: id, respuesta: enCamino!.id })) as Response;
  expect(stopped.headers.get('Location')).toContain(`ver=${id}`);
  expect((await abierta('user', 'responderPreguntas', id)).preguntas[0]).toMatchObject({
    enCamino: null,
    noSalio: { texto: 'Sí.', detenida: true },
  });
  expect(await say({ intent: 'detenerRespuesta', pregunta: id, respuesta: enCamino!.id })).toMatchObject({
    data: { error: { '': ['La respuesta ya salió: ya no se puede detener.'] } },
  });
});

test('who only answers opens what waits and no other list of questions, nor any claim', async () => {
  const { id } = await build({ publicacionId: 'MLM1' });
  expect((await abierta('user', 'responderPreguntas', id)).puede).toBe(true);
  for (const [rol, lista] of [
    ['user', 'preguntas'],
    ['user', 'reclamos'],
    ['aux', 'responderPreguntas'],
    ['cont', 'reclamos'],
  ] as const)
    await expect(abierta(rol, lista, id), `${rol} ${lista}`).rejects.toMatchObject({ status: 404 });
});

test('what a marketplace sent whole stays in the database: a panel shows what was asked, and nothing of who pays taxes', async () => {
  const { id } = await build({ publicacionId: 'MLM1', texto: '<b>¿Hay?</b>' });
  const dicho = JSON.stringify(await abierta('sa', 'preguntas', id));
  expect(dicho).toContain('<b>¿Hay?</b>');
  expect(dicho).not.toMatch(/XAXX010101000|secreto|rfc|razonSocial|datosFiscales/i);
});

test('Ctrl-K finds a question that waits where it is answered, and the others where they are read', async () => {
  const waits = await build({ publicacionId: 'MLM77', texto: '¿Aguanta la lluvia?' });
  const done = await build({ publicacionId: 'MLM77', texto: '¿Y la nieve?', respuesta: { texto: 'También.', a: 9 } });
  const found = async (rol: Rol, q: string) => {
    const pantallas = screensOf(rol).map(([key]) => key as string);
    return (
      await search(
        db,
        BUSCADORES.filter(({ pantalla }) => pantallas.includes(pantalla)),
        q,
      )
    ).flatMap(({ hallazgos }) => hallazgos.map(({ a }) => a.split('&')[0]!));
  };
  expect(await found('user', 'lluvia')).toEqual([`responderPreguntas?ver=${waits.id}`]);
  expect(await found('user', 'nieve')).toEqual([]);
  expect(await found('admin', 'lluvia')).toEqual([`responderPreguntas?ver=${waits.id}`, `preguntas?ver=${waits.id}`]);
  expect(await found('admin', done.marketId)).toContain(`preguntas?ver=${done.id}`);
});
