/** Money of a settlement that is of no sale here: a sale that never came, and what the account itself pays and gets. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { enPesos } from '~/core/importe';
import { bringLiquidaciones } from '~/domain/cierre/conciliacion/bringLiquidaciones.server';
import { MotivoDicho } from '~/domain/cierre/conciliacion/conciliacionForm';
import { dineroSinIdentificar } from '~/domain/cierre/conciliacion/internal/colaConciliacion.server';
import { sueltosList } from '~/domain/cierre/conciliacion/listSueltos.server';
import { busquedaOf } from '~/domain/cierre/conciliacion/suelto';
import { decideSuelto, readSuelto, requestVenta } from '~/domain/cierre/conciliacion/sueltos.server';
import { liquidacionesMl } from '~/domain/mercados/ml/internal/liquidaciones.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import type { Trx } from '~db/client.server';
import { buildQuien } from '../../../support/builders/ordenes';
import { testDatabase } from '../../../support/db';
import { fuenteDe, linkSandbox } from '../../../support/mercadolibre';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
const ml = sandbox.mercadolibre;
type Movimiento = { at: number; description: string; net: number; ordenId: string | null };
const DAY = 86_400_000;

/** The sale that no notice and no search tells, and one that its marketplace denies. */
let oculta: string;
let negada: string;

beforeAll(async () => {
  const movimientos = await ml.get<Movimiento[]>('/reportes/movimientos');
  // Paid out within the days of the first reports, whole and alone.
  const paidOut = (from: number, to: number) =>
    movimientos.find(
      ({ at, description, ordenId }) =>
        description === 'payment' &&
        at > Date.now() - from * DAY &&
        at < Date.now() - to * DAY &&
        movimientos.filter((otro) => otro.ordenId === ordenId).length === 1,
    )!.ordenId!;
  [oculta, negada] = [paidOut(40, 10), paidOut(6, 2)];
  await ml.post('/interruptores', { ordenesOcultas: `${oculta},${negada}` });
  const client = await linkSandbox(db, sandbox);
  await syncVentas(db, fuenteDe(client), { kind: 'sweep', since: new Date(Date.now() - 120 * DAY) });
  await ml.failNext('refuse', { route: `/orders/${negada}`, times: 9 });
  await ml.failNext('refuse', { route: `/packs/${negada}`, times: 9 });
  await ml.post('/reportes/segundos', { segundos: 0 });
  await ml.post('/reportes/cargos', { descripcion: 'account_fee', importe: 35, dias: 9 });
  await ml.post('/reportes/cargos', { descripcion: 'compensation', importe: -120, dias: 8 });
  // On a busy machine a run may end before its answers came.
  const isHere = () => db.selectFrom('orden').select('id').where('marketId', '=', oculta).executeTakeFirst();
  for (let n = 0; n < 6 || (n < 20 && !(await isHere())); n++) await bringLiquidaciones(db, liquidacionesMl);
}, 120_000);

const inTrx = <T>(act: (trx: Trx) => Promise<T>) => db.transaction().execute(act);
const listed = async (search = '') => {
  const filtro = sueltosList.parse(new URLSearchParams(`rango=todas&cuales=porIdentificar&${search}`));
  return (await sueltosList.first(db, filtro)).filas;
};
const enHoy = () =>
  dineroSinIdentificar.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien: { id: '', rol: 'sa' } });
const sueltoDe = (numero: string) =>
  db.selectFrom('suelto').selectAll().where('numero', '=', numero).executeTakeFirstOrThrow();

test('a sale that was paid out and never came is asked for by its number, and then is a sale like any other', async () => {
  const venta = await db.selectFrom('orden').select('id').where('marketId', '=', oculta).executeTakeFirst();
  expect(venta).toBeDefined();
  expect(await db.selectFrom('suelto').select('id').where('numero', '=', oculta).execute()).toEqual([]);
  const { rows } = await sql<{ sueltos: number }>`
    select count(*) filter (where orden_id is null)::int as sueltos from movimiento where ref_orden = ${oculta}`.execute(
    db,
  );
  expect(rows).toEqual([{ sueltos: 0 }]);
  expect(await db.selectFrom('conciliacion').select('ordenId').where('ordenId', '=', venta!.id).execute()).toHaveLength(
    1,
  );
});

