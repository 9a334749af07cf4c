/**
 * A storm over the whole product: processes and PostgreSQL are killed, far sides fail, the clock of the machine jumps and the disk is full, while people, customers and a
 * marketplace go on. `npm run test:tormenta` lets it blow for an hour; TORMENTA_MINUTOS and TORMENTA_SEMILLA draw another.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { freePort, startEmbedded, type Embedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { expectNothingUnknown } from '../faults/support/check';
import { luck, untilPressed, untilSettled } from '../faults/support/scene';
import { openStage } from '../faults/support/stage';
import { linkSandbox } from '../support/mercadolibre';
import { buildUsuarios } from '../support/web';
import { openCasa } from './casa';
import { tellPedidas } from './cuenta';
import { expectLibroCuadra, expectOnceEach, exportOrdenes, signIn } from './escena';
import { openTrafico } from './trafico';

const LONG = process.env.TORMENTA === 'long';
const STORM_MS = LONG ? Number(process.env.TORMENTA_MINUTOS ?? '60') * 60_000 : 14_000;
/** The time between two blows. */
const EVERY_MS = LONG ? 8_000 : 2_000;
/** How long what is shut stays shut. */
const AWAY_MS = LONG ? 5_000 : 1_000;
/** Time, after the storm, until everything is settled or waits for a person. */
const CALM_MS = LONG ? 600_000 : 90_000;
/** The clock jumps by half of it at most, to either side. */
const JUMP_MS = 240_000;

