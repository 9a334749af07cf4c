/** A month as it was known when it was closed, and as it is known today. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { civilDay, mesBefore, monthRange } from '~/core/time';
import { readMesCerrado } from '~/domain/cierre/conciliacion/mesCerrado.server';
import { buildOrden } from '../../../support/builders/ordenes';
import { ownerDatabase, testDatabase } from '../../../support/db';
import { luck } from '../../../faults/support/scene';

const { db } = testDatabase();
const MES = mesBefore(mesBefore(civilDay(new Date()).slice(0, 7)));
const { from, to } = monthRange(MES);
const DAY = 86_400_000;
/** The moment of a month without a global. */
const MOMENTO = new Date(to.getTime() + 5 * DAY);

beforeEach(async () => {
  for (const table of ['proveedorFactura', 'utilidadAjuste', 'facturaOrden', 'articulo', 'orden'] as const)
    await db.deleteFrom(table).execute();
});

async function venta(comision: string, pagado = '1160.00') {
  const { id } = await buildOrden(db, { pagado, envio: null, fechaCreacion: new Date(from.getTime() + 9 * DAY) });
  await db.updateTable('orden').set({ comision, retencion: '60.00' }).where('id', '=', id).execute();
  return id;
}
const invoice = (ordenId: string, monto: string) =>
  db
    .insertInto('proveedorFactura')
    .values({ ordenId, proveedor: 'syscom', folio: `F-${randomUUID()}`, monto })
    .execute();
/** Everything that stands in the ledgers was learnt before the closing. */
const wasKnown = () =>
  sql`update asiento set supimos = ${new Date(MOMENTO.getTime() - DAY)}`.execute(ownerDatabase().db);
const read = () => readMesCerrado(db, MES, new Date());
const said = ({ causas }: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(causas.map(({ causa, importe, ventas }) => [causa, [String(importe), ventas]]));

test('what moved since the closing is told by its cause, and the causes add up to the difference', async () => {
  const [tarifa, sinCosto, perdida, igual] = [
    await venta('100.00'),
    await venta('100.00'),
    await venta('100.00'),
    await venta('100.00'),
  ];
  for (const id of [tarifa, perdida, igual]) await invoice(id, '700.00');
  await wasKnown();
  const before = await read();
  expect(before).toMatchObject({ momento: MOMENTO, conGlobal: false, causas: [] });
  expect(before.entonces).toEqual({ queda: Money.of('900.00'), ventas: 3, sinSaber: 1 });
  expect(before.hoy).toEqual(before.entonces);

  await db.updateTable('orden').set({ comision: '130.00' }).where('id', '=', tarifa).execute();
  await invoice(sinCosto, '500.00');
  await db.deleteFrom('proveedorFactura').where('ordenId', '=', perdida).execute();
  const tarde = await venta('10.00');
  await invoice(tarde, '1000.00');
  const after = await read();
  expect(said(after)).toEqual({
    llegaron: ['90.00', 1],
    supimos: ['500.00', 1],
    yaNo: ['-300.00', 1],
    comision: ['-30.00', 1],
  });
  expect(after.causas.find(({ causa }) => causa === 'llegaron')!.mayores).toEqual([
    { id: tarde, numOrden: expect.any(String), importe: '90.00' },
  ]);
  expect(after.entonces).toEqual(before.entonces);
  expect([String(after.hoy.queda), after.hoy.ventas, after.hoy.sinSaber]).toEqual(['1160.00', 4, 1]);
});

test('whatever moves, the causes add up to the difference', async () => {
  const random = luck(Number(process.env.MES_SEMILLA ?? 7));
  const ids: string[] = [];
  const act = async () => {
    const id = ids[Math.floor(random() * ids.length)];
    switch (id === undefined ? 0 : Math.floor(random() * 5)) {
      case 0:
        return void ids.push(await venta(`${Math.floor(random() * 200)}.00`));
      case 1:
        return void (await db
          .updateTable('orden')
          .set({ comision: `${Math.floor(random() * 300)}.50` })
          .where('id', '=', id!)
          .execute());
      case 2:
        return void (await invoice(id!, `${Math.floor(random() * 900)}.25`));
      case 3:
        return void (await db.deleteFrom('proveedorFactura').where('ordenId', '=', id!).execute());
      case 4:
        return void (await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', id!).execute());
    }
  };
  for (let n = 0; n < 25; n++) await act();
  await wasKnown();
  const before = await read();
  for (let n = 0; n < 40; n++) await act();
  const { entonces, hoy, causas } = await read();
  expect(entonces).toEqual(before.hoy);
  const total = Money.sum(causas.map(({ importe }) => importe));
  expect(String(total)).toBe(String(hoy.queda.minus(entonces!.queda)));
  const { rows } = await sql<{ queda: Money; ventas: number }>`
    select coalesce(sum(queda), 0) as queda, count(queda)::int as ventas from libro_venta where fecha >= ${from} and fecha < ${to}`.execute(
    db,
  );
  expect([String(hoy.queda), hoy.ventas]).toEqual([String(rows[0]!.queda), rows[0]!.ventas]);
});

test('a month from before the ledger says that nothing was known; the running one has no closing yet', async () => {
  await invoice(await venta('100.00'), '700.00');
  expect(await read()).toMatchObject({ momento: MOMENTO, entonces: null, causas: [], hoy: { ventas: 1 } });
  expect(await readMesCerrado(db, civilDay(new Date()).slice(0, 7), new Date())).toMatchObject({
    momento: null,
    entonces: null,
  });
});

test('what is paid is told by how sure it is and by its age', async () => {
  await invoice(await venta('100.00'), '700.00');
  await venta('100.00', '500.00');
  const { calidad } = await read();
  expect(String(calidad.pagado)).toBe('1660.00');
  expect(calidad.grados.map(({ certeza, pagado, parte }) => [certeza, String(pagado), parte])).toEqual([
    ['conocida', '1160.00', '69.9'],
    ['desconocida', '500.00', '30.1'],
  ]);
  expect(calidad.tramos.map(({ certeza, edad, ventas }) => [certeza, edad, ventas])).toEqual([['desconocida', 2, 1]]);
});
