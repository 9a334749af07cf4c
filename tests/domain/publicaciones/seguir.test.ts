import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { ACCIONES } from '~/domain/loteCatalog.server';
import { prepareLote, readLote, runLote, startLote } from '~/domain/lotes/lote.server';
import { cambiosRetenidos } from '~/domain/publicaciones/colaRetenidas.server';
import { desear, saltaMucho, sonDemasiadosCeros } from '~/domain/publicaciones/desear';
import { aplicarRetenidas } from '~/domain/publicaciones/lotesDeRetenidas.server';
import { moverPalanca } from '~/domain/publicaciones/publicaciones.server';
import { decidirRetenida } from '~/domain/publicaciones/retenidas.server';
import { mirarMovidos, seguirProveedores } from '~/domain/publicaciones/seguir.server';
import { leerTodas } from '~/domain/sync/syncPublicaciones.server';
import { seedCatalogo } from '../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../support/db';
import { runUntilSettled } from '../../support/jobs';
import { buildUsuario, linkSandbox } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const CLAVE = 'MLM3000000000';
let usuarioId: string;
let producto: { id: string; proveedor: string };

type Enviado = { cambios: { id: string; body: { price?: number; available_quantity?: number } }[] };
const cambiosDe = async (clave = CLAVE) =>
  (await ml.get<Enviado>('/publicaciones')).cambios.filter(({ id }) => id === clave).map(({ body }) => body);
const mover = (cambio: object) => db.updateTable('oferta').set(cambio).where('productoId', '=', producto.id).execute();
const seguir = async () => {
  await seguirProveedores(db, ['ml']);
  await runUntilSettled();
};
const never = (): never => {
  throw new Error('nothing waits');
};
const pendiente = () => db.selectFrom('publicacionPendiente').selectAll().execute();

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  ({ id: usuarioId } = await buildUsuario(db));
  await seedCatalogo(ownerDatabase().db, 50);
  producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  await ml.post('/publicaciones', { cantidad: 1, skus: [`AMS|P30|${producto.proveedor}|X`] });
  await leerTodas(db, 'ml');
});
/** 1000 pesos of cost: 1160 with VAT, 1740 with a half on it. */
beforeEach(async () => {
  await db.deleteFrom('publicacionPendiente').execute();
  await db
    .updateTable('publicacion')
    .set({ autoSync: true, precio: '1740.00', stock: 10, precioNegado: null, estatus: 'active' })
    .where('clave', '=', CLAVE)
    .execute();
  await mover({ precio: '1000', moneda: 'MXN', sinPrecio: null, existencia: 10, leidaEn: new Date() });
  await db.deleteFrom('publicacionMirar').execute();
});

