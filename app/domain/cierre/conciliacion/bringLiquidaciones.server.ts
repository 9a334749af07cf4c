import { sql } from 'kysely';
import type { Market } from '~/core/market';
import { Money } from '~/core/money';
import { addDays, civilDay, dayRange } from '~/core/time';
import type { FuenteDeLiquidaciones, LineaLeida, Liquidaciones, MovimientoLeido } from '~/domain/mercados/liquidacion';
import { listLiquidaciones } from '~/domain/mercados/liquidaciones.server';
import { fuenteOf } from '~/domain/mercados/registro.server';
import { startRun, type SyncRun } from '~/platform/syncRuns.server';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { balanceDepositos, lockLiquidaciones } from './internal/balanceDepositos.server';
import { searchSueltos } from './internal/gatherSueltos.server';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days that the first report goes back: as far as a marketplace tells of at once. */
const PRIMEROS_DIAS = 60;
/** Lines of one insert. */
const LOTE = 1_000;
/** A report that is not in the list so long after it was asked for is asked for again. */
const PERDIDO_MS = 6 * HOUR;
/** Waits after a refused report, each longer. */
const ESPERAS_MS = [HOUR, 3 * HOUR, 6 * HOUR, DAY];

/** Asks for a run at every marketplace that tells what it paid out. */
export async function enqueueLiquidaciones(db: Db): Promise<void> {
  for (const { market } of listLiquidaciones())
    if (await fuenteOf(market).link(db)) await enqueue(db, 'liquidacion.traer', { market });
}

type Cuenta = { market: Market; cuenta: string };
const isOf = ({ market, cuenta }: Cuenta) => sql<boolean>`market = ${market} and cuenta = ${cuenta}`;

/** The outcome of a run: the reports that it read, and the reports of the account that are still unread. */
export type Traido = { leidos: number; esperan: number };

/**
 * Brings the payouts of a marketplace: asks for the days that no report tells of yet, looks for the reports that were asked for, and reads those that
 * are ready, the oldest first. Each step leaves its row, so a run that was stopped goes on there, and a line that is read twice is written once.
 */
export async function bringLiquidaciones(
  db: Db,
  fuente: FuenteDeLiquidaciones,
  { now = new Date(), signal }: { now?: Date; signal?: AbortSignal } = {},
): Promise<Traido | null> {
  const { market } = fuente;
  const ventas = fuenteOf(market);
  const link = await ventas.link(db);
  if (!link || link.status === 'broken' || (await ventas.isPaused(db))) return null;
  const liquidaciones = fuente.open(db);
  // Payouts of another account are history: its reports are neither asked for nor continued.
  const cuenta: Cuenta = { market, cuenta: link.account };
  try {
    if (liquidaciones.pide) await requestReport(db, cuenta, liquidaciones.pide, now);
    await lookForReport(db, cuenta, liquidaciones, now);
  } catch (error) {
    await postpone(db, cuenta, ventas.source, error, now);
  }
  let leidos = 0;
  for (;;) {
    signal?.throwIfAborted();
    const listo = await siguiente(db, cuenta);
    if (!listo) break;
    const { source } = ventas;
    if (!(await readReport(db, cuenta, { source, guardaSaldo: fuente.guardaSaldo }, liquidaciones, listo, signal)))
      break;
    leidos += 1;
  }
  await db.transaction().execute((trx) => balanceDepositos(trx, market));
  // A sale that was paid out and that no notice and no listing ever told.
  if ((await searchSueltos(db, market, ventas, now, signal)) > 0)
    await db.transaction().execute((trx) => balanceDepositos(trx, market));
  const { esperan } = await db
    .selectFrom('liquidacionReporte')
    .select(sql<number>`count(*)::int`.as('esperan'))
    .where(isOf(cuenta))
    .where('estado', '<>', 'leido')
    .executeTakeFirstOrThrow();
  return { leidos, esperan };
}

