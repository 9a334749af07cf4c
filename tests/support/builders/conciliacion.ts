import { sql } from 'kysely';
import { balanceDepositos } from '~/domain/cierre/conciliacion/internal/balanceDepositos.server';
import type { Db } from '~db/client.server';
import type { ConceptoDeMovimiento } from '~db/columns';
import { buildOrden } from './ordenes';
import { vacuumAnalyze } from '../plans';

let last = 0;

/** Two sales of 500.00 and 70.00 of commission that were paid out at once; of one of them 85.00 was charged. */
export async function buildLiquidacion(db: Db, numeros?: readonly [exacta: string, conDiferencia: string]) {
  const hace = (dias: number) => new Date(Date.now() - dias * 86_400_000);
  // Of an account of its own: another telling of a story meets the one before it.
  const clave = `L-${Date.now()}-${++last}`;
  const { id: reporteId } = await db
    .insertInto('liquidacionReporte')
    .values({ market: 'ml', cuenta: clave, clave, estado: 'leido', desde: hace(5), hasta: hace(1) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: depositoId } = await db
    .insertInto('deposito')
    .values({ market: 'ml', clave, fecha: hace(2), importe: '845.00', reporteId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const cargo = async (ordenId: string, concepto: ConceptoDeMovimiento, importe: string, fecha: Date) => {
    const { marketId } = await db
      .selectFrom('orden')
      .select('marketId')
      .where('id', '=', ordenId)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('movimiento')
      .values({
        market: 'ml',
        clave: `${clave}:${++last}`,
        reporteId,
        posicion: last,
        concepto,
        importe,
        fecha,
        detalle: concepto,
        refOrden: marketId,
      })
      .execute();
  };
  const venta = async (comision: string, numOrden?: string) => {
    const { id, numOrden: suyo } = await buildOrden(db, {
      pagado: '500.00',
      ...(numOrden && { numOrden, envio: { marketId: `49${numOrden.slice(-9)}` } }),
    });
    await sql`update orden set comision = 70, retencion = 0, costo_envio = 0 where id = ${id}`.execute(db);
    await cargo(id, 'venta', '500.00', hace(3));
    await cargo(id, 'comision', comision, hace(3));
    return { id, numOrden: suyo };
  };
  const exacta = await venta('-70.00', numeros?.[0]);
  const conDiferencia = await venta('-85.00', numeros?.[1]);
  const cuadra = () => db.transaction().execute((trx) => balanceDepositos(trx, 'ml'));
  await cuadra();
  return {
    depositoId,
    exacta: exacta.id,
    numOrden: exacta.numOrden,
    conDiferencia: conDiferencia.id,
    numDiferente: conDiferencia.numOrden,
    /** Something charged later to the sale that has a difference. */
    async cobrar(importe: string) {
      await cargo(conDiferencia.id, 'otro', importe, new Date());
      await cuadra();
    },
  };
}

/** The marketplace's settlement of one sale: what was paid and a commission of 70.00, and the deposit that paid it. */
export async function liquidate(db: Db, ordenId: string, pagado: string): Promise<void> {
  const { marketId } = await db
    .selectFrom('orden')
    .select('marketId')
    .where('id', '=', ordenId)
    .executeTakeFirstOrThrow();
  const clave = `L-${Date.now()}-${++last}`;
  const fecha = new Date('2026-10-18T18:00:00Z');
  const { id: reporteId } = await db
    .insertInto('liquidacionReporte')
    .values({
      market: 'ml',
      cuenta: clave,
      clave,
      estado: 'leido',
      desde: new Date('2026-10-17T18:00:00Z'),
      hasta: fecha,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: depositoId } = await db
    .insertInto('deposito')
    .values({ market: 'ml', clave, fecha, importe: pagado, reporteId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const cargo = { market: 'ml' as const, reporteId, depositoId, ordenId, fecha, refOrden: marketId };
  await db
    .insertInto('movimiento')
    .values([
      { ...cargo, clave: `${clave}:1`, posicion: 1, concepto: 'venta', importe: pagado, detalle: 'Venta' },
      { ...cargo, clave: `${clave}:2`, posicion: 2, concepto: 'comision', importe: '-70.00', detalle: 'Comisión' },
    ])
    .execute();
}

/** What a settlement paid for a sale that nobody here knows, a price and its commission; or, without a number, a payment of no sale at all. */
export async function buildSuelto(db: Db, { conNumero = true } = {}) {
  const numero = `20008${String(Date.now()).slice(-9)}${String(++last % 100).padStart(2, '0')}`;
  const fecha = new Date(Date.now() - 3 * 86_400_000);
  const clave = `S-${numero}`;
  const { id: reporteId } = await db
    .insertInto('liquidacionReporte')
    .values({ market: 'ml', cuenta: clave, clave, estado: 'leido', desde: fecha, hasta: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const line = { market: 'ml' as const, reporteId, fecha, refOrden: conNumero ? numero : null, pago: numero };
  await db
    .insertInto('movimiento')
    .values([
      { ...line, clave: `${clave}:1`, posicion: 1, concepto: 'venta', importe: '500.00', detalle: `payment ${numero}` },
      { ...line, clave: `${clave}:2`, posicion: 2, concepto: 'comision', importe: '-70.00', detalle: 'payment' },
    ])
    .execute();
  await db.transaction().execute((trx) => balanceDepositos(trx, 'ml'));
  const { id, version } = await db
    .selectFrom('suelto')
    .select(['id', 'version'])
    .where('clave', '=', numero)
    .executeTakeFirstOrThrow();
  return { id, version, numero };
}

/** Every sale there is, as if its payment had been told whole; one in twenty differs. */
export async function seedConciliacion(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into conciliacion (orden_id, market, fecha, movimientos, e_cobrado, e_comision, e_envio, e_retencion, r_cobrado, r_devuelto, r_comision, r_envio, r_iva, r_isr,
      r_retencion, r_otros, completa)
    select id, market, fecha_creacion, 3, 100, -10, 0, -5, 100, 0, case when row_number() over (order by id) % 20 = 0 then -12 else -10 end, 0, -4, -1, 0, 0, true from orden`.execute(
      trx,
    );
  });
  await vacuumAnalyze(db, 'conciliacion');
}
