/** Prices against the market: who is asked for and when, what stays where no answer comes, and what would be left at the price to win. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { Money } from '~/core/money';
import { margenNeto } from '~/domain/compras/precios/precio';
import { readReglas } from '~/domain/compras/precios/reglas.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import {
  bringCompetencia,
  bringCompetencias,
  readCompetencia,
} from '~/domain/publicaciones/publicaciones/competencia.server';
import {
  bringPublicaciones,
  enqueuePublicaciones,
} from '~/domain/publicaciones/publicaciones/syncPublicaciones.server';
import { seedCatalogo } from '../../../support/builders/catalogo';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { linkSandboxAmazon } from '../../../support/amazon';
import { linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
let ultima = 4_810_000_000;
let producto: { id: string; proveedor: string };

beforeAll(async () => {
  await linkSandbox(db, sandbox);
  await linkSandboxAmazon(db, sandbox);
  await seedCatalogo(ownerDatabase().db, 50);
  producto = await db
    .selectFrom('producto')
    .select(['id', 'proveedor'])
    .where('idProveedor', '=', 'P30')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('oferta')
    .set({ precio: '500', moneda: 'MXN', sinPrecio: null })
    .where('productoId', '=', producto.id)
    .execute();
});
beforeEach(async () => {
  await ml.post('/interruptores', { precioParaGanar: 'llega' });
  await db.deleteFrom('publicacionCompetencia').execute();
  await db.deleteFrom('publicacion').execute();
  await db.deleteFrom('syncRun').execute();
});

const PAGINA = { product: 'MLM18000001', rivals: [940, 1_200] };
/** Puts a listing of 1,000.00 on sale, on a page where 940.00 wins, and reads it here. */
async function nueva(item: object = {}) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, { price: 1_000, sinAviso: true, catalog: PAGINA, ...item });
  await bringPublicaciones(db, fuenteOf('ml'), [clave]);
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', clave).executeTakeFirstOrThrow();
  return { id, clave, market: 'ml' as const };
}
const vista = async (una: { id: string; market: 'ml' }) => (await readCompetencia(db, una))!;
const preguntas = async () => {
  const vistas = await sandbox.requests();
  return vistas.filter(({ path }) => path.includes('/price_to_win')).length;
};
const vencer = () => sql`update publicacion_competencia set pedir_en = now() - interval '1 minute'`.execute(db);
const corridas = () =>
  db.selectFrom('syncRun').select(['kind', 'seen', 'written', 'failed', 'error', 'endedAt']).execute();

test('only catalogue listings are asked for, each once until it is due again, and the run tells its counts', async () => {
  const [una, sola] = [await nueva(), await nueva({ catalog: undefined })];
  expect(await bringCompetencias(db, 'ml')).toBe(1);
  expect(await vista(una)).toMatchObject({ lugar: 'pierde', error: null });
  expect(await corridas()).toEqual([
    { kind: 'competencia', seen: 1, written: 1, failed: 0, error: null, endedAt: expect.any(Date) as Date },
  ]);
  const { lugar, razones, leidaEn, sePregunta } = await vista(sola);
  expect([lugar, leidaEn, sePregunta]).toEqual(['noCompite', null, false]);
  expect(razones.join()).toContain('No es de catálogo');
  expect(await bringCompetencias(db, 'ml'), 'nothing is due').toBe(0);
  await vencer();
  expect(await bringCompetencias(db, 'ml')).toBe(1);
});

test('a listing that is gone at its marketplace is not asked for, and what was never read is unknown', async () => {
  const una = await nueva();
  await db
    .updateTable('publicacion')
    .set({ ausenteDesde: new Date(), ausencias: 2 })
    .where('id', '=', una.id)
    .execute();
  expect(await bringCompetencias(db, 'ml')).toBe(0);
  expect(await vista(una)).toMatchObject({ lugar: null, porque: 'Todavía no se lee.', quedaria: null, leidaEn: null });
});

test('an answer that fails leaves the old reading with its age, told as of before and never as winning', async () => {
  const una = await nueva({ catalog: { ...PAGINA, rivals: [1_100] } });
  await bringCompetencias(db, 'ml');
  const antes = await vista(una);
  expect(antes.estado).toEqual({ label: 'Gana', tono: 'ok' });
  await ml.post('/interruptores', { precioParaGanar: 'estadoNuevo' });
  await vencer();
  expect(await bringCompetencias(db, 'ml')).toBe(0);
  const despues = await vista(una);
  expect(despues).toMatchObject({
    lugar: 'gana',
    leidaEn: antes.leidaEn,
    error: expect.stringContaining('no conocemos') as string,
  });
  expect(despues.estado).toEqual({ label: 'Ganaba', tono: 'neutro' });
  const nunca = await nueva();
  await bringCompetencias(db, 'ml');
  expect(await vista(nunca), 'never read: no place at all').toMatchObject({ lugar: null, leidaEn: null });
  expect((await vista(nunca)).porque).toContain('no conocemos');
  await ml.post('/interruptores', { precioParaGanar: 'llega' });
  await vencer();
  expect(await bringCompetencias(db, 'ml')).toBe(2);
  expect(await vista(una)).toMatchObject({ lugar: 'gana', error: null });
});

