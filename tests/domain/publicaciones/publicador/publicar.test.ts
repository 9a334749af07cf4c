/** From a product nobody sells to one listing of each kind that was asked for, told step by step. */
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readVista } from '~/domain/publicaciones/publicador/borrador.server';
import { bringPublicacion } from '~/domain/publicaciones/publicaciones/bringPublicacion.server';
import { readDescripciones } from '~/domain/publicaciones/publicaciones/descripciones.server';
import { readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { formularioGuardado, nameCategorias } from '~/domain/publicaciones/publicador/categorias.server';
import {
  chooseCategoria,
  hechosOfPublicar,
  saveOferta,
  saveRespuestas,
  publish,
} from '~/domain/publicaciones/publicador/publish.server';
import { pasoOfRechazo } from '~/domain/publicaciones/publicador/publicador';
import { OfertaForm } from '~/domain/publicaciones/publicador/forms';
import { action } from '~/routes/publicaciones/publicador/publicador';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';
import { PROBADA } from '../../../support/sesion';

process.env.EFFECT_PACE = '0.02';
// Pictures of suppliers cannot be reached from a test: the marketplace is left to fetch them.
process.env.IMAGENES_DE = 'syscom.mx.invalid';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandbox(db, sandbox);
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sandbox.mercadolibre.post('/interruptores', { cuentaUp: false, negarAlPublicar: false });
  await sql`delete from connection`.execute(db);
});

const CAMARAS = 'MLM167538';
const RESPUESTAS = {
  BRAND: 'Hikvision',
  MODEL: 'DS-2CE',
  CAMERA_TYPE: '7000',
  RESOLUTION: '1080p',
  IS_WIRELESS: '242084',
  EMPTY_GTIN_REASON: '17055160',
};
const versionDe = async (productoId: string) =>
  (await db.selectFrom('publicacionBorrador').select('version').where('productoId', '=', productoId).executeTakeFirst())
    ?.version ?? 0;
const vistaDe = async (productoId: string, paso: string | null = null) =>
  (await readVista(db, 'ml', productoId, { paso, q: null, nodo: null }))!;

async function responder(productoId: string, valor: Record<string, string | null>, unidad?: Record<string, string>) {
  const formulario = (await formularioGuardado(db, 'ml', CAMARAS))!;
  const version = await versionDe(productoId);
  return saveRespuestas(db, productoId, formulario, { version, valor, ...(unidad && { unidad }) }, quien);
}

async function preparar(precios: { clasica?: string; premium?: string } = { clasica: '1000' }) {
  const producto = await buildPorPublicar(db);
  // The picture's domain is one of those that may be shown.
  const url = `https://fotos.syscom.mx.invalid/${producto.id}.png`;
  await db
    .updateTable('producto')
    .set({ imagenes: [url] })
    .where('id', '=', producto.id)
    .execute();
  await chooseCategoria(db, producto.id, { version: 0, categoriaId: CAMARAS }, quien);
  expect(await responder(producto.id, RESPUESTAS)).toEqual({ completo: true });
  const oferta = OfertaForm.parse({
    version: await versionDe(producto.id),
    titulo: `Cámara ${producto.idProveedor}`,
    descripcion: 'Una cámara.',
    ...precios,
    stock: '5',
    garantiaMeses: '12',
    imagenes: [url],
    seguir: 'on',
  });
  await saveOferta(db, producto.id, oferta, quien);
  return { ...producto, sku: `AMS|${producto.idProveedor}|syscom|${producto.modelo}` };
}
const sale = async ({ id }: { id: string }) => publish(db, id, await versionDe(id), quien);
const efectos = ({ id }: { id: string }) =>
  db
    .selectFrom('effect')
    .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
    .select(['effect.id', 'effect.state', 'effect.reason', 'effect.sends'])
    .where('entidadId', '=', id)
    .orderBy('effect.id')
    .execute();
