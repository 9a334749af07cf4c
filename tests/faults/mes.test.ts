import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { civilDay } from '~/core/time';
import { batchProgress, sharedBatch } from '~/platform/batches/batches.server';
import { createFactura } from '~/domain/facturacion/emision/createFactura.server';
import { generateGlobal } from '~/domain/facturacion/mes/global.server';
import { ensurePublicoGeneral } from '~/domain/facturacion/receptores/receptor.server';
import { issueNotas } from '~/domain/facturacion/notasCredito/notasCredito.server';
import type { NotAllowed } from '~/core/errors';
import { buildOrden, seedMes } from '../support/builders/mes';
import { buildBorrador, REVISION } from '../support/builders/ventas';
import { openTestDatabase } from '../support/db';
import { WorkerProcess } from '../support/processes/worker';
import { expectMonthInOrder } from './support/checkMes';
import { buryKilled, luck, pause, report, seconds, times, untilSettled } from './support/scene';
import { openStage } from './support/stage';

/** A lease ends after 1.8 s and absent is believed after 3.6 s; in the long form after 4.5 s and 9 s. */
const { db, sandbox, usuario: sa } = await openStage({ pace: times(0.02, 0.05) });
const now = () => new Date();
const mes = civilDay(now()).slice(0, 7);

const stamping = ['cfdi.stamp', 'cfdi.global', 'cfdi.notaCredito'];
async function settled(within: number) {
  for (const type of stamping) await untilSettled(db, { within, type });
}
/** A later press is another batch. */
const later = () => sql`update batch set created_at = created_at - interval '2 minutes'`.execute(db);

