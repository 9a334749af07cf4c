import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown, interrupted } from './support/check';
import {
  acceptFacturas,
  buryKilled,
  LONG,
  luck,
  pause,
  report,
  seconds,
  stillOpen,
  times,
  untilPressed,
  untilSettled,
} from './support/scene';
import { openStage } from './support/stage';

/** A lease ends after 1.35 s and absent is believed after 2.7 s. */
const { db, sandbox, usuario } = await openStage({ pace: 0.015 });

test(
  'workers killed again and again in the middle of stamping: as many CFDI as sales',
  { timeout: 600_000 },
  async () => {
    const sales = times(12, 300);
    const next = luck(300);
    // The PAC would not notice a second stamp: what keeps it from happening is ours alone.
    await sandbox.facturacom.admiteRepetidos(true);
    await sandbox.latency('facturacom', 80);
    await acceptFacturas(db, usuario, sales);
    const began = performance.now();
    let kills = 0;
    const oneAfterAnother = async () => {
      while (kills < times(3, 60) && (await stillOpen(db)).some(({ state }) => state === 'queued')) {
        const worker = await WorkerProcess.start();
        await untilSending(1, 10_000);
        await pause(next() * 150);
        expect((await worker.kill('SIGKILL')).signal).toBe('SIGKILL');
        await buryKilled(db, worker);
        kills += 1;
      }
    };
    await Promise.all([oneAfterAnother(), oneAfterAnother()]);
    const cut = await interrupted(db);
    const last = await WorkerProcess.start();
    await untilPressed(db, usuario.id, () => untilSettled(db, { within: 120_000 }));
    const ms = performance.now() - began;
    await last.kill();
    await sandbox.facturacom.admiteRepetidos(false);
    await sandbox.clear();
    const known = await expectNothingUnknown(db, sandbox);
    expect(known).toMatchObject({ timbres: sales, facturas: sales, rechazadas: 0, tablero: 0 });
    expect(cut, 'calls cut in the middle').toBeGreaterThan(0);
    report('kill -9 en bucle', {
      ventas: sales,
      timbres: known.timbres,
      muertes: kills,
      'llamadas cortadas': cut,
      envíos: known.envios,
      tiempo: seconds(ms),
    });
  },
);

test(
  'a worker told to stop in the middle of jobs ends what it began and exits by itself',
  { timeout: 120_000 },
  async () => {
    const rounds = times(1, 10);
    const before = await expectNothingUnknown(db, sandbox);
    await sandbox.latency('facturacom', 150);
    await acceptFacturas(db, usuario, 10 * rounds);
    const exits: number[] = [];
    // Those killed by the test before hold theirs until they are taken for dead.
    const dead = await holders();
    for (let round = 0; round < rounds; round++) {
      const worker = await WorkerProcess.start({ WORKER_CONCURRENCY: '4' });
      expect(await untilSending(1, 15_000)).toBe(true);
      const began = performance.now();
      expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      exits.push(performance.now() - began);
      expect(
        (await stillOpen(db)).filter(({ state }) => state === 'sending'),
        'left in the middle',
      ).toEqual([]);
      expect(
        (await holders()).filter((id) => !dead.includes(id)),
        'still holds jobs',
      ).toEqual([]);
    }
    const last = await WorkerProcess.start();
    await untilSettled(db, { within: 60_000 });
    await last.kill();
    await sandbox.clear();
    const known = await expectNothingUnknown(db, sandbox);
    expect(known.timbres - before.timbres).toBe(10 * rounds);
    expect(known.envios - before.envios, 'nothing was sent twice').toBe(10 * rounds);
    report('SIGTERM con trabajos a medias', {
      veces: rounds,
      timbres: known.timbres - before.timbres,
      'salida más lenta': seconds(Math.max(...exits)),
    });
  },
);

test.runIf(LONG)(
  'a worker told to stop while the PAC keeps it waiting for a minute does not wait for the PAC',
  { timeout: 60_000 },
  async () => {
    const before = await expectNothingUnknown(db, sandbox);
    await acceptFacturas(db, usuario, 3);
    await sandbox.facturacom.failNext('hang-after-doing', { times: 3, ms: 60_000 });
    // Waits as in production: 60 s for the PAC, 90 s for a lease.
    const worker = await WorkerProcess.start({ EFFECT_PACE: '1' });
    expect(await untilSending(3, 15_000)).toBe(true);
    const began = performance.now();
    await worker.kill('SIGTERM');
    const exit = performance.now() - began;
    expect(exit).toBeLessThan(12_000);
    await sandbox.clear();
    // A minute and a half later.
    await sql`update effect set lease_until = now() where state = 'sending'`.execute(db);
    const last = await WorkerProcess.start();
    await untilSettled(db, { within: 30_000 });
    await last.kill();
    const known = await expectNothingUnknown(db, sandbox);
    expect(known.timbres - before.timbres).toBe(3);
    expect(known.envios - before.envios).toBe(3);
    report('SIGTERM con el PAC colgado', { timbres: 3, salida: seconds(exit) });
  },
);

/** Whether so many stamps are under way, within the time. */
async function untilSending(count: number, patience: number): Promise<boolean> {
  const taken = async () =>
    (await stillOpen(db)).filter(({ state, leaseUntil }) => state === 'sending' && leaseUntil! > new Date()).length;
  for (const until = performance.now() + patience; (await taken()) < count; await pause(3))
    if (performance.now() > until) return false;
  return true;
}

/** The workers in whose name jobs are locked. */
async function holders(): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select distinct locked_by as id from graphile_worker._private_jobs where locked_by is not null`.execute(db);
  return rows.map(({ id }) => id);
}