const publicaciones = ({ id }: { id: string }) =>
  db
    .selectFrom('publicacion')
    .select([
      'clave',
      'sku',
      'tipo',
      'precio',
      'precioEscrito',
      'stock',
      'categoriaId',
      'descripcion',
      'autoSync',
      'estatus',
    ])
    .where('productoId', '=', id)
    .orderBy('tipo')
    .execute();
type Alla = { id: string; title: string; price: number; categoryId: string; listingType: string };
const alla = (sku: string) => sandbox.mercadolibre.get<Alla[]>(`/publicadas?sku=${encodeURIComponent(sku)}`);

test('what the category asks is known before it is typed, and what is missing is told at its field', async () => {
  const producto = await buildPorPublicar(db, { marca: null });
  await chooseCategoria(db, producto.id, { version: 0, categoriaId: CAMARAS }, quien);
  const vista = await vistaDe(producto.id);
  expect(vista.paso).toBe('2');
  expect(vista.respuestas).toMatchObject({
    BRAND: { valor: 'Trastienda' },
    MODEL: { valor: expect.stringMatching(/^DS-2CE-\d+$/) },
  });
  expect(vista.categoria!.ruta.map(({ nombre }) => nombre)).toContain('Videovigilancia');
  const { completo } = await responder(producto.id, {
    ...RESPUESTAS,
    RESOLUTION: null,
    VIEWING_ANGLE: 'ancho',
    EMPTY_GTIN_REASON: null,
  });
  expect(completo).toBe(false);
  const { borrador } = await vistaDe(producto.id);
  expect(new Map(borrador.problemas.map(({ campo, texto }) => [campo, texto]))).toEqual(
    new Map([
      ['RESOLUTION', 'Este dato es requerido'],
      ['VIEWING_ANGLE', 'Se escribe solo con números.'],
      ['GTIN', 'Escribe el código de barras, o elige por qué no lo tiene.'],
    ]),
  );
  // What was typed is kept all the same.
  expect(borrador.datos.respuestas).toMatchObject({ VIEWING_ANGLE: { valor: 'ancho' } });
});

test('a category that asks for a grid of sizes says so instead of failing later', async () => {
  const producto = await buildPorPublicar(db);
  const asked = chooseCategoria(db, producto.id, { version: 0, categoriaId: 'MLM112156' }, quien);
  await expect(asked).rejects.toThrow(/guía de tallas/);
  await expect(chooseCategoria(db, producto.id, { version: 0, categoriaId: 'MLM1000' }, quien)).rejects.toThrow(
    /más adentro/,
  );
});

