/** The ledger of a sale: from an estimate to what was deposited, with every figure out of its movements. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { changeEstado, sellPieza } from '~/domain/compras/stock/piezas.server';
import { huellaOfTarifa, readTarifasEscritas, saveTarifa } from '~/domain/compras/precios/reglas.server';
import { margenNeto } from '~/domain/compras/precios/precio';
import { quedaOf } from '~/domain/ventas/ordenes/queda';
import { COMISION } from '~/domain/ventas/ordenes/tarifa';
import { recibeDe } from '~/domain/ventas/libro/recibe.server';
import { carryLibros, postLibros } from '~/domain/ventas/libro/asentar.server';
import { balanceLibros, descuadradas, ultimoCuadreDeLibros } from '~/domain/ventas/libro/cuadreLibro.server';
import { readDinero } from '~/domain/ventas/libro/dinero.server';
import type { Clase, Market } from '~db/columns';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { buildTomado } from '../../../support/builders/pedidos';
import { buildPiezas } from '../../../support/builders/stock';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { runJobs } from '../../../support/jobs';
import { luck } from '../../../faults/support/scene';

const { db } = testDatabase();
let usuarioId: string;
beforeAll(async () => {
  usuarioId = (await buildQuien(db, 'admin')).id;
});
type Sketch = { market?: Market; comision?: string | null; retencion?: string | null; clase?: Clase; pagado?: string };

/** A paid sale of 1,160.00 without a shipment. */
async function venta({
  market = 'ml',
  comision = null,
  retencion = null,
  clase = 'normal',
  pagado = '1160.00',
}: Sketch = {}) {
  const { id, numOrden } = await buildOrden(db, { market, pagado, envio: null, clase });
  await db.updateTable('orden').set({ comision, retencion }).where('id', '=', id).execute();
  return { id, numOrden };
}
const libro = (id: string) =>
  db.selectFrom('libroVenta').selectAll().where('ordenId', '=', id).executeTakeFirstOrThrow();
const queda = async (id: string) => {
  const { queda: resto, certeza } = await libro(id);
  return [resto?.toFixed(2) ?? null, certeza];
};
const invoice = (ordenId: string, monto: string, proveedor = 'syscom') =>
  db
    .insertInto('proveedorFactura')
    .values({ ordenId, proveedor, folio: `F-${randomUUID()}`, monto })
    .execute();

/** An order at a supplier that was taken, of one piece at a price without VAT. */
const buy = (
  numOrden: string,
  ordenId: string,
  precio: string | null,
  proveedor: 'syscom' | 'ct' = 'syscom',
  moneda: 'MXN' | 'USD' = 'MXN',
) => buildTomado(db, { ordenId, numOrden, proveedor, precio, moneda, tipoCambio: moneda === 'USD' ? '18.50' : null });

type Liquidacion = { cobrado?: string; devuelto?: string; comision?: string; iva?: string; esperada?: string };

/** A settlement that told all of a sale, written as `balanceDepositos` does. `esperada` is the withholding that was expected of it. */
async function settle(
  ordenId: string,
  { cobrado = '1160.00', devuelto = '0', comision = '-160.00', iva = '-80.00', esperada = '-105.00' }: Liquidacion = {},
) {
  await db
    .insertInto('conciliacion')
    .values({
      ordenId,
      market: 'ml',
      fecha: new Date(),
      movimientos: 3,
      eCobrado: cobrado,
      eComision: comision,
      eEnvio: '0',
      eRetencion: esperada,
      rCobrado: cobrado,
      rDevuelto: devuelto,
      rComision: comision,
      rEnvio: '0',
      rIva: iva,
      rIsr: '0',
      rRetencion: '0',
      rOtros: '0',
      completa: true,
    })
    .onConflict((on) =>
      on.column('ordenId').doUpdateSet({ rCobrado: cobrado, rDevuelto: devuelto, rComision: comision, rIva: iva }),
    )
    .execute();
  await sql`update orden o set liquidado = c.recibido - (coalesce(o.retencion, -c.e_retencion) + c.e_retencion)
    from conciliacion c where c.orden_id = o.id and o.id = ${ordenId}`.execute(db);
  await postLibros(db, [ordenId]);
}

