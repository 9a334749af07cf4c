import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOnce } from 'graphile-worker';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connectPacReader } from '~/domain/facturacion/cfdi/emisor.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { acceptEffect } from '~/platform/effects/effects.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { resumeConnection } from '~/platform/connections/pause.server';
import { mailCondicion } from '~/domain/operacion/mantenimiento/mailCondicion.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { reconcilePac, markRestaurada } from '~/domain/operacion/mantenimiento/restauracion.server';
import { freePort, startEmbedded, stopEmbedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { applicationUrlOf } from '~db/rights';
import { backUp, readManifest, readSecrets, restore } from '~db/respaldo';
import { queueLogger } from '~db/queueLog.server';
import { taskList } from '~jobs/worker';
import type { Db } from '~db/client.server';
import { buildVenta } from '../support/builders/ventas';
import { openTestDatabase, testDatabase } from '../support/db';

const place = mkdtempSync(join(tmpdir(), 'trastienda-restaurar-'));
chmodSync(place, 0o755);
const [origin, target, elsewhere] = ['origen', 'respaldos', 'otra'].map((name) => {
  const folder = join(place, name);
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}) as [string, string, string];
const wal = join(target, 'wal');

// Everything of this file works over a server of its own, durable and archived, as the product's is.
const server = await startEmbedded({ folder: origin, archive: wal });
const first = await server.ensureDatabase('trastienda');
process.env.DATABASE_URL = (await migrateDatabase(first)).url;
const { openDocumentos } = await import('../support/documentos');
const { db, sandbox, facturar, sustituir, cancelar, global, notas, unaVenta } = await openDocumentos();

afterAll(async () => {
  await stopEmbedded(origin);
  await stopEmbedded(elsewhere);
  rmSync(place, { recursive: true, force: true });
});

const ventas: Awaited<ReturnType<typeof buildVenta>>[] = [];
async function facturas(n: number) {
  for (let made = 0; made < n; made++) {
    const venta = await buildVenta(db, { precios: ['1160.00'] });
    ventas.push(venta);
    await facturar(venta);
  }
}

/** All that documents say of sales, and sales of documents, in names that a restored database shares with the lost one. */
async function documentos(of: Db) {
  const uuidOf = (column: string) => sql`(select f.uuid from factura f where f.id = ${sql.ref(column)})`;
  const ventaOf = (column: string) => sql`(select o.market_id from orden o where o.id = ${sql.ref(column)})`;
  const { rows } = await sql<{ dice: string }>`
    select format('factura %s %s %s %s de %s, sustituye %s, acredita %s %s', uuid, tipo, estatus, total, num_orden, ${uuidOf('d.sustituye_id')}, ${uuidOf('d.origen_id')}, motivo) as dice from factura d
    union all select format('venta %s en %s (%s)', ${ventaOf('orden_id')}, ${uuidOf('factura_id')}, kind) from fiscal_claim
    union all select format('%s cobra %s de %s', ${uuidOf('factura_id')}, importe, ${ventaOf('orden_id')}) from factura_orden
    union all select format('%s acredita %s de %s en %s', ${uuidOf('nota_id')}, importe, ${ventaOf('orden_id')}, ${uuidOf('factura_id')}) from nota_credito_orden
    union all select format('%s debe nota de %s por %s', ${uuidOf('global_id')}, ${ventaOf('orden_id')}, ${uuidOf('factura_id')}) from refacturacion
    union all select format('concepto %s de %s es de %s', posicion, ${uuidOf('factura_id')}, ${ventaOf('orden_id')}) from factura_concepto
    union all select format('%s-%s es %s', mes, numero, (select f.uuid from factura f where f.effect_id = n.effect_id)) from global_numero n
    order by 1`.execute(of);
  return rows.map(({ dice }) => dice);
}

async function archiveNow() {
  const { rows } = await sql<{ wal: string }>`select pg_walfile_name(pg_switch_wal()) as wal`.execute(
    openTestDatabase(first).db,
  );
  await expect
    .poll(
      async () =>
        (await sql<{ w: string | null }>`select last_archived_wal as w from pg_stat_archiver`.execute(db)).rows[0]!.w,
      { timeout: 20_000 },
    )
    .toSatisfy((done: string | null) => done !== null && done >= rows[0]!.wal);
}

test('documents of every kind are known again after the machine is lost, and nothing is sent twice', async () => {
  await facturas(4);
  const secrets = { LLAVES: process.env.LLAVES!, POSTGRES_CLAVE: readFileSync(join(origin, 'postgres.clave'), 'utf8') };
  const began = performance.now();
  const base = await backUp({
    target,
    dataDir: server.dataDir,
    url: server.urlOf('postgres'),
    secrets,
    passphrase: 'una frase larga',
  });
  const backedUpMs = performance.now() - began;
  expect(statSync(join(base, 'llaves')).mode & 0o077).toBe(0);
  expect(readFileSync(join(base, 'llaves')).includes('prueba:')).toBe(false);
  expect(() => readSecrets(base, 'otra frase')).toThrow('no abre');

  // A global that is known, with a sale whose customer asks for a factura later.
  const enGlobal = await unaVenta('116.00');
  await global();

  // After the backup and archived; then what only the lost machine knew. The ventas were there before, as the marketplace's sweep would bring them back.
  await facturas(4);
  for (let n = 0; n < 4; n++) ventas.push(await buildVenta(db, { precios: ['1160.00'] }));
  const [porSustituir, porCancelar, vuelta, , intento] = await Promise.all(
    ['348.00', '464.00', '580.00', '696.00', '928.00'].map(unaVenta),
  );
  const sustituida = await facturar(porSustituir!);
  const cancelada = await facturar(porCancelar!);
  await facturar(vuelta!);
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', 'in', vuelta!.ordenIds).execute();
  const letter = await db.transaction().execute((trx) =>
    acceptEffect(trx, mailCondicion, {
      request: { clave: 'x', cambio: '1', emails: ['sa@ejemplo.mx'], asunto: 'a', texto: 'b' },
    }),
  );
  await archiveNow();
  for (const venta of ventas.slice(8)) await facturar(venta);
  await facturar(enGlobal);
  await notas('refacturacion');
  await notas('devueltas');
  await sustituir(sustituida.id);
  await cancelar(cancelada.id);
  await facturar(porCancelar!);
  await cancelar((await facturar(intento!)).id);
  await global();
  const porElPac = async () => ({
    cfdis: (await sandbox.facturacom.stamped()).map(({ UUID, estado }) => `${UUID} ${estado}`).sort(),
    cancelaciones: (await sandbox.requests('facturacom', 2_000)).filter(
      ({ method, path }) => method === 'POST' && path.endsWith('/cancel'),
    ).length,
  });
  const living = await porElPac();
  const antes = await documentos(db);
  await testDatabase().close();
  process.kill(server.pid, 'SIGQUIT');
  await server.exited;

  const again = performance.now();
  const restored = await restore({ base, wal, folder: elsewhere, passphrase: 'una frase larga' });
  const restoredMs = performance.now() - again;
  expect(restored.secrets).toEqual(secrets);
  const after = openTestDatabase(applicationUrlOf(restored.server.urlOf('trastienda')));
  const known = async () =>
    (await after.db.selectFrom('factura').select('uuid').where('estatus', '=', 'vigente').execute())
      .map(({ uuid }) => uuid)
      .sort();
  const sabidas = await known();
  expect(sabidas).toHaveLength(12);

  await markRestaurada(after.db, EFFECTS, { nombre: 'simulacro', sabeHasta: restored.knowsUntil });
  const work = () =>
    runOnce({ pgPool: after.pool, taskList: taskList(after), noHandleSignals: true, logger: queueLogger() });
  await work();
  // Nothing leaves by itself, and a letter that may have gone waits for a person.
  expect(await porElPac()).toEqual(living);
  const waiting = await after.db
    .selectFrom('effect')
    .select('state')
    .where('id', '=', letter.id)
    .executeTakeFirstOrThrow();
  expect(waiting.state).toBe('manual');

  const conciliada = await reconcilePac(after.db, await connectPacReader(after.db));
  expect(conciliada).toMatchObject({ conocidas: 12, inexplicadas: [] });
  expect(conciliada.canceladas.sort()).toEqual([cancelada.uuid, sustituida.uuid].sort());
  expect(conciliada.adoptadas).toHaveLength(11);
  expect(await reconcilePac(after.db, await connectPacReader(after.db))).toMatchObject({
    conocidas: 23,
    adoptadas: [],
    canceladas: [],
    inexplicadas: [],
  });
  expect(await after.db.selectFrom('cfdiPorAdoptar').selectAll().execute()).toEqual([]);

  const told = CONDICIONES.find(({ clave }) => clave === 'restauracion')!;
  expect((await told.mira(after.db))?.remedio).toContain('Se adoptaron 11 CFDI y 2 cancelaciones que');
  for (const { kind } of CONNECTIONS.all())
    if (CONNECTIONS.isKind(kind)) await after.db.transaction().execute((trx) => resumeConnection(trx, kind));
  expect(await told.mira(after.db)).toBeNull();
  await work();
  // What the lost machine had asked of the SAT is looked for, and found done.
  const open = async () => {
    await work();
    return after.db
      .selectFrom('effect')
      .select(['type', 'state', 'reason'])
      .where('connection', '=', 'facturacom')
      .where('state', 'in', ['queued', 'sending', 'unknown', 'manual'])
      .execute();
  };
  await expect.poll(open, { timeout: 30_000 }).toEqual([]);
  expect(await porElPac()).toEqual(living);
  expect(await documentos(after.db)).toEqual(antes);
  console.log(
    `respaldo ${Math.round(backedUpMs)} ms (${Math.round(readManifest(base).bytes / 1e6)} MB), restauración ${Math.round(restoredMs)} ms`,
  );
  await after.close();

  // What is there is never overwritten, and old backups go with the WAL only they needed.
  await expect(restore({ base, folder: elsewhere, passphrase: 'una frase larga' })).rejects.toThrow('ya hay una base');
  const running = await startEmbedded({ folder: elsewhere, port: await freePort(), archive: wal });
  const needs = { target, dataDir: running.dataDir, url: running.urlOf('postgres'), secrets: {}, keep: 1 };
  writeFileSync(join(wal, '000000010000000000000001.gz'), '');
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const newer = await backUp(needs);
  expect(readdirSync(join(target, 'base')).map((name) => join(target, 'base', name))).toEqual([newer]);
  expect(readdirSync(wal)).not.toContain('000000010000000000000001.gz');
  expect(readSecrets(newer, undefined)).toEqual({});
}, 180_000);
