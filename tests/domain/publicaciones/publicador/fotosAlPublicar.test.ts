/** A listing is never impossible because of a picture: bad ones are left out with their reasons, and own ones can be uploaded. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readBorrador } from '~/domain/publicaciones/publicador/borrador.server';
import { formularioGuardado } from '~/domain/publicaciones/publicador/categorias.server';
import { addFotos, readFotos, removeFoto } from '~/domain/compras/catalogo/fotos.server';
import { OfertaForm } from '~/domain/publicaciones/publicador/forms';
import { publishAtOnce } from '~/domain/publicaciones/publicador/deUnaVez.server';
import {
  chooseCategoria,
  publish,
  review,
  saveOferta,
  saveRespuestas,
} from '~/domain/publicaciones/publicador/publish.server';
import { requireProducto } from '~/domain/publicaciones/publicador/borrador.server';
import { jpegOf } from '../../../sandbox/imagenes/dibujo';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandbox(db, sandbox);
}, 60_000);
beforeEach(() => sandbox.clear());

const CAMARAS = 'MLM167538';
const RESPUESTAS = {
  BRAND: 'Hikvision',
  MODEL: 'DS-2CE',
  CAMERA_TYPE: '7000',
  RESOLUTION: '1080p',
  IS_WIRELESS: '242084',
  EMPTY_GTIN_REASON: '17055160',
};
/** A picture of CT, over http, which the impostor plays by its number. */
const deCt = (n: number) => `${process.env.SANDBOX_URL}/imagenes/ctonline.mx/img/productos/CAMHIK${n}.jpg`;
const versionDe = async (id: string) => (await readBorrador(db, 'ml', id)).version;

/** A product with its category and answers, and with these pictures of its supplier. */
async function preparar(imagenes: string[]) {
  const producto = await buildPorPublicar(db);
  await db.updateTable('producto').set({ imagenes }).where('id', '=', producto.id).execute();
  await chooseCategoria(db, producto.id, { version: 0, categoriaId: CAMARAS }, quien);
  const formulario = (await formularioGuardado(db, 'ml', CAMARAS))!;
  await saveRespuestas(
    db,
    producto.id,
    formulario,
    { version: await versionDe(producto.id), valor: RESPUESTAS },
    quien,
  );
  return { ...producto, sku: `AMS|${producto.idProveedor}|syscom|${producto.modelo}` };
}
async function ofrecer(id: string, imagenes?: string[]) {
  const oferta = OfertaForm.parse({
    version: await versionDe(id),
    titulo: 'Cámara',
    clasica: '1000',
    stock: '5',
    garantiaMeses: '12',
    imagenes: imagenes ?? (await readFotos(db, id)).map(({ url }) => url),
    seguir: 'on',
  });
  await saveOferta(db, id, oferta, quien);
  return (await readBorrador(db, 'ml', id)).datos.oferta!.imagenes;
}
const subir = (id: string, ancho: number) =>
  addFotos(db, { id, fotos: [new File([new Uint8Array(jpegOf(ancho, 600))], 'mia.jpg')] }, quien.id);
/** How many listings of a sku stand at the marketplace, and how many pictures were uploaded since `desde`. */
const alla = async (sku: string, desde: number) => [
  (await sandbox.mercadolibre.get<unknown[]>(`/publicadas?sku=${encodeURIComponent(sku)}`)).length,
  (await subidas()) - desde,
];
const subidas = async () =>
  (await sandbox.requests('mercadolibre', 2_000)).filter(({ path }) => path.includes('/pictures/items/upload')).length;

test('a picture that is told over http is put on sale, without anybody having looked at it before', async () => {
  const antes = await subidas();
  const producto = await preparar([deCt(10_001)]);
  expect(await ofrecer(producto.id)).toMatchObject([{ ancho: 1200, archivoId: expect.any(String), problema: null }]);
  expect(await publish(db, producto.id, await versionDe(producto.id), quien)).toEqual({ problemas: [] });
  await runUntilSettled();
  expect(await alla(producto.sku, antes)).toEqual([1, 1]);
});

test('bad pictures are left out, and the good one goes', async () => {
  const { id } = await preparar([deCt(10_041), deCt(10_001), deCt(10_044)]);
  expect(await ofrecer(id)).toMatchObject([{ url: deCt(10_001) }]);
});

test('where every picture is bad each is told with its reason and the way, and an own one makes it possible', async () => {
  const antes = await subidas();
  const producto = await preparar([deCt(10_041), deCt(10_042)]);
  await expect(ofrecer(producto.id)).rejects.toThrow(
    'Ninguna de las fotos elegidas sirve. Foto 1: El proveedor ya no la tiene (404). Foto 2: No es una foto, aunque se llame como una. Sube una tuya aquí abajo.',
  );
  await subir(producto.id, 900);
  expect(await ofrecer(producto.id)).toMatchObject([{ url: expect.stringMatching(/^\/fotos\//), ancho: 900 }]);
  await publish(db, producto.id, await versionDe(producto.id), quien);
  await runUntilSettled();
  expect(await alla(producto.sku, antes)).toEqual([1, 1]);
});

test('own pictures go first, and one that was removed since goes no more', async () => {
  const { id } = await preparar([deCt(10_001)]);
  await subir(id, 900);
  expect((await ofrecer(id)).map(({ ancho }) => ancho)).toEqual([900, 1200]);
  const fotosDe = async () => {
    const producto = await requireProducto(db, id);
    const { cuerpos } = await review(db, producto, await readBorrador(db, 'ml', id));
    return (cuerpos[0]![1].pictures as { source: string }[]).map(({ source }) => source);
  };
  const [propia] = await readFotos(db, id);
  // Nobody reaches the supplier's over http but we: both are told at our own address.
  expect(await fotosDe()).toEqual((await readFotos(db, id)).map(({ copia }) => `${process.env.APP_URL ?? ''}${copia}`));
  await db.transaction().execute((trx) => removeFoto(trx, { id, foto: propia!.id }, quien.id));
  expect(await fotosDe()).toHaveLength(1);
});

test('a caller without a screen publishes with the pictures that serve', async () => {
  const antes = await subidas();
  const { id, sku } = await buildPorPublicar(db).then((producto) => ({
    ...producto,
    sku: `AMS|${producto.idProveedor}|syscom|${producto.modelo}`,
  }));
  await db
    .updateTable('producto')
    .set({ imagenes: [deCt(10_041), deCt(10_001)] })
    .where('id', '=', id)
    .execute();
  const atributos = Object.entries(RESPUESTAS).map(([campo, valor]) =>
    /^\d+$/.test(valor) ? { id: campo, value_id: valor } : { id: campo, value_name: valor },
  );
  expect(await publishAtOnce(db, id, { categoriaId: CAMARAS, atributos, revision: false }, quien)).toEqual([]);
  await runUntilSettled();
  expect(await alla(sku, antes)).toEqual([1, 1]);
});