/** Asks for the days that ended since the last report, one window at a time: the next window once this one is read. */
async function requestReport(
  db: Db,
  cuenta: Cuenta,
  pide: NonNullable<Liquidaciones['pide']>,
  now: Date,
): Promise<void> {
  const reporte = await db.transaction().execute(async (trx) => {
    await lockLiquidaciones(trx, cuenta.market);
    const last = await trx
      .selectFrom('liquidacionReporte')
      .select(['id', 'estado', 'hasta', 'desde', 'mirarEn', 'suyo', 'archivo'])
      .where(isOf(cuenta))
      .orderBy('hasta', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last && last.estado !== 'leido')
      return last.estado === 'fallido' && last.mirarEn <= now
        ? { id: last.id, desde: last.desde, hasta: last.hasta }
        : null;
    const end = dayRange(civilDay(now)).from;
    const desde = last?.hasta ?? dayRange(addDays(civilDay(now), -PRIMEROS_DIAS)).from;
    const hasta = new Date(Math.min(end.getTime(), dayRange(addDays(civilDay(desde), pide.maxDias)).from.getTime()));
    if (desde >= hasta) return null;
    // The row is written before the marketplace is asked, so a run that is stopped here asks again.
    return await trx
      .insertInto('liquidacionReporte')
      .values({
        ...cuenta,
        clave: `${desde.toISOString()}/${hasta.toISOString()}`,
        estado: 'fallido',
        desde,
        hasta,
        pedidoEn: now,
        mirarEn: now,
        error: 'Todavía no se pide',
      })
      .returning(['id', 'desde', 'hasta'])
      .executeTakeFirstOrThrow();
  });
  if (!reporte) return;
  const { suyo } = await pide.pide({ desde: reporte.desde, hasta: lastSecond(reporte.hasta) });
  await db
    .updateTable('liquidacionReporte')
    .set({ estado: 'pedido', suyo, pedidoEn: now, mirarEn: now, error: null })
    .where('id', '=', reporte.id)
    .execute();
}

/** Returns the last second of a window's last day. */
const lastSecond = (instant: Date) => new Date(instant.getTime() - 1_000);

/** Looks in the list for the reports that were asked for, and for those that came by themselves. */
async function lookForReport(db: Db, cuenta: Cuenta, liquidaciones: Liquidaciones, now: Date): Promise<void> {
  if (!liquidaciones.pide) return await takePublished(db, cuenta, liquidaciones, now);
  const pedidos = await db
    .selectFrom('liquidacionReporte')
    .selectAll()
    .where(isOf(cuenta))
    .where('estado', '=', 'pedido')
    .where('mirarEn', '<=', now)
    .orderBy('desde')
    .execute();
  if (pedidos.length === 0) return;
  const ajenos = await liquidaciones.lista(pedidos[0]!.desde);
  for (const pedido of pedidos) {
    const end = lastSecond(pedido.hasta).getTime();
    // The number of the request may not be that of the report, so the days name the report too. Of several reports of the same days any will do.
    const suyos = ajenos.filter(
      ({ suyo, desde, hasta }) =>
        suyo === pedido.suyo ||
        (Math.abs(desde.getTime() - pedido.desde.getTime()) < 1_000 && Math.abs(hasta.getTime() - end) <= 1_000),
    );
    const listo = suyos.find(({ archivo }) => archivo !== null);
    const row = db.updateTable('liquidacionReporte').where('id', '=', pedido.id);
    if (listo) await row.set({ estado: 'listo', archivo: listo.archivo, error: null }).execute();
    else if (suyos.length > 0 && suyos.every(({ fallo }) => fallo !== undefined))
      await row.set(failed(pedido.intentos, suyos[0]!.fallo!, now)).execute();
    else if (now.getTime() - pedido.pedidoEn.getTime() > PERDIDO_MS)
      await row.set(failed(pedido.intentos, 'Se pidió y nunca llegó', now)).execute();
  }
}

const failed = (intentos: number, error: string, now: Date) => ({
  estado: 'fallido' as const,
  intentos: intentos + 1,
  error,
  mirarEn: new Date(now.getTime() + ESPERAS_MS[Math.min(intentos, ESPERAS_MS.length - 1)]!),
});

async function takePublished(db: Db, cuenta: Cuenta, { lista }: Liquidaciones, now: Date): Promise<void> {
  const ajenos = await lista(new Date(now.getTime() - PRIMEROS_DIAS * DAY));
  for (const { suyo, desde, hasta, archivo, fallo } of ajenos) {
    if (archivo === null && fallo === undefined) continue;
    await db
      .insertInto('liquidacionReporte')
      .values({
        ...cuenta,
        clave: suyo,
        suyo,
        desde,
        hasta,
        archivo,
        estado: archivo === null ? 'fallido' : 'listo',
        error: fallo ?? null,
        pedidoEn: now,
      })
      .onConflict((on) =>
        on
          .columns(['market', 'cuenta', 'clave'])
          .doUpdateSet({ archivo: (is) => is.ref('excluded.archivo'), estado: 'listo', error: null })
          // A report that failed and was made again is read; a report that waits for its next try goes on waiting.
          .where(
            sql<boolean>`excluded.archivo is not null and liquidacion_reporte.estado in ('listo', 'fallido')
              and liquidacion_reporte.archivo is distinct from excluded.archivo`,
          ),
      )
      .execute();
  }
}

