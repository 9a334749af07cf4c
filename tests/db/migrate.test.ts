import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrateDatabase } from '~db/migrate';
import type { Migrations } from '~db/migration';
import { migrations } from '~db/migrations/index';
import { actOf, blockOf, reviewMigrations } from '~db/reviewMigrations';
import { linesOf } from '../../bin/tellRevision';
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

const PATIENCE = { lockMs: 500, tries: 3, pauseMs: 50 };
const namesIn = async (db: ReturnType<typeof ownerDatabase>['db']) =>
  (await sql<{ name: string }>`select name from kysely_migration order by 1`.execute(db)).rows.map(({ name }) => name);

test('a run that died half way is given again, and ends as one that never died', async () => {
  const { db } = ownerDatabase();
  await sql`create database a_medias`.execute(db);
  const url = ownerUrl('/a_medias');
  const { pool } = openTestDatabase(url);
  const done = () =>
    pool
      .query<{ count: number }>('select count(*)::int as count from kysely_migration')
      .then(({ rows }) => rows[0]!.count)
      .catch(() => 0);
  const dying = migrateDatabase(url).then(
    () => 'whole',
    () => 'died',
  );
  await expect.poll(done, { interval: 5, timeout: 20_000 }).toBeGreaterThan(20);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'a_medias' and application_name = 'trastienda-migrate'`.execute(
    db,
  );
  expect(await dying).toBe('died');
  const stood = await done();
  const { applied, url: application } = await migrateDatabase(url);
  expect(stood + applied.length).toBe(Object.keys(migrations).length);
  const web = openTestDatabase(application);
  expect(await web.db.selectFrom('usuario').selectAll().execute()).toEqual([]);
  await enqueue(web.db, 'effect.sweep', {});
  await web.close();
  await pool.end();
  await sql`drop database a_medias with (force)`.execute(db);
});

test('a migration that takes away what a job still carries waits, says so and changes nothing', async () => {
  const { db } = ownerDatabase();
  const url = ownerUrl(testDatabase().url);
  const later: Migrations = {
    '99990101_0000_lleva': {
      async up(trx) {
        await sql`create table llevada (id int primary key, suma_vieja int, suma int)`.execute(trx);
        await sql`insert into llevada values (1, 5, null), (2, 6, 6)`.execute(trx);
      },
    },
    '99990101_0001_quita': {
      async requires(trx) {
        const { rows } = await sql<{ faltan: number }>`
          select count(*)::int as faltan from llevada where suma is null`.execute(trx);
        return rows[0]!.faltan === 0 ? null : `faltan ${rows[0]!.faltan} filas de «llevada» por llevar`;
      },
      async up(trx) {
        await sql`alter table llevada drop column suma_vieja`.execute(trx);
      },
    },
  };
  const tree = { ...migrations, ...later };
  expect((await reviewMigrations(url, url, later)).esperas).toEqual([
    { migracion: '99990101_0001_quita', que: 'se sabrá cuando estén las anteriores' },
  ]);
  const says =
    'La migración 99990101_0001_quita espera y no cambió nada: faltan 1 filas de «llevada» por llevar. Deja trabajar al worker de la versión anterior hasta que termine y repite la orden.';
  await expect(migrateDatabase(url, undefined, PATIENCE, tree)).rejects.toThrow(says);
  // What came before it stands, and the application may use it.
  expect((await namesIn(db)).at(-1)).toBe('99990101_0000_lleva');
  expect(
    (await sql`select id, suma_vieja, suma from llevada order by id`.execute(testDatabase().db)).rows,
  ).toHaveLength(2);
  const { esperas, pendientes } = await reviewMigrations(url, url, later);
  expect(pendientes).toEqual(['99990101_0001_quita']);
  expect(esperas).toEqual([{ migracion: '99990101_0001_quita', que: 'faltan 1 filas de «llevada» por llevar' }]);

  await sql`update llevada set suma = suma_vieja where suma is null`.execute(db);
  expect((await reviewMigrations(url, url, later)).esperas).toEqual([]);
  expect((await migrateDatabase(url, undefined, PATIENCE, tree)).applied).toEqual(['99990101_0001_quita']);
  await forgetLater();
});

/** Leaves the database at this version. */
async function forgetLater() {
  await sql`delete from kysely_migration where name like '9999%'`.execute(ownerDatabase().db);
  await sql`drop table if exists llevada`.execute(ownerDatabase().db);
}

test.each([
  ['create table if not exists nueva (id int)', 'crea la tabla «nueva»'],
  ['create unique index x on only orden (id)', 'hace el índice «x» de «orden»'],
  ['create index concurrently "x" on orden (id)', 'hace el índice «x» de «orden» mientras se sigue escribiendo'],
  ['alter table orden add column nota text', 'cambia la tabla «orden»'],
  ['drop function if exists vieja(int)', 'quita «vieja»'],
  ['update orden set total = 0', 'cambia filas de «orden»'],
  ['create or replace function x() returns void language sql as $$ select 1 $$', 'escribe la función «x»'],
  ['create trigger x after update on orden for each row execute function x()', 'pone el disparador «x»'],
  ['select 1', null],
])('a review tells what is done: %s', (statement, words) => {
  expect(actOf(statement)).toBe(words);
});

test('each pending migration is one line: what it does, what it holds up, what it waits for', () => {
  const revision = {
    pendientes: ['1_a', '2_b', '3_c'],
    pasos: [
      { migracion: '1_a', hace: ['crea la tabla «a»', 'dos', 'tres', 'cuatro', 'cinco'] },
      { migracion: '2_b', hace: ['cambia la tabla «b»'] },
      { migracion: '3_c', hace: [] },
    ],
    bloqueos: [{ migracion: '2_b', tabla: 'b', filas: 1_200, que: 'La tabla se reescribe.' }],
    esperas: [{ migracion: '2_b', que: 'faltan 3 filas' }],
  };
  expect(linesOf(revision)).toEqual([
    '1_a: crea la tabla «a», dos, tres, cuatro y 1 cosas más. No detiene a nadie.',
    '2_b: cambia la tabla «b». Detiene «b» (unas 1,200 filas). La tabla se reescribe. Espera y no cambiaría nada: faltan 3 filas.',
    '3_c: prepara la base. No detiene a nadie.',
  ]);
  expect(linesOf({ ...revision, pasos: [] })).toEqual(['Base sin tablas: se hacen con 3 migraciones.']);
});

test('a review runs what is pending elsewhere, and changes nothing', async () => {
  const { db } = ownerDatabase();
  const url = ownerUrl(testDatabase().url);
  expect(await reviewMigrations(url)).toEqual({ pendientes: [], pasos: [], bloqueos: [], esperas: [] });
  const names = async () =>
    (await sql<{ name: string }>`select name from kysely_migration order by 1`.execute(db)).rows;
  await sql`delete from kysely_migration where name >= '20261128_1100'`.execute(db);
  const before = await names();
  const revision = await reviewMigrations(url);
  const { pendientes, bloqueos } = revision;
  expect(linesOf(revision)).toHaveLength(pendientes.length);
  expect(linesOf(revision)[0]).toMatch(/^20261128_1100_libro: .*crea la tabla «asiento».*Detiene «libro_venta»/);
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