test(
  'customers invoice their sales in the instant the global of the month takes them: each sale in one living document',
  { timeout: 600_000 },
  async () => {
    const worker = await WorkerProcess.start();
    // The first global of a shop waits for its receiver; here the instant is what counts.
    await expect
      .poll(() => ensurePublicoGeneral(db, 'Globales', sa.id).then(Boolean, String), { timeout: 120_000 })
      .toBe(true);
    await sandbox.latency('facturacom', 15);
    const began = performance.now();
    const runs = times(2, 100);
    const next = luck(41);
    const people = Array.from({ length: 3 }, () => openTestDatabase(undefined, { max: 2 }).db);
    const said = { timbradas: 0, enGlobal: 0 };
    const refused: Awaited<ReturnType<typeof buildBorrador>>[] = [];
    for (let run = 0; run < runs; run++) {
      const ordenes = [];
      for (let at = 0; at < 4; at++)
        ordenes.push(await buildOrden(db, { fecha: new Date(Date.now() - 60_000), precio: `${100 + run}.${10 + at}` }));
      const drafts = await Promise.all(
        ordenes
          .slice(0, 3)
          .map((orden) => buildBorrador(db, { numOrden: orden.numOrden, ordenIds: [orden.id], total: '' }, sa)),
      );
      await later();
      const customers = drafts.map(async (draft, at) => {
        await pause(next() * 40);
        try {
          await people[at]!.transaction().execute((trx) =>
            createFactura(trx, draft, {
              revision: REVISION(),
              diferenciaAceptada: false,
              usuarioId: sa.id,
              now: now(),
            }),
          );
          said.timbradas += 1;
        } catch (error) {
          expect((error as NotAllowed).message).toMatch(
            /^La orden está en la factura global del mes, que se está generando\.$/,
          );
          said.enGlobal += 1;
          refused.push(draft);
        }
      });
      const month = (async () => {
        await pause(next() * 30);
        return generateGlobal(db, { mes, usuarioId: sa.id, now: now() }).catch((error: NotAllowed) =>
          expect(error.message).toMatch(/^No hay ventas por facturar/),
        );
      })();
      await Promise.all([...customers, month]);
    }
    await settled(120_000);
    await later();
    await generateGlobal(db, { mes, usuarioId: sa.id, now: now() }).catch((error: NotAllowed) =>
      expect(error.message).toMatch(/^No hay ventas/),
    );
    await settled(60_000);
    expect((await expectMonthInOrder(db, sandbox)).individuales).toBe(said.timbradas);
    expect(said.timbradas + said.enGlobal).toBe(runs * 3);
    // Whoever was told to wait tries again once the global is stamped, and the global owes them a credit note.
    for (const draft of refused) {
      await db
        .transaction()
        .execute((trx) =>
          createFactura(trx, draft, { revision: REVISION(), diferenciaAceptada: false, usuarioId: sa.id, now: now() }),
        );
    }
    await settled(60_000);
    const known = await expectMonthInOrder(db, sandbox);
    expect(known.individuales).toBe(runs * 3);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from orden o where not exists (select from fiscal_claim c where c.orden_id = o.id)`.execute(
      db,
    );
    expect(rows[0]!.n, 'sales in no document').toBe(0);
    const refacturadas = await db.selectFrom('refacturacion').select('id').execute();
    expect(refacturadas).toHaveLength(refused.length);
    if (refused.length > 0) await issueNotas(db, { mes, tabla: 'refacturacion', usuarioId: sa.id, now: now() });
    await settled(60_000);
    expect((await expectMonthInOrder(db, sandbox)).notas).toBe(refused.length);
    await worker.kill();
    await sandbox.clear();
    report('cliente y global al mismo tiempo', {
      veces: runs,
      ventas: runs * 4,
      ...said,
      globales: known.globales,
      refacturadas: refacturadas.length,
      tiempo: seconds(performance.now() - began),
    });
  },
);

test(
  'credit notes in bulk, the worker killed again and again on the way: exactly as many as sales',
  { timeout: 900_000 },
  async () => {
    const count = times(40, 2_000);
    const before = await expectMonthInOrder(db, sandbox);
    const past = '2026-05';
    const ids = await seedMes(db, { mes: past, count });
    const first = await WorkerProcess.start({ WORKER_CONCURRENCY: '12' });
    await generateGlobal(db, { mes: past, usuarioId: sa.id, now: now() });
    await settled(60_000);
    await sql`update orden set clase = 'devuelta' where id = any(${ids})`.execute(db);
    await first.kill();

    await sandbox.facturacom.admiteRepetidos(true);
    // Few at a time and slowly, so that each worker dies on the way however slow the machine is.
    const pocos = { WORKER_CONCURRENCY: String(times(2, 12)) };
    await sandbox.latency('facturacom', 300);
    const accepting = performance.now();
    const presses = await Promise.all(
      Array.from({ length: 3 }, () => issueNotas(db, { mes: past, tabla: 'devueltas', usuarioId: sa.id, now: now() })),
    );
    const accepted = performance.now() - accepting;
    expect(new Set(presses).size).toBe(1);
    const lote = presses[0]!;
    expect(await batchProgress(db, lote)).toMatchObject({ total: count, done: 0 });

    const began = performance.now();
    const next = luck(7);
    const deaths = times(2, 5);
    const progress = async () => (await batchProgress(db, lote))!.done;
    for (let kills = 0; kills < deaths; kills++) {
      const before = await progress();
      const worker = await WorkerProcess.start(pocos);
      await pause(times(0, 6_000));
      await expect.poll(progress, { timeout: 60_000 }).toBeGreaterThan(before);
      await pause(next() * 150);
      expect((await worker.kill('SIGKILL')).signal).toBe('SIGKILL');
      await buryKilled(db, worker);
    }
    const midway = await batchProgress(db, lote);
    expect(midway!.done).toBeGreaterThan(0);
    expect(midway!.done).toBeLessThan(count);
    // Asked before each automatic send, the account says from here on that it refuses a number it has.
    await sandbox.facturacom.admiteRepetidos(false);
    const last = await WorkerProcess.start({ WORKER_CONCURRENCY: '12' });
    await settled(600_000);
    const ms = performance.now() - began;
    await last.kill();
    await sandbox.clear();
    expect(await batchProgress(db, lote)).toMatchObject({
      total: count,
      done: count,
      failed: 0,
      unclear: 0,
      waiting: 0,
    });
    expect((await db.transaction().execute((trx) => sharedBatch(trx, 'notas.devueltas', past)))?.living ?? false).toBe(
      false,
    );
    const known = await expectMonthInOrder(db, sandbox);
    expect(known.notas - before.notas).toBe(count);
    report('notas de crédito con kill -9 a medias', {
      ventas: count,
      notas: known.notas - before.notas,
      muertes: deaths,
      'hechas antes de la última': midway!.done,
      aceptar: seconds(accepted),
      tiempo: seconds(ms),
    });
  },
);

test.runIf(process.env.FAULTS === 'long')(
  'two thousand credit notes with a PAC of 300 ms that takes five calls at once',
  { timeout: 900_000 },
  async () => {
    const past = '2026-04';
    const ids = await seedMes(db, { mes: past, count: 2_000 });
    const worker = await WorkerProcess.start();
    await generateGlobal(db, { mes: past, usuarioId: sa.id, now: now() });
    await settled(60_000);
    await sql`update orden set clase = 'devuelta' where id = any(${ids})`.execute(db);
    await sandbox.facturacom.failNext('slow', { times: 4_000, ms: 300, route: '/v4/cfdi40/create' });
    const began = performance.now();
    const lote = await issueNotas(db, { mes: past, tabla: 'devueltas', usuarioId: sa.id, now: now() });
    const accepted = performance.now() - began;
    while ((await batchProgress(db, lote))!.done < 2_000 && performance.now() - began < 600_000) await pause(500);
    const ms = performance.now() - began;
    await worker.kill();
    await sandbox.clear();
    await expectMonthInOrder(db, sandbox);
    expect(await batchProgress(db, lote)).toMatchObject({ done: 2_000, failed: 0 });
    report('2,000 notas de crédito, PAC de 300 ms', {
      aceptar: seconds(accepted),
      tiempo: seconds(ms),
      'por nota': `${(ms / 2_000).toFixed(0)} ms`,
    });
  },
);
