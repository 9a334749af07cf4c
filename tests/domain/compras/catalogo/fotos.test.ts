/** Pictures of a product: copies of its supplier's that the worker brings, and own ones that people upload. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Usuario } from '~/core/usuario';
import {
  addFotos,
  advanceFoto,
  askFotos,
  bringFotos,
  imagenesPermitidas,
  readFotoAbierta,
  readFotos,
  removeFoto,
} from '~/domain/compras/catalogo/fotos.server';
import { MAX_FOTOS } from '~/domain/compras/catalogo/fotos';
import { fetchImagen } from '~/integrations/imagenes/client.server';
import { medidasOf } from '~/integrations/imagenes/medidas';
import { loader } from '~/routes/files/foto';
import { jpegOf, pngOf } from '../../../sandbox/imagenes/dibujo';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let quien: Usuario;
let id: string;

beforeAll(async () => {
  quien = await buildPersona(db, 'user');
});
beforeEach(async () => {
  await sandbox.clear();
  id = (await buildPorPublicar(db)).id;
});

/** A picture of CT, over http, which the impostor plays by its number. */
const deCt = (n: number) => `${process.env.SANDBOX_URL}/imagenes/ctonline.mx/img/productos/CAMHIK${n}.jpg`;
const conImagenes = (imagenes: string[]) => db.updateTable('producto').set({ imagenes }).where('id', '=', id).execute();
const archivo = (contenido: Buffer, nombre = 'foto.jpg') => new File([new Uint8Array(contenido)], nombre);
const subir = (...fotos: File[]) => addFotos(db, { id, fotos }, quien.id);
const abrir = (llave: string) =>
  loader({ request: new Request(`http://trastienda.test/fotos/${llave}`), params: { llave }, context: {} } as never);

describe("the supplier's pictures", () => {
  test('are fetched by a job once somebody asks for them, and each bad one keeps its reason', async () => {
    const numeros = [10_001, 10_041, 10_042, 10_043, 10_044, 10_045, 10_046, 10_048];
    await conImagenes(numeros.map(deCt));
    expect((await readFotos(db, id)).map(({ estado }) => estado)).toEqual(numeros.map(() => 'pendiente'));
    await askFotos(db, id);
    await runUntilSettled();
    const fotos = await readFotos(db, id);
    expect(fotos.map(({ estado, problema }) => problema ?? estado)).toEqual([
      'lista',
      'El proveedor ya no la tiene (404).',
      'No es una foto, aunque se llame como una.',
      'Pesa más de 10 MB.',
      'Mide 300 × 200 px: un lado necesita 500.',
      'lista',
      'Su dirección lleva a un sitio que no es del proveedor.',
      'Es WebP: los mercados piden JPG o PNG.',
    ]);
    expect(fotos[0]).toMatchObject({ propia: false, ancho: 1200, alto: 1200, url: deCt(10_001) });
  });

  test('are fetched once, and the failed ones again after ten minutes', async () => {
    await conImagenes([deCt(10_001), deCt(10_041)]);
    const antes = (await sandbox.requests('imagenes')).length;
    const pedidas = async () => (await sandbox.requests('imagenes')).length - antes;
    await bringFotos(db, id);
    await bringFotos(db, id);
    expect(await pedidas()).toBe(2);
    await db
      .updateTable('productoFoto')
      .set({ miradaEn: new Date(Date.now() - 11 * 60_000) })
      .execute();
    await bringFotos(db, id);
    expect(await pedidas()).toBe(3);
  });

  test('keep their copy and its address while the supplier does not answer', async () => {
    await conImagenes([deCt(10_001)]);
    await bringFotos(db, id);
    const [antes] = await readFotos(db, id);
    await db
      .updateTable('productoFoto')
      .set({ miradaEn: new Date('2026-01-01') })
      .execute();
    await sandbox.proveedor('imagenes').failNext('503');
    await bringFotos(db, id);
    expect((await readFotos(db, id))[0]).toMatchObject({ estado: 'lista', copia: antes!.copia });
  });

  test('are served to anybody who knows their address, which nobody guesses and everybody may keep', async () => {
    await conImagenes([deCt(10_001)]);
    await bringFotos(db, id);
    const [foto] = await readFotos(db, id);
    const respuesta = await abrir(foto!.copia!.replace('/fotos/', ''));
    expect(respuesta.headers.get('Content-Type')).toBe('image/jpeg');
    expect(respuesta.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(medidasOf(new Uint8Array(await respuesta.arrayBuffer()))).toEqual({
      tipo: 'image/jpeg',
      ancho: 1200,
      alto: 1200,
    });
    for (const otra of [foto!.id, 'nada', crypto.randomUUID()])
      await expect(abrir(otra)).rejects.toMatchObject({ status: 404 });
  });

  test('lie at hosts of suppliers alone, over http too', () => {
    const buenas = ['http://ctonline.mx/a.jpg', 'https://ftp3.syscom.mx/a.PNG', deCt(1)];
    const malas = [
      'https://syscom.mx.mal.example/a.png',
      'https://malsyscom.mx/a.png',
      'https://syscom.mx:8443/a.png',
      'https://syscom.mx@mal.example/a.png',
      'https://x:y@syscom.mx/a.png',
      'ftp://ctonline.mx/a.jpg',
      'http://127.0.0.1/a.jpg',
      'http://169.254.169.254/a.jpg',
      'javascript:alert(1)',
      '',
    ];
    expect(imagenesPermitidas([...malas, ...buenas])).toEqual(buenas);
  });
});

describe('the fetch of a picture', () => {
  const abierta = { permite: () => true, privada: () => false };

  test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.1.1'])(
    'never reaches %s, whatever name leads there',
    async (address) => {
      const resolve = () => Promise.resolve([{ address, family: 4 as const }]);
      await expect(fetchImagen('http://ctonline.mx/a.jpg', abierta, { resolve })).rejects.toThrow(
        'Su dirección lleva a una red privada.',
      );
    },
  );

  test('ends in time where the supplier never ends, and stays unknown', async () => {
    const demo = { permite: () => true, privada: () => true };
    const asked = fetchImagen(deCt(10_047), demo, { esperaMs: 150 });
    await expect(asked).rejects.toMatchObject({ name: 'Unavailable', message: '127.0.0.1 no contestó a tiempo.' });
  });

  test('reads the sizes of all four types, and of nothing else', () => {
    const gif = Buffer.from('GIF89a\x20\x03\x58\x02\0\0\0', 'latin1');
    expect(medidasOf(gif)).toEqual({ tipo: 'image/gif', ancho: 800, alto: 600 });
    expect(medidasOf(pngOf(700, 600))).toEqual({ tipo: 'image/png', ancho: 700, alto: 600 });
    expect(medidasOf(jpegOf(640, 480))).toEqual({ tipo: 'image/jpeg', ancho: 640, alto: 480 });
    expect(medidasOf(Buffer.from('<!DOCTYPE html><html></html>'))).toBeNull();
    expect(medidasOf(jpegOf(640, 480).subarray(0, 30))).toBeNull();
  });
});