test('an account that may not ask is noticed after three: every listing says why, and none is asked for until tomorrow', async () => {
  const todas = [];
  for (let n = 0; n < 5; n++) todas.push(await nueva());
  await ml.post('/interruptores', { precioParaGanar: '403' });
  const antes = await preguntas();
  expect(await bringCompetencias(db, 'ml')).toBe(0);
  expect((await preguntas()) - antes).toBe(3);
  for (const una of todas) expect((await vista(una)).porque).toContain('403');
  expect(await bringCompetencias(db, 'ml')).toBe(0);
  expect((await preguntas()) - antes).toBe(3);
});

test('a listing that is never answered holds back none behind it', async () => {
  const [muda, otra] = [await nueva(), await nueva()];
  await ml.failNext('503', { route: `GET /items/${muda.clave}/price_to_win` });
  expect(await bringCompetencias(db, 'ml')).toBe(1);
  expect((await vista(muda)).lugar).toBeNull();
  expect((await vista(otra)).lugar).toBe('pierde');
  expect((await corridas())[0]).toMatchObject({ seen: 2, written: 1, failed: 1 });
  expect(await bringCompetencias(db, 'ml'), 'it is asked for again in an hour').toBe(0);
});

test('a silent marketplace ends the run after three, and one that asks for fewer calls after the first', async () => {
  for (let n = 0; n < 5; n++) await nueva();
  for (const { clave } of await db.selectFrom('publicacion').select('clave').execute())
    await ml.failNext('503', { route: `GET /items/${clave}/price_to_win` });
  expect(await bringCompetencias(db, 'ml')).toBe(0);
  expect((await corridas())[0]).toMatchObject({ seen: 3, written: 0, endedAt: expect.any(Date) as Date });
  expect((await corridas())[0]!.error).toContain('503');
  await sandbox.clear();
  await db.deleteFrom('syncRun').execute();
  const otra = await nueva();
  await db.deleteFrom('publicacion').where('id', '!=', otra.id).execute();
  await nueva();
  await ml.failNext('429', { route: `GET /items/${otra.clave}/price_to_win` });
  expect(await bringCompetencias(db, 'ml')).toBe(0);
  expect((await corridas())[0]).toMatchObject({ seen: 1, written: 0 });
});

test('a reading holds for six hours, one of a listing that may not win for a day, and a refusal waits longer each time', async () => {
  const horas = async ({ id }: { id: string }) => {
    const { rows } = await sql<{
      horas: number;
    }>`select round(extract(epoch from pedir_en - now()) / 3600)::int as horas
      from publicacion_competencia where publicacion_id = ${id}`.execute(db);
    return rows[0]!.horas;
  };
  const [una, parada] = [await nueva(), await nueva({ catalog: { ...PAGINA, reasons: ['shipping_mode'] } })];
  await bringCompetencias(db, 'ml');
  expect([await horas(una), await horas(parada)]).toEqual([6, 24]);
  // A silence is no refusal, and makes none wait longer.
  await vencer();
  await ml.failNext('503', { route: `GET /items/${una.clave}/price_to_win` });
  await bringCompetencias(db, 'ml');
  expect(await horas(una)).toBe(1);
  await ml.post('/interruptores', { precioParaGanar: 'estadoNuevo' });
  for (const esperan of [24, 48, 96]) {
    await vencer();
    await bringCompetencias(db, 'ml');
    expect(await horas(una)).toBe(esperan);
  }
});

test('an answer to an older question that comes late does not take the place of a newer one', async () => {
  const una = await nueva();
  await ml.failNext('slow', { route: `GET /items/${una.clave}/price_to_win`, ms: 1_000 });
  const tarde = bringCompetencia(db, una.id);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await ml.post(`/publicaciones/${una.clave}`, { price: 900, sinAviso: true });
  await bringCompetencia(db, una.id);
  expect(await vista(una)).toMatchObject({ lugar: 'gana' });
  await tarde;
  expect(await vista(una)).toMatchObject({ lugar: 'gana' });
});

test('at the price to win the amount left is that of the one verb, marked as an estimate', async () => {
  const una = await nueva({ sku: `AMS|P30|${producto.proveedor}|X` });
  await bringCompetencias(db, 'ml');
  const { quedaria } = await vista(una);
  const { tarifas } = await readReglas(db);
  const debe = margenNeto(Money.of('939.00'), { costo: Money.of('500'), envio: null, tarifa: tarifas.ml });
  expect(quedaria).toMatchObject({ de: 'paraGanar' });
  if (!quedaria || 'porque' in quedaria) throw new Error('nothing would be left');
  expect([quedaria.precio.toFixed(2), quedaria.queda.toFixed(2), String(quedaria.margen)]).toEqual([
    '939.00',
    debe.queda.toFixed(2),
    String(debe.margen),
  ]);
  expect(quedaria.estima).toEqual(['con la comisión por omisión', 'sin envío: no se sabe cuánto cuesta']);
  await db.updateTable('producto').set({ costoEnvio: '99.00' }).where('id', '=', producto.id).execute();
  const con = (await vista(una)).quedaria;
  expect(con && 'estima' in con && con.estima).toEqual(['con la comisión por omisión']);
  await db
    .updateTable('oferta')
    .set({ precio: null, moneda: null, sinPrecio: 'ilegible' })
    .where('productoId', '=', producto.id)
    .execute();
  expect((await vista(una)).quedaria).toMatchObject({ porque: expect.stringContaining('no da un precio') as string });
});