test('one that the marketplace denies is work, with its number, its amount and what the search said', async () => {
  const { id, importe } = await sueltoDe(negada);
  // What a sale leaves may be charged: its money went back.
  const cuanto = enPesos(importe.toFixed(2).replace('-', ''));
  const vino = importe.isNegative() ? `Se cobraron ${cuanto}` : `Llegaron ${cuanto}`;
  const [fila] = (await listed()).filter(({ numero }) => numero === negada);
  expect(fila).toMatchObject({ id, clase: 'venta', porIdentificar: true });
  expect(busquedaOf(fila!)).toBe('El mercado no la conoce');
  expect((await enHoy()).cosas.find((cosa) => cosa.id === id)).toMatchObject({
    titulo: negada,
    detalle: `Venta que no está aquí · ${vino} · El mercado no la conoce`,
  });
  expect((await readSuelto(db, id))!.renglones.length).toBeGreaterThan(1);
});

test('what the account itself pays has its reason by the words of the marketplace; money that came in waits for a person', async () => {
  const dichos = await db
    .selectFrom('suelto')
    .select(['clase', 'motivo', 'detalle', 'motivoPor'])
    .where('clase', '<>', 'venta')
    .execute();
  const of = (detalle: string) => dichos.find((dicho) => dicho.detalle === detalle);
  expect(of('advertising')).toEqual({
    clase: 'publicidad',
    motivo: 'publicidad',
    detalle: 'advertising',
    motivoPor: null,
  });
  expect(of('account_fee')).toMatchObject({ clase: 'cargo', motivo: 'cuenta' });
  expect(of('compensation')).toMatchObject({ clase: 'abono', motivo: null });
  expect((await listed()).map(({ detalle }) => detalle)).toContain('compensation');
  // Reserves come and go, and are of nobody.
  expect(dichos.map(({ detalle }) => detalle)).not.toContain('reserve_for_payout');
});

test('a person says why, of the version that they saw; a late line moves the amount and keeps the reason', async () => {
  const { id: quien } = await buildQuien(db, 'sa');
  const abono = await db.selectFrom('suelto').selectAll().where('clase', '=', 'abono').executeTakeFirstOrThrow();
  const dicho = MotivoDicho.parse({ id: abono.id, version: abono.version, motivo: 'bonificacion' });
  await inTrx((trx) => decideSuelto(trx, dicho, quien));
  await expect(inTrx((trx) => decideSuelto(trx, dicho, quien))).rejects.toThrow('Vuelve a cargarlo');
  expect((await listed()).map(({ id }) => id)).not.toContain(abono.id);
  await bringLiquidaciones(db, liquidacionesMl);
  expect(await readSuelto(db, abono.id)).toMatchObject({ motivo: 'bonificacion', motivoPor: quien });
  await inTrx((trx) => decideSuelto(trx, { id: abono.id, version: abono.version + 1, motivo: null }, quien));
  expect((await listed()).map(({ id }) => id)).toContain(abono.id);
});

test('a press has the sale searched again, and a day later the search is made anew by itself', async () => {
  const { id: quien } = await buildQuien(db, 'sa');
  const before = await sueltoDe(negada);
  await inTrx((trx) => requestVenta(trx, { id: before.id, version: before.version }, quien));
  expect(busquedaOf(await sueltoDe(negada))).toBe('Se está buscando');
  expect(
    (await listed()).map(({ id }) => id),
    'who is searched is no work',
  ).not.toContain(before.id);
  await sql`update suelto set pedido_en = now() - interval '25 hours' where numero = ${negada}`.execute(db);
  expect(
    (await listed()).map(({ id }) => id),
    'a search that takes a day is',
  ).toContain(before.id);
  await bringLiquidaciones(db, liquidacionesMl);
  expect(busquedaOf(await sueltoDe(negada))).toBe('El mercado no la conoce');

  await sandbox.clear('mercadolibre');
  await bringLiquidaciones(db, liquidacionesMl);
  expect(await sueltoDe(negada), 'asked a moment ago').toBeDefined();
  await sql`update suelto set buscado_en = now() - interval '2 days' where numero = ${negada}`.execute(db);
  await bringLiquidaciones(db, liquidacionesMl);
  expect(await db.selectFrom('suelto').select('id').where('numero', '=', negada).execute()).toEqual([]);
  expect(await db.selectFrom('orden').select('id').where('marketId', '=', negada).execute()).toHaveLength(1);
});