test('a price that is thought of, a purchase that is judged and the sale in the ledger leave one amount', async () => {
  const pensada = margenNeto(Money.of('174'), {
    costo: Money.of('100'),
    envio: null,
    tarifa: { ...COMISION, retencionIva: Money.of('0.08'), retencionIsr: Money.of('0.025') },
  });
  const { id, numOrden } = await venta({ pagado: '174.00', comision: '26.10', retencion: '15.75' });
  await buy(numOrden, id, '100.00');
  expect((await libro(id)).queda).toEqual(pensada.queda);
  const { recibe, pagado } = await db
    .selectFrom('orden')
    .select([recibeDe('orden').as('recibe'), 'pagado'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(quedaOf({ pagado, recibe, costo: Money.of('116') })).toEqual({
    queda: pensada.queda,
    margen: pensada.margen,
  });
  const { ingresos, costos } = (await readDinero(db, id))!;
  expect([...ingresos, ...costos].map(({ concepto, dicho, parte }) => `${concepto}, ${dicho}, ${parte} %`)).toEqual([
    'Pagado, dicho por el mercado, 100.0 %',
    'Comisión, dicho por el mercado, -15.0 %',
    'Retenciones, dicho por el mercado, -9.1 %',
    'Costo: Syscom, del pedido, -66.7 %',
  ]);
});

test('a sale goes from an estimate to a known profit, and each step is a movement that stays', async () => {
  const { id, numOrden } = await venta({ market: 'amz' });
  // 1,160.00 − 15 % − 10.5 % of 1,000.00.
  expect(await libro(id)).toMatchObject({
    estima: ['comision', 'retencion'],
    falta: ['costo'],
    certeza: 'desconocida',
    queda: null,
  });
  expect((await libro(id)).recibe?.toFixed(2)).toBe('881.00');

  const pedido = await buy(numOrden, id, '500.00');
  expect(await queda(id), 'with the price of the order').toEqual(['301.00', 'estimada']);
  await db.updateTable('orden').set({ comision: '150.00', retencion: '105.00' }).where('id', '=', id).execute();
  expect(await libro(id)).toMatchObject({ estima: ['costo'], falta: [] });
  expect(await queda(id)).toEqual(['325.00', 'estimada']);
  await invoice(id, '570.00');
  expect(await queda(id), 'with the invoice').toEqual(['335.00', 'conocida']);
  await settle(id);
  expect(await queda(id), 'as it was settled').toEqual(['350.00', 'conocida']);
  expect(await libro(id)).toMatchObject({ liquidada: true, estima: [], falta: [] });

  const dinero = (await readDinero(db, id))!;
  const lines = (lineas: typeof dinero.costos) => lineas.map(({ concepto, importe }) => [concepto, importe.toFixed(2)]);
  expect(lines(dinero.ingresos)).toEqual([
    ['Pagado', '1160.00'],
    ['Comisión', '-160.00'],
    ['Retenciones', '-80.00'],
  ]);
  expect(dinero.porque).toEqual([]);
  const renglones = await db.selectFrom('asiento').selectAll().where('ordenId', '=', id).orderBy('id').execute();
  expect(
    renglones
      .filter(({ renglon }) => renglon === 'comision')
      .map(({ importe, fuente }) => [importe.toFixed(2), fuente]),
  ).toEqual([
    ['100.00', 'mercado'],
    ['74.00', 'tarifa'],
    ['-24.00', 'mercado'],
    ['10.00', 'liquidacion'],
  ]);
  await db.updateTable('pedido').set({ estado: 'cancelado' }).where('id', '=', pedido).execute();
  expect(await queda(id), 'an invoice outranks its order').toEqual(['350.00', 'conocida']);
});

test('what a marketplace keeps by the month is a line of its own, and the sale still ends in what was settled', async () => {
  const { id } = await venta({ comision: '160.00', retencion: '105.00' });
  await invoice(id, '500.00');
  await settle(id, { iva: '0', esperada: '0' });
  const { liquidado } = await db.selectFrom('orden').select('liquidado').where('id', '=', id).executeTakeFirstOrThrow();
  expect([liquidado!.toFixed(2), (await libro(id)).recibe!.toFixed(2)]).toEqual(['895.00', '895.00']);
  const { ingresos } = (await readDinero(db, id))!;
  expect(ingresos.map(({ concepto, importe }) => [concepto, importe.toFixed(2)])).toContainEqual([
    'Retenciones del mes',
    '-105.00',
  ]);
});

test('a settlement takes the place of an estimate as it does of a rate, and leaves the same sums', async () => {
  const [una, otra] = [await venta({ market: 'amz' }), await venta({ market: 'amz' })];
  await db
    .insertInto('ordenComision')
    .values({ ordenId: una.id, dicha: '174.00', comision: '174.00', cobrado: '1160.00', dichaEn: new Date() })
    .execute();
  expect((await libro(una.id)).estima).toEqual(['comision', 'retencion', 'estimacion']);
  expect([(await libro(una.id)).comision!.toFixed(2), (await libro(otra.id)).comision!.toFixed(2)]).toEqual([
    '174.00',
    '174.00',
  ]);
  for (const { id } of [una, otra]) await settle(id);
  const sumas = async (id: string) => {
    const { recibe, porLiberar, comision, retencion, estima, falta } = await libro(id);
    return { recibe, porLiberar, comision, retencion, estima, falta };
  };
  expect(await sumas(una.id)).toEqual(await sumas(otra.id));
  expect((await libro(una.id)).comision!.toFixed(2)).toBe('160.00');
  expect((await readDinero(db, una.id))!.porque.join()).not.toContain('La comisión');
  expect(await descuadradas(db, [una.id, otra.id])).toEqual([]);
});

test('what nobody knows is null: a sale without order or invoice, and an order without a price', async () => {
  const { id, numOrden } = await venta({ comision: '100.00', retencion: '100.00' });
  expect(await queda(id)).toEqual([null, 'desconocida']);
  expect((await readDinero(db, id))!.porque).toEqual([
    'El costo no se sabe: no hay pedido con precio, factura de proveedor, costo escrito ni precio en el catálogo.',
  ]);
  await buy(numOrden, id, null);
  expect(await queda(id)).toEqual([null, 'desconocida']);
  await buy(numOrden, id, '10.00', 'ct', 'USD');
  expect(await queda(id), 'one of two suppliers told no price').toEqual([null, 'desconocida']);
  await invoice(id, '300.00');
  // 960.00 − 300.00 − 10.00 × 18.50 × 1.16.
  expect(await queda(id), 'one invoice, and the other order at its rate').toEqual(['445.40', 'estimada']);
  const cancelada = await venta({ clase: 'cancelada', comision: '0.00', retencion: '0.00' });
  expect(await queda(cancelada.id), 'cancelled before anything was bought').toEqual(['0.00', 'conocida']);
  const devuelta = await venta({ clase: 'devuelta', comision: '0.00', retencion: '0.00' });
  expect(await queda(devuelta.id), 'sent, so something was bought').toEqual([null, 'desconocida']);
});

test('a shipment whose cost nobody told makes an estimate, and a cost of 0 that was told does not', async () => {
  const { id, envioId } = await buildOrden(db, { pagado: '1160.00', envio: {} });
  await db.updateTable('orden').set({ comision: '100.00', retencion: '60.00' }).where('id', '=', id).execute();
  await invoice(id, '500.00');
  await db.updateTable('envio').set({ costo: null }).where('id', '=', envioId!).execute();
  expect(await libro(id)).toMatchObject({ falta: ['envio'], certeza: 'estimada' });
  expect((await readDinero(db, id))!.porque).toEqual(['El costo del envío todavía no se sabe y no está restado.']);
  await db.updateTable('envio').set({ costo: '0.00' }).where('id', '=', envioId!).execute();
  expect(await queda(id)).toEqual(['500.00', 'conocida']);
  await db.updateTable('envio').set({ costo: '120.50' }).where('id', '=', envioId!).execute();
  expect(await queda(id)).toEqual(['379.50', 'conocida']);
});

test('a returned piece takes its cost to the shelf and brings it to the sale that it leaves with: the pair earned what both earned', async () => {
  const primera = await venta({ clase: 'devuelta', comision: '0.00', retencion: '0.00' });
  await invoice(primera.id, '500.00');
  expect(await queda(primera.id)).toEqual(['-500.00', 'conocida']);
  const [pieza] = await buildPiezas(db, usuarioId, {
    orden: primera.id,
    costo: '500.00',
    estado: 'disponible',
    numOrden: primera.numOrden,
  });
  expect(await queda(primera.id), 'its cost lies on the shelf').toEqual(['0.00', 'conocida']);
  const segunda = await venta({ comision: '150.00', retencion: '100.00' });
  await db
    .transaction()
    .execute((trx) => sellPieza(trx, { id: pieza!.id, version: pieza!.version, venta: segunda.numOrden }, usuarioId));
  expect([await queda(primera.id), await queda(segunda.id)]).toEqual([
    ['0.00', 'conocida'],
    ['410.00', 'conocida'],
  ]);
  expect((await readDinero(db, segunda.id))!.costos.map(({ concepto }) => concepto)).toEqual([
    `Pieza del stock: ${pieza!.folio}`,
  ]);
});

test('a piece that is lost keeps only what somebody got for it', async () => {
  const { id, numOrden } = await venta({ clase: 'devuelta', comision: '0.00', retencion: '0.00' });
  await invoice(id, '500.00');
  const [pieza] = await buildPiezas(db, usuarioId, {
    orden: id,
    costo: '500.00',
    recuperado: '120.00',
    estado: 'disponible',
    numOrden,
  });
  expect(await queda(id)).toEqual(['0.00', 'conocida']);
  await db
    .transaction()
    .execute((trx) => changeEstado(trx, { id: pieza!.id, version: pieza!.version, estado: 'danado' }, usuarioId));
  expect(await queda(id)).toEqual(['-380.00', 'conocida']);
});

test('rates that a person changes move what they estimate, and nothing that was told', async () => {
  const [estimada, dicha] = [
    await venta({ market: 'amz' }),
    await venta({ market: 'amz', comision: '100.00', retencion: '10.00' }),
  ];
  const huella = huellaOfTarifa((await readTarifasEscritas(db)).amz);
  await db
    .transaction()
    .execute((trx) =>
      saveTarifa(trx, { market: 'amz', huella, comision: '20', retencionIva: '8', retencionIsr: '2.5' }, usuarioId),
    );
  await runJobs();
  expect([(await libro(estimada.id)).recibe!.toFixed(2), (await libro(dicha.id)).recibe!.toFixed(2)]).toEqual([
    '823.00',
    '1050.00',
  ]);
  await db.deleteFrom('ajuste').where('clave', 'like', 'tarifa_%').execute();
  await carryLibros(db, { market: 'amz' });
});

test('posting again writes nothing, and two writers at once write one difference', async () => {
  const { id, numOrden } = await venta({ comision: '100.00', retencion: '10.00' });
  await buy(numOrden, id, '100.00');
  const count = async () =>
    (
      await db
        .selectFrom('asiento')
        .select(sql<number>`count(*)::int`.as('n'))
        .where('ordenId', '=', id)
        .executeTakeFirstOrThrow()
    ).n;
  const before = await count();
  await postLibros(db, [id]);
  expect(await count()).toBe(before);
  await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => invoice(id, `${n + 1}.00`)),
    ...Array.from({ length: 6 }, (_, n) =>
      db
        .updateTable('orden')
        .set({ comision: `${n}.00` })
        .where('id', '=', id)
        .execute(),
    ),
  ]);
  expect(await descuadradas(db, [id])).toEqual([]);
  const { comision } = await db.selectFrom('orden').select('comision').where('id', '=', id).executeTakeFirstOrThrow();
  expect((await libro(id)).queda!.toFixed(2)).toBe(
    Money.of('1150.00').minus(comision!).minus(Money.of('21.00')).toFixed(2),
  );
});

