/** Promotions of listings: what each leaves, what waits on Hoy, and the exclusion as an effect whose answer may be lost, half a no or locked. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NotAllowed, Stale } from '~/core/errors';
import { Money } from '~/core/money';
import { margenNeto, PISO } from '~/domain/compras/precios/precio';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { promocionesBajoElPiso } from '~/domain/publicaciones/publicaciones/internal/colaPromociones.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { dichoOfExclusion, ingresoOf } from '~/domain/publicaciones/publicaciones/promocion';
import {
  askExclusion,
  bringPromociones,
  bringPromocionesOf,
  excluirPromocion,
  readPromociones,
} from '~/domain/publicaciones/publicaciones/promociones.server';
import { readPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import {
  bringPublicaciones,
  enqueuePublicaciones,
} from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { openList } from '~/platform/lists/list.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { runJobs, runUntilSettled, withWorker } from '../../../support/jobs';
import { buildUsuario, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
let ultima = 4_910_000_000;
let usuarioId: string;
let producto: { id: string; proveedor: string };

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  ({ id: usuarioId } = await buildUsuario(db));
  await seedCatalogo(ownerDatabase().db, 50);
  producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  // A new link asks for a whole reading, which would bring the listings of other tests.
  await runJobs();
});
beforeEach(async () => {
  await ml.post('/interruptores', {
    promociones: 'llega',
    exclusion: 'estado',
    excluirTermina: false,
    quitarOferta: 'ids',
    ofertasConCandado: 0,
  });
  await sandbox.clear();
  await forgetFailures(db, 'mercadolibre');
  await db.deleteFrom('publicacionPromocion').execute();
  await db.deleteFrom('publicacionPromociones').execute();
  await db.deleteFrom('publicacion').execute();
  await db.deleteFrom('syncRun').execute();
  await cuesta('500');
});

/** The supplier's price of the product, in pesos without VAT; null: nobody can read it. */
const cuesta = (precio: string | null) =>
  db
    .updateTable('oferta')
    .set(
      precio === null
        ? { precio: null, moneda: null, sinPrecio: 'ilegible' }
        : { precio, moneda: 'MXN', sinPrecio: null },
    )
    .where('productoId', '=', producto.id)
    .execute();
const SMART = { type: 'SMART', id: 'P-MLM1', price: 700 };
const empieza = (clave: string, promocion: object = SMART) =>
  ml.post(`/promociones/${clave}`, { ...promocion, sinAviso: true });
/** Puts a listing of 1,000.00 of the product on sale, in a promotion, and reads it here. */
async function nueva(promocion: object | null = SMART, item: object = {}) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, {
    price: 1_000,
    sku: `AMS|P30|${producto.proveedor}|X`,
    sinAviso: true,
    ...item,
  });
  if (promocion) await empieza(clave, promocion);
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', clave).executeTakeFirstOrThrow();
  return { id, clave, market: 'ml' as const };
}
const vista = async (una: { id: string; market: 'ml' }) => (await readPromociones(db, una))!;
const vencer = () => sql`update publicacion_promociones set pedir_en = now() - interval '1 minute'`.execute(db);
const hoy = () =>
  promocionesBajoElPiso.mira(db, { ahora: new Date(), limite: 20, aparte: [], quien: { id: usuarioId, rol: 'sa' } });
/** The number of listings behind the queue, as its link opens the list. */
const detras = async () => {
  const { cosas } = await hoy();
  const a = cosas[0]?.a ?? 'publicaciones?cuales=bajoElPiso';
  const { ventana } = await openList(db, publicacionesList, new Request(`http://trastienda.test/sa/${a}`), {
    id: usuarioId,
    rol: 'sa',
  });
  return ventana.filas.length;
};
/** A listing in a promotion below the floor, read and judged, with its promotion as a press names it. */
async function bajo(promocion: object = SMART) {
  const una = await nueva(promocion);
  await bringPromociones(db, 'ml');
  const [suya] = (await vista(una)).promociones;
  return { ...una, pedida: { id: suya!.id, huella: suya!.huella } };
}
const excluir = (pedida: { id: string; huella: string }) => withWorker(() => excluirPromocion(db, pedida, usuarioId));
type Escrito = { escrituras: { what: string; id: string; type?: string }[]; excluidas: string[] };
const escrito = async (clave: string) => {
  const { escrituras, excluidas } = await ml.get<Escrito>('/promociones');
  return [
    ...escrituras.filter(({ id }) => id === clave).map(({ what }) => what),
    ...(excluidas.includes(clave) ? ['en la lista'] : []),
  ];
};
const efectos = () =>
  db.selectFrom('effect').select(['state', 'reason']).where('type', '=', 'ml.excluir').orderBy('id', 'desc').execute();

