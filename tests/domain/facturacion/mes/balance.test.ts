/** The fiscal balance of a month: every reason for a difference is told, with the way out, and nothing else stands in the list. */
import { expect, test } from 'vitest';
import { balanceList, readBalance } from '~/domain/facturacion/mes/balance.server';
import { balancePorRevisar } from '~/domain/facturacion/mes/internal/colaBalance.server';
import { mesOf } from '~/domain/facturacion/mes/mes';
import { buildFactura } from '../../../support/builders/facturas';
import { buildOrden } from '../../../support/builders/mes';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const hoy = new Date();
const mes = mesOf(hoy);

const vender = (precio: string) => buildOrden(db, { fecha: hoy, precio });
async function facturar(ordenId: string, importe: string) {
  const { id: facturaId } = await buildFactura(db);
  await db.insertInto('facturaOrden').values({ facturaId, ordenId, importe }).execute();
  return facturaId;
}
const listado = () =>
  db.transaction().execute(async (trx) => {
    const filas: Record<string, [string, string]> = {};
    const filtro = balanceList.parse(new URLSearchParams({ mes }));
    for await (const { id, motivo, diferencia } of balanceList.stream(trx, filtro))
      filas[id] = [motivo, diferencia.toFixed(2)];
    return filas;
  });

test('each reason is told once, and what adds up is not told', async () => {
  const [sin, cuadra, devuelta, parcial, doble, mas, menos] = await Promise.all(
    ['100.00', '110.00', '120.00', '130.00', '140.00', '150.00', '160.00'].map(vender),
  );
  await facturar(cuadra!.id, '110.00');
  await facturar(devuelta!.id, '120.00');
  await facturar(parcial!.id, '130.00');
  await facturar(doble!.id, '140.00');
  const repetida = await facturar(doble!.id, '140.00');
  await facturar(mas!.id, '151.00');
  await facturar(menos!.id, '159.00');
  await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', devuelta!.id).execute();
  await db
    .updateTable('orden')
    .set({ situacion: 'devueltaEnParte', pagadoAbs: '100.00' })
    .where('id', '=', parcial!.id)
    .execute();
  expect(await listado()).toEqual({
    [sin!.id]: ['porFacturar', '-100.00'],
    [devuelta!.id]: ['devuelta', '120.00'],
    [parcial!.id]: ['parcial', '30.00'],
    [doble!.id]: ['dosFacturas', '140.00'],
    [mas!.id]: ['cobradoDeMas', '1.00'],
    [menos!.id]: ['cobradoDeMenos', '-1.00'],
  });
  // Hoy asks for what has a document, by remedy, and its numbers are those of the list behind each.
  const { cosas } = await balancePorRevisar.mira(db, {
    ahora: hoy,
    limite: 10,
    aparte: [],
    quien: { id: '', rol: 'sa' },
  });
  expect(cosas.map(({ detalle }) => detalle)).toEqual([
    '3 ventas con documentos que no suman lo pagado · $142.00',
    '2 ventas con nota de crédito por emitir · $150.00',
  ]);
  for (const { a, detalle } of cosas) {
    const { registros } = await balanceList.totals(db, balanceList.parse(new URLSearchParams(a.split('?')[1])));
    expect(detalle).toContain(`${registros} ventas`);
  }
  const despues = new Date(hoy.getTime() + 40 * 86_400_000);
  const luego = await balancePorRevisar.mira(db, {
    ahora: despues,
    limite: 10,
    aparte: [],
    quien: { id: '', rol: 'sa' },
  });
  expect(
    luego.cosas.map(({ detalle }) => detalle),
    'the notes of a month that ended belong to its closing',
  ).toEqual(['3 ventas con documentos que no suman lo pagado · $142.00']);
  const { ventas, descuadradas, pagado, cobrado, diferencia } = await readBalance(db, mes);
  expect([ventas, descuadradas, ...[pagado, cobrado, diferencia].map((amount) => amount.toFixed(2))]).toEqual([
    7,
    6,
    '760.00',
    '950.00',
    '190.00',
  ]);

  // A document that is cancelled charges nothing from that moment on, and charges again should it stand after all.
  await db.updateTable('factura').set({ estatus: 'cancelada' }).where('id', '=', repetida).execute();
  expect((await listado())[doble!.id]).toBeUndefined();
  await db.updateTable('factura').set({ estatus: 'vigente' }).where('id', '=', repetida).execute();
  expect((await listado())[doble!.id]).toEqual(['dosFacturas', '140.00']);
  await db.deleteFrom('facturaOrden').where('facturaId', '=', repetida).execute();
  expect((await listado())[doble!.id]).toBeUndefined();
});

test('two writers of one sale at once leave the sums of both', async () => {
  const { id } = await vender('200.00');
  const facturaId = await facturar(id, '200.00');
  let [release, begin] = [() => {}, () => {}];
  const released = new Promise<void>((done) => (release = done));
  const began = new Promise<void>((done) => (begin = done));
  const cancelling = db.transaction().execute(async (trx) => {
    await trx.updateTable('factura').set({ estatus: 'cancelada' }).where('id', '=', facturaId).execute();
    begin();
    await released;
  });
  await began;
  // The sale is read again while its document is being cancelled.
  const reading = db.updateTable('orden').set({ pagadoAbs: '180.00' }).where('id', '=', id).execute();
  await new Promise((done) => setTimeout(done, 200));
  release();
  await Promise.all([cancelling, reading]);
  expect((await listado())[id]).toEqual(['porFacturar', '-180.00']);
});

test('the sums of a month take a cart over its edge as a whole, and leave one that began the month before', async () => {
  const anterior = '2026-03';
  let carts = 0;
  const cart = async (dias: string[]) => {
    const packId = `2000077000000${++carts}`;
    for (const dia of dias) await buildOrden(db, { fecha: new Date(dia), precio: '10.00', packId });
  };
  // The month ends at 06:00 UTC of the first.
  await cart(['2026-04-01T05:50:00Z', '2026-04-01T06:10:00Z']);
  await cart(['2026-03-01T05:50:00Z', '2026-03-01T06:10:00Z']);
  await cart(['2026-03-10T12:00:00Z']);
  await cart(['2026-03-01T07:00:00Z']);
  await cart(['2026-04-01T08:00:00Z']);
  const pagadoDe = async (de: string) => {
    const { ventas, pagado } = await readBalance(db, mesOf(new Date(`${de}-15T12:00:00Z`)));
    return [ventas, pagado.toFixed(2)];
  };
  expect([await pagadoDe('2026-02'), await pagadoDe(anterior), await pagadoDe('2026-04')]).toEqual([
    [2, '20.00'],
    [4, '40.00'],
    [1, '10.00'],
  ]);
});
