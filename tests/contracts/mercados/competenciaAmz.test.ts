/** How an offer at Amazon stands against the featured offer of its page, in our nouns, as the impostor answers it. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { fuenteOf } from '~/domain/mercados/registro.server';
import type { CompetenciaHallada } from '~/domain/mercados/publicacion';
import { Unavailable } from '~/integrations/errors';
import { linkSandboxAmazon } from '../../support/amazon';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
let ultima = 0;

beforeAll(() => linkSandboxAmazon(db, sandbox));
beforeEach(async () => {
  await amz.post('/interruptores', {
    ofertaDestacada: 'llega',
    sinOtraOferta: 'NO_COMPETING_OFFERS',
    filasDePrecio: 'enOrden',
    soloFilasMalas: '200',
  });
  await db.deleteFrom('connection').where('kind', 'like', '%ExpectedPrice%').execute();
});

/** Puts an offer of 1,000.00 on sale, on a page with those of others (in pesos) or alone. */
async function nueva(rivales: number[], more: object = {}) {
  const sku = `COMP/${ultima++}, ñ`;
  await amz.post(`/publicaciones/${encodeURIComponent(sku)}`, {
    centavos: 100_000,
    rivales: rivales.map((pesos) => pesos * 100),
    ...more,
  });
  return sku;
}
const lectura = () => fuenteOf('amz').publicaciones!.open(db).competencia!;
function enTextos(una: CompetenciaHallada | undefined) {
  if (!una || 'negada' in una) return una && [una.negada, una.cuenta];
  const { lugar, nuestro, paraGanar, ganador, comparten, razones } = una.competencia;
  return [lugar, ...[nuestro, paraGanar, ganador].map((precio) => precio?.toFixed(2) ?? null), comparten, ...razones];
}
const dichas = async (...skus: string[]) => (await lectura().leer(skus)).map(enTextos);
const dicha = async (sku: string) => {
  await db.deleteFrom('connection').where('kind', 'like', '%ExpectedPrice%').execute();
  return (await dichas(sku))[0];
};

test('many offers are one question, and each answer is that of its own offer, in whatever order they come', async () => {
  const skus = [await nueva([940]), await nueva([1_100]), await nueva([])];
  await amz.post('/interruptores', { filasDePrecio: 'alReves' });
  expect(await dichas(...skus)).toEqual([
    ['pierde', null, '939.00', '940.00', null],
    ['gana', '1000.00', '1099.00', '1000.00', null],
    ['gana', '1000.00', null, '1000.00', null, 'No hay otra oferta que compita.'],
  ]);
  const { preguntas } = await amz.get<{ preguntas: number[] }>('/precios');
  expect(preguntas.at(-1)).toBe(3);
  await amz.post('/interruptores', { sinOtraOferta: 'NO_COMPETING_OFFER' });
  expect(await dicha(skus[2]!), 'either spelling').toContain('gana');
});

test('an offer that may not be the featured one says why, and one whose page features nobody has not won', async () => {
  expect(await dicha(await nueva([940], { destacada: 'noElegible' }))).toEqual([
    'noCompite',
    null,
    null,
    null,
    null,
    'La oferta no puede ser la destacada.',
  ]);
  expect(await dicha(await nueva([940], { destacada: 'paginaSin' }))).toContain('La página no lleva oferta destacada.');
  expect(await dicha(await nueva([1_100], { destacada: 'nadie' }))).toEqual([
    'pierde',
    null,
    '1099.00',
    '1100.00',
    null,
    'Nadie tiene ahora la oferta destacada.',
  ]);
});

test('an unknown sku is a no to that offer alone, also where Amazon refuses a question of bad offers whole', async () => {
  expect((await dichas('NO-EXISTE', await nueva([940]))).map((una) => una?.[0])).toEqual([
    'Amazon dijo que no (400 INVALID_SKU)',
    'pierde',
  ]);
  expect(await dicha('NO-EXISTE')).toEqual(['Amazon dijo que no (400 INVALID_SKU)', false]);
  await amz.post('/interruptores', { soloFilasMalas: '400' });
  expect(await dicha('NO-EXISTE')).toEqual([expect.stringContaining('400'), false]);
});

test('a refused account, and a country without such prices, are told as no of the account; an unknown word is no place', async () => {
  const sku = await nueva([940]);
  await amz.post('/interruptores', { ofertaDestacada: '403' });
  expect(await dicha(sku)).toEqual([expect.stringContaining('403'), true]);
  await amz.post('/interruptores', { ofertaDestacada: 'sinServicio' });
  expect(await dicha(sku)).toEqual(['Amazon dijo que no (400 INVALID_MARKETPLACE)', true]);
  await amz.post('/interruptores', { ofertaDestacada: 'resultadoNuevo' });
  expect(await dicha(sku)).toEqual(['Amazon contestó un resultado que no conocemos: ALMOST_FEATURED', false]);
});

test('silence is thrown, and a person does not wait for the pace of one question in half a minute', async () => {
  const sku = await nueva([940]);
  await amz.failNext('503', { route: 'POST /batches' });
  await expect(dicha(sku)).rejects.toBeInstanceOf(Unavailable);
  expect(await dicha(sku)).toContain('pierde');
  const persona = fuenteOf('amz').publicaciones!.open(db, { timeoutMs: 8_000 }).competencia!;
  await db
    .updateTable('connection')
    .set({ tokens: 0, refilledAt: new Date(Date.now() + 3_600_000) })
    .where('kind', 'like', '%ExpectedPrice%')
    .execute();
  await expect(persona.leer([sku])).rejects.toMatchObject({ details: { ownPace: true } });
});
