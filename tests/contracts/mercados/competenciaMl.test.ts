/** How a listing of Mercado Libre stands on its catalogue page, in our nouns, as the impostor answers it. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { CompetenciaHallada } from '~/domain/mercados/publicacion';
import { Unavailable } from '~/integrations/errors';
import { testDatabase } from '../../support/db';
import { linkSandbox } from '../../support/mercadolibre';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
let ultima = 4_800_000_000;

beforeAll(() => linkSandbox(db, sandbox));
beforeEach(() => ml.post('/interruptores', { precioParaGanar: 'llega' }));

/** Puts a listing of 1,000.00 on sale on a page with others, or on none. */
async function nueva(catalog?: { rivals: number[]; reasons?: string[] }, more: object = {}) {
  const clave = `MLM${ultima++}`;
  await ml.post(`/publicaciones/${clave}`, {
    price: 1_000,
    sinAviso: true,
    ...(catalog && { catalog: { product: 'MLM18000001', ...catalog } }),
    ...more,
  });
  return clave;
}
const abierto = () => fuenteOf('ml').publicaciones!.open(db);
const leer = async (clave: string): Promise<CompetenciaHallada> => (await abierto().competencia!.leer([clave]))[0]!;
/** The standing in texts: place, price to win, the winner's, others in the first place, reasons. */
async function dicha(clave: string) {
  const una = await leer(clave);
  if ('negada' in una) return una;
  const { lugar, nuestro, paraGanar, ganador, comparten, razones } = una.competencia;
  return [lugar, ...[nuestro, paraGanar, ganador].map((precio) => precio?.toFixed(2) ?? null), comparten, ...razones];
}

test('a listing wins, shares or loses by its price, with the price to win and the price of who wins', async () => {
  expect(await dicha(await nueva({ rivals: [1_050, 1_200] }))).toEqual(['gana', '1000.00', '1000.00', '1000.00', 0]);
  expect(await dicha(await nueva({ rivals: [1_000, 1_000, 1_200] }))).toEqual([
    'comparte',
    '1000.00',
    '999.00',
    '1000.00',
    2,
  ]);
  expect(await dicha(await nueva({ rivals: [940, 1_200] }))).toEqual(['pierde', '1000.00', '939.00', '940.00', null]);
  expect(await dicha(await nueva({ rivals: [940] }, { deal: 900 })), 'a promotion counts').toEqual([
    'gana',
    '900.00',
    '900.00',
    '900.00',
    0,
  ]);
});

test('a listing that may not win says why in words, and has no price to win', async () => {
  expect(await dicha(await nueva({ rivals: [940], reasons: ['reputation_below_threshold'] }))).toEqual([
    'noCompite',
    '1000.00',
    null,
    '940.00',
    null,
    'La reputación de la cuenta no alcanza para ganar.',
  ]);
  expect(await dicha(await nueva({ rivals: [940], reasons: ['palabra_nueva'] }))).toContain('palabra_nueva');
  expect(await dicha(await nueva({ rivals: [940] }, { status: 'paused' }))).toContain('Está pausada.');
});

test('a listing outside the catalogue does not compete, and is told as such when it is read', async () => {
  const [sola, otra] = [await nueva(), await nueva({ rivals: [900] })];
  expect(await dicha(sola)).toEqual(['noCompite', null, null, null, null, 'No está en el catálogo.']);
  const leidas = await abierto().leer([sola, otra]);
  expect(leidas.map((una) => 'leida' in una && una.leida.deCatalogo)).toEqual([false, true]);
});

test('a missing price is unknown and no 0; a word that nobody knows is no place', async () => {
  const clave = await nueva({ rivals: [940] });
  await ml.post('/interruptores', { precioParaGanar: 'sinPrecio' });
  expect(await dicha(clave)).toEqual(['pierde', '1000.00', null, null, null]);
  await ml.post('/interruptores', { precioParaGanar: 'estadoNuevo' });
  expect(await dicha(clave)).toEqual({
    clave,
    negada: 'Mercado Libre contestó un lugar que no conocemos: almost_winning',
    cuenta: false,
  });
});

test('a no to the account is told apart from a no to the listing, and silence is thrown', async () => {
  const clave = await nueva({ rivals: [940] });
  await ml.post('/interruptores', { precioParaGanar: '403' });
  expect(await leer(clave)).toMatchObject({ negada: expect.stringContaining('403') as string, cuenta: true });
  await ml.post('/interruptores', { precioParaGanar: 'llega' });
  expect(await leer('MLM4899999999')).toMatchObject({
    negada: expect.stringContaining('404') as string,
    cuenta: false,
  });
  await ml.failNext('503', { route: `GET /items/${clave}/price_to_win` });
  await expect(leer(clave)).rejects.toBeInstanceOf(Unavailable);
  await ml.failNext('html', { route: `GET /items/${clave}/price_to_win` });
  expect(await leer(clave)).toMatchObject({ cuenta: false });
  expect(await dicha(clave)).toContain('pierde');
});