/** Writes why a marketplace could not be asked, where people look; its reports stay as they are. */
async function postpone(db: Db, cuenta: Cuenta, source: string, error: unknown, now: Date): Promise<void> {
  if (!(error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape)) throw error;
  const run = await startRun(db, source, 'liquidacion');
  await run.end(error);
  const row = await db
    .selectFrom('liquidacionReporte')
    .select(['id', 'intentos', 'estado'])
    .where(isOf(cuenta))
    .where('estado', 'in', ['pedido', 'fallido'])
    .orderBy('desde')
    .limit(1)
    .executeTakeFirst();
  if (!row) return;
  const wait = failed(row.intentos, error.message, now);
  await db
    .updateTable('liquidacionReporte')
    .set(row.estado === 'fallido' ? wait : { error: wait.error, intentos: wait.intentos, mirarEn: wait.mirarEn })
    .where('id', '=', row.id)
    .execute();
}

type Listo = { id: string; archivo: string; desde: Date; hasta: Date; intentos: number };

/** Returns the oldest report that is ready, since the balance of the account is handed on from each report to the next. */
async function siguiente(db: Db, cuenta: Cuenta): Promise<Listo | undefined> {
  const row = await db
    .selectFrom('liquidacionReporte')
    .select(['id', 'archivo', 'desde', 'hasta', 'intentos'])
    .where(isOf(cuenta))
    .where('estado', '=', 'listo')
    .where('mirarEn', '<=', sql<Date>`now()`)
    .orderBy('desde')
    .limit(1)
    .executeTakeFirst();
  return row?.archivo ? { ...row, archivo: row.archivo } : undefined;
}

