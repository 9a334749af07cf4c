/** The promotions of a listing of Mercado Libre, in our nouns, as the impostor answers them; and the two writes of an exclusion, on the wire. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { PromocionesHalladas } from '~/domain/mercados/publicacion';
import { Refused, Unavailable } from '~/integrations/errors';
import { noesOf, OfertasQuitadas, Promociones } from '~/integrations/mercadolibre/wirePromociones';
import { createMercadolibreWriter } from '~/integrations/mercadolibre/write.server';
import { env } from '~/core/env.server';
import { mercadolibreOauth } from '~/domain/mercados/ml/conexion.server';
import { mercadolibreTokens } from '~/domain/mercados/ml/internal/tokens.server';
import { testDatabase } from '../../support/db';
import { linkSandbox } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
let ultima = 4_900_000_000;

beforeAll(() => linkSandbox(db, sandbox));
beforeEach(() =>
  ml.post('/interruptores', {
    promociones: 'llega',
    promocionesSueltas: false,
    exclusion: 'estado',
    quitarOferta: 'ids',
    ofertasConCandado: 0,
  }),
);

/** Puts a listing of 1,000.00 on sale, with promotions. */
async function nueva(...promociones: object[]) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, { price: 1_000, sinAviso: true });
  for (const una of promociones) await ml.post(`/promociones/${clave}`, { ...una, sinAviso: true });
  return clave;
}
const leer = async (clave: string): Promise<PromocionesHalladas> =>
  (await fuenteOf('ml').publicaciones!.open(db).promociones!.leer([clave]))[0]!;
async function dichas(clave: string) {
  const una = await leer(clave);
  if ('negada' in una) return una;
  return una.promociones.map(({ nombre, estado, precio, original, pone, ponemos, soloAlla }) => [
    nombre,
    estado,
    ...[precio, original, pone, ponemos].map((valor) => valor?.toFixed(2) ?? null),
    soloAlla !== null,
  ]);
}
const escritor = () =>
  createMercadolibreWriter({ baseUrl: env().MERCADOLIBRE_URL, tokens: mercadolibreTokens(db, mercadolibreOauth()) })
    .promociones;
const SMART = { type: 'SMART', id: 'P-MLM1', price: 700 };

test('each promotion is told with its state, its prices and who pays which part; an invitation has no price', async () => {
  const clave = await nueva(
    { ...SMART, meli: 10, seller: 20, name: 'Hot Sale' },
    { type: 'PRICE_DISCOUNT', price: 900, status: 'pending' },
    { type: 'DEAL', id: 'P-MLM2', status: 'candidate', price: 800 },
    { type: 'PRICE_MATCHING_MELI_ALL', id: 'P-MLM3', price: 950 },
    { type: 'TIPO_NUEVO', id: 'P-MLM4', price: 990, status: 'restore_requested' },
  );
  expect(await dichas(clave)).toEqual([
    ['Campaña automática: Hot Sale', 'activa', '700.00', '1000.00', '10.00', '20.00', false],
    ['Descuento individual', 'programada', '900.00', '1000.00', null, null, false],
    ['Campaña tradicional', 'candidata', null, '1000.00', null, null, false],
    ['Precio igualado, lo paga Mercado Libre', 'activa', '950.00', '1000.00', '100.00', '0.00', true],
    ['TIPO_NUEVO', 'programada', '990.00', '1000.00', null, null, false],
  ]);
});

test('a list, a single one without its list and an empty list are read; a state that nobody knows is told as it came', async () => {
  const clave = await nueva(SMART);
  await ml.post('/interruptores', { promocionesSueltas: true });
  expect(await dichas(clave)).toHaveLength(1);
  await ml.post('/interruptores', { promocionesSueltas: false, promociones: 'estadoNuevo' });
  const una = await leer(clave);
  expect('promociones' in una && una.promociones[0]).toMatchObject({ estado: null, palabra: 'almost_started' });
  await ml.post('/interruptores', { promociones: 'llega' });
  expect(await leer(await nueva())).toMatchObject({ promociones: [], excluida: null });
  expect(Promociones.safeParse({ message: 'what' }).success, 'an object of another kind is no promotion').toBe(false);
});

