import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readCfdiXml } from '~/integrations/sat/cfdiXml.server';
import { batchProgress, lastBatches } from '~/platform/batches/batches.server';
import { whyNotFacturable } from '~/domain/facturacion/cfdi/facturables.server';
import { situacionOf } from '~/domain/mercados/ml/internal/venta';
import { generateGlobal, retryGlobal } from '~/domain/facturacion/mes/global.server';
import { excluidasOfMes, porFacturar } from '~/domain/facturacion/mes/mes.server';
import { listasDelMes } from '~/domain/facturacion/mes/mesLists.server';
import type { NotAllowed } from '~/core/errors';
import { Money } from '~/core/money';
import { buildOrden, seedMes } from '../../../support/builders/mes';
import { buildBorrador, REVISION } from '../../../support/builders/ventas';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { withWorker } from '../../../support/jobs';
import { openPac, settle } from '../../../support/pac';

process.env.GLOBAL_CONCEPTOS = '300';
const { db, sandbox, sa } = await openPac();

const now = () => new Date();
/** The receiver is kept by an effect that somebody has to run while the page waits for it. */
const press = (mes: string) => withWorker(() => generateGlobal(db, { mes, usuarioId: sa.id, now: now() }));

const inMonth = async (mes: string) =>
  (await sql<{ marketId: string }>`select market_id from orden where ${porFacturar(mes)}`.execute(db)).rows.map(
    ({ marketId }) => marketId,
  );
const globals = () => db.selectFrom('factura').selectAll().where('tipo', '=', 'global').orderBy('folio').execute();

describe('the month', () => {
  test('what the global holds, what it says and what it leaves out', async () => {
    const mes = '2026-09';
    const ordenes = [
      await buildOrden(db, { fecha: '2026-09-03T18:00:00Z', precio: '99.99', formaPago: '28' }),
      await buildOrden(db, { fecha: '2026-09-04T18:00:00Z', precio: '1500.00', envio: '99.00', formaPago: '03' }),
      await buildOrden(db, { fecha: '2026-09-05T18:00:00Z', precio: '50.00', packId: '2000999900000001' }),
      await buildOrden(db, { fecha: '2026-09-05T18:00:01Z', precio: '60.00', packId: '2000999900000001' }),
    ];
    for (const outside of [
      { clase: 'cancelada' as const, marketStatus: 'cancelled' },
      { clase: 'devuelta' as const },
      { meliResale: true },
      { marketStatus: 'payment_required' },
    ])
      await buildOrden(db, { fecha: '2026-09-06T18:00:00Z', ...outside });
    const lote = await press(mes);
    await settle();
    expect(await batchProgress(db, lote)).toMatchObject({ total: 1, done: 1, failed: 0, waiting: 0, clave: mes });
    const [factura] = await globals();
    expect(factura).toMatchObject({
      rfc: 'XAXX010101000',
      razonSocial: 'PUBLICO EN GENERAL',
      regimen: '616',
      usoCfdi: 'S01',
      formaPago: '03',
      estatus: 'vigente',
    });
    expect(factura!.total.toFixed(2)).toBe('1808.99');
    const xml = readCfdiXml(await sandbox.facturacom.xml(factura!.uuid));
    expect(xml.informacionGlobal).toEqual({ periodicidad: '04', meses: '09', anio: '2026' });
    expect(
      xml.conceptos.map(({ noIdentificacion, claveProdServ, claveUnidad, descripcion }) => [
        noIdentificacion,
        claveProdServ,
        claveUnidad,
        descripcion,
      ]),
    ).toEqual([
      [ordenes[0]!.numOrden, '01010101', 'ACT', 'Venta'],
      [ordenes[1]!.numOrden, '01010101', 'ACT', 'Venta'],
      ['2000999900000001', '01010101', 'ACT', 'Venta'],
    ]);
    const claims = await db
      .selectFrom('fiscalClaim')
      .select(['ordenId', 'kind', 'facturaId'])
      .where('facturaId', '=', factura!.id)
      .execute();
    expect(claims).toHaveLength(4);
    expect(await excluidasOfMes(db, mes)).toEqual([
      { motivo: 'sinPagar', ventas: 1, ejemplos: [] },
      { motivo: 'meliResale', ventas: 1, ejemplos: [] },
      { motivo: 'cancelada', ventas: 1, ejemplos: [] },
      { motivo: 'devuelta', ventas: 1, ejemplos: [] },
      { motivo: 'facturada', ventas: 3, ejemplos: [] },
    ]);
  });

  test('begins and ends at the millisecond of the business zone, summer time of 2022 included, and a cart is never torn', async () => {
    // 2022-10 began at -05:00 and ended at -06:00.
    const first = await buildOrden(db, { fecha: '2022-10-01T05:00:00.000Z' });
    const before = await buildOrden(db, { fecha: '2022-10-01T04:59:59.999Z' });
    const last = await buildOrden(db, { fecha: '2022-11-01T05:59:59.999Z' });
    const after = await buildOrden(db, { fecha: '2022-11-01T06:00:00.000Z' });
    const packFirst = await buildOrden(db, { fecha: '2022-11-01T05:59:59.999Z', packId: '2000999900000002' });
    const packSecond = await buildOrden(db, { fecha: '2022-11-01T06:00:00.000Z', packId: '2000999900000002' });
    expect(new Set(await inMonth('2022-10'))).toEqual(
      new Set([first.marketId, last.marketId, packFirst.marketId, packSecond.marketId]),
    );
    expect(await inMonth('2022-09')).toEqual([before.marketId]);
    expect(await inMonth('2022-11')).toEqual([after.marketId]);
  });

  test('an orden that came more than a day after the first of its cart belongs to its own month, and each orden to exactly one', async () => {
    const packId = '2000999900000003';
    const fechas = [
      '2022-12-01T05:59:59.000Z',
      '2022-12-02T05:59:59.000Z',
      '2022-12-02T05:59:59.001Z',
      '2023-01-20T12:00:00.000Z',
    ];
    const cart = [];
    for (const fecha of fechas) cart.push(await buildOrden(db, { fecha, packId }));
    const months = await Promise.all(
      ['2022-10', '2022-11', '2022-12', '2023-01', '2023-02'].map(async (mes) => [mes, await inMonth(mes)] as const),
    );
    expect(cart.map(({ marketId }) => months.filter(([, ids]) => ids.includes(marketId)).map(([mes]) => mes))).toEqual([
      ['2022-11'],
      ['2022-11'],
      ['2022-12'],
      ['2023-01'],
    ]);
  });

  test('in the future, too old, or with nothing to do, says so', async () => {
    const says = async (mes: string) =>
      press(mes).then(
        () => '',
        (error: NotAllowed) => `${error.titulo} ${error.message}`,
      );
    expect(await says('2099-01')).toBe(
      'Error al facturar. Enero de 2099 todavía no empieza: no hay nada que facturar.',
    );
    expect(await says('2022-10')).toBe(
      'Error al facturar. El SAT solo recibe facturas globales del año en curso y del anterior.',
    );
    expect(await says('2026-02')).toBe('Error al facturar. No hay ventas por facturar en febrero de 2026.');
  });
});

