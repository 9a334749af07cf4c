/** What the outside tells as true of deposits and of suppliers follows from its own movements, orders and invoices. */
import { beforeEach, expect, test } from 'vitest';
import type { DepositTruth, SaleTruth, SupplierTruth } from '../sandbox/truth';
import { startTestSandbox } from '../support/sandbox';

const { url } = await startTestSandbox();

async function ask<T>(path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
  });
  return { status: answer.status, body: (await answer.json()) as T };
}
const truths = async () => (await ask<DepositTruth[]>('/control/truth/deposits')).body;
const supplierOf = async (proveedor: string) =>
  (await ask<SupplierTruth[]>('/control/truth/suppliers')).body.find((one) => one.proveedor === proveedor)!;

beforeEach(async () => {
  for (const api of ['ct', 'mercadolibre']) await ask('/control/reset', { api });
});

test.each(['mercadolibre', 'amazon'] as const)('deposits of %s add up, one after the other', async (market) => {
  const deposits = (await truths()).filter((one) => one.market === market);
  expect(deposits.length).toBeGreaterThan(1);
  let left = 0;
  for (const { before, after, amount, lines, at, toldAt } of deposits) {
    expect(before).toBe(left);
    expect(before + lines.reduce((sum, line) => sum + line.amount, 0)).toBe(after + amount);
    expect(new Set(lines.map(({ numOrden }) => numOrden)).size).toBe(lines.length);
    // Mercado Libre tells of a day that ended; Amazon tells of its settlement before the money comes.
    expect(market === 'amazon' ? at - toldAt : toldAt - at).toBeGreaterThan(0);
    left = after;
  }
});

test('what was paid out stays paid out, whatever is given back afterwards', async () => {
  const before = (await truths()).filter(({ market }) => market === 'mercadolibre');
  const since = Date.now() - 70 * 86_400_000;
  const sales = (await ask<SaleTruth[]>(`/control/truth/sales?since=${since}`)).body.filter(
    ({ market, soldAt, refunded, clases }) =>
      market === 'mercadolibre' &&
      soldAt < Date.now() - 20 * 86_400_000 &&
      refunded === 0 &&
      clases.every((clase) => clase === 'normal'),
  );
  // Carts tell their shipping apart; how many there are follows the hour of the demo.
  expect(sales.filter(({ ids }) => ids.length > 1).length).toBeGreaterThan(0);
  for (const { ids } of sales)
    for (const id of ids) await ask(`/control/mercadolibre/ordenes/${id}/devolver`, { refunded: true });
  const after = (await truths()).filter(({ market }) => market === 'mercadolibre');
  expect(after.slice(0, before.length)).toEqual(before);
});

test('a deposit is made of what the report of the account tells of each sale', async () => {
  type Movimiento = { at: number; net: number; ordenId: string | null; description: string };
  const rows = (await ask<Movimiento[]>('/control/mercadolibre/reportes/movimientos')).body;
  const [first, second] = (await truths()).filter(({ market }) => market === 'mercadolibre');
  const inside = rows.filter(({ at, description }) => at > first!.at && at <= second!.at && description !== 'payout');
  const cents = (some: readonly Movimiento[]) => some.reduce((sum, { net }) => sum + Math.round(net * 100), 0);
  const loose = second!.lines.find(({ numOrden }) => numOrden === null)?.amount ?? 0;
  expect(loose).toBe(cents(inside.filter(({ ordenId }) => ordenId === null)));
  expect(second!.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(cents(inside));
});

test('what a settlement takes back stays of its sale', async () => {
  const of = async () =>
    (
      await ask<{ id: string; movimientos: { ordenId: string | null; importe: number }[] }[]>(
        '/control/amazon/liquidaciones',
      )
    ).body;
  const settlements = await of();
  const deposits = (await truths()).filter(({ market }) => market === 'amazon');
  expect(deposits.length).toBe(settlements.length);
  for (const [at, { movimientos }] of settlements.entries())
    for (const { numOrden, amount } of deposits[at]!.lines)
      expect(amount).toBe(
        movimientos
          .filter(({ ordenId }) => ordenId === numOrden)
          .reduce((sum, { importe }) => sum + Math.round(importe * 100), 0),
      );
});

/** An order of one piece at CT, which has an invoice two minutes after it was confirmed. */
async function buy({ confirmed = true } = {}): Promise<string> {
  const { token } = (
    await ask<{ token: string }>('/ct/cliente/token', {
      email: 'COMPRAS@DEMO.MX',
      cliente: 'HMO0000',
      rfc: 'XAXX010101000',
    })
  ).body;
  const [pieza] = (await ask<{ normal: { id: string }[] }>('/control/ct/ejemplos')).body.normal;
  const made = await ask<{ respuestaCT: { pedidoWeb: string } }[]>(
    '/ct/pedido',
    {
      idPedido: 77,
      almacen: '13A',
      tipoPago: '99',
      producto: [{ clave: pieza!.id, cantidad: 1, precio: 100, moneda: 'MXN' }],
      envio: [],
    },
    { 'x-auth': token },
  );
  const folio = made.body[0]!.respuestaCT.pedidoWeb;
  if (confirmed) await ask('/ct/pedido/confirmar', { folio }, { 'x-auth': token });
  await ask('/control/ct/reloj', { segundos: 120 });
  return folio;
}

test('a supplier is owed what it invoiced of orders that it took, less what it was paid', async () => {
  expect(await supplierOf('ct')).toMatchObject({ orders: [], invoices: [], payments: [], owed: 0 });
  const folio = await buy();
  const truth = await supplierOf('ct');
  expect(truth.orders).toMatchObject([{ folio, referencia: '77', taken: true, amount: 11_600 }]);
  expect(truth.invoices).toMatchObject([{ folio: `F-${folio}`, order: folio, amount: 11_600, paid: 0 }]);
  expect(truth.owed).toBe(11_600);
  const pay = (name: string, importe: number, factura = `F-${folio}`) =>
    ask('/control/ct/pagos', { folio: name, facturas: [{ folio: factura, importe }] });
  expect((await pay('T1', 4_000)).status).toBe(200);
  expect(await supplierOf('ct')).toMatchObject({ owed: 7_600, payments: [{ folio: 'T1', amount: 4_000 }] });
  // Twice the same transfer, more than is owed, an invoice of nobody.
  for (const refused of [pay('T1', 100), pay('T2', 7_601), pay('T2', 100, 'F-nada')])
    expect((await refused).status).toBe(400);
  expect((await supplierOf('ct')).owed).toBe(7_600);
});

test('what nobody confirmed is not taken, and owes nothing', async () => {
  const folio = await buy({ confirmed: false });
  expect(await supplierOf('ct')).toMatchObject({ orders: [{ folio, taken: false }], invoices: [], owed: 0 });
});

test('a supplier that takes no orders is owed nothing', async () => {
  expect(await supplierOf('tvc')).toEqual({ proveedor: 'tvc', orders: [], invoices: [], payments: [], owed: 0 });
});
