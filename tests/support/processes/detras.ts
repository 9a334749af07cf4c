/** The product behind a pooler in transaction mode, lived through once: migrated, a sale by its notice, a page that moves, a CFDI. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Usuario } from '~/core/usuario';
import { programOf } from '../../../bin/lib/settings.mjs';
import { acceptFacturas } from '../../faults/support/scene';
import { ownerUrl, testDatabase } from '../db';
import { linkSandbox, type SaleFacts } from '../mercadolibre';
import type { SandboxClient } from '../sandboxClient';
import { buildUsuarios, Web } from '../web';
import { builtOnce } from './built';
import { WorkerProcess } from './worker';

/** Settings of processes whose database is behind the pooler at `pooler`. */
export const behind = (pooler: string, direct = testDatabase().url) => ({
  DATABASE_URL: pooler,
  DATABASE_URL_DIRECTA: direct,
});

/** `npm run migrate` with these settings; the code and what it said. */
export async function migrate(env: Record<string, string>): Promise<{ code: number; said: string }> {
  await builtOnce('node');
  return await promisify(execFile)(process.execPath, programOf('migrate'), { env: { ...process.env, ...env } }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ code: error.code, said: error.stderr }),
  );
}

/** Lives through it and returns the lines of the worker. `sandbox` has no sale of ours yet, and `usuario` invoices. */
export async function liveBehind(pooler: string, sandbox: SandboxClient, usuario: Usuario): Promise<string[]> {
  const { db, url } = testDatabase();
  const env = behind(pooler);
  expect(await migrate({ ...env, MIGRACION_URL: ownerUrl(url) })).toMatchObject({ code: 0 });
  await buildUsuarios(db);
  await linkSandbox(db, sandbox);
  // The first reading of an account, which takes longer than all that follows.
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  const [web, worker] = await Promise.all([
    Web.start({ ...env, PRIMERA_DICHA: '1' }),
    WorkerProcess.start({ ...env, WORKER_CONCURRENCY: '3' }),
  ]);
  const cookie = await web.session('sa');
  const pagina = async () => ((await (await web.fetch('/sa/novedades', { cookie })).json()) as { marca: string }).marca;
  const before = await pagina();

  const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  const noticed = await web.fetch('/avisos/mercadolibre/secreto-de-prueba', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: '' },
    body: JSON.stringify({
      _id: 'aviso-1',
      topic: 'orders_v2',
      resource: `/orders/${sale.ordenes[0]}`,
      user_id: 468123907,
      application_id: 5503910054140000,
    }),
  });
  expect(noticed.status).toBe(200);
  const listed = async () => (await web.fetch(`/sa/ordenes?q=${sale.numOrden}`, { cookie })).text();
  await expect.poll(listed, { timeout: 40_000 }).toContain(`>${sale.numOrden}<`);
  await expect.poll(pagina, { timeout: 20_000 }).not.toBe(before);

  await acceptFacturas(db, usuario, 1);
  const stamps = () => db.selectFrom('effect').select(['state', 'sends']).where('type', '=', 'cfdi.stamp').execute();
  await expect.poll(stamps, { timeout: 40_000 }).toEqual([{ state: 'done', sends: 1 }]);
  expect(await sandbox.facturacom.stamped()).toHaveLength(1);
  const { rows } = await sql<{ name: string; count: number }>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name in ('trastienda-escucha', 'trastienda-worker') group by 1`.execute(
    db,
  );
  expect(
    rows.find(({ name }) => name === 'trastienda-escucha'),
    'one connection listens, past the pooler',
  ).toMatchObject({ count: 1 });
  expect(worker.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(await worker.kill()).toEqual({ code: 0, signal: null });
  expect(await web.stop()).toBe(0);
  expect(web.lines.filter(({ level }) => level === 'error')).toEqual([]);
  return worker.lines;
}
