import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startEmbedded, stopEmbedded } from '~db/embedded';
import { readPostmaster } from '~db/internal/postmaster';

const folder = mkdtempSync(join(tmpdir(), 'trastienda-postgres-'));
chmodSync(folder, 0o755);
afterAll(async () => {
  await stopEmbedded(folder);
  rmSync(folder, { recursive: true, force: true });
});

async function ask(url: string, statement: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<{ n: number }>(statement)).rows;
  } finally {
    await client.end();
  }
}

test('a server left behind is adopted, one that was killed recovers what was committed, and a stop leaves nothing', async () => {
  const first = await startEmbedded({ folder });
  const url = await first.ensureDatabase('datos');
  await ask(url, 'create table t as select 7 as n');

  const adopted = await startEmbedded({ folder });
  expect([adopted.adopted, adopted.pid, adopted.port]).toEqual([true, first.pid, first.port]);

  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const recovered = await startEmbedded({ folder, port: first.port });
  expect(recovered.adopted).toBe(false);
  expect(await ask(recovered.urlOf('datos'), 'select n from t')).toEqual([{ n: 7 }]);

  await recovered.stop();
  await recovered.exited;
  expect(readPostmaster(recovered.dataDir)).toBeUndefined();
});

test('a pid file whose number belongs to another program by now does not stop the start', async () => {
  const { dataDir } = await startEmbedded({ folder }).then(async (server) => {
    await server.stop();
    return server;
  });
  writeFileSync(
    join(dataDir, 'postmaster.pid'),
    [process.pid, dataDir, 1, 1, '', '127.0.0.1', '1 1', 'ready'].join('\n'),
  );
  const server = await startEmbedded({ folder });
  expect(server.adopted).toBe(false);
  await server.stop();
});