test('each kind is put on sale once, with the price of its own, and follows its supplier', async () => {
  const producto = await preparar({ clasica: '870', premium: '1,200' });
  // By the rule both would stand at 870: the price that a person typed is told beforehand, and kept as theirs.
  expect(await hechosOfPublicar(db, producto.id)).toMatch(
    /· La regla de Premium da \$870\.00: tu precio queda hasta que alguien acepte el cambio$/,
  );
  expect(await sale(producto)).toEqual({ problemas: [] });
  await runUntilSettled();
  expect((await efectos(producto)).map(({ state }) => state)).toEqual(['done', 'done']);
  const puestas = await publicaciones(producto);
  expect(puestas).toMatchObject([
    {
      sku: producto.sku,
      tipo: 'gold_pro',
      categoriaId: CAMARAS,
      autoSync: true,
      stock: 5,
      estatus: 'active',
      descripcion: 'Una cámara.',
    },
    { sku: producto.sku, tipo: 'gold_special' },
  ]);
  expect(puestas.map(({ precio }) => String(precio))).toEqual(['1200.00', '870.00']);
  expect(puestas.map(({ precioEscrito }) => precioEscrito?.toFixed(2) ?? null)).toEqual(['1200.00', null]);
  expect((await alla(producto.sku)).map(({ price }) => price).sort((a, b) => a - b)).toEqual([870, 1200]);
  // Nothing of it is left to be done.
  expect(await versionDe(producto.id)).toBe(0);
  // A category that nobody opened has a name before anybody looks at its listing.
  await db.deleteFrom('categoria').execute();
  expect(await nameCategorias(db, 'ml')).toBeGreaterThan(0);
  const nombrada = await db
    .selectFrom('categoria')
    .select('nombre')
    .where('categoriaId', '=', CAMARAS)
    .executeTakeFirstOrThrow();
  expect(nombrada.nombre).toContain('Cámaras');
  expect(await nameCategorias(db, 'ml'), 'each is asked once').toBe(0);
  // A text that was written at the marketplace is read too; a listing without one is asked once.
  await db.updateTable('publicacion').set({ descripcion: null }).execute();
  // The newest is refused, and keeps no other back.
  const { clave } = await db
    .selectFrom('publicacion')
    .select('clave')
    .orderBy('fechaCreacion', 'desc')
    .executeTakeFirstOrThrow();
  await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: `/items/${clave}/description` });
  expect(await readDescripciones(db, 'ml')).toBeGreaterThan(0);
  await sandbox.mercadolibre.post('/interruptores', { noEsTuyo: '' });
  // It is asked for a day later, and not before.
  expect(await readDescripciones(db, 'ml')).toBe(0);
  await sql`update publicacion set descripcion_pedir_en = descripcion_pedir_en - interval '1 day'`.execute(db);
  expect(await readDescripciones(db, 'ml')).toBe(1);
  const textos = await db.selectFrom('publicacion').select('descripcion').where('sku', '=', producto.sku).execute();
  expect(textos).toEqual([{ descripcion: 'Una cámara.' }, { descripcion: 'Una cámara.' }]);
  expect(await readDescripciones(db, 'ml')).toBe(0);
  const { id } = await db
    .selectFrom('publicacion')
    .select('id')
    .where('sku', '=', producto.sku)
    .where('tipo', '=', 'gold_pro')
    .executeTakeFirstOrThrow();
  await db.updateTable('publicacion').set({ descripcion: 'Vieja.' }).where('id', '=', id).execute();
  await bringPublicacion(db, id);
  expect((await readPublicacion(db, id))?.descripciones).toEqual(['Una cámara.']);
});

test.each(['reset-after-doing', '500-after-doing', 'half-answer', 'html'])(
  'an answer that was lost (%s) is looked up by the sku, never sent again',
  async (mode) => {
    const producto = await preparar();
    await sale(producto);
    await sandbox.mercadolibre.failNext(mode, { route: 'POST /items', contains: producto.sku });
    await runUntilSettled();
    expect(await alla(producto.sku)).toHaveLength(1);
    expect((await efectos(producto)).map(({ state }) => state)).toEqual(['done']);
    expect(await publicaciones(producto)).toHaveLength(1);
  },
);

test('one that cannot be found goes to people, who ask for it again', async () => {
  const producto = await preparar();
  const real = await sale(producto);
  expect(real.problemas).toEqual([]);
  await sandbox.mercadolibre.failNext('hang', { route: 'POST /items', ms: 50, contains: producto.sku });
  await runUntilSettled();
  const [effect] = await efectos(producto);
  expect(effect).toMatchObject({ state: 'manual', sends: 1 });
  expect(effect!.reason).toMatch(/Búscala en la cuenta/);
  expect(await alla(producto.sku)).toHaveLength(0);
});

test('what is refused before it is sent is told field by field, and nothing leaves', async () => {
  const producto = await preparar({ clasica: '20' });
  const { problemas } = await sale(producto);
  expect(problemas).toEqual([{ campo: 'precio', texto: 'El precio es menor al mínimo de la categoría.' }]);
  expect(await efectos(producto)).toEqual([]);
});