test('sales of before the ledger are carried in, the newest first, and a second run finds nothing', async () => {
  const { id } = await venta({ comision: '100.00', retencion: '10.00' });
  await invoice(id, '50.00');
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from asiento where orden_id = ${id}`.execute(trx);
      await sql`update libro_venta set recibe = null, costo = null, comision = null, envio = null, retencion = null, falta = '{calculo}', estima = '{}' where orden_id = ${id}`.execute(
        trx,
      );
    });
  expect((await readDinero(db, id))!.porque).toEqual(['Se está calculando.']);
  expect(await carryLibros(db)).toBe(1);
  expect(await queda(id)).toEqual(['1000.00', 'conocida']);
  expect(await carryLibros(db)).toBe(0);
});

test('a sale of before a part was kept gets it from its movements, and what it leaves stays', async () => {
  const { id } = await venta({ comision: '100.00', retencion: '10.00' });
  await invoice(id, '50.00');
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update libro_venta set comision = null, envio = null, retencion = null where orden_id = ${id}`.execute(
        trx,
      );
    });
  expect(await carryLibros(db)).toBe(1);
  expect(await libro(id)).toMatchObject({
    comision: Money.of('100'),
    envio: Money.zero,
    retencion: Money.of('10'),
    queda: Money.of('1000'),
  });
  expect(await carryLibros(db)).toBe(0);
});

