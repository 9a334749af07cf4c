/** From a product nobody sells at Amazon to a listing of it: an offer where its page exists, and a page of its own where it does not. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Money } from '~/core/money';
import { meets } from '~/domain/mercados/amz/internal/camposAmz';
import { readVista } from '~/domain/publicaciones/publicador/borrador.server';
import { formularioGuardado } from '~/domain/publicaciones/publicador/categorias.server';
import { chooseCategoria, saveOferta, saveRespuestas, publish } from '~/domain/publicaciones/publicador/publish.server';
import { OfertaForm } from '~/domain/publicaciones/publicador/forms';
import { markAusentes } from '~/domain/publicaciones/publicaciones/internal/savePublicaciones.server';
import { bringPublicacion } from '~/domain/publicaciones/publicaciones/bringPublicacion.server';
import { linkSandboxAmazon } from '../../../support/amazon';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { runJobs, runUntilSettled } from '../../../support/jobs';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
// Pictures of suppliers cannot be reached from a test: the marketplace is left to fetch them.
process.env.IMAGENES_DE = 'syscom.mx.invalid';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
let quien: Awaited<ReturnType<typeof buildQuien>>;

type Puesta = {
  sku: string;
  status: string;
  productType: string;
  requirements: string;
  attributes: Record<string, unknown>;
};
const puestas = async () => (await amz.get<{ puestas: Puesta[] }>('/publicaciones')).puestas;
const versionDe = async (id: string) =>
  (await db.selectFrom('publicacionBorrador').select('version').where('productoId', '=', id).executeTakeFirst())
    ?.version ?? 0;
const vistaDe = async (id: string, q: string | null = null) =>
  (await readVista(db, 'amz', id, { paso: q === null ? null : '1', q, nodo: null }))!;
const problemasDe = async (id: string) =>
  (await db.selectFrom('publicacionBorrador').select('problemas').where('productoId', '=', id).executeTakeFirst())
    ?.problemas;
const efecto = () =>
  db
    .selectFrom('effect')
    .selectAll()
    .where('type', '=', 'amz.publicar')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
const fila = (clave: string) =>
  db.selectFrom('publicacion').selectAll().where('market', '=', 'amz').where('clave', '=', clave).executeTakeFirst();
const unaVuelta = async () => {
  await db
    .updateTable('effect')
    .set({ nextAt: sql<Date>`now()` })
    .where('state', '=', 'unknown')
    .execute();
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(ownerDatabase().db);
  await runJobs();
};

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandboxAmazon(db, sandbox);
  await runJobs();
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await amz.post('/interruptores', { alta: 'activa', largoDeSku: 'crudo' });
  await amz.post('/demoras', { cambio: 0 });
});

const elegir = async (id: string, categoriaId: string) =>
  chooseCategoria(db, id, { version: await versionDe(id), categoriaId }, quien, 'amz');
async function responder(
  id: string,
  categoriaId: string,
  valor: Record<string, string | null>,
  unidad?: Record<string, string>,
) {
  const formulario = (await formularioGuardado(db, 'amz', categoriaId))!;
  return saveRespuestas(
    db,
    id,
    formulario,
    { version: await versionDe(id), valor, ...(unidad && { unidad }) },
    quien,
    'amz',
  );
}
async function ofrecer(id: string, imagenes: string[] = []) {
  const oferta = OfertaForm.parse({
    version: await versionDe(id),
    titulo: 'Cámara bala',
    descripcion: 'Una cámara.',
    clasica: '1499',
    stock: '4',
    garantiaMeses: '0',
    imagenes,
    seguir: 'on',
  });
  await saveOferta(db, id, oferta, quien, 'amz');
}
const sale = async (id: string) => publish(db, id, await versionDe(id), quien, 'amz');
const CAMARA = {
  brand: 'Hikvision',
  connectivity_technology: 'wired',
  batteries_required: 'false',
  country_of_origin: 'CN',
  externally_assigned_product_identifier: '6941264000020',
};

async function porFichaNueva(respuestas: Record<string, string> = CAMARA) {
  const producto = await buildPorPublicar(db);
  const url = `https://fotos.syscom.mx.invalid/${producto.id}.png`;
  await db
    .updateTable('producto')
    .set({ imagenes: [url] })
    .where('id', '=', producto.id)
    .execute();
  await elegir(producto.id, 'SECURITY_CAMERA');
  const respondido = await responder(producto.id, 'SECURITY_CAMERA', respuestas);
  return { ...producto, url, respondido, sku: `AMS|${producto.idProveedor}|syscom|${producto.modelo}` };
}

describe('an offer on a page that exists', () => {
  test('is suggested first by the code of the product, and says only what is ours of it', async () => {
    const { id, idProveedor, modelo } = await buildPorPublicar(db, { gtins: ['6941264000013'] });
    const { eleccion } = await vistaDe(id);
    expect(eleccion?.sugeridas[0]).toMatchObject({ id: 'ASIN_B0FICHA001' });
    expect(eleccion?.sugeridas[0]?.ruta[0]?.nombre).toBe('Ya está en Amazon');
    expect(await elegir(id, 'ASIN_B0FICHA001')).toEqual({ completo: true });
    expect((await vistaDe(id)).paso).toBe('3');
    expect(await responder(id, 'ASIN_B0FICHA001', {})).toEqual({ completo: true });
    await ofrecer(id);
    expect(await sale(id)).toEqual({ problemas: [] });
    await runUntilSettled();
    const sku = `AMS|${idProveedor}|syscom|${modelo}`;
    const [puesta] = (await puestas()).filter((una) => una.sku === sku);
    expect(puesta).toMatchObject({
      status: 'ACCEPTED',
      requirements: 'LISTING_OFFER_ONLY',
      productType: 'SECURITY_CAMERA',
    });
    const { precioEscrito } = await db
      .selectFrom('publicacion')
      .select('precioEscrito')
      .where('sku', '=', sku)
      .executeTakeFirstOrThrow();
    expect(precioEscrito?.toFixed(2), 'a typed price is asked about before it is changed').toBe('1499.00');
    expect(Object.keys(puesta!.attributes).sort()).toEqual([
      'condition_type',
      'fulfillment_availability',
      'merchant_suggested_asin',
      'purchasable_offer',
    ]);
    expect(await fila(sku)).toMatchObject({
      marketId: 'B0FICHA001',
      estatus: 'DONE',
      stock: 4,
      autoSync: true,
      productoId: id,
    });
    expect(await problemasDe(id)).toBeUndefined();
  });

  test('is found by a code that somebody types', async () => {
    const { id } = await buildPorPublicar(db);
    const { eleccion } = await vistaDe(id, '7501234567893');
    expect(eleccion?.sugeridas.map((una) => una.id)).toEqual(['ASIN_B0FICHA002']);
    // What only sounds alike is another thing, and never the first to be chosen.
    const parecida = await vistaDe(id);
    expect(parecida.eleccion?.sugeridas.map((una) => [una.id, una.parecida])).toEqual([
      ['SECURITY_CAMERA', undefined],
      ['ASIN_B0FICHA001', true],
    ]);
    expect(eleccion?.sugeridas[0]?.parecida).toBeUndefined();
  });
});

describe('a page of its own', () => {
  test('asks what its product type asks, by kind, and fills what is known', async () => {
    const { id } = await buildPorPublicar(db, { gtins: ['6941264000099'] });
    await elegir(id, 'CABLE_OR_ADAPTER');
    const { formulario, respuestas } = await vistaDe(id);
    const de = (campo: string) => formulario?.campos.find((uno) => uno.id === campo);
    expect(de('item_length')).toMatchObject({
      clase: 'medida',
      unidades: ['centimeters', 'meters'],
      obligatorio: 'si',
    });
    expect(de('connector_type')).toMatchObject({ clase: 'texto', valores: [{ id: 'rj45', nombre: 'RJ45' }, {}, {}] });
    expect(de('number_of_items')).toMatchObject({ clase: 'numero', obligatorio: 'si' });
    expect(de('externally_assigned_product_identifier')).toMatchObject({ obligatorio: 'aVeces' });
    expect(respuestas).toMatchObject({
      brand: { valor: 'Hikvision' },
      externally_assigned_product_identifier: { valor: '6941264000099' },
    });
  });

  test('wants what its conditions want, and tells it at its field', async () => {
    const { id, respondido } = await porFichaNueva({
      ...CAMARA,
      connectivity_technology: 'wireless',
      externally_assigned_product_identifier: '',
    });
    expect(respondido).toEqual({ completo: false });
    expect(await problemasDe(id)).toEqual([
      { campo: 'externally_assigned_product_identifier', texto: 'Este dato es requerido' },
      { campo: 'wireless_communication_standard', texto: 'Este dato es requerido' },
    ]);
  });

  test('is put once, with its attributes as the schema has them, and follows its supplier', async () => {
    const { id, url, sku, respondido } = await porFichaNueva();
    expect(respondido).toEqual({ completo: true });
    await ofrecer(id, [url]);
    await sale(id);
    // A second press finds the first.
    await sale(id);
    await runUntilSettled();
    const suyas = (await puestas()).filter((una) => una.sku === sku);
    expect(suyas).toHaveLength(1);
    expect(suyas[0]?.attributes).toMatchObject({
      item_name: [{ value: 'Cámara bala', language_tag: 'es_MX', marketplace_id: 'A1AM78C64UM0Y8' }],
      externally_assigned_product_identifier: [{ type: 'ean', value: '6941264000020' }],
      batteries_required: [{ value: false }],
      main_product_image_locator: [{ media_location: url }],
    });
    expect(await fila(sku)).toMatchObject({ estatus: 'DONE', categoriaId: 'SECURITY_CAMERA' });
  });

  test('that the marketplace would not take says so before it is sent, at its field', async () => {
    const { id, url } = await porFichaNueva({ ...CAMARA, batteries_required: 'true' });
    await ofrecer(id, [url]);
    const antes = (await puestas()).length;
    expect((await sale(id)).problemas).toEqual([{ campo: 'battery', texto: "Falta el atributo 'battery'." }]);
    expect((await puestas()).length).toBe(antes);
  });

  test('that was taken in and then found wrong goes back to its draft, and is put again when it was corrected', async () => {
    await amz.post('/interruptores', { alta: 'conProblema' });
    const { id, url, sku } = await porFichaNueva();
    await ofrecer(id, [url]);
    await sale(id);
    await runUntilSettled();
    expect(await efecto()).toMatchObject({ state: 'refused', reason: 'brand: La marca necesita autorización.' });
    expect(await problemasDe(id)).toEqual([{ campo: 'brand', texto: 'La marca necesita autorización.' }]);
    expect(await fila(sku)).toBeUndefined();
    await amz.post('/interruptores', { alta: 'activa' });
    await amz.post(`/publicaciones/${encodeURIComponent(sku)}/quita`, {});
    await sale(id);
    await runUntilSettled();
    expect(await fila(sku)).toMatchObject({ estatus: 'DONE' });
  });

  test('whose answer was lost is looked up by its sku and never put twice', async () => {
    const { id, url, sku } = await porFichaNueva();
    await ofrecer(id, [url]);
    await sale(id);
    await amz.failNext('500-after-doing', { route: 'PUT /listings' });
    await runUntilSettled();
    expect((await puestas()).filter((una) => una.sku === sku)).toHaveLength(1);
    expect([(await efecto()).state, (await fila(sku))?.estatus]).toEqual(['done', 'DONE']);
  });

  test('is not done while the listing does not show it', async () => {
    await amz.post('/demoras', { cambio: 60_000 });
    const { id, url, sku } = await porFichaNueva();
    await ofrecer(id, [url]);
    await sale(id);
    const dichas = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await unaVuelta();
    const avisos = dichas.mock.calls.map(([linea]) => String(linea)).filter((linea) => linea.includes('"warn"'));
    dichas.mockRestore();
    // Amazon works on it as on all of them: nobody is warned, and it is listed as what it is.
    expect(avisos).toEqual([]);
    const creandose = (await fila(sku))!;
    expect([(await efecto()).state, creandose]).toMatchObject([
      'unknown',
      { estatus: 'enCreacion', autoSync: false, precio: Money.of('1499') },
    ]);
    for (const veces of [1, 2])
      await db.transaction().execute((trx) => markAusentes(trx, 'amz', new Date(Date.now() + veces)));
    await expect(bringPublicacion(db, creandose.id)).rejects.toThrow('todavía la está creando');
    expect(await vistaDe(id)).toMatchObject({ publicaciones: [], enMarcha: [{ state: 'unknown', recibida: true }] });
    await amz.post('/reloj', { segundos: 61 });
    await unaVuelta();
    expect([(await efecto()).state, await fila(sku)]).toMatchObject([
      'done',
      { id: creandose.id, estatus: 'DONE', autoSync: true, ausenteDesde: null },
    ]);
  });
});

test('a condition that uses words nobody reads says nothing', () => {
  const marca = { contains: { properties: { value: { const: 'x' } } } };
  expect(meets({ required: ['a'], properties: { a: marca } }, { a: [{ value: 'x' }] })).toBe(true);
  expect(meets({ not: { required: ['a'] } }, {})).toBe(true);
  expect(meets({ properties: { a: marca } }, { a: [{ value: 'y' }] })).toBe(false);
  expect(meets({ dependentSchemas: {} }, {})).toBeNull();
  expect(meets({ anyOf: [{ required: ['b'] }, { oneOf: [] }] }, { b: 1 })).toBe(true);
});
