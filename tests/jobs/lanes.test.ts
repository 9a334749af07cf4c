import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveCredential } from '~/platform/connections/credentials.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { requestExport } from '~/platform/lists/exportRuns.server';
import { receiveNotice } from '~/domain/sync/inbox.server';
import { effectView, taskOf } from '~/platform/effects/effects.server';
import type { Usuario } from '~/core/usuario';
import { TASKS } from '~db/queue/catalog.server';
import { lanesOf } from '~jobs/lanes';
import { TASK_LIST } from '~jobs/tasks/index';
import { startWorker, type Worker } from '~jobs/worker';
import { acceptFacturas } from '../faults/support/scene';
import { openEmisor } from '../support/pac';
import { ownerDatabase, testDatabase } from '../support/db';
import { startTestSandbox } from '../support/sandbox';

const sandbox = await startTestSandbox();
const { db, url } = testDatabase();
/** A marketplace that answers, and takes longer than anybody here waits. */
const slow = createServer(
  (_request, response) =>
    void setTimeout(() => response.writeHead(404, { 'content-type': 'application/json' }).end('{}'), 40_000),
);
await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
process.env.MERCADOLIBRE_URL = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
let worker: Worker;
let usuario: Usuario;

beforeAll(async () => {
  usuario = await openEmisor(db, sandbox, 'admin');
  await saveCredential(db, 'mercadolibre', {
    account: '7',
    secrets: { accessToken: 'a', refreshToken: 'b' },
    validForSeconds: 3_600,
  });
  worker = await startWorker({ url, concurrency: 7, schedule: false });
}, 60_000);
afterAll(async () => {
  // What it still hears from this marketplace ends with it.
  slow.closeAllConnections();
  slow.close();
  await worker?.stop();
});

test('a marketplace that hardly answers keeps no factura waiting', { timeout: 60_000 }, async () => {
  for (let n = 0; n < 60; n++)
    await receiveNotice(db, 'mercadolibre', { topic: 'orders_v2', resource: `/orders/20000${n}` });
  const [factura] = await acceptFacturas(db, usuario, 1);
  await expect.poll(async () => (await effectView(db, factura!.effectId))!.state).toBe('done');
});

test('six exports begin at once: none waits for the end of another', { timeout: 60_000 }, async () => {
  const months = ['01', '02', '03', '04', '05', '06'];
  const ids = await ownerDatabase()
    .db.transaction()
    .execute(async (held) => {
      // None can end while nobody can store a file.
      await sql`lock table archivo in share mode`.execute(held);
      const asked = await db.transaction().execute((trx) =>
        Promise.all(
          months.map((mes) =>
            requestExport(trx, {
              lista: 'ordenes',
              search: `desde=2026-${mes}-01&hasta=2026-${mes}-28`,
              usuarioId: usuario.id,
            }),
          ),
        ),
      );
      await expect.poll(() => statesOf(asked), { timeout: 10_000 }).toEqual(asked.map(() => 'running'));
      return asked;
    });
  await expect.poll(() => statesOf(ids), { timeout: 10_000 }).toEqual(ids.map(() => 'done'));
});

const statesOf = async (ids: string[]) =>
  (await db.selectFrom('exportRun').select('state').where('id', 'in', ids).execute()).map(({ state }) => state);

const written = CONNECTIONS.all().filter(({ budget }) => budget.atOnce > 0);

test('every task of the catalog and one for each far side that is written to can be run, in one lane', () => {
  const names = [...Object.keys(TASKS), ...written.map(({ kind }) => taskOf(kind))].sort();
  expect(TASK_LIST.map(({ name }) => name).sort()).toEqual(names);
  const inLanes = lanesOf(TASK_LIST).flatMap(({ tasks }) => tasks.map(({ name }) => name));
  expect(inLanes.sort()).toEqual(names);
});

test('the lane of a far side takes what its row says: those that call and those that stand ready', () => {
  expect(lanesOf(TASK_LIST)).toEqual(
    expect.arrayContaining(
      written.map(({ kind, budget, standby }) =>
        expect.objectContaining({ name: kind, atOnce: budget.atOnce + standby }),
      ),
    ),
  );
});
