/** A listing moves to another category with what it answered already; what is refused is told field by field. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { changeCategoria, readCambio } from '~/domain/publicaciones/publicador/changeCategoria.server';
import { buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { runUntilSettled, withWorker } from '../../../support/jobs';
import { linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

process.env.EFFECT_PACE = '0.02';
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;
let cuantas = 0;

beforeAll(async () => {
  quien = await buildQuien(db);
  await linkSandbox(db, sandbox);
}, 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sql`delete from connection`.execute(db);
});

const CABLES = 'MLM4637';
const ATRIBUTOS = [
  { id: 'BRAND', value_name: 'Saxxon' },
  { id: 'MODEL', value_name: 'CAT6' },
  { id: 'EMPTY_GTIN_REASON', value_id: '17055160', value_name: 'El producto no tiene código registrado' },
];

/** On sale there and known here, in the category of cameras. */
async function publicada({ sold = 0 } = {}) {
  const clave = `MLM38${String(++cuantas).padStart(8, '0')}`;
  await sandbox.mercadolibre.post(`/publicaciones/${clave}`, {
    title: 'Cable',
    sold,
    attributes: ATRIBUTOS,
    sinAviso: true,
  });
  const { id } = await db
    .insertInto('publicacion')
    .values({ market: 'ml', clave, marketId: clave, titulo: 'Cable', estatus: 'active', categoriaId: 'MLM167538' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, clave };
}
const vistaDe = async (id: string) => (await readCambio(db, id, { q: null, nodo: null, categoriaId: CABLES }))!;
const alla = ({ clave }: { clave: string }) =>
  sandbox.mercadolibre.get<{ categoryId: string; attributes: { id: string; value_name?: string }[] }>(
    `/publicaciones/${clave}`,
  );

async function mover(id: string, cambio: Record<string, string | null> = {}) {
  const { elegida, publicacion } = await vistaDe(id);
  const suyas = Object.fromEntries(Object.entries(elegida!.respuestas).map(([campo, { valor }]) => [campo, valor]));
  const valor = { ...suyas, LENGTH: '3', ...cambio };
  return changeCategoria(db, id, CABLES, { version: publicacion.version, valor, unidad: { LENGTH: 'm' } }, quien);
}

test('what it answered already is kept, and the new category is told with what it asks', async () => {
  const una = await publicada();
  const { elegida } = await vistaDe(una.id);
  expect(elegida!.respuestas).toMatchObject({ BRAND: { valor: 'Saxxon' }, EMPTY_GTIN_REASON: { valor: '17055160' } });
  expect(await withWorker(() => mover(una.id))).toBe(true);
  const puesta = await alla(una);
  expect(puesta.categoryId).toBe(CABLES);
  expect(puesta.attributes).toContainEqual({ id: 'LENGTH', value_name: '3 m' });
  expect(puesta.attributes).toContainEqual({ id: 'MODEL', value_name: 'CAT6' });
  const kept = await db
    .selectFrom('publicacion')
    .select('categoriaId')
    .where('id', '=', una.id)
    .executeTakeFirstOrThrow();
  expect(kept.categoriaId).toBe(CABLES);
});

test('what is obligatory and missing is told at its field, and nothing leaves', async () => {
  const una = await publicada();
  await expect(mover(una.id, { LENGTH: null })).rejects.toMatchObject({
    campo: 'valor.LENGTH',
    message: 'Largo: Este dato es requerido',
  });
  expect((await alla(una)).categoryId).toBe('MLM167538');
});

test('what the marketplace refuses comes back at its fields with what had been answered', async () => {
  const una = await publicada();
  await expect(withWorker(() => mover(una.id, { GTIN: '12345678' }))).rejects.toThrow(
    /Código universal de producto: El código no es un GTIN/,
  );
  const { elegida } = await vistaDe(una.id);
  expect(elegida!.problemas).toEqual([
    { campo: 'GTIN', texto: expect.stringMatching(/^El código no es un GTIN/) as string },
  ]);
  expect(elegida!.respuestas).toMatchObject({ LENGTH: { valor: '3', unidad: 'm' }, GTIN: { valor: '12345678' } });
});

test('one with sales is refused in words', async () => {
  const una = await publicada({ sold: 3 });
  expect((await vistaDe(una.id)).elegida!.vendido).toBe(3);
  await expect(withWorker(() => mover(una.id))).rejects.toThrow(/Ya tiene ventas/);
});

test('an answer that was lost is asked for again: the same move twice is one', async () => {
  const una = await publicada();
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: `PUT /items/${una.clave}` });
  await withWorker(() => mover(una.id));
  await runUntilSettled();
  expect((await alla(una)).categoryId).toBe(CABLES);
  const kept = await db
    .selectFrom('publicacion')
    .select('categoriaId')
    .where('id', '=', una.id)
    .executeTakeFirstOrThrow();
  expect(kept.categoriaId).toBe(CABLES);
});
