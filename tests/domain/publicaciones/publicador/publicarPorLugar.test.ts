/** Publishing in accounts that count pieces by place, and the two ways of telling an item's condition. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { chooseAlmacen, readAlmacenes } from '~/domain/publicaciones/publicaciones/almacenes.server';
import { publicadorOf, readFormulario } from '~/domain/publicaciones/publicador/categorias.server';
import { readVista } from '~/domain/publicaciones/publicador/borrador.server';
import { puestas } from '~/domain/publicaciones/publicador/internal/puestas.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import { buildPorPublicar } from '../../../support/builders/publicador';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { buildUsuario, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const CAMARAS = 'MLM167538';
let usuarioId: string;

const ponerCuenta = (cuenta: object) =>
  ml.post('/interruptores', {
    almacenes: 0,
    validarSinLugares: false,
    condicion: 'ambas',
    negarAlPublicar: false,
    ...cuenta,
  });

/** Builds the body of a listing of a new product, as step 4 does. */
async function armar() {
  const producto = await buildPorPublicar(db);
  const formulario = await readFormulario(db, 'ml', CAMARAS);
  const publicador = publicadorOf(db, 'ml');
  const sku = `AMS|${producto.idProveedor}|syscom|${producto.modelo}`;
  const cuerpo = await publicador.armar(
    {
      sku,
      tipo: 'gold_special',
      categoriaId: CAMARAS,
      titulo: 'Cámara bala',
      descripcion: null,
      precio: Money.of('1000'),
      stock: 5,
      garantiaMeses: 12,
      imagenes: [{ source: 'https://fotos.syscom.mx.invalid/1.png' }],
      respuestas: Object.fromEntries(
        Object.entries({
          BRAND: 'Hikvision',
          MODEL: 'DS-2CE',
          CAMERA_TYPE: '7000',
          RESOLUTION: '1080p',
          IS_WIRELESS: '242084',
          EMPTY_GTIN_REASON: '17055160',
        }).map(([id, valor]) => [id, { valor }]),
      ),
    },
    formulario,
  );
  return { producto, sku, cuerpo, problemas: () => publicador.validar(cuerpo, formulario) };
}
async function publicar({ producto, sku, cuerpo }: Awaited<ReturnType<typeof armar>>) {
  const { id } = await db.transaction().execute((trx) =>
    acceptEffect(trx, puestas.require('ml'), {
      request: {
        productoId: producto.id,
        proveedor: 'syscom',
        sku,
        tipo: 'gold_special',
        titulo: 'Cámara bala',
        descripcion: null,
        cuerpo,
        imagenes: [{ archivoId: null, url: 'https://fotos.syscom.mx.invalid/1.png' }],
        seguir: false,
        escrito: null,
      },
      usuarioId,
    }),
  );
  await runUntilSettled();
  return db.selectFrom('effect').select(['state', 'reason', 'sends']).where('id', '=', id).executeTakeFirstOrThrow();
}
type Puesta = { id: string; quantity: number; stores?: object; attributes: { id: string }[] };
const alla = (sku: string) => ml.get<Puesta[]>(`/publicadas?sku=${encodeURIComponent(sku)}`);
const condicion = async () =>
  (await db.selectFrom('mercadolibreCuenta').select('condicion').executeTakeFirst())?.condicion ?? null;

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  ({ id: usuarioId } = await buildUsuario(db));
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await ponerCuenta({});
  await db.updateTable('mercadolibreCuenta').set({ almacen: null, condicion: null, condicionEn: null }).execute();
  await db.deleteFrom('connection').execute();
});

test.each([false, true])(
  'a listing is published with its store, whether or not the question before knows stores (%s)',
  async (validarSinLugares) => {
    await ponerCuenta({ almacenes: 1, validarSinLugares });
    const nueva = await armar();
    expect(nueva.cuerpo).toMatchObject({
      stock_locations: [{ store_id: '71000001', network_node_id: '123451', quantity: 5 }],
    });
    expect(nueva.cuerpo).not.toHaveProperty('available_quantity');
    expect(await nueva.problemas()).toEqual([]);
    expect(await publicar(nueva)).toMatchObject({ state: 'done', sends: 1 });
    expect(await alla(nueva.sku)).toMatchObject([{ quantity: 5, stores: { '71000001': 5 } }]);
    const fila = await db
      .selectFrom('publicacion')
      .select('stock')
      .where('productoId', '=', nueva.producto.id)
      .executeTakeFirstOrThrow();
    expect(fila.stock).toBe(5);
  },
);