test('what a marketplace keeps is in parts, of its settlement once that is here, and unknown where nobody tells it', async () => {
  const { id, envioId } = await buildOrden(db, { pagado: '1160.00' });
  await db.updateTable('orden').set({ comision: null, retencion: null }).where('id', '=', id).execute();
  const parts = async () => {
    const { comision, envio, retencion } = await libro(id);
    return [comision, envio, retencion].map((part) => part?.toFixed(2) ?? null);
  };
  expect(await parts(), 'by the rates; nobody told the shipment').toEqual(['174.00', null, '105.00']);
  await db.updateTable('envio').set({ costo: '90.00' }).where('id', '=', envioId!).execute();
  expect(await parts()).toEqual(['174.00', '90.00', '105.00']);
  await settle(id, { comision: '-160.00', iva: '-80.00', esperada: '-105.00' });
  expect((await parts())[0], 'as it was settled').toBe('160.00');
});

test('a sale that nobody paid yet takes nothing from what the marketplace is to release', async () => {
  const { id, envioId } = await buildOrden(db, { pagado: '0.00' });
  const say = (situacion: 'autorizandoPago' | 'pagada', pagadoAbs: string) =>
    db.updateTable('orden').set({ situacion, pagadoAbs, comision: '174.00' }).where('id', '=', id).execute();
  await say('autorizandoPago', '0.00');
  await db.updateTable('envio').set({ costo: '90.00' }).where('id', '=', envioId!).execute();
  expect(await libro(id)).toMatchObject({ recibe: Money.zero, porLiberar: Money.zero, comision: Money.zero });
  await say('pagada', '1160.00');
  expect(await libro(id)).toMatchObject({ recibe: Money.of('896'), comision: Money.of('174'), envio: Money.of('90') });
  expect(await descuadradas(db, [id])).toEqual([]);
});