test('only our part of a discount lowers our income, read as a part of the price or as a part of the discount', () => {
  const de = (precio: string, original: string | null, pone: string | null, ponemos: string | null) => {
    const dinero = (texto: string | null) => (texto === null ? null : Money.of(texto));
    const { ingreso, estima } = ingresoOf({
      precio: Money.of(precio),
      original: dinero(original),
      pone: dinero(pone),
      ponemos: dinero(ponemos),
    });
    return [ingreso.toFixed(2), estima.length > 0];
  };
  expect(de('700', '1000', null, null), 'all of it is ours').toEqual(['700.00', false]);
  expect(de('700', '1000', '10', '20'), 'percents of the price').toEqual(['800.00', false]);
  expect(de('700', '1000', '40', '60'), 'percents of the discount').toEqual(['820.00', false]);
  expect(de('700', '1000', '100', '0'), 'the marketplace pays it').toEqual(['1000.00', false]);
  expect(de('700', '1000', null, '20'), 'the parts do not add up: as a part of the price').toEqual(['800.00', true]);
  expect(de('700', '1000', null, '60'), 'never below what the buyer pays').toEqual(['700.00', true]);
  expect(de('700', '1000', '10', null), 'our part is not told').toEqual(['700.00', true]);
  expect(de('700', null, '10', '20'), 'without the price before').toEqual(['700.00', false]);
});

test('a promotion below the floor waits on Hoy with what it leaves by the one verb, and the list behind it holds the same', async () => {
  const [una, buena, sola] = [await nueva(), await nueva({ ...SMART, price: 950 }), await nueva(null)];
  expect(await bringPromociones(db, 'ml')).toBe(3);
  const { tarifas } = await readReglas(db);
  const debe = margenNeto(Money.of('700'), { costo: Money.of('500'), envio: null, tarifa: tarifas.ml });
  expect(debe.margen.compare(PISO)).toBe(-1);
  const { promociones, excluida, error } = await vista(una);
  expect([excluida, error]).toEqual([false, null]);
  expect(promociones).toHaveLength(1);
  expect(promociones[0]).toMatchObject({ nombre: 'Campaña automática', estado: 'activa', bajo: true, porque: null });
  expect([promociones[0]!.queda?.toFixed(2), promociones[0]!.margen?.toFixed(6)]).toEqual([
    debe.queda.toFixed(2),
    debe.margen.toFixed(6),
  ]);
  expect((await vista(buena)).promociones[0]).toMatchObject({ bajo: false });
  expect(await vista(sola)).toMatchObject({ promociones: [], error: null });
  const { total, cosas } = await hoy();
  expect([total, await detras()]).toEqual([1, 1]);
  expect(cosas[0]).toMatchObject({ a: `publicaciones?cuales=bajoElPiso&ver=${una.id}` });
  expect(cosas[0]!.detalle).toMatch(/^Se perderían ≈ \$\d+\.\d\d a \$700\.00\. Campaña automática$/);
});

test('several of one listing are one wait, and an invitation or one that the marketplace pays is none', async () => {
  const una = await nueva();
  await empieza(una.clave, { type: 'DEAL', id: 'P-MLM2', price: 650, status: 'pending' });
  await nueva({ type: 'DEAL', id: 'P-MLM3', price: 600, status: 'candidate' });
  const pagada = await nueva({ type: 'PRICE_MATCHING_MELI_ALL', id: 'P-MLM4', price: 600 });
  await bringPromociones(db, 'ml');
  expect([(await hoy()).total, await detras()]).toEqual([1, 1]);
  expect((await hoy()).cosas[0]!.detalle, 'the worst of them').toContain('$650.00');
  const [suya] = (await vista(pagada)).promociones;
  expect(suya).toMatchObject({
    bajo: false,
    excluir: null,
    soloAlla: expect.stringContaining('Mercado Libre') as string,
  });
  await expect(
    excluirPromocion(db, { id: suya!.id, huella: suya!.huella }, usuarioId),
    'it only leaves there',
  ).rejects.toThrow(/Solo se quita en su panel/);
});

