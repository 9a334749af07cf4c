import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort, startEmbedded, type Embedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown, interrupted } from './support/check';
import { acceptFacturas, pause, report, seconds, stillOpen, times, untilPressed, untilSettled } from './support/scene';
import { openStage } from './support/stage';

/** A PostgreSQL of this file alone, with what it writes kept as in production: it is stopped under everybody's feet. */
const folder = mkdtempSync(join(tmpdir(), 'trastienda-fallas-'));
chmodSync(folder, 0o755);
const port = await freePort();
const start = () => startEmbedded({ folder, port, durable: true });
let cluster: Embedded = await start();
process.env.DATABASE_URL = (await migrateDatabase(await cluster.ensureDatabase('fallas'))).url;
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

const { db, sandbox, usuario } = await openStage({ pace: 0.02 });

/** SIGINT: everybody is thrown out. SIGQUIT: as if the power went; the next start recovers. */
async function restart(signal: 'SIGINT' | 'SIGQUIT', awayMs: number) {
  process.kill(cluster.pid, signal);
  await cluster.exited;
  await pause(awayMs);
  cluster = await start();
}

test(
  'PostgreSQL stopped and started under load: the same worker goes on, and every sale has its one CFDI',
  { timeout: 400_000 },
  async () => {
    const sales = times(40, 300);
    // The PAC would not notice a second stamp.
    await sandbox.facturacom.admiteRepetidos(true);
    await sandbox.latency('facturacom', 80);
    await acceptFacturas(db, usuario, sales);
    const worker = await WorkerProcess.start();
    const began = performance.now();
    const restarts = times(2, 10);
    const share = Math.floor(sales / restarts / 2);
    for (let at = 0; at < restarts; at++) {
      const before = (await sandbox.facturacom.stamped()).length;
      for (
        const until = performance.now() + 60_000;
        (await sandbox.facturacom.stamped()).length < before + share;
        await pause(20)
      ) {
        if (!worker.alive || performance.now() > until)
          throw new Error(`the worker does not go on:\n${worker.lines.slice(-30).join('\n')}`);
      }
      await restart(at % 2 === 0 ? 'SIGQUIT' : 'SIGINT', at % 2 === 0 ? 100 : 1_500);
    }
    const left = (await stillOpen(db)).length;
    await untilPressed(db, usuario.id, () => untilSettled(db, { within: times(60_000, 200_000) })).catch(
      (error: unknown) => {
        throw new Error(`the worker does not go on:\n${worker.lines.slice(-30).join('\n')}`, { cause: error });
      },
    );
    const ms = performance.now() - began;
    expect(worker.alive, worker.lines.slice(-20).join('\n')).toBe(true);
    const cut = await interrupted(db);
    const known = await expectNothingUnknown(db, sandbox);
    expect(known).toMatchObject({ timbres: sales, facturas: sales, tablero: 0 });
    expect((await worker.kill()).code).toBe(0);
    report('PostgreSQL reiniciado bajo carga', {
      ventas: sales,
      reinicios: restarts,
      timbres: known.timbres,
      'llamadas cortadas': cut,
      'abiertas al volver': left,
      tiempo: seconds(ms),
    });
  },
);
