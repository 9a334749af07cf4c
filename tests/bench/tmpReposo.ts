import { spawn } from 'node:child_process';
import { mkdtempSync, chmodSync, rmSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '~db/embedded';
import { createBase } from '../../bin/negocios/create';
import { declareNegocio } from '../../bin/negocios/negocio';
import { currentBuilds } from '../../bin/lib/construido.mjs';
import { FRUGAL_ENV, quietPort, webOf, workerOf } from '../../bin/lib/settings.mjs';
import { processorMs, residentMb } from './memory';
const folder = mkdtempSync(join(tmpdir(), 'reposo-'));
chmodSync(folder, 0o755);
const postgres = await startEmbedded({ folder, settings: { log_statement: process.env.LOGS ? 'all' : 'none' } });
const port = await quietPort();
const admin = postgres.urlOf('postgres');
const n = declareNegocio(join(folder, 'n'), 'uno', `http://127.0.0.1:${port}`, new URL(admin));
await createBase(n, admin);
const { web, node } = currentBuilds();
const env: Record<string, string | undefined> = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  TZ: 'UTC',
  ...FRUGAL_ENV,
  ...n.ajustes,
  PORT: String(port),
};
const [w, k] = [
  spawn(process.execPath, webOf(web), { stdio: 'ignore', env: env as NodeJS.ProcessEnv }),
  spawn(process.execPath, workerOf(node), { stdio: 'ignore', env: env as NodeJS.ProcessEnv }),
];
const client = new pg.Client({ connectionString: n.duena });
await client.connect();
const pids = () => [
  postgres.pid,
  ...readdirSync('/proc')
    .filter((p) => {
      try {
        return (
          /^\d+$/.test(p) &&
          Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${p}/status`, 'utf8'))?.[1]) === postgres.pid
        );
      } catch {
        return false;
      }
    })
    .map(Number),
];
const cpu = () => ({
  web: processorMs(w.pid!) ?? 0,
  worker: processorMs(k.pid!) ?? 0,
  pg: pids().reduce((s, p) => s + (processorMs(p) ?? 0), 0),
});
let last = cpu();
const rounds = Number(process.argv[2] ?? 8);
for (let i = 0; i < rounds; i++) {
  await sleep(60_000);
  const now = cpu();
  const { rows } = await client.query(
    `select application_name, count(*)::int n, max(now() - state_change)::text as oldest from pg_stat_activity where datname = current_database() group by 1 order by 1`,
  );
  const { rows: xs } = await client.query(
    `select xact_commit, tup_returned, tup_fetched from pg_stat_database where datname = current_database()`,
  );
  console.log(
    i,
    'permil',
    JSON.stringify({
      web: (now.web - last.web) / 60,
      worker: (now.worker - last.worker) / 60,
      pg: (now.pg - last.pg) / 60,
    }),
    'rss',
    residentMb(w.pid!) | 0,
    residentMb(k.pid!) | 0,
    JSON.stringify(xs[0]),
  );
  if (i === 0 || i === rounds - 1)
    console.log(rows.map((r) => `  ${r.application_name} ${r.n} ${r.oldest}`).join('\n'));
  last = now;
}
if (process.env.LOGS) await import('node:fs').then((fs) => fs.copyFileSync(postgres.logFile, '/tmp/w/pglog'));
w.kill();
k.kill();
await client.end();
await sleep(3000);
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
