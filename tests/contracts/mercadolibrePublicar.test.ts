/** Putting something on sale: what a category asks for, what is not taken and why, and what comes of a listing that was sent. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { env } from '~/core/env.server';
import { mercadolibreOauth } from '~/domain/mercados/ml/conexion.server';
import { mercadolibreTokens } from '~/domain/mercados/ml/internal/tokens.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { Refused, Unavailable, Uncertain } from '~/integrations/errors';
import { createCategorias } from '~/integrations/mercadolibre/categorias.server';
import { testDatabase } from '../support/db';
import { linkSandbox } from '../support/mercadolibre';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = () =>
  effectRuntime(db)
    .clients(() => undefined)
    .ml();
const categorias = () =>
  createCategorias({ baseUrl: env().MERCADOLIBRE_URL, tokens: mercadolibreTokens(db, mercadolibreOauth()) });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

beforeAll(async () => void (await linkSandbox(db, sandbox)), 60_000);
beforeEach(async () => {
  await sandbox.clear();
  await sandbox.mercadolibre.post('/interruptores', { cuentaUp: false, preciosEnLista: false, logistica: 'drop_off' });
});

const CAMARAS = 'MLM167538';
const SKU = 'AMS|1|syscom|DS-1';
const item = (attributes: object[] = [], rest: object = {}) => ({
  title: 'Cámara bala',
  category_id: CAMARAS,
  price: 650,
  currency_id: 'MXN',
  available_quantity: 3,
  buying_mode: 'buy_it_now',
  condition: 'new',
  listing_type_id: 'gold_special',
  pictures: [{ source: 'https://ftp3.syscom.mx/foto.png' }],
  attributes: [
    { id: 'BRAND', value_name: 'Hikvision' },
    { id: 'MODEL', value_name: 'DS-1' },
    { id: 'CAMERA_TYPE', value_id: '7000' },
    { id: 'RESOLUTION', value_name: '1080p' },
    { id: 'IS_WIRELESS', value_id: '242084' },
    { id: 'EMPTY_GTIN_REASON', value_id: '17055160' },
    { id: 'SELLER_SKU', value_name: SKU },
    ...attributes,
  ],
  ...rest,
});

test('the tree is walked from its roots to a leaf, and a leaf tells its path', async () => {
  const roots = await categorias().roots();
  expect(roots[0]).toEqual({ id: 'MLM1000', name: 'Electrónica, Audio y Video' });
  const branch = await categorias().category('MLM1000');
  expect(branch!.children_categories.map(({ id }) => id)).toContain('MLM167537');
  expect(branch!.settings!.listing_allowed).toBe(false);
  const leaf = await categorias().category(CAMARAS);
  expect(leaf!.path_from_root.map(({ name }) => name)).toEqual([
    'Electrónica, Audio y Video',
    'Videovigilancia',
    'Cámaras de Vigilancia',
  ]);
  expect(leaf!.settings!.listing_allowed).toBe(true);
  expect(await categorias().category('MLM0')).toBeNull();
  expect((await categorias().predict('Cámara domo 2mp')).map((one) => one.category_id)).toEqual([CAMARAS]);
  expect(await categorias().predict('xyz')).toEqual([]);
});

test('attributes tell type, values, units and flags', async () => {
  const attributes = await categorias().attributes('MLM4637');
  const largo = attributes.find(({ id }) => id === 'LENGTH')!;
  expect(largo).toMatchObject({ value_type: 'number_unit', default_unit: 'm' });
  expect(largo.allowed_units.map(({ id }) => id)).toEqual(['m', 'cm', 'mm']);
  expect(largo.tags.has('required')).toBe(true);
  const conditional = await categorias().conditional(CAMARAS, item([{ id: 'IS_WIRELESS', value_id: '242085' }]));
  expect(conditional).toEqual(['WIFI_STANDARD']);
});

test('what is not taken comes with each of its reasons, warnings apart', async () => {
  expect(await categorias().validate(item())).toEqual([]);
  const causas = await categorias().validate({
    ...item(),
    price: 1,
    attributes: [{ id: 'BRAND', value_name: 'Hikvision' }],
  });
  expect(causas.map(({ id }) => id)).toEqual([109, 147, 7810]);
  expect(causas[1]!.mensaje).toContain('[MODEL, CAMERA_TYPE, RESOLUTION, IS_WIRELESS]');
  expect((await categorias().validate({ ...item(), price: '650' }))[0]).toMatchObject({
    codigo: 'body.invalid_field_types',
  });
});

test('an account of user products is told apart, and its listings have a family name', async () => {
  expect(await categorias().cuenta.etiquetas()).not.toContain('user_product_seller');
  await sandbox.mercadolibre.post('/interruptores', { cuentaUp: true });
  expect(await categorias().cuenta.etiquetas()).toContain('user_product_seller');
  expect((await categorias().validate(item()))[0]).toMatchObject({ id: 369, referencias: ['item.family_name'] });
  const { title, ...rest } = item();
  expect(await categorias().validate({ ...rest, family_name: title })).toEqual([]);
});

test.each([false, true])('what it keeps of a price is read alone or out of a list (%s)', async (preciosEnLista) => {
  await sandbox.mercadolibre.post('/interruptores', { preciosEnLista });
  const fee = await categorias().fee({ precio: '1000.00', categoria: CAMARAS, tipo: 'gold_pro' });
  expect(String(fee)).toBe('185.00');
});

test.each([
  ['drop_off', '18.50'],
  ['self_service', '46.50'],
])('what it keeps of a cheap sale follows how the account sends (%s)', async (logistica, kept) => {
  await sandbox.mercadolibre.post('/interruptores', { logistica });
  const fee = await categorias().fee({ precio: '100.00', categoria: CAMARAS, tipo: 'gold_pro' });
  expect(String(fee)).toBe(kept);
});

test('a listing is found by its sku, described twice and changed', async () => {
  const made = await ml().createItem(item([], { title: 'Cámara que se describe' }));
  expect(made).toMatchObject({ status: 'active', category_id: CAMARAS });
  expect(await ml().itemsBySku(SKU)).toContain(made.id);
  expect(await ml().itemsBySku('AMS|2|syscom|DS-2')).toEqual([]);
  await ml().describeItem(made.id, 'Una cámara.');
  await ml().describeItem(made.id, 'Otra cámara.');
  const refused = (await failureOf(ml().changeItem(made.id, { category_id: 'MLM4637' }))) as Refused;
  expect(refused).toBeInstanceOf(Refused);
  expect(refused.details.answer).toEqual([
    expect.objectContaining({ id: 147, codigo: 'item.attributes.missing_required' }),
  ]);
  const moved = await ml().changeItem(made.id, {
    category_id: 'MLM4637',
    attributes: [{ id: 'LENGTH', value_name: '3 m' }],
  });
  expect(moved.category_id).toBe('MLM4637');
});

test('a picture is uploaded whole, and named by its id', async () => {
  const id = await ml().uploadPicture({ nombre: 'foto.png', tipo: 'image/png', contenido: png(900, 700) });
  expect(await categorias().validate(item([], { pictures: [{ id }] }))).toEqual([]);
  const small = await ml().uploadPicture({ nombre: 'chica.png', tipo: 'image/png', contenido: png(300, 200) });
  expect((await categorias().validate(item([], { pictures: [{ id: small }] })))[0]).toMatchObject({ id: 3703 });
});

test('a doubtful answer is a doubt; a lost look is none', async () => {
  await sandbox.mercadolibre.failNext('reset-after-doing', { route: 'POST /items' });
  expect(await failureOf(ml().createItem(item([], { title: 'Cámara dudosa' })))).toBeInstanceOf(Uncertain);
  await sandbox.mercadolibre.failNext('reset', { route: '/items/validate' });
  expect(await failureOf(categorias().validate(item()))).toBeInstanceOf(Unavailable);
  await sandbox.mercadolibre.failNext('reset', { route: '/items/search' });
  expect(await failureOf(ml().itemsBySku(SKU))).toBeInstanceOf(Unavailable);
});

/** As much of a picture as says how large it is. */
function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]).copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