test('a no to the account is told apart from a no to the listing, silence is thrown, and neither is an empty list', async () => {
  const clave = await nueva(SMART);
  await ml.post('/interruptores', { promociones: '403' });
  expect(await leer(clave)).toMatchObject({ negada: expect.stringContaining('403') as string, cuenta: true });
  await ml.post('/interruptores', { promociones: 'llega' });
  expect(await leer('MLM4999999999')).toMatchObject({
    negada: expect.stringContaining('404') as string,
    cuenta: false,
  });
  await ml.failNext('503', { route: `GET /seller-promotions/items/${clave}` });
  await expect(leer(clave)).rejects.toBeInstanceOf(Unavailable);
  await ml.failNext('html', { route: `GET /seller-promotions/items/${clave}` });
  expect(await leer(clave)).toMatchObject({ cuenta: false });
});

test('whether a listing is excluded is asked where a promotion runs, and unknown where the answer is not understood', async () => {
  const clave = await nueva(SMART);
  expect(await leer(clave)).toMatchObject({ excluida: false });
  await escritor().excluir(clave);
  expect(await leer(clave)).toMatchObject({ excluida: true });
  await ml.failNext('html', { route: `GET /seller-promotions/exclusion-list/seller/${clave}` });
  expect(await leer(clave)).toMatchObject({ excluida: null, promociones: [{ tipo: 'SMART' }] });
});

test('an exclusion is told in texts, whatever its answer holds, and a refusal is a clear no', async () => {
  for (const exclusion of ['estado', 'vacia'] as const) {
    const clave = await nueva();
    await ml.post('/interruptores', { exclusion });
    await escritor().excluir(clave);
    expect((await ml.get<{ excluidas: string[] }>('/promociones')).excluidas).toContain(clave);
  }
  await ml.post('/interruptores', { exclusion: 'niega' });
  await expect(escritor().excluir(await nueva())).rejects.toBeInstanceOf(Refused);
});

test('an offer is removed by its type and promotion; a success that holds nothing but errors is a no, a lock is to be tried later', async () => {
  const clave = await nueva(SMART, { type: 'DEAL', id: 'P-MLM2', price: 800 });
  const suya = { tipo: 'SMART', promocion: 'P-MLM1' };
  await ml.post('/interruptores', { quitarOferta: 'soloErrores' });
  await expect(escritor().quitar(clave, suya)).rejects.toThrow(/contestó «The offer can not be deleted»/);
  await ml.post('/interruptores', { quitarOferta: 'vacia', ofertasConCandado: 1 });
  await expect(escritor().quitar(clave, suya)).rejects.toMatchObject({ name: 'Unavailable', details: { status: 423 } });
  await escritor().quitar(clave, suya);
  expect(await leer(clave)).toMatchObject({ promociones: [{ tipo: 'DEAL', estado: 'activa' }] });
  const pagada = await nueva({ type: 'PRICE_MATCHING_MELI_ALL', id: 'P-MLM3', price: 950 });
  await ml.post('/interruptores', { quitarOferta: 'ids' });
  await expect(
    escritor().quitar(pagada, { tipo: 'PRICE_MATCHING_MELI_ALL', promocion: 'P-MLM3' }),
  ).rejects.toBeInstanceOf(Refused);
});

test('errors of a removal are read as texts, as objects and beside the ids of what was done', () => {
  const noes = (answer: unknown) => noesOf(OfertasQuitadas.parse(answer));
  expect(noes({ successful_ids: [{ offer_id: 'O-1', error: null }], errors: [] })).toEqual([]);
  expect(noes({ errors: [{ offer_id: 'O-1', error: 'locked' }] })).toEqual(['locked']);
  expect(noes({ errors: [{ offer_id: 'O-1', error: { key: 'not_allowed', message: 'No se puede' } }] })).toEqual([
    'No se puede',
  ]);
  expect(noes({ successful_ids: [{ offer_id: 'O-1', error: 'half' }] })).toEqual(['half']);
  expect(noes({})).toEqual([]);
});