test('a big month is several CFDI of even size that add up to the cent, and each sale is in one of them', async () => {
  const mes = '2026-08';
  const ids = await seedMes(db, { mes, count: 700 });
  const lote = await press(mes);
  await settle();
  expect(await batchProgress(db, lote)).toMatchObject({ total: 3, done: 3, failed: 0 });
  const facturas = await db
    .selectFrom('factura')
    .innerJoin('effect', 'effect.id', 'factura.effectId')
    .where('batchId', '=', lote)
    .select(['factura.id', 'factura.total', 'uuid'])
    .execute();
  const paid = await db.selectFrom('orden').where('id', 'in', ids).select('pagadoAbs').execute();
  expect(Money.sum(facturas.map(({ total }) => total)).toFixed(2)).toBe(
    Money.sum(paid.map(({ pagadoAbs }) => pagadoAbs)).toFixed(2),
  );
  const sizes = await Promise.all(
    facturas.map(async ({ uuid }) => readCfdiXml(await sandbox.facturacom.xml(uuid)).conceptos.length),
  );
  expect(sizes.toSorted((a, b) => b - a)).toEqual([234, 234, 232]);
  const claims = await db.selectFrom('fiscalClaim').where('ordenId', 'in', ids).select(['facturaId', 'kind']).execute();
  expect(claims.filter(({ facturaId, kind }) => facturaId !== null && kind === 'global')).toHaveLength(700);
});

