/** Web, worker and migrations behind a pooler in transaction mode, and what each says of an address that does not fit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { webOf, workerOf } from '../../bin/lib/settings.mjs';
import { ownerUrl, testDatabase } from '../support/db';
import { openStage } from '../faults/support/stage';
import { builtOnce } from '../support/processes/built';
import { behind, liveBehind, migrate } from '../support/processes/detras';
import { holdsSession, openReparto } from '../support/reparto';

const { sandbox, usuario } = await openStage({ pace: 0.05 });
const { url } = testDatabase();

test('what outlives its transaction is told from what does not', () => {
  for (const held of [
    'LISTEN "jobs:insert"; LISTEN "worker:migrate";',
    "set statement_timeout = '5s'",
    'select pg_advisory_lock(1)',
    'create temp table x (a int)',
    'declare c cursor with hold for select 1',
    "select set_config('a.b', 'c', false)",
  ])
    expect(holdsSession(held), held).toBe(true);
  for (const free of [
    "set local lock_timeout = '1s'",
    'select pg_advisory_xact_lock(1)',
    'create temp table x (a int) on commit drop',
    "select set_config('a.b', 'c', true)",
    'update effect set state = 1',
  ])
    expect(holdsSession(free), free).toBe(false);
});

test(
  'behind a pooler that keeps no session a sale arrives by its notice, the page moves and one CFDI is stamped',
  { timeout: 120_000 },
  async () => {
    const reparto = await openReparto(url);
    const lines = await liveBehind(reparto.url, sandbox, usuario);
    expect(lines.filter((line) => line.includes('sentencias preparadas apagadas'))).toHaveLength(1);
    expect(reparto.held, 'statements that leave something in a session').toEqual([]);
    expect(reparto.statements).toBeGreaterThan(200);
    await reparto.close();
  },
);

/** What a process writes until it ends by itself, and with which code. */
async function runToItsEnd(program: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, program, {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

test('an address that goes through a pooler without a way past it, or a way that leads elsewhere, is told by name', async () => {
  await Promise.all([builtOnce('web'), builtOnce('node')]);
  const reparto = await openReparto(url, 2);
  const elsewhere = new URL(url);
  elsewhere.pathname = '/postgres';
  const wrong: [program: string[], env: Record<string, string>, dice: string][] = [
    [webOf(), { DATABASE_URL: reparto.url }, 'falta: DATABASE_URL pasa por un PgBouncer'],
    [workerOf(), { DATABASE_URL: reparto.url }, 'falta: DATABASE_URL pasa por un PgBouncer'],
    [workerOf(), behind(reparto.url, reparto.url), 'pasa por un PgBouncer: es la dirección'],
    [workerOf(), behind(reparto.url, elsewhere.href), 'no llega a la misma base'],
  ];
  for (const [program, env, dice] of wrong) {
    const { code, said } = await runToItsEnd(program, env);
    expect([code, JSON.parse(said)]).toEqual([
      78,
      expect.objectContaining({
        message: 'configuración inválida',
        ajustes: [expect.objectContaining({ ajuste: 'DATABASE_URL_DIRECTA', dice: expect.stringContaining(dice) })],
      }),
    ]);
  }
  const owner = new URL(ownerUrl(url));
  owner.host = new URL(reparto.url).host;
  const { code, said } = await migrate({ ...behind(reparto.url), MIGRACION_URL: owner.href });
  expect([code, said]).toEqual([1, expect.stringContaining('Se migra sin PgBouncer en medio')]);
  await reparto.close();
});