const folder = mkdtempSync(join(tmpdir(), 'trastienda-tormenta-'));
chmodSync(folder, 0o755);
/** A disk of its own can be full without harm to this machine; who may not mount goes without that blow. */
const disk = LONG && mount();
const port = await freePort();
const start = () => startEmbedded({ folder, port, durable: true });
let cluster: Embedded = await start();
const { url } = await migrateDatabase(await cluster.ensureDatabase('tormenta'));
process.env.DATABASE_URL = url;
afterAll(async () => {
  await cluster.stop();
  if (disk) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const { db, sandbox, usuario } = await openStage({ pace: 0.05 });

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g,mode=0755', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Ways in which a call to a far side goes wrong. */
const MODES = ['503', 'reset', 'half-answer', 'html', '500-after-doing', 'reset-after-doing'];
const FAR = ['facturacom', 'mercadolibre'] as const;
/** Of ten looks at a far side while the network is bad, so many make its next call fail. */
const LOST = 4;

/** Stops PostgreSQL as if the power went (SIGQUIT), or with everybody thrown out (SIGINT), and starts it again. */
async function stopPostgres(signal: 'SIGQUIT' | 'SIGINT') {
  process.kill(cluster.pid, signal);
  await cluster.exited;
  for (let up = false; !up;) {
    await sleep(AWAY_MS);
    up = await start().then(
      (started) => {
        cluster = started;
        return true;
      },
      () => false,
    );
  }
}

/** Kills one session. PostgreSQL then ends all of them: what one left in the memory that they share is not to be trusted. */
async function killSession() {
  const client = new pg.Client({ connectionString: cluster.urlOf('postgres') });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = 'tormenta' and pid <> pg_backend_pid() order by random() limit 1`,
  );
  if (rows[0]) process.kill(rows[0].pid, 'SIGKILL');
  await client.end().catch(() => {});
}

/** Leaves no byte on the disk for a while. */
async function fillDisk() {
  const path = join(folder, 'lleno');
  const part = Buffer.alloc(1 << 20);
  const file = openSync(path, 'w');
  try {
    for (const end = Date.now() + AWAY_MS; Date.now() < end;)
      try {
        writeSync(file, part);
      } catch {
        // What becomes free meanwhile is taken too.
        await sleep(50);
      }
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

const MOVER = pathToFileURL(join(import.meta.dirname, '../mundo/reloj/mover.mjs')).href;

test(
  'whatever dies, what was told as done is done once, and nothing is left that only a restart cures',
  { timeout: STORM_MS + CALM_MS * 4 },
  async () => {
    await buildUsuarios(db);
    await linkSandbox(db, sandbox);
    const clock = `${folder}.reloj`;
    writeFileSync(clock, '0');
    afterAll(() => rmSync(clock, { force: true }));
    const casa = await openCasa({ API_POR_MINUTO: '100000', RELOJ: clock, NODE_OPTIONS: `--import ${MOVER}` });
    const cookie = await signIn(casa.base);
    const descarga = await exportOrdenes(casa.base, cookie);
    const next = luck(Number(process.env.TORMENTA_SEMILLA ?? '1'));
    const one = () => (next() < 0.5 ? 0 : 1);
    /** What is done to PostgreSQL comes one blow after the other. */
    let base: Promise<unknown> = Promise.resolve();
    const inTurn = (blow: () => Promise<unknown>) => (base = base.then(blow, blow));

    const BLOWS: Readonly<Record<string, () => Promise<unknown>>> = {
      'muere un worker': () => casa.kill('worker', one()),
      'muere una web': () => casa.kill('web', one()),
      'muere un proceso de la base': () => inTurn(killSession),
      async 'la red pierde llamadas'() {
        for (const end = Date.now() + AWAY_MS; Date.now() < end; await sleep(200))
          for (const api of FAR)
            if (next() * 10 < LOST)
              await sandbox[api].failNext(MODES[Math.floor(next() * MODES.length)]!, { route: '/' });
      },
      'se va la luz de la base': () => inTurn(() => stopPostgres('SIGQUIT')),
      'se detiene la base': () => inTurn(() => stopPostgres('SIGINT')),
      async 'salta el reloj'() {
        writeFileSync(clock, String(Math.round((next() - 0.5) * JUMP_MS)));
        await sleep(AWAY_MS);
        writeFileSync(clock, '0');
      },
      ...(disk && { 'se llena el disco': () => inTurn(fillDisk) }),
    };

    const trafico = await openTrafico({ base: casa.base, sandbox, cookie, descarga, porSegundo: LONG ? 10 : 8 });
    const blown: Record<string, number> = {};
    const missed: string[] = [];
    const under: Promise<unknown>[] = [];
    const names = Object.keys(BLOWS);
    for (let at = 0, end = Date.now() + STORM_MS; Date.now() < end; at++) {
      // Each once in its turn, and then by chance.
      const name = names[at < names.length ? at : Math.floor(next() * names.length)]!;
      blown[name] = (blown[name] ?? 0) + 1;
      // Who finds PostgreSQL away cannot hit it.
      under.push(BLOWS[name]!().catch((error: Error) => missed.push(`${name}: ${error.message}`)));
      await sleep(EVERY_MS);
    }
    await Promise.all(under);
    await sandbox.clear();
    for (const end = Date.now() + CALM_MS; !casa.isWhole() && Date.now() < end;) await sleep(200);
    await trafico.stop();
    const golpes = Object.entries(blown).map(([name, times]) => `${name} ${times}`);
    console.log(tellPedidas(`${golpes.join(', ')}; sin dar en nada ${missed.length}`, trafico.pedidas));
    // A no says that it is one: it is cut, or says to come back. Nothing is broken, and what broke says why.
    for (const line of casa.errors().filter((one) => one.includes('fallo al atender'))) console.log(line);
    expect(trafico.pedidas.filter(({ mal }) => mal !== undefined && /answered 500|→ 500/.test(mal))).toEqual([]);
    await expectOnceEach(db, sandbox, trafico, () =>
      untilPressed(db, usuario.id, () => untilSettled(db, { within: CALM_MS })),
    );
    console.log('tormenta:', JSON.stringify(await expectNothingUnknown(db, sandbox)));
    await expectLibroCuadra(db);
    expect((await casa.stop()).filter((line) => line.includes('sin dueño'))).toEqual([]);
  },
);