test('without a known cost nothing is judged and nothing waits, until the cost is known', async () => {
  await cuesta(null);
  const [una, otra] = [await nueva(), await nueva(SMART, { sku: null })];
  await bringPromociones(db, 'ml');
  expect((await vista(una)).promociones[0]).toMatchObject({
    queda: null,
    bajo: null,
    porque: expect.stringContaining('no da un precio') as string,
  });
  expect((await vista(otra)).promociones[0]!.porque).toContain('no se sabe su costo');
  expect([(await hoy()).total, await detras()]).toEqual([0, 0]);
  await cuesta('900');
  // Nothing is due: the promotions that are known are judged anew.
  expect(await bringPromociones(db, 'ml')).toBe(0);
  expect((await vista(una)).promociones[0]).toMatchObject({ bajo: true });
  expect([(await hoy()).total, await detras()]).toEqual([1, 1]);
});

test('a reading that fails counts for none: the promotions of before stay with their age and why', async () => {
  const una = await nueva();
  await bringPromociones(db, 'ml');
  const antes = await vista(una);
  await ml.post('/interruptores', { promociones: '403' });
  await vencer();
  expect(await bringPromociones(db, 'ml')).toBe(0);
  const despues = await vista(una);
  expect(despues).toMatchObject({ leidaEn: antes.leidaEn, error: expect.stringContaining('403') as string });
  expect(despues.promociones).toHaveLength(1);
  expect((await hoy()).total).toBe(1);
  const nunca = await nueva(null);
  await bringPromociones(db, 'ml');
  expect(await vista(nunca), 'never read is not none').toMatchObject({ leidaEn: null, promociones: [] });
  expect((await vista(nunca)).error).toContain('403');
  await ml.post('/interruptores', { promociones: 'llega' });
  await bringPromocionesOf(db, una.id);
  expect(await vista(una)).toMatchObject({ error: null });
  await ml.post('/interruptores', { promociones: '403' });
  await expect(bringPromocionesOf(db, una.id)).rejects.toThrow(NotAllowed);
});

test('a price that a notice told under a promotion has the listing read before its time, once', async () => {
  const una = await nueva(null);
  await bringPromociones(db, 'ml');
  expect(await bringPromociones(db, 'ml')).toBe(0);
  await empieza(una.clave);
  await bringPublicaciones(db, fuenteOf('ml'), [una.clave]);
  expect(await bringPromociones(db, 'ml')).toBe(1);
  expect((await vista(una)).promociones).toHaveLength(1);
  expect(await bringPromociones(db, 'ml')).toBe(0);
  await enqueuePublicaciones(db, 'promociones');
  const { rows } = await sql<{ key: string }>`select key from graphile_worker._private_jobs`.execute(db);
  expect(rows.map(({ key }) => key)).toContainEqual(expect.stringContaining('ml:promociones'));
});

test('Excluir puts the listing on the list and removes the offer, tells both, and leaves Hoy', async () => {
  const una = await bajo();
  const pregunta = await askExclusion(db, una.pedida);
  expect(pregunta?.hechos).toMatch(/Campaña automática a \$700\.00: (?:quedarían|se perderían) ≈/);
  expect(pregunta?.hechos).toContain(
    'Mercado Libre ya no la pondrá en promociones por su cuenta, y la oferta se quita.',
  );
  expect(await excluir(una.pedida)).toBe('Ya no entra en promociones automáticas. La oferta se quitó.');
  expect(await escrito(una.clave)).toEqual(['excluir', 'quitar', 'en la lista']);
  expect(await vista(una)).toMatchObject({
    promociones: [],
    excluida: true,
    dicho: 'Ya no entra en promociones automáticas. La oferta se quitó.',
  });
  expect([(await hoy()).total, await detras()]).toEqual([0, 0]);
  await expect(excluirPromocion(db, una.pedida, usuarioId)).rejects.toThrow('La promoción ya no está.');
  const { datos } = await db
    .selectFrom('bitacora')
    .select('datos')
    .where('entidadId', '=', una.id)
    .where('accion', '=', 'excluir de promociones')
    .executeTakeFirstOrThrow();
  expect(datos).toMatchObject({ promocion: 'Campaña automática', precio: '700.00' });
});

test('an exclusion that ends the offer by itself is told so, and one without a body in its answer is read back', async () => {
  await ml.post('/interruptores', { excluirTermina: true, exclusion: 'vacia' });
  const una = await bajo();
  expect(await excluir(una.pedida)).toBe('Ya no entra en promociones automáticas. La oferta ya no estaba.');
  expect(await escrito(una.clave)).toEqual(['excluir', 'en la lista']);
});

