/** The primary dies without a word and its replica is promoted: with a synchronous one work goes on, with one that was behind the steps of a restore come first. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { markRestaurada, reconcilePac } from '~/domain/operacion/mantenimiento/restauracion.server';
import { resumeConnection } from '~/platform/connections/pause.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { clusterOf, startEmbedded, type Embedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { backUp } from '~db/respaldo';
import { expectNothingUnknown } from '../faults/support/check';
import { acceptFacturas, report, seconds, stillOpen, times, untilPressed, untilSettled } from '../faults/support/scene';
import { openStage } from '../faults/support/stage';
import { WorkerProcess } from '../support/processes/worker';

const place = mkdtempSync(join(tmpdir(), 'trastienda-replica-'));
chmodSync(place, 0o755);
const clusters: Embedded[] = [];

/** A server that is durable, as the product's is, and keeps what a replica still needs. */
async function start(name: string, settings: Record<string, string> = {}): Promise<Embedded> {
  const one = await startEmbedded({
    folder: join(place, name),
    durable: true,
    settings: { wal_keep_size: '256MB', ...settings },
  });
  clusters.push(one);
  return one;
}

async function ask<T>({ urlOf }: Embedded, ...statements: string[]): Promise<T[]> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    let rows: T[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows as T[];
    return rows;
  } finally {
    await client.end();
  }
}

/** A replica of a running server, made of a backup and fed by what the server writes. */
async function replicate(of: Embedded, ofName: string, name: string): Promise<Embedded> {
  const clave = readFileSync(join(place, ofName, 'postgres.clave'), 'utf8');
  const base = await backUp({
    target: join(place, `${name}-base`),
    dataDir: of.dataDir,
    url: of.urlOf('postgres'),
    secrets: {},
  });
  const { folder, dataDir, account } = clusterOf(join(place, name));
  cpSync(join(base, 'datos'), dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'standby.signal'), '');
  const { port, username, password } = new URL(of.urlOf('postgres'));
  const way = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=replica`;
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`);
  writeFileSync(join(folder, 'postgres.clave'), clave, { mode: 0o600 });
  chmodSync(dataDir, 0o700);
  if (account) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
  const replica = await start(name);
  await expect
    .poll(() => ask<{ state: string }>(of, 'select state from pg_stat_replication'), { timeout: 30_000 })
    .toEqual([{ state: 'streaming' }]);
  return replica;
}

/** As if the power of a machine went: every process of the server at once. */
async function lose({ pid, exited }: Embedded) {
  process.kill(-pid, 'SIGKILL');
  await exited;
}