/** Faults of a ledger, each written past the triggers. */
const FALTAS: Record<string, string> = {
  'a fee of 0 where it is known':
    "insert into asiento (orden_id, renglon, de, a, importe, cierto, fuente, ocurrio) select $1, 'comision', de, a, -importe, true, 'mercado', now() from asiento where orden_id = $1 and renglon = 'comision'",
  'the sign of a withholding':
    "insert into asiento (orden_id, renglon, de, a, importe, cierto, fuente, ocurrio) select $1, renglon, de, a, -2 * importe, true, fuente, now() from asiento where orden_id = $1 and renglon = 'retencion'",
  'a missing sale': "delete from asiento where orden_id = $1 and renglon = 'venta'",
  'a missing cost': "delete from asiento where orden_id = $1 and renglon like 'costo:%'",
  'a cost that came twice':
    "insert into asiento (orden_id, renglon, de, a, importe, cierto, fuente, ocurrio) select $1, renglon, de, a, importe, cierto, fuente, now() from asiento where orden_id = $1 and renglon like 'costo:%'",
  'the cost of another supplier':
    "update asiento set renglon = 'costo:ct', de = 'proveedor:ct' where orden_id = $1 and renglon like 'costo:%'",
  'an account that is not its own': "update asiento set a = 'otros' where orden_id = $1 and renglon = 'comision'",
  'a movement that nothing tells':
    "insert into asiento (orden_id, renglon, de, a, importe, cierto, fuente, ocurrio) values ($1, 'otros', 'porLiberar:ml', 'otros', 5, true, 'mercado', now())",
  'a cent': "update asiento set importe = importe + 0.01 where orden_id = $1 and renglon = 'venta'",
  'a sum that its movements do not give': 'update libro_venta set recibe = recibe + 10 where orden_id = $1',
  'a cost that its movements do not give': 'update libro_venta set costo = costo - 1 where orden_id = $1',
  'a commission beside its movements': 'update libro_venta set comision = comision + 1 where orden_id = $1',
  'a withholding beside its movements': 'update libro_venta set retencion = 0 where orden_id = $1',
  'a shipment beside its movements': 'update libro_venta set envio = 3 where orden_id = $1',
  'a commission that came and was not posted': 'update orden set comision = 1 where id = $1',
};

