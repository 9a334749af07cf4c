/** Small pictures of products for lists: who asks for them, of what they are made, and when they are made anew. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { Usuario } from '~/core/usuario';
import { addFotos, advanceFoto, bringFotos, readFotos, removeFoto } from '~/domain/compras/catalogo/fotos.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { saveProductos } from '~/domain/compras/catalogo/internal/saveProductos.server';
import { ladosOf, makeRetratos } from '~/domain/compras/catalogo/retratos.server';
import { SIN_PUBLICACION } from '~/domain/publicaciones/publicador/sinPublicacionList.server';
import { miniaturaOf } from '~/integrations/imagenes/miniatura.server';
import { medidasOf } from '~/integrations/imagenes/medidas';
import type { Item } from '~/integrations/proveedores/cara';
import { openList, readNovedades } from '~/platform/lists/list.server';
import { loader } from '~/routes/files/foto';
import { jpegOf, pngOf } from '../../../sandbox/imagenes/dibujo';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';
import { runJobs } from '../../../support/jobs';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const SIGUE = new AbortController().signal;
let quien: Usuario;
let id: string;

beforeAll(async () => {
  quien = await buildPersona(db, 'user');
});
beforeEach(async () => {
  await sandbox.clear();
  await db.deleteFrom('productoRetrato').execute();
  id = (await buildPorPublicar(db)).id;
});

/** A picture of CT, over http, which the impostor plays by its number. */
const deCt = (n: number) => `${process.env.SANDBOX_URL}/imagenes/ctonline.mx/img/productos/CAMHIK${n}.jpg`;
const conImagenes = (...imagenes: string[]) =>
  db.updateTable('producto').set({ imagenes }).where('id', '=', id).execute();
const subir = (...contenidos: Buffer[]) =>
  addFotos(db, { id, fotos: contenidos.map((uno, n) => new File([new Uint8Array(uno)], `${n}.jpg`)) }, quien.id);
const retrato = async () => (await ladosOf(db, [id]))[0]!.retrato;
const fila = () => db.selectFrom('productoRetrato').selectAll().where('productoId', '=', id).executeTakeFirstOrThrow();
/** Looks at the list and lets the worker work; returns the picture that the next look finds. */
async function verLuego() {
  await retrato();
  await runJobs();
  return retrato();
}
const vencer = () =>
  db
    .updateTable('productoRetrato')
    .set({ venceEn: sql<Date>`now() - interval '1 second'` })
    .execute();
const abrir = (address: string) => {
  const llave = address.replace('/fotos/', '');
  return loader({
    request: new Request(`http://trastienda.test/fotos/${llave}`),
    params: { llave },
    context: {},
  } as never);
};
/** A row of a supplier's catalogue. */
const itemOf = (idProveedor: string, over: Pick<Item, 'imagenes' | 'nombre'>): Item => ({
  idProveedor,
  modelo: idProveedor,
  modeloFabricante: null,
  marca: null,
  gtins: [],
  claveSat: null,
  precio: { importe: Money.of('100.00'), moneda: 'MXN' },
  sinPrecio: null,
  promociones: [],
  tipoCambio: null,
  enVenta: true,
  existencia: { total: 1, tope: false, almacenes: [], leidaEn: new Date() },
  link: null,
  raw: over,
  ...over,
});
const pedidas = async () => (await sandbox.requests('imagenes')).length;
const cambiar = (verb: typeof removeFoto, foto: string) =>
  db.transaction().execute((trx) => verb(trx, { id, foto }, quien.id));