/** The name that web and worker know: it leads to one server, and to another after a promotion. */
async function openName() {
  const sockets = new Set<Socket>();
  const to = { port: 0 };
  const server = createServer((near) => {
    const far = connect(to.port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const end of [near, far]) {
      sockets.add(end);
      end.on('error', () => end.destroy()).on('close', () => (near.destroy(), far.destroy(), sockets.delete(end)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lead(port: number) {
      to.port = port;
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => (server.close(() => resolve()), sockets.forEach((one) => one.destroy()))),
  };
}

const first = await start('uno');
const name = await openName();
name.lead(first.port);
const url = new URL((await migrateDatabase(await first.ensureDatabase('trastienda'))).url);
url.port = String(name.port);
process.env.DATABASE_URL = url.href;
afterAll(async () => {
  await name.close();
  for (const one of clusters) await one.stop().catch(() => undefined);
  rmSync(place, { recursive: true, force: true });
});
const { db, sandbox, usuario } = await openStage({ pace: 0.02 });
/** The PAC would not notice a second stamp: what keeps it from happening is ours alone. */
await sandbox.facturacom.admiteRepetidos(true);
await sandbox.latency('facturacom', 80);
const stamped = async () => (await sandbox.facturacom.stamped()).length;
const sales = times(12, 120);

/** Promotes a replica and leads the name to it; how long that took. */
async function promote(replica: Embedded): Promise<number> {
  const began = performance.now();
  await ask(replica, 'select pg_promote()');
  name.lead(replica.port);
  return performance.now() - began;
}

test(
  'a primary that dies under load is followed by its synchronous replica: the same worker goes on, and every sale has its one CFDI',
  { timeout: 240_000 },
  async () => {
    await acceptFacturas(db, usuario, sales);
    const replica = await replicate(first, 'uno', 'dos');
    await ask(first, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
    const worker = await WorkerProcess.start();
    await expect.poll(stamped, { timeout: 60_000, interval: 10 }).toBeGreaterThan(sales / 4);
    await lose(first);
    const died = performance.now();
    const had = await stamped();
    const promoted = await promote(replica);
    await expect.poll(stamped, { timeout: 60_000, interval: 10 }).toBeGreaterThan(had);
    const again = performance.now() - died;
    await untilPressed(db, usuario.id, () => untilSettled(db, { within: 60_000 }));
    expect(worker.alive, worker.lines.slice(-20).join('\n')).toBe(true);
    expect(await expectNothingUnknown(db, sandbox)).toMatchObject({ timbres: sales, facturas: sales, tablero: 0 });
    expect((await worker.kill()).code).toBe(0);
    report('réplica síncrona promovida bajo carga', {
      ventas: sales,
      timbres: await stamped(),
      'sellados al morir': had,
      promoción: seconds(promoted),
      'primer timbre después': seconds(again),
    });
  },
);

test(
  'a replica that was behind knows less than was sent: with the steps of a restore nothing is sent a second time',
  { timeout: 240_000 },
  async () => {
    const lost = times(3, 30);
    const second = clusters.at(-1)!;
    const replica = await replicate(second, 'dos', 'tres');
    // Asked for and known to the replica; what becomes of it is not.
    await acceptFacturas(db, usuario, lost);
    const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(db);
    await expect
      .poll(
        async () =>
          (await ask<{ there: boolean }>(replica, `select pg_last_wal_replay_lsn() >= '${rows[0]!.lsn}' as there`))[0]!
            .there,
      )
      .toBe(true);
    await ask(replica, `alter system set primary_conninfo = ''`, 'select pg_reload_conf()');
    await expect.poll(() => ask(second, 'select state from pg_stat_replication')).toEqual([]);
    const worker = await WorkerProcess.start();
    await untilSettled(db, { within: 60_000 });
    await worker.kill();
    const sent = await stamped();
    expect(sent).toBe(sales + lost);
    await lose(second);

    const died = performance.now();
    await promote(replica);
    const [{ last }] = (await ask<{ last: Date }>(replica, 'select pg_last_xact_replay_timestamp() as last')) as [
      { last: Date },
    ];
    // A worker that began now would send these again.
    expect((await stillOpen(db)).map(({ state }) => state)).toEqual(Array.from({ length: lost }, () => 'queued'));
    await markRestaurada(db, EFFECTS, { nombre: 'réplica promovida', sabeHasta: last });
    const reconcile = async () => reconcilePac(db, await connectPacReader(db));
    const before = await reconcile();
    expect(before).toMatchObject({ conocidas: sales, adoptadas: [] });
    expect(before.inexplicadas).toEqual(
      Array.from(
        { length: lost },
        () => expect.stringContaining('al reanudar factura.com se busca y se reconoce sola') as string,
      ),
    );
    for (const { kind } of CONNECTIONS.all())
      if (CONNECTIONS.isKind(kind)) await db.transaction().execute((trx) => resumeConnection(trx, kind));
    const next = await WorkerProcess.start();
    await untilSettled(db, { within: 60_000 });
    expect((await next.kill()).code).toBe(0);
    expect(await reconcile()).toMatchObject({ conocidas: sales + lost, inexplicadas: [] });
    expect(await stamped(), 'nothing was sent a second time').toBe(sent);
    expect(await expectNothingUnknown(db, sandbox)).toMatchObject({ timbres: sent, facturas: sent, tablero: 0 });
    report('réplica atrasada promovida', {
      'enviados que no sabía': lost,
      reconocidos: lost,
      'enviados otra vez': 0,
      tiempo: seconds(performance.now() - died),
    });
  },
);