test.each(Object.entries(FALTAS))('the nightly comparison finds %s', async (_, statement) => {
  const { id, numOrden } = await venta({ comision: '100.00', retencion: '10.00' });
  await invoice(id, '50.00');
  expect(await descuadradas(db, [id])).toEqual([]);
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql.raw(statement.replaceAll('$1', `'${id}'`)).execute(trx);
    });
  await balanceLibros(db);
  expect(await ultimoCuadreDeLibros(db)).toMatchObject({ descuadradas: 1, ventas: [numOrden] });
  await ownerDatabase()
    .db.transaction()
    .execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from libro_venta where orden_id = ${id}`.execute(trx);
    });
});

test('the ledger of each sale holds after every act, and ends the same in any order', async () => {
  const next = luck(20261128);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  for (let round = 0; round < 12; round++) {
    const ventas = [await venta(), await venta()];
    // What is known of a sale in the end, in facts that may be told in any order.
    const facts = [
      (id: string) => db.updateTable('orden').set({ comision: '111.11' }).where('id', '=', id).execute(),
      (id: string) => db.updateTable('orden').set({ retencion: '99.99' }).where('id', '=', id).execute(),
      (id: string) => invoice(id, '333.33'),
      (id: string) => invoice(id, '44.44', 'ct'),
      (id: string) => db.updateTable('orden').set({ pagadoAbs: '1000.00' }).where('id', '=', id).execute(),
    ];
    const noise = [
      (id: string) =>
        db
          .updateTable('orden')
          .set({ comision: pick(['5.00', '7.50', null]) })
          .where('id', '=', id)
          .execute(),
      (id: string) =>
        db
          .updateTable('orden')
          .set({ clase: pick(['normal', 'cancelada', 'devuelta']) })
          .where('id', '=', id)
          .execute(),
      (id: string) => db.deleteFrom('proveedorFactura').where('ordenId', '=', id).execute(),
      (id: string) =>
        db
          .updateTable('proveedorFactura')
          .set({ monto: pick(['1.00', '2.00']) })
          .where('ordenId', '=', id)
          .execute(),
      (id: string) => invoice(id, pick(['9.00', '8.00'])),
    ];
    for (const { id } of ventas) {
      for (let n = 0; n < 6; n++) {
        await pick(noise)(id);
        expect(await descuadradas(db, [id])).toEqual([]);
      }
      await db.deleteFrom('proveedorFactura').where('ordenId', '=', id).execute();
      await db
        .updateTable('orden')
        .set({ clase: 'normal', comision: null, retencion: null })
        .where('id', '=', id)
        .execute();
      for (const fact of facts.map((one) => ({ one, at: next() })).toSorted((a, b) => a.at - b.at)) await fact.one(id);
      expect(await descuadradas(db, [id])).toEqual([]);
      // 1,000.00 − 111.11 − 99.99 − 333.33 − 44.44.
      expect(await queda(id)).toEqual(['411.13', 'conocida']);
    }
  }
});
