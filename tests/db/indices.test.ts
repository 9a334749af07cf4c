/** Indexes that a migration makes while everybody goes on writing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { migrateDatabase } from '~db/migrate';
import type { Migrations } from '~db/migration';
import { migrations } from '~db/migrations/index';
import { linesOf } from '../../bin/tellRevision';
import { reviewMigrations } from '~db/reviewMigrations';
import { openTestDatabase, ownerDatabase, ownerUrl, testDatabase } from '../support/db';

const NAME = '99990101_0000_indice';
const later: Migrations = { [NAME]: { concurrently: { anotado_by_valor: { on: 'anotado (valor)', unique: true } } } };
const tree = { ...migrations, ...later };
const url = ownerUrl(testDatabase().url);
const { db } = ownerDatabase();
const migrate = (patience = {}) =>
  migrateDatabase(url, undefined, { lockMs: 200, tries: 2, pauseMs: 10, concurrentMs: 30_000, ...patience }, tree);

beforeEach(async () => {
  await sql`delete from kysely_migration where name >= ${NAME}`.execute(db);
  await sql`drop table if exists anotado`.execute(db);
  await sql`create table anotado (valor int not null)`.execute(db);
  await sql`insert into anotado select generate_series(1, 1000)`.execute(db);
});

/** `true` for an index that queries may use, `false` for what a try left behind. */
const isWhole = async () =>
  (
    await sql<{ whole: boolean }>`
      select indisvalid as whole from pg_index where indexrelid = to_regclass('anotado_by_valor')`.execute(db)
  ).rows[0]?.whole;

/** Runs the work while a transaction has written to the table and goes on. */
async function whileSomebodyWrites(work: () => Promise<void>) {
  const { db: other } = openTestDatabase(url);
  await other.transaction().execute(async (trx) => {
    await sql`insert into anotado values (-1)`.execute(trx);
    await work();
  });
}

test('an index is made while people write, and waits longer than anybody waits for it', async () => {
  let migrating: ReturnType<typeof migrate> | undefined;
  await whileSomebodyWrites(async () => {
    migrating = migrate();
    const deadline = Date.now() + 10_000;
    while ((await isWhole()) === undefined && Date.now() < deadline) await sleep(20);
    const before = Date.now();
    await sql`insert into anotado values (-2)`.execute(db);
    expect(Date.now() - before).toBeLessThan(1_000);
    // Twice what any other migration waits for a table.
    await sleep(400);
    expect(await isWhole()).toBe(false);
  });
  expect((await migrating!).applied).toEqual([NAME]);
  expect(await isWhole()).toBe(true);
  expect((await migrate()).applied).toEqual([]);
});

test('what a try left half made is removed, and the index made anew', async () => {
  await sql`insert into anotado values (7)`.execute(db);
  await expect(migrate()).rejects.toThrow(new RegExp(`la migración ${NAME} falló: could not create unique index`));
  expect(await isWhole()).toBe(false);
  await sql`delete from anotado where valor = 7`.execute(db);
  expect((await migrate()).applied).toEqual([NAME]);
  expect(await isWhole()).toBe(true);
});

test('somebody who writes for ever does not hold the migration for ever', async () => {
  await whileSomebodyWrites(async () => {
    await expect(migrate({ concurrentMs: 100 })).rejects.toThrow(/lock timeout/);
  });
  expect((await migrate()).applied).toEqual([NAME]);
  expect(await isWhole()).toBe(true);
});

test('a second migrator that waits for its turn does not hold the index of the first', async () => {
  const both = await Promise.all([
    migrate({ concurrentMs: 3_000, tries: 1 }),
    migrate({ concurrentMs: 3_000, tries: 1 }),
  ]);
  expect(both.map(({ applied }) => applied).toSorted()).toEqual([[], [NAME]]);
});

test('an index that a run made before it was cut stays', async () => {
  await sql`create unique index anotado_by_valor on anotado (valor)`.execute(db);
  const waited: string[] = [];
  const despues: Migrations[string] = {
    async up(trx) {
      const { rows } = await sql<{ ms: string }>`select current_setting('lock_timeout') as ms`.execute(trx);
      waited.push(rows[0]!.ms);
    },
  };
  const patience = { lockMs: 200, tries: 1, pauseMs: 10 };
  const { applied } = await migrateDatabase(url, undefined, patience, { ...tree, '99990101_0001_despues': despues });
  expect(applied).toEqual([NAME, '99990101_0001_despues']);
  // What follows waits no longer than any other migration.
  expect(waited).toEqual(['200ms']);
});

test('a review tells of the index, and that it holds nobody up', async () => {
  const own: Migrations = {
    '99990101_0000_anotado': { up: async (trx) => void (await sql`create table anotado (valor int)`.execute(trx)) },
    ...{ '99990101_0001_indice': later[NAME]! },
  };
  expect(linesOf(await reviewMigrations(url, url, own))).toEqual([
    '99990101_0000_anotado: crea la tabla «anotado». No detiene a nadie.',
    '99990101_0001_indice: hace el índice «anotado_by_valor» de «anotado» mientras se sigue escribiendo. No detiene a nadie.',
  ]);
});
