import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrateDatabase } from '~db/migrate';
import { blockOf, reviewMigrations } from '~db/reviewMigrations';
import { enqueue } from '~db/queue/catalog.server';
import { openTestDatabase, ownerDatabase, ownerUrl, testDatabase } from '../support/db';

test('a clone has our tables and the queue, and a second migration finds nothing to do', async () => {
  const { db, url } = testDatabase();
  expect(await db.selectFrom('usuario').selectAll().execute()).toEqual([]);
  const both = await Promise.all([migrateDatabase(url), migrateDatabase(url)]);
  expect(both.map(({ applied }) => applied)).toEqual([[], []]);
});

test('a table that somebody holds keeps nobody waiting: the migration lets go and tries again', async () => {
  const { db } = ownerDatabase();
  const url = ownerUrl(testDatabase().url);
  const hold = async (work: () => Promise<unknown>) =>
    db.transaction().execute(async (trx) => {
      await sql`lock table kysely_migration in access exclusive mode`.execute(trx);
      await work();
    });
  const patience = { lockMs: 100, tries: 3, pauseMs: 10 };
  await hold(() => expect(migrateDatabase(url, undefined, patience)).rejects.toThrow(/lock timeout/));

  let migrating: ReturnType<typeof migrateDatabase> | undefined;
  await hold(async () => {
    migrating = migrateDatabase(url, undefined, { ...patience, tries: 1_000 });
    // Long enough for several tries.
    await sleep(1_000);
  });
  expect((await migrating!).applied).toEqual([]);
});

test('each migration is a transaction of its own: what it held is free while the others wait', async () => {
  const { db } = ownerDatabase();
  await sql`create database paso_a_paso`.execute(db);
  const url = ownerUrl('/paso_a_paso');
  const { pool } = openTestDatabase(url);
  let over = false;
  const migrating = migrateDatabase(url).finally(() => (over = true));
  const seen = new Set<number>();
  while (!over) {
    const { rows } = await pool
      .query<{ count: number }>('select count(*)::int as count from kysely_migration')
      .catch(() => ({ rows: [] }));
    for (const { count } of rows) seen.add(count);
    await sleep(5);
  }
  const { applied } = await migrating;
  const midway = [...seen].filter((count) => count > 0 && count < applied.length);
  expect(midway.length).toBeGreaterThan(3);
  await pool.end();
  await sql`drop database paso_a_paso with (force)`.execute(db);
});

test.each([
  ['create index x on orden (id)', 'orden'],
  ['create unique index x on only orden (id)', 'orden'],
  ['create index concurrently x on orden (id)', null],
  ['alter table orden add column nota text', null],
  ["alter table orden add column nota text not null default ''", null],
  ['alter table orden\n  alter column total type numeric(20, 2)', 'orden'],
  ['alter table orden alter column total set not null', 'orden'],
  ['alter table orden add column doble numeric generated always as (total * 2) stored', 'orden'],
  ['alter table orden add check (total > 0)', 'orden'],
  ['alter table orden add constraint x check (total > 0) not valid', null],
  ['alter table orden rename column total to suma', 'orden'],
  ['alter table orden drop column total', 'orden'],
  ['drop table orden', 'orden'],
  ['update orden set total = 0', 'orden'],
  ['create function x() returns void language sql as $$ update orden set total = 0 $$', null],
  ['create trigger x after update on orden for each row execute function x()', null],
])('a review tells what holds up: %s', (statement, tabla) => {
  expect(blockOf(statement)?.tabla ?? null).toBe(tabla);
});

test('a review runs what is pending elsewhere, and changes nothing', async () => {
  const { db } = ownerDatabase();
  const url = ownerUrl(testDatabase().url);
  expect(await reviewMigrations(url)).toEqual({ pendientes: [], bloqueos: [] });
  const names = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by 1`.execute(db)).rows;
  await sql`delete from kysely_migration where name >= '20261128_1100'`.execute(db);
  const before = await names();
  const { pendientes, bloqueos } = await reviewMigrations(url);
  expect(pendientes[0]).toBe('20261128_1100_libro');
  const deLibro = bloqueos.filter(({ migracion }) => migracion === '20261128_1100_libro');
  // The ledger's own table is new, and nobody waits for it.
  expect(new Set(deLibro.map(({ tabla }) => tabla))).toEqual(new Set(['libro_venta']));
  expect(bloqueos.filter(({ migracion }) => migracion === '20261128_1400_miradas_siguen')).toEqual([]);
  expect(await names()).toEqual(before);
  const { rows } = await sql`select datname from pg_database where datname like 'trastienda_revision%'`.execute(db);
  expect(rows).toEqual([]);
});

test('a job asked for twice before it runs waits once', async () => {
  const { db } = testDatabase();
  await db.transaction().execute(async (trx) => {
    await enqueue(trx, 'effect.correo', { effectId: 'uno' });
    await enqueue(trx, 'effect.correo', { effectId: 'uno' });
  });
  const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db);
  expect(rows).toEqual([{ key: 'effect.correo:uno' }]);
});

test('words sort and are told apart as Spanish does', async () => {
  const { db } = testDatabase();
  const { rows } = await sql<{
    palabra: string;
  }>`select palabra from unnest(array['oso', 'ñu', 'nube', 'Ábaco', 'zorro']) palabra order by palabra`.execute(db);
  expect(rows.map(({ palabra }) => palabra)).toEqual(['Ábaco', 'nube', 'ñu', 'oso', 'zorro']);
  const grams = await sql<{ n: string[] }>`select show_trgm('ñandú') as n`.execute(db);
  expect(grams.rows[0]!.n).toHaveLength(6);
});