test('an offer that stays is told with the reason of a success that held nothing but errors, and goes on waiting', async () => {
  await ml.post('/interruptores', { quitarOferta: 'soloErrores' });
  const una = await bajo();
  expect(await excluir(una.pedida)).toMatch(
    /^Ya no entra en promociones automáticas\. La oferta no se pudo quitar: .*can not be deleted/,
  );
  const { promociones, excluida } = await vista(una);
  expect([promociones.length, excluida]).toEqual([1, true]);
  expect([(await hoy()).total, await detras()]).toEqual([1, 1]);
});

test('a listing that cannot be excluded still loses its offer; a no to both is a refusal with its words', async () => {
  await ml.post('/interruptores', { exclusion: 'niega' });
  const una = await bajo();
  expect(await excluir(una.pedida)).toMatch(
    /^No se pudo sacar de las promociones automáticas: .* La oferta se quitó\.$/,
  );
  await ml.post('/interruptores', { quitarOferta: 'soloErrores' });
  const otra = await bajo();
  await expect(excluir(otra.pedida)).rejects.toThrow(/can not be deleted/);
  expect((await readPublicacion(db, otra.id))?.rechazo).not.toBeNull();
  expect((await vista(otra)).promociones[0]!.excluir, 'it may be asked for again').not.toBeNull();
});

test('a locked listing is told again a moment later, and what was done is not done twice', async () => {
  await ml.post('/interruptores', { ofertasConCandado: 2 });
  const una = await bajo();
  const dicho = await excluir(una.pedida);
  await runUntilSettled();
  expect(dicho === null || dicho.endsWith('La oferta se quitó.')).toBe(true);
  expect((await vista(una)).dicho).toBe('Ya no entra en promociones automáticas. La oferta se quitó.');
  expect(await escrito(una.clave)).toEqual(['excluir', 'quitar', 'en la lista']);
});

test.each([
  ['hang-after-doing', 'POST /seller-promotions/exclusion-list/item'],
  ['500-after-doing', 'POST /seller-promotions/exclusion-list/item'],
  ['reset-after-doing', 'DELETE /seller-promotions/items'],
  ['html', 'DELETE /seller-promotions/items'],
])('after %s of %s both parts are found by reading back, each written once', async (fault, route) => {
  const una = await bajo();
  await ml.failNext(fault, { route, ms: 100 });
  await excluir(una.pedida);
  await runUntilSettled();
  expect((await efectos())[0]).toMatchObject({ state: 'done' });
  const hecho = await escrito(una.clave);
  expect(hecho.filter((what) => what === 'excluir')).toHaveLength(1);
  expect(hecho.filter((what) => what === 'quitar')).toHaveLength(1);
  expect(await vista(una)).toMatchObject({ promociones: [], excluida: true });
});

test('a call that never left is made later, and the second press meanwhile is told that one is on its way', async () => {
  const una = await bajo();
  await ml.failNext('429', { route: 'POST /seller-promotions/exclusion-list/item' });
  const primera = excluirPromocion(db, una.pedida, usuarioId);
  await expect.poll(async () => (await vista(una)).enCamino, { timeout: 5_000 }).toBe(true);
  await expect(excluirPromocion(db, una.pedida, usuarioId)).rejects.toThrow('Ya se está excluyendo');
  expect((await vista(una)).promociones[0]!.excluir).toBeNull();
  await runUntilSettled();
  await primera;
  expect(await escrito(una.clave)).toEqual(['excluir', 'quitar', 'en la lista']);
});

test('whoever decides, decides about the promotion that was shown', async () => {
  const una = await bajo();
  await empieza(una.clave, { ...SMART, price: 600 });
  await bringPromocionesOf(db, una.id);
  await expect(excluirPromocion(db, una.pedida, usuarioId)).rejects.toBeInstanceOf(Stale);
  expect(await escrito(una.clave)).toEqual([]);
});

test('both parts are told in words, whatever became of them', () => {
  expect(dichoOfExclusion({ noExcluida: null, noQuitada: null, estaba: true })).toBe(
    'Ya no entra en promociones automáticas. La oferta se quitó.',
  );
  expect(dichoOfExclusion({ noExcluida: 'No.', noQuitada: 'Ni eso.', estaba: true })).toBe(
    'No se pudo sacar de las promociones automáticas: No. La oferta no se pudo quitar: Ni eso.',
  );
});

// It stays without an end: the last one of this file.
test('an exclusion that is taken and not shown is not told as done', async () => {
  await ml.post('/interruptores', { exclusion: 'sinEfecto' });
  const una = await bajo();
  await excluir(una.pedida);
  expect((await efectos())[0]).toMatchObject({ state: 'unknown' });
  expect((await vista(una)).dicho).toBeNull();
});
