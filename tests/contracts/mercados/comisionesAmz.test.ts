/** What Amazon would take of a sale, asked before the sale, as the impostor answers it. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import type { ComisionHallada, VentaDeUna } from '~/domain/mercados/comision';
import { finanzasOf } from '~/domain/mercados/amz/internal/finanzas';
import { amazonLwa, amazonTokens } from '~/domain/mercados/amz/internal/tokens.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { Unavailable, UnexpectedShape } from '~/integrations/errors';
import { createComisionesAmz } from '~/integrations/amazon/comisiones.server';
import { SIN_RITMO } from '~/integrations/amazon/pace';
import { type AmazonFacts, linkSandboxAmazon, openSandboxAmazon } from '../../support/amazon';
import { testDatabase } from '../../support/db';
import { startTestSandbox } from '../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 0, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');

beforeAll(async () => {
  await linkSandboxAmazon(db, sandbox);
  for (let n = 0; n < 25; n++) await amz.post(`/publicaciones/${skuOf(n)}`, { centavos: 100_000 });
});
beforeEach(async () => {
  await amz.post('/ritmo', { factor: 100_000 });
  await amz.post('/interruptores', {
    estimacion: 'llega',
    tandaDeEstimaciones: 'veinte',
    ivaEnEstimacion: 'dentro',
    nombresDeCargos: 'documentados',
    desgloseDeEstimacion: 'llega',
    errorVacio: 'no',
    comision: 'conIva',
  });
  await db.deleteFrom('connection').where('kind', 'like', '%FeesEstimates%').execute();
});

const skuOf = (n: number) => `COM-${n}`;
const una = (sku: string, pesos: string, more: Partial<VentaDeUna> = {}): VentaDeUna => ({
  sku,
  precio: Money.of(pesos),
  envio: Money.zero,
  delMercado: false,
  ...more,
});
const comisiones = () => fuenteOf('amz').comisiones!.open(db);
const enTexto = (hallada: ComisionHallada) =>
  'comision' in hallada ? hallada.comision.toFixed(2) : `${hallada.cuenta ? 'cuenta: ' : ''}${hallada.negada}`;
const dichas = async (...ventas: VentaDeUna[]) => {
  await db.deleteFrom('connection').where('kind', 'like', '%FeesEstimates%').execute();
  return (await comisiones().estimar(ventas)).map(enTexto);
};
const preguntas = async () => (await amz.get<{ preguntas: number[] }>('/comisiones')).preguntas;

test('many prices are one question, and each answer is that of its own price, in whatever order they come', async () => {
  const ventas = Array.from({ length: 20 }, (_, n) => una(skuOf(n), `${100 + n}.00`));
  expect(await dichas(...ventas)).toEqual(
    ventas.map(({ precio }) => precio.by(Money.of('0.15')).withIva().cents().toFixed(2)),
  );
  expect((await preguntas()).at(-1)).toBe(20);
});

test('what is estimated of a sale is what its movements charge later, of our shipments and of those of Amazon', async () => {
  await amz.post('/retrasos', { horasTarde: 0 });
  const client = await openSandboxAmazon(sandbox);
  for (const escenario of ['simple', 'amazon'])
    for (const comision of ['conIva', 'sinIva']) {
      await amz.post('/interruptores', { comision });
      const sku = `REAL-${escenario}-${comision}`;
      const { id, productos } = await amz.post<AmazonFacts>('/ventas', {
        escenario,
        sku,
        creada: Date.now() - 8 * 86_400_000,
      });
      const finanzas = finanzasOf(await client.transactionsOf(id))!;
      expect(await dichas(una(sku, productos.toFixed(2), { delMercado: escenario === 'amazon' })), sku).toEqual([
        finanzas.comision.toFixed(2),
      ]);
    }
});

test('IVA counts once wherever it stands, the names of fees do not matter, and a success may come with an empty error', async () => {
  const caras = async (interruptores: Record<string, string>, delMercado = false) => {
    await amz.post('/interruptores', interruptores);
    return (await dichas(una(skuOf(1), '1000.00', { delMercado })))[0];
  };
  expect(await caras({ ivaEnEstimacion: 'dentro' })).toBe('174.00');
  expect(await caras({ ivaEnEstimacion: 'dichoDentro' })).toBe('174.00');
  expect(await caras({ ivaEnEstimacion: 'dichoAparte' })).toBe('174.00');
  expect(await caras({ ivaEnEstimacion: 'fuera' }), 'nothing tells that it is missing').toBe('150.00');
  expect(await caras({ ivaEnEstimacion: 'dentro', errorVacio: 'si' })).toBe('174.00');
  expect(await caras({}, true), 'the warehouse is no commission').toBe('174.00');
  expect(await caras({ nombresDeCargos: 'otros' }, true)).toBe('174.00');
  expect(await caras({ desgloseDeEstimacion: 'falta' })).toBe('174.00');
  expect(await caras({}, true), 'without parts nobody can tell the warehouse apart').toBe(
    'Amazon no dijo la comisión en pesos.',
  );
});

test('a row that fails is a no to its own price, and a question that is too long is asked in halves', async () => {
  const [mala, buena] = await dichas(una('NO-EXISTE', '100.00'), una(skuOf(2), '100.00'));
  expect([mala, buena]).toEqual([
    'Amazon dijo que no (InvalidParameterValue: The provided SKU was not found.)',
    '17.40',
  ]);
  await amz.post('/interruptores', { tandaDeEstimaciones: 'cinco' });
  const antes = (await preguntas()).length;
  const todas = await dichas(...Array.from({ length: 9 }, (_, n) => una(skuOf(n), `${n + 1}00.00`)));
  expect(todas).toEqual(
    Array.from({ length: 9 }, (_, n) =>
      Money.of(`${n + 1}`)
        .by(Money.of('17.4'))
        .toFixed(2),
    ),
  );
  expect((await preguntas()).slice(antes)).toEqual([9, 5, 4]);
});

test('a refused account is a no of the account, silence is thrown, and another shape is named', async () => {
  await amz.post('/interruptores', { estimacion: '403' });
  expect(await dichas(una(skuOf(3), '100.00'))).toEqual([expect.stringMatching(/^cuenta: Amazon dijo que no \(403/)]);
  await amz.post('/interruptores', { estimacion: 'falla' });
  expect(await dichas(una(skuOf(3), '100.00'))).toEqual([expect.stringContaining('InvalidParameterValue')]);
  await amz.post('/interruptores', { estimacion: 'llega' });
  await amz.failNext('503', { route: 'POST /products' });
  await expect(dichas(una(skuOf(3), '100.00'))).rejects.toBeInstanceOf(Unavailable);
  await amz.failNext('html', { route: 'POST /products' });
  await expect(dichas(una(skuOf(3), '100.00'))).rejects.toBeInstanceOf(UnexpectedShape);
});

test('Amazon takes one question in two seconds, and a call too many waits for its own pace alone', async () => {
  await amz.post('/ritmo', { factor: 1 });
  const sinRitmo = createComisionesAmz({
    baseUrl: `${sandbox.url}/amazon`,
    tokens: amazonTokens(db, amazonLwa()),
    ritmo: SIN_RITMO,
  });
  const pregunta = { sku: skuOf(4), precio: Money.of('100'), envio: Money.zero, surtido: false };
  await sinRitmo.estimar([pregunta]);
  await expect(sinRitmo.estimar([pregunta])).rejects.toMatchObject({
    details: { status: 429, retryAfterMs: 2_000, ownPace: true },
  });
});
