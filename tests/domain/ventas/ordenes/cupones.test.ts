/** Coupons of buyers, from the sale to its settlement: who pays them is what the marketplace says, and never a guess. */
import { beforeAll, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { bringLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { liquidacionesMl } from '~/domain/mercados/ml/internal/liquidaciones.server';
import { cuponOf } from '~/domain/mercados/ml/internal/pagos';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import { Order, OrderDiscounts } from '~/integrations/mercadolibre/wire';
import { testDatabase } from '../../../support/db';
import { fuenteDe, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';
import pagada from '../../mercados/samples/pagada.json';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
const DAY = 86_400_000;
let sync: () => Promise<unknown>;
beforeAll(async () => {
  const client = await linkSandbox(db, sandbox);
  sync = () => syncVentas(db, fuenteDe(client), { kind: 'sweep', since: new Date(Date.now() - 40 * DAY) });
});

type Vendida = { numOrden: string; ordenes: string[] };
const sell = async (scenario: string, more: object = {}) =>
  (await ml.post<Vendida>('/ordenes', { scenario, precio: 1000, envio: 0, ...more })).ordenes[0]!;
async function dineroOf(marketId: string) {
  const { id, cupon } = await db
    .selectFrom('orden')
    .select(['id', 'cupon'])
    .where('marketId', '=', marketId)
    .executeTakeFirstOrThrow();
  const { ingresos, recibe, recibeEstimado, falta, porque } = (await readDinero(db, id))!;
  const cuponDe = ingresos.find(({ clave }) => clave === 'cupon');
  return {
    cupon: cupon?.toString() ?? null,
    linea: cuponDe && [cuponDe.concepto, cuponDe.importe.toString(), cuponDe.cierto],
    recibe: recibe!.toString(),
    recibeEstimado,
    falta,
    porque,
  };
}
const later = async (marketId: string) => {
  await db
    .updateTable('orden')
    .set({ revisarEn: new Date(0) })
    .where('marketId', '=', marketId)
    .execute();
  await ml.post('/interruptores', { noEsTuyo: '' });
};

const CASOS = [
  { scenario: 'cuponDelMercado', antes: '0.00', despues: '0.00' },
  { scenario: 'cuponDeAmbos', antes: '20.00', despues: '20.00' },
  { scenario: 'cuponNuestro', antes: '80.00', despues: '80.00' },
  { scenario: 'cuponEnElPrecio', precioLista: 1080, antes: '0.00', despues: '0.00' },
  { scenario: 'cuponSinCuadrar', precioLista: 1050, antes: null, despues: '20.00' },
] as const;

test.each(CASOS)(
  '$scenario: an estimate, unknown, and then what the charges say',
  async ({ scenario, antes: enseguida, despues: alFinal, ...precios }) => {
    await ml.post('/interruptores', { descuentos404: true, noEsTuyo: '/v1/payments' });
    const marketId = await sell(scenario, precios);
    await sync();
    const antes = await dineroOf(marketId);
    expect(antes.cupon).toBe(enseguida);
    expect(antes.recibeEstimado).toBe(true);
    expect(antes.falta.includes('cupon')).toBe(enseguida === null);
    expect(antes.porque.some((frase) => frase.includes('todavía no se sabe quién lo paga'))).toBe(enseguida === null);
    expect(antes.linea).toEqual(
      enseguida === null || enseguida === '0.00' ? undefined : ['Cupón que pagamos', `-${enseguida}`, false],
    );

    await later(marketId);
    await sync();
    const despues = await dineroOf(marketId);
    expect(despues.cupon).toBe(alFinal);
    expect(despues.falta).not.toContain('cupon');
    expect(despues.linea).toEqual(alFinal === '0.00' ? undefined : ['Cupón que pagamos', `-${alFinal}`, true]);
  },
);

test('a settled sale with a coupon of ours has no difference, and shows the coupon as a line of its own', async () => {
  const fecha = new Date(Date.now() - 20 * DAY).toISOString();
  const nuestra = await sell('cuponNuestro', { precio: 200, fecha });
  const sola = await sell('simple', { precio: 200, fecha });
  await sync();
  for (let n = 0; n < 6; n++) await bringLiquidaciones(db, liquidacionesMl, {});
  const filas = await db
    .selectFrom('conciliacion')
    .innerJoin('orden', 'orden.id', 'conciliacion.ordenId')
    .select(['marketId', 'eCobrado', 'rCobrado', 'diferencia', 'completa', 'liquidado'])
    .where('marketId', 'in', [nuestra, sola])
    .execute();
  const of = (marketId: string) => filas.find((fila) => fila.marketId === marketId)!;
  expect(of(nuestra)).toMatchObject({ completa: true });
  expect([of(nuestra).eCobrado, of(nuestra).rCobrado, of(nuestra).diferencia].map(String)).toEqual([
    '120.00',
    '120.00',
    '0.00',
  ]);
  const { linea, recibe, recibeEstimado } = await dineroOf(nuestra);
  expect(linea).toEqual(['Cupón que pagamos', '-80.00', true]);
  expect([recibe, recibeEstimado]).toEqual([of(nuestra).liquidado!.toString(), false]);
  const { ingresos } = (await readDinero(
    db,
    (await db.selectFrom('orden').select('id').where('marketId', '=', nuestra).executeTakeFirstOrThrow()).id,
  ))!;
  expect(ingresos.find(({ clave }) => clave === 'venta')!.importe.toString()).toBe('200.00');
  expect(ingresos.some(({ clave }) => clave === 'otros')).toBe(false);
});

test('a coupon of a sale that was cancelled takes nothing', async () => {
  const marketId = await sell('cuponNuestro');
  await sync();
  expect((await dineroOf(marketId)).linea).toBeDefined();
  await ml.post(`/ordenes/${marketId}/cancelar`, {});
  // Its row may tell the second of the sale itself.
  await later(marketId);
  await sync();
  expect(await dineroOf(marketId)).toMatchObject({ linea: undefined, recibe: '0.00' });
});

const orderOf = (unit: number, gross: number | null, quantity = 1) =>
  Order.parse({
    ...pagada,
    order_items: [{ ...pagada.order_items[0], quantity, unit_price: unit, gross_price: gross }],
  });
const told = (...details: [type: string, total: number, seller: number | null][]) =>
  OrderDiscounts.parse({
    details: details.map(([type, total, seller]) => ({ type, items: [{ amounts: { total, seller } }] })),
  });

test.each([
  ['no discount', orderOf(100, 100), told(), '0.00'],
  ['a coupon on top of the price', orderOf(100, 200, 2), told(['coupon', 80, 20]), '20.00'],
  ['a coupon inside the price', orderOf(60, 200, 2), told(['coupon', 80, 20]), '0.00'],
  ['a discount inside, a coupon on top', orderOf(90, 100), told(['discount', 10, 10], ['coupon', 8, 3]), '3.00'],
  ['both inside', orderOf(82, 100), told(['discount', 10, 10], ['coupon', 8, 3]), '0.00'],
  ['a cent that is missing', orderOf(90, 100), told(['discount', 10.01, 10], ['coupon', 8, 3]), null],
  ['no part of the seller', orderOf(100, 100), told(['coupon', 8, null]), null],
  ['more than the coupon', orderOf(100, 100), told(['coupon', 8, 9]), null],
  ['a price before discounts that nobody tells', orderOf(100, null), told(['coupon', 8, 3]), null],
] as const)('the discounts of an order: %s', (_, order, discounts, ours) => {
  expect(cuponOf(order, discounts)?.toString() ?? null).toBe(ours === null ? null : Money.of(ours).toString());
});
