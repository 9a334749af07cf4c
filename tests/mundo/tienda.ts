/**
 * The shop of a run: PostgreSQL, the outside and the product, each as `npm start` starts it, and all of them by one clock that the run moves.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Client } from 'pg';
import { startEmbedded } from '../../db/embedded';
import { moveClock, openClient, plantClock } from './reloj/base';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOVER = pathToFileURL(join(ROOT, 'tests/mundo/reloj/mover.mjs')).href;
const START_MS = 240_000;
/** Longest wait, in ms of the machine, until the product has done what is due. */
const READY_MS = 180_000;
/** Time, in ms of the machine, after which the outside tells the moved time, and after which the product does. */
const [OUTSIDE_MOVED_MS, PRODUCT_MOVED_MS] = [30, 250];
/** A job that failed is waited for while it is tried again so soon. */
const TRIED_AGAIN = '20 seconds';
/** Jobs that run all the time: each run of them lasts a minute and the next is due at once. */
const ENDLESS = ['publicaciones.seguir'];

/** The processes that `npm start` writes down. */
interface RunFile {
  children: { worker?: { pid: number } };
}

export interface Tienda {
  url: string;
  outside: string;
  /** The time of the shop, in ms. */
  now(): number;
  /**
   * Moves the clock of everything, and waits until nothing is due any more. Throws with what it waits for. With `dies` the worker is killed over what fell
   * due, as a machine does that runs out of memory; `npm start` starts the next.
   */
  advance(ms: number, dies?: boolean): Promise<void>;
  /** Waits until nothing is due. */
  settle(): Promise<void>;
  /** A session of the shop's database. */
  client: Client;
  stop(): Promise<void>;
}

/** Starts a shop in a folder of its own. */
export async function openTienda(folder: string, say: (line: string) => void): Promise<Tienda> {
  mkdirSync(folder, { recursive: true });
  const clockFile = join(folder, 'reloj');
  let ahead = 0;
  writeFileSync(clockFile, '0');
  const postgres = await startEmbedded({ folder: join(folder, 'base'), durable: false });
  const databaseUrl = await postgres.ensureDatabase('mundo');
  await plantClock(databaseUrl);
  const [port, sandboxPort, smtpPort] = await freePorts(3);
  const product = spawn(process.execPath, [join(ROOT, 'bin/trastienda.mjs'), 'start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      ARRANCADO_POR: String(process.pid),
      DATA_DIR: join(folder, 'datos'),
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      RELOJ: clockFile,
      NODE_OPTIONS: `--import ${MOVER}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told = await started(product);
  say(told);
  // One session looks at the queue all the time: a session for each look would cost more than the look.
  const client = await openClient(databaseUrl);
  const outside = `http://127.0.0.1:${sandboxPort}`;

  async function killWorker(): Promise<void> {
    const { children } = JSON.parse(await readFile(join(folder, 'datos/run.json'), 'utf8')) as RunFile;
    if (children.worker) process.kill(children.worker.pid, 'SIGKILL');
  }

  async function settle(): Promise<void> {
    let waiting: string[] = [];
    let quiet = 0;
    for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(40)) {
      waiting = await dueWork(client, outside);
      quiet = waiting.length === 0 ? quiet + 1 : 0;
      if (quiet === 4) return;
    }
    throw new Error(`not ready after ${READY_MS / 1000} s, waits for: ${waiting.join(', ')}`);
  }

  return {
    url: `http://127.0.0.1:${port}`,
    outside,
    client,
    now: () => Date.now() + ahead,
    settle,
    async advance(ms, dies = false) {
      ahead += ms;
      writeFileSync(clockFile, String(ahead));
      await sleep(OUTSIDE_MOVED_MS);
      await moveClock(client, ahead);
      await sleep(PRODUCT_MOVED_MS);
      if (dies) await killWorker();
      await heard(client);
      await settle();
    },
    async stop() {
      product.kill('SIGINT');
      await new Promise((done) => (product.exitCode === null ? product.once('exit', done) : done(undefined)));
      await client.end();
      await postgres.stop();
    },
  };
}

function started(product: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let words = '';
    const late = setTimeout(() => fail(new Error(`not started in ${START_MS / 1000} s:\n${words}`)), START_MS);
    for (const stream of [product.stdout!, product.stderr!])
      stream.on('data', (part: Buffer) => {
        words += part.toString();
        const ready = /Trastienda está lista.*/.exec(words);
        if (!ready) return;
        clearTimeout(late);
        done(ready[0]);
      });
    product.once('exit', (code) => fail(new Error(`the product ended with ${code}:\n${words}`)));
  });
}

/** Waits until the worker lives by the moved clock: its heart beats by a timer that a move fires. */
async function heard(client: Client): Promise<void> {
  const beats = async () => {
    const { rows } = await client.query<{ fresh: boolean | null }>(
      `select max(beat_at) > now() - interval '30 seconds' as fresh from worker_heartbeat`,
    );
    return rows[0]!.fresh === true;
  };
  for (const end = performance.now() + READY_MS; !(await beats()); await sleep(40))
    if (performance.now() > end) throw new Error(`the worker did not take its clock in ${READY_MS / 1000} s`);
}

/** Returns what is due and not done: jobs of the queue, those under way among them, and notices that the outside has not delivered. */
async function dueWork(client: Client, outside: string): Promise<string[]> {
  const { rows } = await client.query<{ task: string; count: number }>(
    `select t.identifier as task, count(*)::int as count
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where not (t.identifier = any($1)) and (j.locked_at is not null or j.attempts < j.max_attempts
       and j.run_at <= now() + case when j.last_error is null then '0' else $2 end::interval) group by 1 order by 1`,
    [ENDLESS, TRIED_AGAIN],
  );
  const jobs = rows.map(({ task, count }) => `${count} ${task}`);
  const notices = (await (await fetch(`${outside}/control/mercadolibre/avisos`)).json()) as { pendientes?: number };
  return notices.pendientes ? [...jobs, `${notices.pendientes} avisos`] : jobs;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((done, fail) => {
          const server = createServer().once('error', fail);
          server.listen(0, '127.0.0.1', () => done(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}
