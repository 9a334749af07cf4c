/** The drill of a lost machine in small: what was archived is known again, nothing leaves by itself, and what is there is not overwritten. At length: `npm run test:restauracion`. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { mailCondicion } from '~/domain/operacion/mantenimiento/mailCondicion.server';
import { markRestaurada } from '~/domain/operacion/mantenimiento/restauracion.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import { startEmbedded, stopEmbedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { applicationUrlOf } from '~db/rights';
import { backUp, restore } from '~db/respaldo';
import { buildOrden } from '../support/builders/ordenes';
import { openTestDatabase } from '../support/db';

const place = mkdtempSync(join(tmpdir(), 'trastienda-restaurar-'));
chmodSync(place, 0o755);
const [origen, respaldos, otra] = ['origen', 'respaldos', 'otra'].map((name) => join(place, name)) as [
  string,
  string,
  string,
];
const wal = join(respaldos, 'wal');
const passphrase = 'una frase larga';

afterAll(async () => {
  await stopEmbedded(origen);
  await stopEmbedded(otra);
  rmSync(place, { recursive: true, force: true });
});

test('a machine that is lost comes back with what was archived, and nothing that waited is sent by itself', async () => {
  const server = await startEmbedded({ folder: origen, archive: wal, durable: false });
  const owner = await server.ensureDatabase('trastienda');
  const { db, close } = openTestDatabase((await migrateDatabase(owner)).url);
  const vender = async (n: number) => {
    for (let made = 0; made < n; made++) await buildOrden(db);
  };
  await vender(2);
  const secrets = { LLAVES: process.env.LLAVES!, POSTGRES_CLAVE: readFileSync(join(origen, 'postgres.clave'), 'utf8') };
  const base = await backUp({
    target: respaldos,
    dataDir: server.dataDir,
    url: server.urlOf('postgres'),
    secrets,
    passphrase,
  });

  await vender(2);
  const request = { clave: 'x', cambio: '1', emails: ['sa@ejemplo.mx'], asunto: 'a', texto: 'b' };
  const { id: carta } = await db.transaction().execute((trx) => acceptEffect(trx, mailCondicion, { request }));
  const archivado = await archiveNow(owner);
  const sabidas = await ventasOf(db);
  // Only the lost machine knew of this one.
  await vender(1);
  await close();
  process.kill(server.pid, 'SIGQUIT');
  await server.exited;

  await expect(restore({ base, wal, folder: otra, passphrase: 'otra frase' })).rejects.toThrow('no abre');
  const restored = await restore({ base, wal, folder: otra, passphrase, durable: false });
  expect(restored.secrets).toEqual(secrets);
  expect(restored.knowsUntil.getTime()).toBeLessThanOrEqual(archivado.getTime());
  const after = openTestDatabase(applicationUrlOf(restored.server.urlOf('trastienda')));
  expect(await ventasOf(after.db)).toEqual(sabidas);
  expect(sabidas).toHaveLength(4);

  await markRestaurada(after.db, EFFECTS, { nombre: 'simulacro', sabeHasta: restored.knowsUntil });
  const { state } = await after.db
    .selectFrom('effect')
    .select('state')
    .where('id', '=', carta)
    .executeTakeFirstOrThrow();
  expect(state).toBe('manual');
  expect(await after.db.selectFrom('connection').select('kind').where('pausedAt', 'is', null).execute()).toEqual([]);
  await after.close();

  await expect(restore({ base, wal, folder: otra, passphrase })).rejects.toThrow('ya hay una base');
}, 60_000);

const ventasOf = async (db: ReturnType<typeof openTestDatabase>['db']) =>
  (await db.selectFrom('orden').select(['marketId', 'pagado']).orderBy('marketId').execute()).map(
    ({ marketId, pagado }) => `${marketId} ${String(pagado)}`,
  );

/** Waits until all that was committed is in the archive, and returns when that was. */
async function archiveNow(owner: string): Promise<Date> {
  const { db, close } = openTestDatabase(owner);
  const { rows } = await sql<{ wal: string }>`select pg_walfile_name(pg_switch_wal()) as wal`.execute(db);
  const last = async () =>
    (await sql<{ wal: string | null }>`select last_archived_wal as wal from pg_stat_archiver`.execute(db)).rows[0]!.wal;
  await expect
    .poll(last, { timeout: 20_000 })
    .toSatisfy((done: string | null) => done !== null && done >= rows[0]!.wal);
  const { rows: now } = await sql<{ en: Date }>`select clock_timestamp() as en`.execute(db);
  await close();
  return now[0]!.en;
}
