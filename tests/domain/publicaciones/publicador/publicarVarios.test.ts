/** Many products put on sale in one category: who is left out and why, each published once, and what became of each. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { lotesOf } from '~/access/lotes';
import { MARKETS } from '~/core/market';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { readVista } from '~/domain/publicaciones/publicador/borrador.server';
import { formularioGuardado } from '~/domain/publicaciones/publicador/categorias.server';
import { marketOfVarios, readVarios, respuestasDe } from '~/domain/publicaciones/publicador/publicarVarios.server';
import { chooseCategoria, saveOferta, saveRespuestas } from '~/domain/publicaciones/publicador/publish.server';
import { SIN_PUBLICACION } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

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
  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: false });
  await sql`delete from connection`.execute(db);
});

const LISTA = 'publicadorML';
const ACCION = ACCIONES['publicadorML.publicar']!;
const CAMARAS = 'MLM167538';
const OTRA = 'MLM167544';
const COMUNES = {
  CAMERA_TYPE: { valor: '7000' },
  RESOLUTION: { valor: '1080p' },
  IS_WIRELESS: { valor: '242084' },
  EMPTY_GTIN_REASON: { valor: '17055160' },
};
type Comunes = Record<string, { valor: string }>;

async function nuevo(de: Parameters<typeof buildPorPublicar>[1] = {}) {
  const producto = await buildPorPublicar(db, de);
  // The picture's domain is one of those that may be shown.
  const imagenes = [`https://fotos.syscom.mx.invalid/${producto.id}.png`];
  await db.updateTable('producto').set({ imagenes }).where('id', '=', producto.id).execute();
  return producto;
}

const decir = (respuestas: Comunes = COMUNES, categoriaId = CAMARAS) =>
  ACCION.pide!.complete!(db, { categoriaId, respuestas });
const preparar = (filas: readonly { id: string }[], datos: unknown) =>
  db.transaction().execute((trx) =>
    prepareBatch(trx, ACCION, {
      lista: LISTA,
      consulta: '',
      filas: filas.map(({ id }) => id),
      usuarioId: quien.id,
      datos,
    }),
  );
const empezar = (id: string) => db.transaction().execute((trx) => startBatch(trx, ACCION, id, quien.id));
const leer = async (id: string) => (await readPreparedBatch(db, ACCIONES, id, quien.id))!;
const filasDe = async (id: string) => (await leer(id)).filas.map(({ estado, motivo }) => [estado, motivo]);

async function publicar(filas: readonly { id: string }[], respuestas?: Comunes) {
  const lote = await preparar(filas, await decir(respuestas));
  await empezar(lote);
  await runBatch(db, ACCIONES, lote);
  await runUntilSettled();
  return lote;
}

const borrador = async ({ id }: { id: string }) =>
  (await readVista(db, 'ml', id, { paso: null, q: null, nodo: null }))!.borrador;
const puestas = ({ id }: { id: string }) =>
  db
    .selectFrom('publicacion')
    .select(['tipo', 'categoriaId', 'precio', 'precioEscrito', 'stock', 'autoSync', 'estatus'])
    .where('productoId', '=', id)
    .execute();
const efectos = ({ id }: { id: string }) =>
  db
    .selectFrom('effect')
    .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
    .select('effect.state')
    .where('entidadId', '=', id)
    .execute();

test('each product is put on sale once, however often the batch is run, at the price that stood in the question', async () => {
  const productos = [await nuevo(), await nuevo({ marca: null })];
  const lote = await preparar(productos, await decir());
  const { avance, suma, filas, datos } = await leer(lote);
  expect(filas.map(({ titulo, importe }) => [titulo, importe?.toFixed(2)])).toEqual(
    Array(2).fill(['Cámara bala 1080p lente 2.8 mm · Clásica $870.00', '870.00']),
  );
  expect(ACCION.pregunta!(avance.total, suma, datos).hechos).toMatch(
    /^2 productos en «.*Cámaras de Vigilancia.*» de Mercado Libre, cada uno al precio de su fila: en total \$1,740\.00\. No se deshace/,
  );
  await Promise.all([empezar(lote), empezar(lote)]);
  await Promise.all([runBatch(db, ACCIONES, lote), runBatch(db, ACCIONES, lote)]);
  await runUntilSettled();
  await runBatch(db, ACCIONES, lote);
  expect(await filasDe(lote)).toEqual([
    ['hecha', null],
    ['hecha', null],
  ]);
  for (const producto of productos) {
    expect(await efectos(producto)).toEqual([{ state: 'done' }]);
    expect(await puestas(producto)).toMatchObject([
      { tipo: 'gold_special', categoriaId: CAMARAS, stock: 9, autoSync: true, precioEscrito: null, estatus: 'active' },
    ]);
    const sku = `AMS|${producto.idProveedor}|syscom|${producto.modelo}`;
    const allaTodas = await sandbox.mercadolibre.get<{ price: number }[]>(`/publicadas?sku=${encodeURIComponent(sku)}`);
    expect(allaTodas.map(({ price }) => price)).toEqual([870]);
    // Nothing of it is left to be done.
    expect((await borrador(producto)).version).toBe(0);
  }
}, 60_000);

test('what cannot be published is left out with its reason, before and after the category is said', async () => {
  const sinFoto = await buildPorPublicar(db);
  const [sinPrecio, sinPiezas, retirado, publicado, otra, bueno] = [
    await nuevo(),
    await nuevo(),
    await nuevo(),
    await nuevo(),
    await nuevo(),
    await nuevo(),
  ];
  const oferta = (id: string) => db.updateTable('oferta').where('productoId', '=', id);
  await oferta(sinPrecio.id).set({ precio: null, moneda: null, sinPrecio: 'proyecto' }).execute();
  await oferta(sinPiezas.id).set({ existencia: 0 }).execute();
  await db.updateTable('producto').set({ enVenta: false }).where('id', '=', retirado.id).execute();
  await publicar([publicado]);
  await chooseCategoria(db, otra.id, { version: 0, categoriaId: OTRA }, quien);

  const todos = [sinFoto, sinPrecio, sinPiezas, retirado, publicado, otra, bueno];
  const antes = [
    ['fuera', 'No tiene fotos que sirvan: sube una en su Publicador.'],
    ['fuera', 'El proveedor solo lo cotiza por proyecto.'],
    ['fuera', 'El proveedor no tiene piezas de este producto.'],
    ['fuera', 'El proveedor ya no lo vende.'],
    ['fuera', 'Ya está publicado en Mercado Libre.'],
  ];
  const sinDecir = await preparar(todos, null);
  expect(await filasDe(sinDecir)).toEqual([...antes, ['pendiente', null], ['pendiente', null]]);
  // Nobody says yes to a category that was not said.
  await expect(empezar(sinDecir)).rejects.toThrow('Falta lo que es igual para todo lo elegido.');
  const dicho = await preparar(todos, await decir());
  expect(await filasDe(dicho)).toEqual([
    ...antes,
    ['fuera', expect.stringMatching(/^Su borrador está en «[^»]+»: termínalo en su Publicador\.$/)],
    ['pendiente', null],
  ]);
}, 60_000);

test('what each product answers by itself is not asked, and what was said for all outranks an older answer', async () => {
  const [propio, sinModelo] = [await nuevo(), await nuevo()];
  await chooseCategoria(db, propio.id, { version: 0, categoriaId: CAMARAS }, quien);
  const campos = (await formularioGuardado(db, 'ml', CAMARAS))!;
  const valor = { BRAND: 'Otra', RESOLUTION: '4K' };
  await saveRespuestas(db, propio.id, campos, { version: 1, valor }, quien);
  const nombres = async (filas: { id: string }[]) => {
    const pedido = { q: null, nodo: null, categoriaId: CAMARAS, datos: null };
    const { elegida } = await readVarios(
      db,
      'ml',
      filas.map(({ id }) => id),
      pedido,
    );
    return { ids: elegida!.campos.map(({ id }) => id), solos: elegida!.solos };
  };
  const todos = await nombres([propio, sinModelo]);
  expect(todos.solos).toEqual(expect.arrayContaining(['Marca', 'Modelo']));
  expect(todos.ids).toEqual(expect.arrayContaining(['RESOLUTION', 'GTIN']));
  expect(todos.ids).not.toContain('MODEL');
  await db
    .updateTable('producto')
    .set({ modelo: null, modeloFabricante: null })
    .where('id', '=', sinModelo.id)
    .execute();
  expect((await nombres([propio, sinModelo])).ids).toContain('MODEL');
  // Without the common model one of them is left out; with it, it is the model of that one alone.
  expect(await filasDe(await preparar([propio, sinModelo], await decir()))).toEqual([
    ['pendiente', null],
    ['fuera', 'Modelo: Este dato es requerido'],
  ]);
  await publicar([propio, sinModelo], { ...COMUNES, MODEL: { valor: 'X-1' } });
  const cuerpos = await Promise.all(
    [propio, sinModelo].map(async ({ id }) => {
      const { request } = await db
        .selectFrom('effect')
        .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
        .select('effect.request')
        .where('entidadId', '=', id)
        .executeTakeFirstOrThrow();
      const { attributes } = (request as { cuerpo: { attributes: { id: string; value_name?: string }[] } }).cuerpo;
      return ['BRAND', 'MODEL', 'RESOLUTION'].map((uno) => attributes.find(({ id: de }) => de === uno)?.value_name);
    }),
  );
  expect(cuerpos).toEqual([
    ['Otra', expect.stringMatching(/^DS-2CE/), '1080p'],
    ['Hikvision', 'X-1', '1080p'],
  ]);
}, 60_000);

test('the reason for a missing bar code is given by the products without one alone', async () => {
  const { campos } = (await formularioGuardado(db, 'ml', CAMARAS))!;
  const de = (gtins: string[]) =>
    Object.keys(
      respuestasDe(campos, { marca: null, modelo: 'M', modeloFabricante: null, gtins }, undefined, {
        EMPTY_GTIN_REASON: { valor: '17055160' },
      }),
    );
  expect(de([])).toContain('EMPTY_GTIN_REASON');
  expect(de(['7501234567893'])).toEqual(expect.arrayContaining(['GTIN']));
  expect(de(['7501234567893'])).not.toContain('EMPTY_GTIN_REASON');
});

test('a wrong or missing common answer is told at its field, and so is a category where nothing is put on sale', async () => {
  const { RESOLUTION: _, ...sinResolucion } = COMUNES;
  await expect(decir(sinResolucion)).rejects.toMatchObject({
    message: 'Resolución: Este dato es requerido',
    campo: 'valor.RESOLUTION',
  });
  await expect(decir({ ...COMUNES, CAMERA_TYPE: { valor: 'x' } })).rejects.toMatchObject({
    campo: 'valor.CAMERA_TYPE',
  });
  await expect(decir(COMUNES, 'MLM1000')).rejects.toThrow(/más adentro/);
});

test('what moved since the question is told at its row, and nothing of it is published', async () => {
  const [caro, tocado, vendido, quieto] = [await nuevo(), await nuevo(), await nuevo(), await nuevo()];
  const lote = await preparar([caro, tocado, vendido, quieto], await decir());
  await db.updateTable('oferta').set({ precio: '600.00' }).where('productoId', '=', caro.id).execute();
  await db.updateTable('producto').set({ nombre: 'Otra cámara' }).where('id', '=', tocado.id).execute();
  await publicar([vendido]);
  await empezar(lote);
  await runBatch(db, ACCIONES, lote);
  await runUntilSettled();
  expect(await filasDe(lote)).toEqual([
    ['fallida', 'El precio cambió desde que se preguntó: era $870.00 y ahora es $1,044.00.'],
    ['fallida', 'Su borrador o su ficha cambiaron desde que se preguntó. Míralo otra vez.'],
    ['fallida', 'Ya está publicado en Mercado Libre.'],
    ['hecha', null],
  ]);
  for (const producto of [caro, tocado]) {
    expect(await efectos(producto)).toEqual([]);
    expect((await borrador(producto)).version, 'not even a draft').toBe(0);
  }
  expect(await puestas(vendido)).toHaveLength(1);
}, 60_000);

test('what the marketplace refuses stands at its row and in its draft, and is published with what was missing', async () => {
  const producto = await nuevo();
  const { EMPTY_GTIN_REASON, ...sinMotivo } = COMUNES;
  const falta = 'GTIN: Escribe el código de barras, o elige por qué no lo tiene.';
  const [[estado, motivo] = []] = await filasDe(await publicar([producto], sinMotivo));
  expect(estado).toBe('fallida');
  expect(motivo).toContain(falta.slice(6));
  expect((await borrador(producto)).problemas.map(({ campo }) => campo)).toContain('GTIN');
  expect(await efectos(producto)).toEqual([]);

  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: true });
  const negado = await publicar([producto], { ...sinMotivo, EMPTY_GTIN_REASON });
  expect((await leer(negado)).filas).toMatchObject([{ estado: 'fallida', negada: true }]);
  expect((await borrador(producto)).problemas).toMatchObject([{ campo: 'BRAND' }]);
  expect(ACCION.corrige).toMatchObject({ pantalla: 'publicadorML', campo: 'ver', con: 'id' });

  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: false });
  expect(await filasDe(await publicar([producto]))).toEqual([['hecha', null]]);
  expect(await puestas(producto)).toHaveLength(1);
}, 60_000);

test('what was refused is proposed anew at the price of today, and a price that a person wrote stays', async () => {
  const producto = await nuevo();
  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: true });
  await publicar([producto]);
  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: false });
  await db
    .updateTable('oferta')
    .set({ precio: '600.00', existencia: 4 })
    .where('productoId', '=', producto.id)
    .execute();
  await publicar([producto]);
  expect(await puestas(producto)).toMatchObject([{ stock: 4, precioEscrito: null }]);
  expect((await puestas(producto))[0]!.precio?.toFixed(2)).toBe('1044.00');

  const escrito = await nuevo();
  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: true });
  await publicar([escrito]);
  await sandbox.mercadolibre.post('/interruptores', { negarAlPublicar: false });
  const { version, datos } = await borrador(escrito);
  const { imagenes } = datos.oferta!;
  const oferta = {
    ...{ version, titulo: 'Mi cámara', descripcion: null, clasica: '999.00', premium: null, stock: '2' },
    ...{ garantiaMeses: '12', imagenes: imagenes.map(({ url }) => url), seguir: 'on' as const },
  };
  await saveOferta(db, escrito.id, oferta, quien);
  const lote = await publicar([escrito]);
  expect((await leer(lote)).filas).toMatchObject([
    { estado: 'hecha', titulo: 'Mi cámara · Clásica $999.00 · con el precio y las piezas de su borrador' },
  ]);
  expect(await puestas(escrito)).toMatchObject([{ stock: 2 }]);
}, 60_000);

test('a marketplace that is not there is told at each row, which can be tried again', async () => {
  const producto = await nuevo();
  const lote = await preparar([producto], await decir());
  await empezar(lote);
  await sandbox.mercadolibre.failNext('503', { route: `GET /categories/${CAMARAS}` });
  await runBatch(db, ACCIONES, lote);
  expect(await filasDe(lote)).toEqual([['fallida', expect.stringMatching(/^Mercado Libre no contestó/)]]);
  const { datos } = await leer(lote);
  const otro = await preparar([producto], datos);
  await empezar(otro);
  await runBatch(db, ACCIONES, otro);
  await runUntilSettled();
  expect(await filasDe(otro)).toEqual([['hecha', null]]);
}, 60_000);

test('a list offers the act where its marketplace takes products by category, and nowhere else', () => {
  const ofrecen = MARKETS.filter((market) =>
    lotesOf({ rol: 'sa' }, SIN_PUBLICACION[market].lista).some((accion) => marketOfVarios(accion) === market),
  );
  const pueden = MARKETS.filter((market) => marketOfVarios(`${SIN_PUBLICACION[market].lista}.publicar`) !== undefined);
  expect(ofrecen).toEqual(pueden);
  expect(pueden).not.toHaveLength(0);
  expect(pueden).not.toHaveLength(MARKETS.length);
});