test('with several stores and none chosen the screen says so before the press, and no body passes', async () => {
  await ponerCuenta({ almacenes: 2 });
  const nueva = await armar();
  const falta = expect.stringContaining('Elige en Configuración de tiendas');
  expect(await nueva.problemas()).toEqual([{ campo: 'stock', texto: falta }]);
  const vista = await readVista(db, 'ml', nueva.producto.id, { paso: null, q: null, nodo: null });
  expect(vista!.sinAlmacen).toEqual(falta);
  const { huella } = (await readAlmacenes(db, 'ml'))!;
  await db.transaction().execute((trx) => chooseAlmacen(trx, { market: 'ml', almacen: '71000002', huella }, usuarioId));
  const otra = await armar();
  expect(await otra.problemas()).toEqual([]);
  expect(await publicar(otra)).toMatchObject({ state: 'done' });
  expect(await alla(otra.sku)).toMatchObject([{ stores: { '71000002': 5 } }]);
});

test('an account that changes between the body and its sending is told in words, and the next body passes', async () => {
  const antes = await armar();
  await ponerCuenta({ almacenes: 1 });
  expect(await publicar(antes)).toMatchObject({ state: 'refused' });
  expect(await alla(antes.sku)).toEqual([]);
  const despues = await armar();
  expect(await publicar(despues)).toMatchObject({ state: 'done' });
});

test('a lost answer is found by the sku, and nothing is published twice', async () => {
  await ponerCuenta({ almacenes: 1 });
  const nueva = await armar();
  await ml.failNext('reset-after-doing', { route: 'multiwarehouse' });
  expect(await publicar(nueva)).toMatchObject({ state: 'done', sends: 1 });
  const miradas = await db
    .selectFrom('effectAttempt')
    .innerJoin('effectSubject', 'effectSubject.effectId', 'effectAttempt.effectId')
    .select('kind')
    .where('entidadId', '=', nueva.producto.id)
    .where('kind', '=', 'find')
    .execute();
  expect(miradas).not.toEqual([]);
  expect(await alla(nueva.sku)).toHaveLength(1);
});

test.each(['ambas', 'campo', 'atributo'] as const)(
  'the condition is told in the way that is taken (%s)',
  async (como) => {
    await ponerCuenta({ condicion: como });
    const nueva = await armar();
    expect(nueva.cuerpo).toMatchObject({ condition: 'new' });
    expect(await nueva.problemas()).toEqual([]);
    expect(await condicion()).toBe(como === 'ambas' ? null : como);
    expect(await publicar(nueva)).toMatchObject({ state: 'done', sends: 1 });
    const [puesta] = await alla(nueva.sku);
    expect(puesta!.attributes.some(({ id }) => id === 'ITEM_CONDITION')).toBe(como !== 'campo');
  },
);

test('a refusal at publishing alone teaches too, and the listing is put on sale by the same effect', async () => {
  const nueva = await armar();
  await ponerCuenta({ condicion: 'atributo' });
  expect(await publicar(nueva)).toMatchObject({ state: 'done', sends: 1 });
  expect(await condicion()).toBe('atributo');
});

test('what was learnt is never for good: an account that changes its mind is followed, and after a week both ways are tried', async () => {
  await ponerCuenta({ condicion: 'campo' });
  expect(await (await armar()).problemas()).toEqual([]);
  await ponerCuenta({ condicion: 'atributo' });
  expect(await (await armar()).problemas()).toEqual([]);
  expect(await condicion()).toBe('atributo');
  await db
    .updateTable('mercadolibreCuenta')
    .set({ condicionEn: sql<Date>`now() - interval '8 days'` })
    .execute();
  await ponerCuenta({ condicion: 'ambas' });
  const nueva = await armar();
  expect(await publicar(nueva)).toMatchObject({ state: 'done' });
  const [puesta] = await alla(nueva.sku);
  expect(puesta!.attributes.map(({ id }) => id)).toContain('ITEM_CONDITION');
});
