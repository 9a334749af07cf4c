import { beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { effectView } from '~/platform/effects/effects.server';
import { openTestDatabase } from '../support/db';
import { WorkerProcess } from '../support/processes/worker';
import { expectNothingUnknown } from './support/check';
import {
  acceptFacturas,
  LONG,
  luck,
  pause,
  report,
  seconds,
  stillOpen,
  untilPressed,
  untilSettled,
} from './support/scene';
import { openStage } from './support/stage';

const { db, sandbox, usuario } = await openStage({ pace: 0.015 });
// A second stamp would be made if it were sent.
await sandbox.facturacom.admiteRepetidos(true);
beforeEach(() => sandbox.clear());

/** How often the PAC was asked to stamp. */
const asked = async () =>
  (await sandbox.requests('facturacom', 2_000)).filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/cfdi40/create'),
  ).length;

/** Whether somebody asked for the table of keys and has to wait. */
async function somebodyWaits(): Promise<boolean> {
  const { rows } = await sql`select from pg_locks where relation = 'credential'::regclass and not granted`.execute(db);
  return rows.length > 0;
}

/**
 * A worker that took the stamp (its row says `sending`, committed) and has not sent it: it waits for its keys, whose table we hold.
 * Frozen there and given its keys, it wakes up with nothing left between it and the PAC.
 */
async function freezeBeforeSending(effectId: string, env: Record<string, string>) {
  const { pool } = openTestDatabase(undefined, { max: 1 });
  const client = await pool.connect();
  await client.query('begin');
  await client.query('lock table credential in access exclusive mode');
  const worker = await WorkerProcess.start(env);
  while ((await effectView(db, effectId))?.state !== 'sending' || !(await somebodyWaits())) await pause(5);
  worker.signal('SIGSTOP');
  await client.query('rollback');
  client.release();
  return worker;
}

const LONGER = {
  what: 'within the lease, and longer than a send may wait',
  pace: LONG ? '0.2' : '0.1',
  ms: LONG ? 5_000 : 2_500,
  sends: 2,
};
const OTHERS = [
  { what: 'shorter than a send may wait', pace: '1', ms: 5_000, sends: 1 },
  { what: 'beyond the lease, with nobody else at work', pace: '0.02', ms: 5_000, sends: 2 },
];

test.each(LONG ? [LONGER, ...OTHERS] : [LONGER])(
  'a worker frozen between its commit and its send, $what: stamped once',
  { timeout: 180_000 },
  async ({ what, pace, ms, sends }) => {
    const { effectId } = (await acceptFacturas(db, usuario, 1))[0]!;
    const before = await asked();
    const worker = await freezeBeforeSending(effectId, { EFFECT_PACE: pace });
    await pause(ms);
    worker.signal('SIGCONT');
    const took = await untilSettled(db, { within: 30_000 });
    await worker.kill();
    expect((await asked()) - before).toBe(1);
    const known = await expectNothingUnknown(db, sandbox);
    const effect = await db
      .selectFrom('effect')
      .select(['sends', 'state'])
      .where('id', '=', effectId)
      .executeTakeFirstOrThrow();
    expect(effect).toEqual({ sends, state: 'done' });
    report(`pausa de ${seconds(ms)}, ${what}`, {
      timbres: 1,
      tomas: sends,
      tablero: known.tablero,
      tiempo: seconds(took),
    });
  },
);

test(
  'a worker frozen beyond its lease wakes up when another has stamped: it sends nothing',
  { timeout: 180_000 },
  async () => {
    const { effectId } = (await acceptFacturas(db, usuario, 1))[0]!;
    const stamps = async () => (await sandbox.facturacom.stamped()).length;
    const before = await stamps();
    const frozen = await freezeBeforeSending(effectId, {});
    const other = await WorkerProcess.start();
    let settled = 0;
    await untilPressed(db, usuario.id, async () => (settled += await untilSettled(db, { within: 30_000 })));
    expect((await effectView(db, effectId))?.state).toBe('done');
    // On a busy machine the other one may have been late itself once.
    const late = async () =>
      (
        await db
          .selectFrom('effectAttempt')
          .select('outcome')
          .where('effectId', '=', effectId)
          .where('outcome', '=', 'not-sent')
          .execute()
      ).length;
    const lateBefore = await late();
    frozen.signal('SIGCONT');
    // It says itself that it came too late; what it might send, it sends before that.
    await expect.poll(late, { timeout: 15_000 }).toBe(lateBefore + 1);
    expect((await frozen.kill()).code).toBe(0);
    await other.kill();
    expect((await stamps()) - before).toBe(1);
    await expectNothingUnknown(db, sandbox);
    report('pausa más larga que el permiso, otro la timbra', { timbres: 1, tiempo: seconds(settled) });
  },
);

test.runIf(LONG).each([
  { far: 'within their lease, and a PAC that stamps whatever it is sent', pace: '0.05', least: 1_000, repetidos: true },
  { far: 'beyond their lease', pace: '0.01', least: 2_500, repetidos: false },
])(
  'workers frozen at any moment of their calls, $far: each sale stamped once',
  { timeout: 300_000 },
  async ({ far, pace, least, repetidos }) => {
    const sales = 150;
    const next = luck(5);
    const before = await expectNothingUnknown(db, sandbox);
    const asks = await asked();
    await sandbox.facturacom.admiteRepetidos(repetidos);
    await sandbox.latency('facturacom', 100);
    await acceptFacturas(db, usuario, sales);
    const env = { EFFECT_PACE: pace, WORKER_CONCURRENCY: '2' };
    const workers = await Promise.all([WorkerProcess.start(env), WorkerProcess.start(env)]);
    let frozen = 0;
    while ((await stillOpen(db)).some(({ state }) => state === 'queued') && frozen < 60) {
      const worker = workers[frozen % workers.length]!;
      await pause(next() * 150);
      worker.signal('SIGSTOP');
      frozen += 1;
      await pause(least + next() * 500);
      worker.signal('SIGCONT');
    }
    const ms = await untilSettled(db, { within: 60_000 });
    expect(frozen).toBeGreaterThan(2);
    await Promise.all(workers.map((worker) => worker.kill()));
    const known = await expectNothingUnknown(db, sandbox);
    expect(known.timbres - before.timbres).toBe(sales);
    if (repetidos) expect((await asked()) - asks).toBe(sales);
    report(`congelados en cualquier momento, ${far}`, {
      ventas: sales,
      congelaciones: frozen,
      timbres: known.timbres - before.timbres,
      tiempo: seconds(ms),
    });
  },
);