test('two people who press at once share one batch', async () => {
  const mes = '2026-07';
  await seedMes(db, { mes, count: 40 });
  const pressed = await withWorker(() =>
    Promise.all(Array.from({ length: 6 }, () => generateGlobal(db, { mes, usuarioId: sa.id, now: now() }))),
  );
  expect(new Set(pressed).size).toBe(1);
  await settle();
  expect(await lastBatches(db, ['cfdi.global'], mes)).toHaveLength(1);
  const stamped = await sandbox.facturacom.stamped();
  expect(stamped.filter(({ NumOrder }) => NumOrder.startsWith('GLOBAL-2026-07'))).toHaveLength(1);
});

test('a global that is refused gives its sales back, and is tried again with what is still free', async () => {
  const mes = '2026-06';
  const [first, second] = [
    await buildOrden(db, { fecha: '2026-06-10T18:00:00Z' }),
    await buildOrden(db, { fecha: '2026-06-11T18:00:00Z', precio: '232.00' }),
  ];
  await sandbox.facturacom.failNext('refuse', { times: 1 });
  const lote = await press(mes);
  await settle();
  expect(await batchProgress(db, lote)).toMatchObject({ total: 1, done: 0, failed: 1 });
  expect(
    await db.selectFrom('fiscalClaim').select('ordenId').where('ordenId', 'in', [first.id, second.id]).execute(),
  ).toEqual([]);
  const draft = await buildBorrador(db, { numOrden: first.numOrden, ordenIds: [first.id], total: '116.00' }, sa);
  await db
    .transaction()
    .execute((trx) =>
      createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
    );
  await retryGlobal(db, { batchId: lote, mes, usuarioId: sa.id, now: now() });
  await settle();
  expect(await batchProgress(db, lote)).toMatchObject({ total: 1, done: 1, failed: 0 });
  const global = (await globals()).at(-1)!;
  expect(global.total.toFixed(2)).toBe('232.00');
  expect(
    (await sandbox.facturacom.stamped('GLOBAL-2026-06-1')).filter(({ estado }) => estado === 'vigente'),
  ).toHaveLength(1);
});

test('a sale of another rate is one concept per rate, its shipping at the general one, and the screen says the same net', async () => {
  const mes = '2026-05';
  const frontera = await buildOrden(db, {
    fecha: '2026-05-10T18:00:00Z',
    precio: '108.00',
    tasaIva: '0.08',
    envio: '58.00',
  });
  await buildOrden(db, { fecha: '2026-05-11T18:00:00Z', precio: '116.00' });
  const { subTotal, iva, total } = await listasDelMes.ordenes.totals(
    db,
    listasDelMes.ordenes.parse(new URLSearchParams({ mes })),
  );
  const lote = await press(mes);
  await settle();
  const factura = await db
    .selectFrom('factura')
    .innerJoin('effect', 'effect.id', 'factura.effectId')
    .where('batchId', '=', lote)
    .select(['factura.subtotal', 'factura.iva', 'factura.total', 'uuid'])
    .executeTakeFirstOrThrow();
  expect([factura.subtotal, factura.iva, factura.total].map(String)).toEqual(['250.00', '32.00', '282.00']);
  expect([subTotal, iva, total].map(String)).toEqual(['250.00', '32.00', '282.00']);
  const { conceptos } = readCfdiXml(await sandbox.facturacom.xml(factura.uuid));
  expect(
    conceptos
      .filter(({ noIdentificacion }) => noIdentificacion === frontera.numOrden)
      .map(({ importe, traslados }) => [importe, traslados[0]!.tasa]),
  ).toEqual([
    ['100.000000', '0.080000'],
    ['50.000000', '0.160000'],
  ]);
});

test('the SQL that leaves a sale out agrees with what its own factura would be told', async () => {
  const mes = '2025-03';
  const kinds = ['normal', 'cancelada', 'devuelta', 'invalida'] as const;
  const ordenes = [];
  for (const clase of kinds)
    for (const marketStatus of ['paid', 'partially_refunded', 'confirmed', 'cancelled'])
      for (const meliResale of [false, true]) {
        ordenes.push({
          clase,
          marketStatus,
          meliResale,
          situacion: situacionOf(marketStatus, []),
          market: 'ml' as const,
          ...(await buildOrden(db, { fecha: '2025-03-10T18:00:00Z', clase, marketStatus, meliResale })),
        });
      }
  const { rows } = await sql<{ id: string }>`select id from orden where ${porFacturar(mes)}`.execute(db);
  expect(new Set(rows.map(({ id }) => id))).toEqual(
    new Set(ordenes.filter((orden) => whyNotFacturable(orden) === undefined).map(({ id }) => id)),
  );
});