test('what a listing wants: sold pieces and the buffer are taken off, the cap holds, and what does not count is none', () => {
  const base = {
    precioDeRegla: Money.of('100'),
    existencia: 10,
    noCuenta: false,
    comprometidas: 0,
    colchon: 0,
    tope: null,
  };
  expect(desear(base).stock).toBe(10);
  expect(desear({ ...base, comprometidas: 3, colchon: 2 }).stock).toBe(5);
  expect(desear({ ...base, tope: 4 }).stock).toBe(4);
  expect(desear({ ...base, noCuenta: true }).stock).toBe(0);
  expect(desear({ ...base, precioDeRegla: null }).stock).toBe(0);
  expect(desear({ ...base, comprometidas: 12 })).toMatchObject({ stock: 0, sobreventa: 2 });
  expect(saltaMucho(Money.of('100'), Money.of('140'))).toBe(false);
  expect(saltaMucho(Money.of('100'), Money.of('140.01'))).toBe(true);
  expect(saltaMucho(Money.of('100'), Money.of('59.99'))).toBe(true);
  expect([sonDemasiadosCeros(4, 4), sonDemasiadosCeros(5, 25), sonDemasiadosCeros(6, 25)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('many changes of a supplier are one call with the newest, kept with its reason and both values', async () => {
  const antes = (await cambiosDe()).length;
  for (const existencia of [9, 8, 7]) await mover({ existencia });
  await seguir();
  expect((await cambiosDe()).slice(antes)).toEqual([{ available_quantity: 7 }]);
  expect(await pendiente()).toEqual([]);
  const historia = await db
    .selectFrom('publicacionHistoria')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(historia).toMatchObject({ motivo: 'proveedor', stockAntes: 10, stock: 7, precio: null, error: null });
  // What already stands there is not said again.
  await mover({ existencia: 8 });
  await mover({ existencia: 7 });
  await seguir();
  expect((await cambiosDe()).length).toBe(antes + 1);
});

test('a value that came while one was on its way goes after it, and never under it', async () => {
  const antes = (await cambiosDe()).length;
  await mover({ existencia: 6 });
  await seguirProveedores(db, ['ml']);
  await mover({ existencia: 5 });
  await mirarMovidos(db);
  await runUntilSettled();
  await seguir();
  expect((await cambiosDe()).slice(antes).at(-1)).toEqual({ available_quantity: 5 });
  const { stock } = await db
    .selectFrom('publicacion')
    .select('stock')
    .where('clave', '=', CLAVE)
    .executeTakeFirstOrThrow();
  expect(stock).toBe(5);
  expect(await pendiente()).toEqual([]);
});

const decidir = (id: string, secuencia: number, aplicar: boolean) =>
  db.transaction().execute((trx) => decidirRetenida(trx, { id, huella: String(secuencia), aplicar }, usuarioId));
const mirada = { ahora: new Date(), limite: 10, aparte: [], quien: { id: '', rol: 'sa' } };

describe('a price that jumps', () => {
  test('waits for a person in Hoy, and stock goes on meanwhile', async () => {
    const antes = (await cambiosDe()).length;
    await mover({ precio: '3000', existencia: 4 });
    await seguir();
    expect((await cambiosDe()).slice(antes)).toEqual([{ available_quantity: 4 }]);
    const [linea] = await pendiente();
    expect(linea?.precioRetenido?.toFixed(2)).toBe('5220.00');
    const { total, cosas } = await cambiosRetenidos.mira(db, mirada);
    expect([total, cosas[0]?.detalle]).toEqual([1, 'Precio de $500.00 a $5,220.00']);
    const { publicacionId, secuencia } = linea!;
    await decidir(publicacionId, secuencia, true);
    // What was said yes to is not asked about again by a look that comes before it is told.
    await mover({ existencia: 3 });
    await seguir();
    expect(await cambiosDe()).toContainEqual(expect.objectContaining({ price: 5220 }));
    expect((await cambiosRetenidos.mira(db, mirada)).total).toBe(0);
  });

  test('is decided about as it was shown: one that moved meanwhile says what it is now', async () => {
    await mover({ precio: '3000' });
    await mirarMovidos(db);
    const [{ publicacionId, secuencia } = never()] = await pendiente();
    await mover({ precio: '4000' });
    await mirarMovidos(db);
    await expect(decidir(publicacionId, secuencia, true)).rejects.toThrow('$6,960.00');
    expect((await pendiente())[0]?.precioRetenido?.toFixed(2)).toBe('6960.00');
  });

  test('that is turned down stays as it stands and is not asked about again, and its stock is told all the same', async () => {
    const antes = (await cambiosDe()).length;
    await mover({ precio: '3000', existencia: 6 });
    await mirarMovidos(db);
    const [{ publicacionId, secuencia } = never()] = await pendiente();
    await decidir(publicacionId, secuencia, false);
    await seguir();
    await mover({ existencia: 5 });
    await seguir();
    expect((await cambiosDe()).slice(antes)).toEqual([{ available_quantity: 6 }, { available_quantity: 5 }]);
    expect(await pendiente()).toEqual([]);
  });
});

test('zeros of a supplier that wait are told in one lot, each about what was shown, and the hour after is believed', async () => {
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', CLAVE).executeTakeFirstOrThrow();
  await db
    .insertInto('publicacionPendiente')
    .values({
      publicacionId: id,
      market: 'ml',
      proveedor: producto.proveedor,
      stock: 0,
      stockRetenido: true,
      motivo: 'proveedor',
      desde: new Date(),
    })
    .execute();
  const { cosas } = await cambiosRetenidos.mira(db, mirada);
  expect(cosas[0]?.detalle).toBe('1 publicación irá a 0 en Mercado Libre');
  const loteId = await db
    .transaction()
    .execute((trx) =>
      prepareLote(trx, aplicarRetenidas, { lista: 'publicaciones', consulta: '', filas: [id], usuarioId }),
    );
  await db.transaction().execute((trx) => startLote(trx, aplicarRetenidas, loteId, usuarioId));
  await runLote(db, ACCIONES, loteId);
  expect((await readLote(db, ACCIONES, loteId, usuarioId))?.avance).toMatchObject({ done: 1, failed: 0 });
  expect((await pendiente())[0]).toMatchObject({ stock: 0, stockRetenido: false });
  const { rows } = await sql<{ vale: boolean }>`
    select ceros_hasta > now() + interval '59 minutes' as vale from seguimiento_regla where proveedor = ${producto.proveedor} and market = 'ml'`.execute(
    db,
  );
  expect(rows).toEqual([{ vale: true }]);
});

test('the switch holds what was already accepted, and what it held goes when it is let go', async () => {
  const antes = (await cambiosDe()).length;
  const palanca = (detener: boolean) =>
    db.transaction().execute((trx) => moverPalanca(trx, { market: 'ml', detener }, usuarioId));
  await mover({ existencia: 3 });
  await seguirProveedores(db, ['ml']);
  await palanca(true);
  await runUntilSettled();
  await seguir();
  expect((await cambiosDe()).length).toBe(antes);
  await palanca(false);
  await seguir();
  expect((await cambiosDe()).slice(antes)).toEqual([{ available_quantity: 3 }]);
});

test('stock that is too old is none, and comes back by itself', async () => {
  await mover({ leidaEn: sql`now() - interval '30 days'` });
  await db.insertInto('publicacionMirar').values({ productoId: producto.id, motivo: 'frescura' }).execute();
  await seguir();
  expect(await ml.get(`/publicaciones/${CLAVE}`)).toMatchObject({ quantity: 0, status: 'paused' });
  await mover({ leidaEn: new Date() });
  await db.insertInto('publicacionMirar').values({ productoId: producto.id, motivo: 'frescura' }).execute();
  await seguir();
  expect(await ml.get(`/publicaciones/${CLAVE}`)).toMatchObject({ quantity: 10, status: 'active' });
});