test('without a product, or without a price to win, nothing is made up', async () => {
  const una = await nueva();
  const negada = await nueva({ catalog: { ...PAGINA, reasons: ['reputation_below_threshold'] } });
  await bringCompetencias(db, 'ml');
  expect((await vista(una)).quedaria).toMatchObject({
    porque: expect.stringContaining('no se sabe su costo') as string,
  });
  expect(await vista(negada)).toMatchObject({ lugar: 'noCompite', paraGanar: null, quedaria: { de: 'ganador' } });
  await ml.post('/interruptores', { precioParaGanar: 'sinPrecio' });
  await vencer();
  await bringCompetencias(db, 'ml');
  expect(await vista(una)).toMatchObject({ lugar: 'pierde', paraGanar: null, ganador: null, quedaria: null });
});

test('a price that moved since is said with the one that was compared, and reading now tells the new place', async () => {
  const una = await nueva();
  await bringCompetencias(db, 'ml');
  await ml.post(`/publicaciones/${una.clave}`, { price: 930, sinAviso: true });
  await bringPublicaciones(db, fuenteOf('ml'), [una.clave]);
  expect((await vista(una)).razones).toEqual(['Se comparó con $1,000.00.']);
  await bringCompetencia(db, una.id);
  expect(await vista(una)).toMatchObject({ lugar: 'gana', razones: [] });
});

test('reading now says why not: no catalogue, a refusal, a marketplace that is not linked', async () => {
  const [una, sola] = [await nueva(), await nueva({ catalog: undefined })];
  await expect(bringCompetencia(db, sola.id)).rejects.toThrow(NotAllowed);
  await ml.post('/interruptores', { precioParaGanar: '403' });
  await expect(bringCompetencia(db, una.id)).rejects.toThrow(/403/);
  expect((await vista(una)).lugar).toBeNull();
  await db.updateTable('credential').set({ status: 'broken' }).execute();
  await expect(bringCompetencia(db, una.id)).rejects.toThrow(/no está conectado/);
  expect(await bringCompetencias(db, 'ml')).toBeNull();
  await db.updateTable('credential').set({ status: 'linked' }).execute();
});

test('two runs at once, and one that is asked for by the clock, do no harm', async () => {
  const una = await nueva();
  await Promise.all([bringCompetencias(db, 'ml'), bringCompetencias(db, 'ml')]);
  expect(await vista(una)).toMatchObject({ lugar: 'pierde', error: null });
  await enqueuePublicaciones(db, 'competencia');
  const { rows } = await sql<{ key: string }>`select key from graphile_worker._private_jobs`.execute(db);
  expect(rows.map(({ key }) => key)).toContainEqual(expect.stringContaining('ml:competencia'));
});

test('offers at Amazon are asked for many at once, and a run takes as many as its pace allows', async () => {
  const amz = sandbox.proveedor('amazon');
  const sku = `AMS|P30|${producto.proveedor}|X`;
  await amz.post('/publicaciones', { cantidad: 170, skus: [sku] });
  await amz.post(`/publicaciones/${encodeURIComponent(sku)}`, { centavos: 100_000, rivales: [94_000] });
  const { publicaciones } = await amz.get<{ publicaciones: { sku: string }[] }>('/publicaciones');
  await bringPublicaciones(
    db,
    fuenteOf('amz'),
    publicaciones.map((una) => una.sku),
  );
  expect(await bringCompetencias(db, 'amz')).toBe(160);
  expect(await bringCompetencias(db, 'amz'), 'the next run goes on with the rest').toBe(10);
  const { preguntas } = await amz.get<{ preguntas: number[] }>('/precios');
  expect(preguntas).toEqual([40, 40, 40, 40, 10]);
  await db
    .updateTable('oferta')
    .set({ precio: '500', moneda: 'MXN', sinPrecio: null })
    .where('productoId', '=', producto.id)
    .execute();
  const { id } = await db.selectFrom('publicacion').select('id').where('clave', '=', sku).executeTakeFirstOrThrow();
  const visto = await readCompetencia(db, { id, market: 'amz' });
  expect(visto).toMatchObject({ lugar: 'pierde', nuestro: null, quedaria: { de: 'paraGanar' } });
  expect(visto?.paraGanar?.toFixed(2)).toBe('939.00');
});
