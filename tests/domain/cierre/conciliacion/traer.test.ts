import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Money } from '~/core/money';
import { balanceDepositos } from '~/domain/cierre/conciliacion/internal/balanceDepositos.server';
import { bringLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { liquidacionesMl } from '~/domain/mercados/ml/internal/liquidaciones.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { testDatabase } from '../../../support/db';
import { fuenteDe, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const ml = sandbox.mercadolibre;

type Movimiento = { at: number; description: string; net: number; gross: number; ordenId: string | null };
const contados = () => ml.get<Movimiento[]>('/reportes/movimientos');
const ponga = (como: Record<string, string>) => ml.post('/reportes/interruptores', como);
const DE_FABRICA = {
  separador: ',',
  cabeceras: 'en',
  impuestos: 'sinEscapar',
  signos: 'conSigno',
  numero: 'mismo',
  estado: 'falta',
  orden: 'ORDER_ID',
  saldo: 'falta',
  zona: '-04:00',
  noSePudo: 'no',
  permiso: 'sirve',
};

beforeAll(async () => {
  const client = await linkSandbox(db, sandbox);
  await syncVentas(db, fuenteDe(client), { kind: 'sweep', since: new Date(Date.now() - 120 * 86_400_000) });
});

beforeEach(async () => {
  for (const table of ['conciliacion', 'movimiento', 'deposito', 'liquidacionReporte', 'utilidadAjuste'] as const)
    await db.deleteFrom(table).execute();
  await db.updateTable('orden').set({ liquidado: null }).execute();
  await ponga(DE_FABRICA);
  await ml.post('/reportes/segundos', { segundos: 0 });
});

/** As many runs as there are windows of the first days. */
async function traerTodo(now?: Date) {
  let leidos = 0;
  for (let n = 0; n < 6; n++) leidos += (await bringLiquidaciones(db, liquidacionesMl, { now }))!.leidos;
  return leidos;
}

const escritos = async () => {
  const { rows } = await sql<{ clase: string; cuantos: number; suma: Money }>`
    select 'movimiento' as clase, count(*)::int as cuantos, coalesce(sum(importe), 0) as suma from movimiento
    union all select 'deposito', count(*)::int, coalesce(sum(importe), 0) from deposito`.execute(db);
  return Object.fromEntries(rows.map(({ clase, cuantos, suma }) => [clase, { cuantos, suma: String(suma) }]));
};
const enPesos = (rows: Movimiento[]) => Money.sum(rows.map(({ net }) => Money.ofJsonNumber(net))).toString();

test('every line of the reports is kept once, to the cent, whatever way the account is told', async () => {
  expect(await traerTodo()).toBeGreaterThanOrEqual(2);
  const desde = (await db.selectFrom('liquidacionReporte').select('desde').orderBy('desde').executeTakeFirstOrThrow())
    .desde;
  const hasta = (
    await db.selectFrom('liquidacionReporte').select('hasta').orderBy('hasta', 'desc').executeTakeFirstOrThrow()
  ).hasta;
  const dentro = (await contados()).filter(({ at }) => at >= desde.getTime() && at < hasta.getTime());
  const retiros = dentro.filter(({ description }) => description === 'payout');
  const { movimiento, deposito } = await escritos();
  expect(movimiento!.suma).toBe(enPesos(dentro.filter(({ description }) => description !== 'payout')));
  expect(deposito).toEqual({ cuantos: retiros.length, suma: Money.zero.minus(Money.of(enPesos(retiros))).toString() });
  expect(retiros.length).toBeGreaterThan(4);
  const otros = [
    { separador: ';', impuestos: 'escapados', numero: 'otro', estado: 'llega', orden: 'soloPago' },
    {
      cabeceras: 'es',
      signos: 'absolutos',
      numero: 'ninguno',
      zona: '-06:00',
      impuestos: 'juntos',
      saldo: 'llega',
      orden: 'envio',
    },
  ];
  for (const como of otros) {
    for (const table of ['conciliacion', 'movimiento', 'deposito', 'liquidacionReporte'] as const)
      await db.deleteFrom(table).execute();
    await ponga({ ...DE_FABRICA, ...como });
    await traerTodo();
    const otra = await escritos();
    expect([como, otra.movimiento!.suma, otra.deposito]).toEqual([como, movimiento!.suma, deposito]);
  }
});

test('every deposit is what it is made of and what stayed in the account, to the cent', async () => {
  await traerTodo();
  const depositos = await db.selectFrom('deposito').selectAll().orderBy('fecha').execute();
  for (const { importe, suma, saldoAntes, saldoDespues, sinExplicar } of depositos) {
    expect(sinExplicar.toString()).toBe('0.00');
    expect(saldoAntes.plus(suma).minus(saldoDespues).toString()).toBe(importe.toString());
  }
  // What every withdrawal leaves behind.
  expect(depositos.map(({ saldoDespues }) => saldoDespues.toString())).toEqual(depositos.map(() => '150.00'));
});

test('what was charged as expected has no difference; a commission that was charged too high and a late charge have theirs', async () => {
  // What was returned or cancelled has a difference of its own already, and the sales of a cart share what one of them is charged.
  const { rows: iguales } = await sql<{ marketId: string }>`
    select market_id from orden o
    where clase = 'normal' and not exists (select from orden c where c.num_orden = o.num_orden and c.id <> o.id)`.execute(
    db,
  );
  const todos = await contados();
  const enVentana = todos.filter(
    ({ at, description, ordenId }) =>
      description === 'payment' &&
      // A sale of two payments, or given back in part, has its charges in parts too.
      todos.filter((otro) => otro.ordenId === ordenId).length === 1 &&
      iguales.some(({ marketId }) => marketId === ordenId) &&
      at > Date.now() - 40 * 86_400_000 &&
      at < Date.now() - 5 * 86_400_000,
  );
  const [una, otra, tercera] = enVentana as [Movimiento, Movimiento, Movimiento];
  await ml.post('/reportes/cargos', { ordenId: una.ordenId, columna: 'comision', importe: 12.34 });
  await ml.post('/reportes/cargos', { ordenId: tercera.ordenId, columna: 'envio', importe: 5.25 });
  await ml.post('/reportes/cargos', { ordenId: otra.ordenId, importe: 7.5, dias: 3, descripcion: 'late_charge' });
  await traerTodo();
  const filas = await db
    .selectFrom('conciliacion')
    .innerJoin('orden', 'orden.id', 'conciliacion.ordenId')
    .selectAll('conciliacion')
    .select(['orden.marketId', 'orden.liquidado', 'orden.clase', 'orden.enPie'])
    .execute();
  expect(filas.length).toBeGreaterThan(20);
  const de = (id: string | null) => filas.find(({ marketId }) => marketId === id)!;
  expect([de(una.ordenId).dComision, de(una.ordenId).mayor].map(String)).toEqual(['-12.34', '12.34']);
  expect([de(tercera.ordenId).dEnvio, de(tercera.ordenId).diferencia].map(String)).toEqual(['-5.25', '-5.25']);
  expect([de(otra.ordenId).rOtros, de(otra.ordenId).diferencia].map(String)).toEqual(['-7.50', '-7.50']);
  // Also of what came back, whole, in part or out of a cart, and of what was paid though it came back: nobody owes anything.
  const raras = filas.filter(
    ({ mayor, marketId }) => ![una, otra, tercera].some(({ ordenId }) => ordenId === marketId) && !mayor.isZero(),
  );
  expect(
    filas.filter(({ clase, enPie, completa }) => clase === 'devuelta' && enPie && completa).length,
  ).toBeGreaterThan(0);
  expect(raras.map(({ marketId, clase, mayor }) => [marketId, clase, String(mayor)])).toEqual([]);
  expect(filas.filter(({ completa }) => completa).every(({ liquidado, recibido }) => liquidado?.equals(recibido))).toBe(
    true,
  );
});

test('a report that is not made yet is waited for, one that was read is not read again, and the lines of two reads are one', async () => {
  await ml.post('/reportes/segundos', { segundos: 3_600 });
  expect(await bringLiquidaciones(db, liquidacionesMl)).toEqual({ leidos: 0, esperan: 1 });
  expect(await bringLiquidaciones(db, liquidacionesMl)).toEqual({ leidos: 0, esperan: 1 });
  expect(await ml.get<unknown[]>('/reportes')).toHaveLength(await pedidosHastaAhora());
  await ml.post('/reportes/segundos', { segundos: 0 });
  await traerTodo();
  const antes = await escritos();
  await db.updateTable('liquidacionReporte').set({ estado: 'listo' }).execute();
  await traerTodo();
  expect(await escritos()).toEqual(antes);
  const { conciliadas } = await db.transaction().execute((trx) => balanceDepositos(trx, 'ml'));
  expect(conciliadas).toBe(0);
});

let pedidos = 0;
async function pedidosHastaAhora() {
  pedidos = (await ml.get<unknown[]>('/reportes')).length;
  return pedidos;
}

test('a no to the permission or to the report is said and tried again later, and moves nothing', async () => {
  for (const como of [{ permiso: '401' }, { permiso: '403' }, { noSePudo: '203' }]) {
    await ponga({ ...DE_FABRICA, ...como });
    expect(await bringLiquidaciones(db, liquidacionesMl)).toEqual({ leidos: 0, esperan: 1 });
    const [reporte] = await db.selectFrom('liquidacionReporte').selectAll().execute();
    expect(reporte).toMatchObject({ estado: 'fallido', intentos: 1 });
    expect(reporte!.error).toMatch(/401|403|no pudo/);
    expect(reporte!.mirarEn.getTime()).toBeGreaterThan(Date.now() + 50 * 60_000);
    await db.deleteFrom('liquidacionReporte').execute();
  }
  await ponga(DE_FABRICA);
  expect(await traerTodo()).toBeGreaterThanOrEqual(2);
});

test('another account that is linked begins anew, and takes nothing of what the one before it was paid', async () => {
  await traerTodo();
  const { account } = await db
    .selectFrom('credential')
    .select('account')
    .where('connection', '=', 'mercadolibre')
    .executeTakeFirstOrThrow();
  const ofFirst = () => db.selectFrom('deposito').selectAll().where('clave', '<>', 'ajeno').orderBy('fecha').execute();
  const [before, first] = [await ofFirst(), await db.selectFrom('liquidacionReporte').selectAll().execute()];
  expect(first.map(({ cuenta }) => cuenta)).toEqual(first.map(() => account));
  await db.updateTable('credential').set({ account: '999' }).where('connection', '=', 'mercadolibre').execute();
  await ml.post('/reportes/segundos', { segundos: 3_600 });
  expect(await bringLiquidaciones(db, liquidacionesMl)).toEqual({ leidos: 0, esperan: 1 });
  const [asked] = await db.selectFrom('liquidacionReporte').selectAll().where('cuenta', '=', '999').execute();
  expect(asked!.desde.getTime()).toBeLessThan(Date.now() - 55 * 86_400_000);
  await db
    .insertInto('deposito')
    .values({ market: 'ml', clave: 'ajeno', fecha: new Date(), importe: '10.00', reporteId: asked!.id })
    .execute();
  await db.transaction().execute((trx) => balanceDepositos(trx, 'ml'));
  expect(await ofFirst()).toEqual(before);
  expect(
    await db.selectFrom('deposito').select(['movimientos', 'saldoAntes']).where('clave', '=', 'ajeno').execute(),
  ).toEqual([{ movimientos: 0, saldoAntes: Money.zero }]);
  await db.updateTable('credential').set({ account }).where('connection', '=', 'mercadolibre').execute();
});