describe('a small picture', () => {
  test("is made of the supplier's first picture that serves, once a list shows the product", async () => {
    await conImagenes(deCt(10_041), deCt(10_042), deCt(10_001), deCt(10_002));
    expect(await verLuego()).toMatch(/^\/fotos\//);
    expect(await fila()).toMatchObject({ origen: deCt(10_001), problema: null });
  });

  test('is a WebP of 80 px and about 2 kB, open to anybody who knows its address, for a year', async () => {
    await conImagenes(deCt(10_001));
    const respuesta = await abrir((await verLuego())!);
    expect(respuesta.headers.get('Content-Type')).toBe('image/webp');
    expect(respuesta.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    const bytes = new Uint8Array(await respuesta.arrayBuffer());
    expect(medidasOf(bytes)).toEqual({ tipo: 'image/webp', ancho: 80, alto: 80 });
    expect(bytes.length).toBeLessThan(4_000);
  });

  test('is made of a small picture too, which no marketplace takes', async () => {
    await conImagenes(deCt(10_044));
    expect(await verLuego()).not.toBeNull();
  });

  test('is made of a copy that is here, and nobody is asked for it again', async () => {
    await conImagenes(deCt(10_001));
    await bringFotos(db, id);
    const antes = await pedidas();
    expect(await verLuego()).not.toBeNull();
    expect(await pedidas()).toBe(antes);
    expect((await fila()).origen).toBe((await readFotos(db, id))[0]!.copia);
  });

  test('is made of an own picture before the supplier is asked for any', async () => {
    await conImagenes(deCt(10_001));
    await subir(jpegOf(800, 600));
    const antes = await pedidas();
    expect(await verLuego()).not.toBeNull();
    expect(await pedidas()).toBe(antes);
  });
});

describe('new bytes get a new address', () => {
  test('once own pictures are added, moved or removed, which no list has to ask for', async () => {
    await conImagenes(deCt(10_001));
    const vistos = [await verLuego()];
    const luego = async () => {
      await runJobs();
      vistos.push(await retrato());
    };
    await subir(jpegOf(800, 600), pngOf(700, 900));
    await luego();
    const [, segunda] = await readFotos(db, id);
    await cambiar(advanceFoto, segunda!.id);
    await luego();
    for (const { id: foto, propia } of await readFotos(db, id)) if (propia) await cambiar(removeFoto, foto);
    await luego();
    expect(new Set(vistos).size).toBe(4);
    await expect(abrir(vistos[1]!)).rejects.toMatchObject({ status: 404 });
  });

  test('and the same bytes keep theirs', async () => {
    await conImagenes(deCt(10_001));
    const antes = await verLuego();
    await vencer();
    expect(await verLuego()).toBe(antes);
  });

  test("once its supplier's catalogue tells other pictures", async () => {
    const { idProveedor } = await db
      .selectFrom('producto')
      .select('idProveedor')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const leer = (imagenes: string[], nombre = 'Cámara bala') =>
      db.transaction().execute((trx) => saveProductos(trx, 'syscom', [itemOf(idProveedor, { imagenes, nombre })]));
    await leer([deCt(10_001)]);
    const antes = await verLuego();
    await leer([deCt(10_001)], 'Cámara domo');
    expect(await verLuego()).toBe(antes);
    // Lists of prices tell no pictures, and that is no change of them.
    await leer([], 'Cámara PTZ');
    expect((await fila()).venceEn.getTime()).toBeGreaterThan(Date.now() + 86_400_000);
    await leer([deCt(10_025)]);
    expect(await verLuego()).not.toBe(antes);
  });

  // The change comes before, between and after what a run reads.
  test.each([0, 1, 2, 3, 5, 8])('a picture that changes %i ms after a run began is looked at again', async (ms) => {
    await conImagenes(deCt(10_001));
    await retrato();
    const corriendo = makeRetratos(db, SIGUE);
    await sleep(ms);
    await subir(jpegOf(800, 600));
    await corriendo;
    await runJobs();
    expect((await fila()).origen).toBe((await readFotos(db, id))[0]!.copia);
  });
});

describe('a picture that does not serve', () => {
  test.each([
    ['is gone', 10_041, 'El proveedor ya no la tiene (404).'],
    ['is a page', 10_042, 'No es una foto, aunque se llame como una.'],
    ['is too heavy', 10_043, 'Pesa más de 10 MB.'],
    ['leads elsewhere', 10_046, 'Su dirección lleva a un sitio que no es del proveedor.'],
    ['ends after its head', 10_048, 'No se puede abrir como foto.'],
  ])('because it %s leaves the reason and no picture, for a day', async (_, n, problema) => {
    await conImagenes(deCt(n));
    expect(await verLuego()).toBeNull();
    expect(await fila()).toMatchObject({ problema, llave: null });
    const antes = await pedidas();
    await verLuego();
    expect(await pedidas()).toBe(antes);
    await vencer();
    await verLuego();
    expect(await pedidas()).toBeGreaterThan(antes);
  });

  test('because it has too many points is never opened', async () => {
    await expect(miniaturaOf(jpegOf(6_000, 5_000))).rejects.toThrow(
      'Mide 6000 × 5000 px: son demasiados para abrirla.',
    );
  });

  test('because it is drawn by instructions is never opened', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="800" height="800"/>');
    await expect(miniaturaOf(svg)).rejects.toThrow('No es una foto, aunque se llame como una.');
  });

  test('takes the small picture away that was made of it, once the supplier has it no more', async () => {
    await conImagenes(deCt(10_001));
    await verLuego();
    await conImagenes(deCt(10_041));
    await vencer();
    expect(await verLuego()).toBeNull();
  });

  test('of a supplier that is silent leaves the small picture that is known', async () => {
    await conImagenes(deCt(10_001), deCt(10_002));
    const antes = await verLuego();
    await sandbox.proveedor('imagenes').failNext('503');
    await vencer();
    expect(await verLuego()).toBe(antes);
    expect((await fila()).problema).toMatch(/contestó 503/);
  });

  test('of a host that is silent is not asked for again in the same run', async () => {
    await conImagenes(deCt(10_001), deCt(10_002), deCt(10_003));
    await sandbox.proveedor('imagenes').failNext('503');
    const antes = await pedidas();
    expect(await verLuego()).toBeNull();
    expect(await pedidas()).toBe(antes + 1);
  });
});

describe('a list', () => {
  const request = () =>
    new Request('http://trastienda.test/user/productos', { headers: { 'sec-fetch-dest': 'empty' } });
  const abrirLista = () => openList(db, productosList, request(), quien);
  const trabajos = async () =>
    (
      await sql<{
        n: number;
      }>`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'productos.retratos'`.execute(db)
    ).rows[0]!.n;

  test('shows each product with its small picture, and asks once for those that are missing', async () => {
    await runJobs();
    await conImagenes(deCt(10_001));
    const otro = (await buildPorPublicar(db)).id;
    const lados = async () => new Map((await abrirLista()).ventana.filas.map((una) => [una.id, una.alLado]));
    expect((await lados()).get(id)).toEqual({ retrato: null });
    expect(await trabajos()).toBe(1);
    await runJobs();
    const luego = await lados();
    expect(luego.get(id)).toEqual({ retrato: expect.stringMatching(/^\/fotos\//) as string });
    expect(luego.get(otro)).toEqual({ retrato: null });
    // Neither the made ones nor the failed ones are asked for again.
    expect(await trabajos()).toBe(0);
  });

  test('of what a marketplace does not sell yet shows each product with its small picture', async () => {
    await conImagenes(deCt(10_001));
    const otro = (await buildPorPublicar(db)).id;
    const retratosEn = (lista: (typeof SIN_PUBLICACION)[keyof typeof SIN_PUBLICACION]) =>
      openList(db, lista, request(), quien).then(
        ({ ventana }) => new Map(ventana.filas.map((una) => [una.id, una.alLado!.retrato])),
      );
    await retratosEn(SIN_PUBLICACION.ml);
    await runJobs();
    for (const lista of Object.values(SIN_PUBLICACION)) {
      const luego = await retratosEn(lista);
      expect(luego.get(id)).toMatch(/^\/fotos\//);
      expect(luego.get(otro)).toBeNull();
    }
  });

  test('tells its news with the pictures that came meanwhile', async () => {
    await conImagenes(deCt(10_001));
    const { corte } = await abrirLista();
    await runJobs();
    const { ventana } = await readNovedades(
      db,
      productosList,
      new URLSearchParams(),
      { indice: 0, total: 100, corte },
      quien,
    );
    expect(ventana.filas.find((una) => una.id === id)!.alLado!.retrato).not.toBeNull();
  });

  test('of programs, files and paper has none, and asks for none', async () => {
    const filas = await productosList.window(db, productosList.parse(new URLSearchParams(), quien), {
      indice: 0,
      total: 100,
      corte: null,
    });
    expect(filas[0]).not.toHaveProperty('alLado');
    const impresa = new Request('http://trastienda.test/user/productos?imprimir=1');
    expect((await openList(db, productosList, impresa, quien)).impresion!.filas![0]).not.toHaveProperty('alLado');
  });

  test('stands where the database only reads', async () => {
    await conImagenes(deCt(10_001));
    await db.connection().execute(async (una) => {
      await sql`set default_transaction_read_only = on`.execute(una);
      expect(await ladosOf(una, [id])).toEqual([{ retrato: null }]);
      await sql`set default_transaction_read_only = off`.execute(una);
    });
  });
});