test('a refusal opens the step of the field that was refused, which is ticked no more', async () => {
  const producto = await preparar({ clasica: '20' });
  const hechos = async () => (await vistaDe(producto.id)).pasos.map(({ hecho }) => hecho);
  expect(await hechos()).toEqual([true, true, true, false]);
  const body = new URLSearchParams({
    intent: 'publicar',
    version: String(await versionDe(producto.id)),
    confirmado: '1',
  });
  const answer = (await action({
    request: new Request(`http://trastienda.test/sa/publicadorML?ver=${producto.id}&paso=4`, { method: 'POST', body }),
    params: {},
    context: { usuario: { ...quien, rol: 'sa' }, sesion: PROBADA } as unknown as AppLoadContext,
  } as ActionFunctionArgs)) as Response;
  expect(new URL(answer.headers.get('Location')!, 'http://trastienda.test').searchParams.get('paso')).toBe('3');
  expect(await hechos()).toEqual([true, true, false, false]);
});

test('the step that corrects a refusal is that of its first field, and the review where none has one', () => {
  const precio = { campo: 'precio' };
  expect(pasoOfRechazo([precio])).toBe('3');
  expect(pasoOfRechazo([{ campo: null }, { campo: 'BRAND' }, precio])).toBe('2');
  expect(pasoOfRechazo([{ campo: 'categoria' }])).toBe('1');
  expect(pasoOfRechazo([{ campo: null }])).toBe('4');
});

test('what is refused although it was found good is told on the draft, which stays', async () => {
  const producto = await preparar();
  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: true });
  await sale(producto);
  await runUntilSettled();
  expect(await efectos(producto)).toMatchObject([{ state: 'refused' }]);
  const { borrador } = await vistaDe(producto.id);
  expect(borrador.problemas).toEqual([
    { campo: 'BRAND', texto: 'La marca pide que Mercado Libre autorice a la cuenta.' },
  ]);
  expect(await alla(producto.sku)).toEqual([]);
});

test('an account of user products publishes by family name', async () => {
  await sandbox.mercadolibre.post('/interruptores', { cuentaUp: true });
  const producto = await preparar();
  await sale(producto);
  await runUntilSettled();
  expect((await efectos(producto)).map(({ state }) => state)).toEqual(['done']);
});

test('two people at one draft: the second is told, and nothing is published twice', async () => {
  const producto = await preparar();
  const version = await versionDe(producto.id);
  const pressed = await Promise.allSettled([
    publish(db, producto.id, version, quien),
    publish(db, producto.id, version, quien),
  ]);
  expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await runUntilSettled();
  expect(await alla(producto.sku)).toHaveLength(1);
});

test('where the suggestion does not come the tree serves, and a suggestion serves without its path', async () => {
  const { id } = await buildPorPublicar(db);
  await sandbox.mercadolibre.failNext('503', { route: 'GET /sites/MLM/domain_discovery/search' });
  const { eleccion } = await vistaDe(id);
  expect(eleccion).toMatchObject({ sugeridas: [], fallaArbol: null });
  expect(eleccion?.falla).toMatch(/^Mercado Libre no contestó/);
  expect(eleccion?.raices.length).toBeGreaterThan(0);
  expect((await vistaDe(id)).eleccion).toMatchObject({ falla: null, sugeridas: [{ id: CAMARAS, publicable: true }] });

  await sandbox.mercadolibre.failNext('503', { route: `GET /categories/${CAMARAS}` });
  const sinRuta = (await vistaDe(id)).eleccion;
  expect(sinRuta).toMatchObject({ falla: null, sugeridas: [{ id: CAMARAS, ruta: [{ id: CAMARAS }] }] });

  await sandbox.mercadolibre.failNext('503', { route: 'GET /sites/MLM/categories' });
  const sinArbol = (await vistaDe(id)).eleccion;
  expect(sinArbol).toMatchObject({ falla: null, raices: [], sugeridas: [{ id: CAMARAS }] });
  expect(sinArbol?.fallaArbol).toMatch(/^Mercado Libre no contestó/);
});
