import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded, type Embedded } from '~db/embedded';
import { createBase } from '../../bin/negocios/create';
import { declareNegocio, type Negocio } from '../../bin/negocios/negocio';
import { currentBuilds } from '../../bin/lib/construido.mjs';
import { FRUGAL_ENV, quietPort, webOf, workerOf } from '../../bin/lib/settings.mjs';
import { rounded, type Figure } from './figures';
import { processorMs, residentMb } from './memory';
import { answers, type Place } from './place';

/** Seconds until the connections of a start are let go of (`IDLE_MS`, db/client.server.ts). */
const SETTLE = 180;

/**
 * What a business costs where nobody works in it and nothing is linked: the mean of several that `npm run negocios` made
 * on one PostgreSQL, each with a web and a worker, over `seconds` of rest.
 */
export async function benchNegocios(place: Place, count: number, seconds: number): Promise<Figure[]> {
  const postgres = await startEmbedded({ folder: join(place.folder, 'negocios', 'base') });
  const children: ChildProcess[] = [];
  place.atEnd(async () => {
    for (const child of children) child.kill('SIGTERM');
    for (const child of children) if (child.exitCode === null) await once(child, 'exit');
    await postgres.stop();
  });
  const before = memoryOf(postgres);
  const negocios: Negocio[] = [];
  for (let n = 1; n <= count; n++) negocios.push(await start(place, postgres, `negocio${n}`, children));
  await sleep(SETTLE * 1000);

  const pids = children.map(({ pid }) => pid!);
  const [own, theirs] = [sum(pids.map(cpuMs)), sum(pidsOf(postgres).map(cpuMs))];
  await sleep(seconds * 1000);
  const spent = (sum(pids.map(cpuMs)) - own + sum(pidsOf(postgres).map(cpuMs)) - theirs) / (seconds * 1000);
  const note = `mean of ${count}`;
  return [
    {
      name: 'a business at rest: web + worker',
      value: mb(sum(pids.map(residentMb)) / count),
      unit: 'MB',
      aim: 220,
      note,
    },
    {
      name: 'a business at rest: PostgreSQL for it',
      value: mb((memoryOf(postgres) - before) / count),
      unit: 'MB',
      note,
    },
    {
      name: 'a business at rest: connections',
      value: rounded((await connectionsOf(postgres)) / count),
      unit: 'connections',
      aim: 25,
      note,
    },
    {
      name: 'a business at rest: processor, its PostgreSQL included, of one core',
      value: rounded((spent * 1000) / count),
      unit: '‰',
      aim: 5,
      note,
    },
  ];
}

const mb = (value: number) => rounded(value, 0);
const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
const cpuMs = (pid: number) => processorMs(pid) ?? 0;

async function start(
  { folder }: Place,
  postgres: Embedded,
  nombre: string,
  children: ChildProcess[],
): Promise<Negocio> {
  const admin = postgres.urlOf('postgres');
  const port = await quietPort();
  const negocio = declareNegocio(join(folder, 'negocios'), nombre, `http://127.0.0.1:${port}`, new URL(admin));
  await createBase(negocio, admin);
  const { web, node } = currentBuilds();
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    TZ: 'UTC',
    ...FRUGAL_ENV,
    ...negocio.ajustes,
    PORT: String(port),
  };
  for (const program of [webOf(web), workerOf(node)])
    children.push(spawn(process.execPath, program, { stdio: 'ignore', env: env as NodeJS.ProcessEnv }));
  await answers(`http://127.0.0.1:${port}/login`, nombre, () => '');
  for (const end = Date.now() + 20_000; !(await beats(negocio)); await sleep(100))
    if (Date.now() > end) throw new Error(`the worker of ${nombre} did not start`);
  return negocio;
}

async function ask(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ n: number }>(statement)).rows[0]!.n;
  } finally {
    await client.end();
  }
}

const beats = ({ duena }: Negocio) => ask(duena, 'select count(*)::int as n from worker_heartbeat');
const connectionsOf = (postgres: Embedded) =>
  ask(
    postgres.urlOf('postgres'),
    `select count(*)::int as n from pg_stat_activity where datname like 'trastienda\\_%'`,
  );

/** The server and the processes that it started. */
const pidsOf = ({ pid }: Embedded): number[] => [
  pid,
  ...readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number),
];

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}

/** Memory in MB with each shared page counted once: a process's own, and its share of what several hold. */
const memoryOf = (postgres: Embedded) =>
  sum(
    pidsOf(postgres).map((pid) => {
      try {
        return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
      } catch {
        return 0;
      }
    }),
  );