describe('own pictures', () => {
  test('stand before those of the supplier, in the order that people give them', async () => {
    await conImagenes([deCt(10_001)]);
    await subir(archivo(jpegOf(800, 600)), archivo(pngOf(900, 700), 'b.png'));
    const anchos = async () => (await readFotos(db, id)).map(({ propia, ancho }) => (propia ? ancho : 'suya'));
    expect(await anchos()).toEqual([800, 900, 'suya']);
    const [, segunda] = await readFotos(db, id);
    await db.transaction().execute((trx) => advanceFoto(trx, { id, foto: segunda!.id }, quien.id));
    expect(await anchos()).toEqual([900, 800, 'suya']);
    // The first has nobody before it.
    await db.transaction().execute((trx) => advanceFoto(trx, { id, foto: segunda!.id }, quien.id));
    expect(await anchos()).toEqual([900, 800, 'suya']);
    await db.transaction().execute((trx) => removeFoto(trx, { id, foto: segunda!.id }, quien.id));
    expect(await anchos()).toEqual([800, 'suya']);
    expect(await readFotoAbierta(db, segunda!.copia!.replace('/fotos/', ''))).toBeUndefined();
    const hechos = await db.selectFrom('bitacora').select('accion').where('entidadId', '=', id).orderBy('id').execute();
    expect(hechos.map(({ accion }) => accion)).toEqual(['agregarFotos', 'ordenarFotos', 'quitarFoto']);
  });

  test('a picture of another product is neither removed nor moved', async () => {
    await subir(archivo(jpegOf(800, 600)));
    const [foto] = await readFotos(db, id);
    const otro = (await buildPorPublicar(db)).id;
    await db.transaction().execute((trx) => removeFoto(trx, { id: otro, foto: foto!.id }, quien.id));
    expect(await readFotos(db, id)).toMatchObject([{ id: foto!.id }, {}]);
  });

  test.each([
    ['a small one', archivo(jpegOf(300, 200), 'chica.jpg'), 'chica.jpg: Mide 300 × 200 px: un lado necesita 500.'],
    ['a large one', archivo(jpegOf(12_000, 100), 'ancha.jpg'), 'ancha.jpg: Mide 12000 × 100 px: el máximo es 10000.'],
    ['a page', archivo(Buffer.from('<!DOCTYPE html><p>hola'), 'a.jpg'), /^a\.jpg: No es una imagen/],
    ['a PDF', archivo(Buffer.from('%PDF-1.7\n'), 'a.pdf'), 'a.pdf: No es una foto, aunque se llame como una.'],
    ['half of one', archivo(jpegOf(800, 600).subarray(0, 120), 'rota.jpg'), /^rota\.jpg: Está dañado/],
  ])('%s is refused in words, and nothing of the upload stays', async (_, mala, texto) => {
    await expect(subir(archivo(jpegOf(800, 600)), mala)).rejects.toThrow(texto);
    expect((await readFotos(db, id)).filter(({ propia }) => propia)).toEqual([]);
  });

  test('have a most', async () => {
    await subir(...Array.from({ length: MAX_FOTOS }, (_, n) => archivo(jpegOf(800 + n, 600))));
    await expect(subir(archivo(jpegOf(800, 600)))).rejects.toThrow(`hasta ${MAX_FOTOS} fotos propias`);
  });
});
