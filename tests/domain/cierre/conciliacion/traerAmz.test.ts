import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { bringLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { createLiquidacionesAmz, liquidacionesAmz } from '~/domain/mercados/amz/internal/liquidaciones.server';
import { createLectorAmz } from '~/domain/mercados/amz/internal/liquidacionAmz';
import { createReportesAmz } from '~/integrations/amazon/reportes.server';
import type { Tokens } from '~/integrations/amazon/tokens';
import { fuenteAmz } from '~/domain/mercados/amz/fuente.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { type AmazonFacts, linkSandboxAmazon } from '../../../support/amazon';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 }, amazon: { ventas: 57, ritmo: 100_000 } });
const { db } = testDatabase();
const amz = sandbox.proveedor('amazon');
const DAY = 86_400_000;

type Movimiento = { at: number; ordenId: string | null; tipo: string; concepto: string; importe: number };
type Liquidacion = { id: string; desde: number; hasta: number; total: number; movimientos: Movimiento[] };
const contadas = () => amz.get<Liquidacion[]>('/liquidaciones');
const traer = () => bringLiquidaciones(db, liquidacionesAmz);
const cents = (pesos: number) => Money.ofJsonNumber(pesos).cents().toString();
const DE_FABRICA = {
  liquidacion: 'lista',
  liquidacionCuantas: 'una',
  isr: 'porMes',
  retenido: 'MarketplaceFacilitatorVAT',
};

beforeAll(async () => {
  await linkSandboxAmazon(db, sandbox);
  await syncVentas(db, fuenteAmz, { kind: 'sweep', since: new Date(Date.now() - 60 * DAY) });
});

beforeEach(async () => {
  for (const table of ['conciliacion', 'movimiento', 'deposito', 'liquidacionReporte', 'utilidadAjuste'] as const)
    await db.deleteFrom(table).execute();
  await db.updateTable('orden').set({ liquidado: null }).execute();
  await amz.post('/interruptores', DE_FABRICA);
});

const conciliadas = () =>
  db
    .selectFrom('conciliacion')
    .innerJoin('orden', 'orden.id', 'conciliacion.ordenId')
    .selectAll('conciliacion')
    .select(['orden.marketId', 'orden.liquidado', 'orden.retencion', 'orden.clase'])
    .execute();

/** Sales whose money went back after the last settlement closed: the sale knows the refund, and the next settlement will tell it. */
async function refundedSince(): Promise<Set<string>> {
  const told = (await contadas())
    .flatMap(({ movimientos }) => movimientos)
    .filter(({ importe, concepto }) => importe < 0 && concepto === 'Principal');
  const back = (await amz.get<AmazonFacts[]>('/ventas')).filter(({ escenario }) => escenario.startsWith('devuelta'));
  return new Set(back.flatMap(({ id }) => (told.some(({ ordenId }) => ordenId === id) ? [] : id)));
}

test('every deposit is what its lines add up to, to the cent, and is read once however many reports tell it', async () => {
  const antes = await contadas();
  expect(await traer()).toEqual({ leidos: antes.length, esperan: 0 });
  const depositos = await db.selectFrom('deposito').selectAll().orderBy('fecha').execute();
  expect(depositos.map(({ clave, importe, movimientos }) => [clave, String(importe), movimientos])).toEqual(
    antes.map(({ id, total, movimientos }) => [id, cents(total), movimientos.length]),
  );
  expect(depositos.map(({ sinExplicar }) => String(sinExplicar))).toEqual(antes.map(() => '0.00'));
  expect(await traer()).toEqual({ leidos: 0, esperan: 0 });
  // Each report now tells the settlement before it again.
  await amz.post('/interruptores', { liquidacionCuantas: 'variasYRepetidas' });
  await db.updateTable('liquidacionReporte').set({ estado: 'listo' }).execute();
  expect(await traer()).toEqual({ leidos: antes.length, esperan: 0 });
  expect(await db.selectFrom('deposito').selectAll().orderBy('fecha').execute()).toEqual(depositos);
});

test('what was charged as expected has no difference; what was charged beyond it is told by its concept', async () => {
  const cerrada = (await contadas()).at(-1)!;
  const [una, otra] = [...new Set(cerrada.movimientos.flatMap(({ ordenId }) => ordenId ?? []))] as [string, string];
  const dias = (Date.now() - cerrada.hasta) / DAY + 0.1;
  await amz.post('/liquidaciones/cargos', { ordenId: una, importe: 12.34, dias });
  await amz.post('/liquidaciones/cargos', {
    ordenId: otra,
    importe: 45,
    dias,
    transaccion: 'other-transaction',
    tipo: 'other-transaction',
    concepto: 'Shipping label purchase',
  });
  await traer();
  const filas = await conciliadas();
  expect(filas.length).toBeGreaterThan(15);
  const de = (id: string) => filas.find(({ marketId }) => marketId === id)!;
  expect([de(una).dComision, de(una).mayor].map(String)).toEqual(['-12.34', '12.34']);
  expect([de(otra).dEnvio, de(otra).diferencia].map(String)).toEqual(['-45.00', '-45.00']);
  const later = await refundedSince();
  const raras = filas.filter(
    ({ marketId, mayor }) => ![una, otra].includes(marketId) && !later.has(marketId) && !mayor.isZero(),
  );
  expect(raras.map(({ marketId, clase, mayor }) => [marketId, clase, String(mayor)])).toEqual([]);
  // ISR is charged by the month: no line of a sale tells it, and its profit takes it as the law says.
  const entera = filas.find(
    ({ marketId, completa, clase }) => completa && clase === 'normal' && marketId !== una && !later.has(marketId),
  )!;
  expect(entera.recibido.minus(entera.liquidado!).toString()).toBe(entera.retencion!.plus(entera.rIva).toString());
  expect(entera.recibido.minus(entera.liquidado!).isZero()).toBe(false);
});

test('withholdings that each sale tells, under whatever name, are matched with those of the sale', async () => {
  await amz.post('/interruptores', { isr: 'porVenta', retenido: 'otroNombre' });
  await sql`update orden set revisar_en = now(), cargos_en = now() - interval '90 days'`.execute(db);
  await syncVentas(db, fuenteAmz, { kind: 'sweep' });
  await traer();
  const later = await refundedSince();
  const filas = (await conciliadas()).filter(({ rIsr, marketId }) => !rIsr.isZero() && !later.has(marketId));
  expect(filas.length).toBeGreaterThan(15);
  for (const { dRetencion, liquidado, recibido, completa } of filas) {
    expect(String(dRetencion)).toBe('0.00');
    if (completa) expect(String(liquidado)).toBe(String(recibido));
  }
});

test('a report that is not made waits, one that failed is said, and is read once it was made again', async () => {
  const todas = (await contadas()).length;
  await amz.post('/interruptores', { liquidacion: 'enCola' });
  expect(await traer()).toEqual({ leidos: todas - 1, esperan: 0 });
  await amz.post('/interruptores', { liquidacion: 'fatal' });
  expect(await traer()).toEqual({ leidos: 0, esperan: 1 });
  expect(
    await db.selectFrom('liquidacionReporte').select('error').where('estado', '=', 'fallido').executeTakeFirst(),
  ).toEqual({ error: 'Amazon dijo que el reporte terminó en «FATAL»' });
  await amz.post('/interruptores', { liquidacion: 'lista' });
  expect(await traer()).toEqual({ leidos: 1, esperan: 0 });
});

test('a file that is cut half way is read again from its beginning, and each line is there once', async () => {
  const todas = await contadas();
  await amz.failNext('half-answer', { route: '/liquidacion-' });
  await traer();
  const faltan = await db.selectFrom('liquidacionReporte').select('error').where('estado', '<>', 'leido').execute();
  expect(faltan.length).toBeGreaterThan(0);
  await db.updateTable('liquidacionReporte').set({ mirarEn: new Date() }).execute();
  await traer();
  const { suma } = await db
    .selectFrom('movimiento')
    .select(sql<string>`sum(importe)`.as('suma'))
    .executeTakeFirstOrThrow();
  expect(String(suma)).toBe(
    Money.sum(todas.map(({ total }) => Money.ofJsonNumber(total)))
      .cents()
      .toString(),
  );
});

/** Brings one settlement whose file is this text, as Amazon would hand it over, and returns its row with what was written of it. */
async function traerTexto(texto: string) {
  const server = createServer((request, answer) => {
    const { port } = server.address() as AddressInfo;
    answer.end(request.url === '/archivo' ? texto : JSON.stringify({ url: `http://127.0.0.1:${port}/archivo` }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { lee } = createReportesAmz({
    baseUrl: `http://127.0.0.1:${port}`,
    tokens: { current: async () => ({ token: 'uno' }) } as unknown as Tokens,
    ritmo: { take: async () => {}, told: () => {}, spent: async () => {} },
  });
  const suyo = { reportId: randomUUID(), dataStartTime: new Date(0), dataEndTime: new Date(1_000) };
  const lista = async () => [{ ...suyo, processingStatus: 'DONE', reportDocumentId: 'uno' }];
  await bringLiquidaciones(db, { ...liquidacionesAmz, open: () => createLiquidacionesAmz({ lista, lee }) });
  server.close();
  const { estado, error, lineas } = await db
    .selectFrom('liquidacionReporte')
    .select(['estado', 'error', 'lineas'])
    .where('clave', '=', suyo.reportId)
    .executeTakeFirstOrThrow();
  const importes = await db.selectFrom('movimiento').select('importe').orderBy('posicion').execute();
  return { estado, error, lineas, importes: importes.map(({ importe }) => String(importe)) };
}

const COMILLA = readFileSync(new URL('../../../casos/02-liquidacion-comilla.txt', import.meta.url), 'utf8');

test('a quote in a field of a settlement is a letter: every line is read, and the lines add up to the deposit', async () => {
  expect(await traerTexto(COMILLA)).toEqual({
    estado: 'leido',
    error: null,
    lineas: 4,
    importes: ['100.00', '100.00', '100.00'],
  });
});

test.each([
  ['quotes around a whole field', COMILLA.replace('"MONITOR 24', '"MONITOR 24"'), 'leido'],
  ['a quote that opens a line', COMILLA.replace(/\n18900000001(?=\t{6}Order\t702-0000002)/, '\n"18900000001'), 'listo'],
  ['a line that is missing', COMILLA.split('\n').toSpliced(2, 1).join('\n'), 'listo'],
  ['a line whose amount nobody can read', COMILLA.replace('Principal\t100.00', 'Principal\tcien'), 'listo'],
  ['ends of line of an old Mac', COMILLA.replace(/\r?\n/g, '\r'), 'leido'],
])('a settlement is read when its lines add up to its deposit, and only then: %s', async (_what, texto, estado) => {
  const leida = await traerTexto(texto);
  expect(leida.estado).toBe(estado);
  if (estado === 'listo') expect(leida.error).toMatch(/no suma: su depósito es de 300.00 y sus renglones suman 200.00/);
});

test('a charge of weeks later moves the profit of a closed month by a line', async () => {
  await traer();
  const venta = await db
    .selectFrom('conciliacion')
    .innerJoin('orden', 'orden.id', 'conciliacion.ordenId')
    .select(['orden.id', 'orden.marketId', 'orden.liquidado'])
    .where('orden.clase', '=', 'normal')
    .where('conciliacion.completa', '=', true)
    .executeTakeFirstOrThrow();
  await sql`update orden set fecha_creacion = now() - interval '70 days' where id = ${venta.id}`.execute(db);
  await db
    .insertInto('proveedorFactura')
    .values({ ordenId: venta.id, proveedor: 'syscom', folio: 'F-1', monto: '100.00' })
    .execute();
  await amz.post('/liquidaciones/cargos', { ordenId: venta.marketId, importe: 5 });
  // The settlement of today ends.
  await amz.post('/reloj', { segundos: (14 * DAY) / 1000 });
  expect((await traer())!.leidos).toBe(1);
  expect(
    await db.selectFrom('utilidadAjuste').select(['causa', 'diferencia']).where('ordenId', '=', venta.id).execute(),
  ).toMatchObject([{ causa: 'liquidacion', diferencia: Money.of('-5.00') }]);
});

const linea = (words: Record<string, string>) => {
  const read = createLectorAmz();
  const told = [
    ...read({ 'settlement-id': '1', 'total-amount': '10', 'deposit-date': '2026-10-02', currency: 'MXN' }),
    ...read({ 'settlement-id': '1', 'transaction-type': 'Order', amount: '-10', ...words }),
  ];
  return told[1]!;
};

test.each([
  [{ 'amount-type': 'ItemPrice', 'amount-description': 'Tax' }, 'venta'],
  [{ 'amount-type': 'Promotion', 'amount-description': 'Shipping' }, 'venta'],
  [{ 'transaction-type': 'Chargeback Refund', 'amount-type': 'ItemPrice' }, 'devolucion'],
  [{ 'amount-type': 'ItemFees', 'amount-description': 'ShippingHB' }, 'comision'],
  [{ 'amount-type': 'ItemFees', 'amount-description': 'FBAPerUnitFulfillmentFee' }, 'envio'],
  [{ 'amount-type': 'ItemWithheldTax', 'amount-description': 'MarketplaceFacilitatorVAT-Shipping' }, 'iva'],
  [{ 'amount-type': 'ItemWithheldTax', 'amount-description': 'MarketplaceFacilitatorTax-Other' }, 'retencion'],
  [{ 'amount-type': 'other-transaction', 'amount-description': 'Retenci\ufffdn de ISR' }, 'isr'],
  [{ 'amount-type': 'other-transaction', 'amount-description': 'Storage Fee' }, 'envio'],
  [{ 'amount-type': 'FBAStorageFee', 'amount-description': 'TransactionTotalAmount' }, 'envio'],
  [{ 'amount-type': 'ItemFees', 'amount-description': 'StorageRenewalBilling' }, 'envio'],
  [{ 'amount-type': 'other-transaction', 'amount-description': 'Tarifa de almacenamiento de Logística' }, 'envio'],
  [{ 'amount-type': 'Cost of Advertising', 'amount-description': 'TransactionTotalAmount' }, 'publicidad'],
  [{ 'amount-type': 'other-transaction', 'amount-description': 'Current Reserve Amount' }, 'reserva'],
  [{ 'amount-type': 'FBA Inventory Reimbursement', 'amount-description': 'WAREHOUSE_DAMAGE' }, 'otro'],
  [{ 'amount-type': 'Algo nuevo', 'amount-description': '' }, 'otro'],
])('%j is %s', (words, concepto) => {
  expect(linea(words)).toMatchObject({ clase: 'movimientos', movimientos: [{ concepto }] });
});

test.each([
  [{ amount: 'N/A' }, /N\/A/],
  [{ 'settlement-id': '' }, /sin número de liquidación/],
  [{ currency: 'USD' }, /moneda que no llevamos: USD/],
])('a line with %j is told as unread, with its reason', (words, motivo) => {
  expect(linea(words)).toMatchObject({ clase: 'ilegible', motivo: expect.stringMatching(motivo) });
});

test('a day that could be two is not guessed: the line is of the day of its deposit', () => {
  const [movimiento] = (linea({ 'posted-date': '09/06/25' }) as { movimientos: { fecha: Date }[] }).movimientos;
  expect(movimiento!.fecha.toISOString()).toBe('2026-10-02T06:00:00.000Z');
});