/** Reads a report. Returns false when it could not be read to its end; the lines that came stay, and are not written again. */
async function readReport(
  db: Db,
  cuenta: Cuenta,
  { source, guardaSaldo }: { source: string; guardaSaldo: boolean },
  liquidaciones: Liquidaciones,
  reporte: Listo,
  signal?: AbortSignal,
): Promise<boolean> {
  const run = await startRun(db, source, 'liquidacion');
  try {
    const { saldoInicial, saldoFinal, depositos } = await writeReport(
      db,
      cuenta.market,
      reporte,
      liquidaciones.lee(reporte.archivo),
      run,
      signal,
    );
    if (!guardaSaldo) requireSums(depositos);
    await checkSaldo(db, cuenta, reporte, saldoInicial, run);
    await db
      .updateTable('liquidacionReporte')
      .set({
        estado: 'leido',
        leidoEn: sql<Date>`now()`,
        lineas: run.counts.seen,
        saldoInicial,
        saldoFinal,
        error: run.counts.failed > 0 ? `${run.counts.failed} renglones sin leer` : null,
      })
      .where('id', '=', reporte.id)
      .execute();
    await run.end();
    return true;
  } catch (error) {
    await run.end(error);
    const { error: motivo, intentos, mirarEn } = failed(reporte.intentos, messageOf(error), new Date());
    await db
      .updateTable('liquidacionReporte')
      .set({ error: motivo, intentos, mirarEn })
      .where('id', '=', reporte.id)
      .execute();
    if (error instanceof Unavailable || error instanceof Refused || error instanceof UnexpectedShape) return false;
    throw error;
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Writes the lines in groups as they come, so that a file of any size takes the same memory. */
async function writeReport(
  db: Db,
  market: Market,
  reporte: Listo,
  lineas: AsyncIterable<LineaLeida>,
  run: SyncRun,
  signal?: AbortSignal,
) {
  const saldo: { inicio: Money | null; fin: Money | null } = { inicio: null, fin: null };
  let moved = Money.zero;
  const depositos = new Map<string, Sumado>();
  let lote: Renglon[] = [];
  let posicion = 0;
  const guardar = async () => {
    const whole = lote;
    lote = [];
    await db.transaction().execute(async (trx) => {
      run.counts.written += await saveLote(trx, market, reporte.id, whole);
    });
    await run.progress();
  };
  for await (const linea of lineas) {
    posicion += 1;
    run.counts.seen += 1;
    if (linea.clase === 'ilegible') run.fail(`Renglón ${posicion}`, linea.motivo);
    else if (linea.clase === 'saldo') saldo[linea.cuando] = linea.importe;
    else if (linea.clase === 'deposito') {
      lote.push({ posicion, deposito: linea.deposito });
      moved = moved.minus(linea.deposito.importe);
      depositos.set(linea.deposito.clave, { importe: linea.deposito.importe, suma: Money.zero });
    } else
      for (const movimiento of linea.movimientos) {
        lote.push({ posicion, movimiento });
        moved = moved.plus(movimiento.importe);
        const deposito = depositos.get(movimiento.deDeposito ?? '');
        if (deposito) deposito.suma = deposito.suma.plus(movimiento.importe);
      }
    if (lote.length >= LOTE) {
      await guardar();
      signal?.throwIfAborted();
    }
  }
  if (lote.length > 0) await guardar();
  if (saldo.inicio && saldo.fin && !saldo.inicio.plus(moved).equals(saldo.fin))
    run.gap(
      `El reporte no suma: empieza con ${saldo.inicio.toFixed(2)}, se mueven ${moved.toFixed(2)} y termina con ${saldo.fin.toFixed(2)}`,
    );
  return { saldoInicial: saldo.inicio, saldoFinal: saldo.fin, depositos };
}

/** A deposit as its report tells it, and what the lines of the report add up to. */
type Sumado = { importe: Money; suma: Money };

/** Throws UnexpectedShape for a settlement whose lines do not add up to its deposit: some were not read, so the report is not read either. */
function requireSums(depositos: ReadonlyMap<string, Sumado>): void {
  for (const [clave, { importe, suma }] of depositos)
    if (!importe.equals(suma))
      throw new UnexpectedShape(
        `La liquidación ${clave} no suma: su depósito es de ${importe.toFixed(2)} y sus renglones suman ${suma.toFixed(2)}`,
      );
}

/** Compares the first balance of a report with the last of the report before, and notes what is missing between them. */
async function checkSaldo(db: Db, cuenta: Cuenta, { desde }: Listo, inicial: Money | null, run: SyncRun) {
  if (!inicial) return;
  const before = await db
    .selectFrom('liquidacionReporte')
    .select('saldoFinal')
    .where(isOf(cuenta))
    .where('estado', '=', 'leido')
    .where('hasta', '<=', desde)
    .orderBy('hasta', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (before?.saldoFinal && !before.saldoFinal.equals(inicial))
    run.gap(
      `El saldo con el que empieza (${inicial.toFixed(2)}) no es el que quedaba (${before.saldoFinal.toFixed(2)})`,
    );
}

type Renglon = { posicion: number } & (
  { movimiento: MovimientoLeido } | { deposito: Extract<LineaLeida, { clase: 'deposito' }>['deposito'] }
);

/** Inserts lines, and returns how many were not there yet. */
async function saveLote(trx: Trx, market: Market, reporteId: string, renglones: Renglon[]): Promise<number> {
  const depositos = renglones.flatMap((one) =>
    'deposito' in one
      ? [
          {
            ...one.deposito,
            importe: one.deposito.importe.toFixed(2),
            saldo: one.deposito.saldo?.toFixed(2) ?? null,
            posicion: one.posicion,
          },
        ]
      : [],
  );
  const movimientos = renglones.flatMap((one) =>
    'movimiento' in one
      ? [{ ...one.movimiento, importe: one.movimiento.importe.toFixed(2), posicion: one.posicion }]
      : [],
  );
  let written = 0n;
  if (depositos.length > 0) {
    const { numAffectedRows } = await sql`
      insert into deposito (market, clave, fecha, importe, reporte_id, posicion, saldo_dicho)
      select ${market}, r.clave, r.fecha, r.importe, ${reporteId}, r.posicion, r.saldo
      from jsonb_to_recordset(${JSON.stringify(depositos)}::jsonb) as r (clave text, fecha timestamptz, importe numeric, posicion int, saldo numeric)
      on conflict (market, clave) do nothing`.execute(trx);
    written += numAffectedRows ?? 0n;
  }
  if (movimientos.length > 0) {
    const { numAffectedRows } = await sql`
      insert into movimiento (market, clave, reporte_id, posicion, concepto, importe, fecha, detalle, de_deposito, pago, ref_orden, ref_paquete, ref_envio, ref_externa, datos)
      select ${market}, r.clave, ${reporteId}, r.posicion, r.concepto, r.importe, r.fecha, r.detalle, r."deDeposito", r.pago, r."refOrden", r."refPaquete", r."refEnvio",
        r."refExterna", nullif(r.datos, 'null'::jsonb)
      from jsonb_to_recordset(${JSON.stringify(movimientos)}::jsonb) as r (clave text, posicion int, concepto text, importe numeric, fecha timestamptz, detalle text,
        "deDeposito" text, pago text, "refOrden" text, "refPaquete" text, "refEnvio" text, "refExterna" text, datos jsonb)
      on conflict (market, clave) do nothing`.execute(trx);
    written += numAffectedRows ?? 0n;
  }
  return Number(written);
}
