import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { startEmbedded } from '~db/embedded';
import { migrateDatabase } from '~db/migrate';
import { applicationUrlOf } from '~db/rights';
import { openTestDatabase, ownerDatabase, ownerUrl, testDatabase } from '../support/db';

const folder = mkdtempSync(join(tmpdir(), 'trastienda-derechos-'));
chmodSync(folder, 0o755);
const cluster = await startEmbedded({ folder, durable: false });
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a statement is refused with, by the code of PostgreSQL, or that it ran. */
async function tell(url: string, statement: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
    return 'hecho';
  } catch (error) {
    return (error as pg.DatabaseError).code ?? String(error);
  } finally {
    await client.end();
  }
}
const DENIED = '42501';

test('the application reads and writes rows, and can do nothing else', async () => {
  const { url } = testDatabase();
  const denied = [
    'create table mia (n integer)',
    'create schema mio',
    'alter table orden add column otra text',
    'drop table orden',
    'truncate orden',
    'create role otra',
    `alter role ${new URL(url).username} superuser`,
    `set role ${new URL(ownerUrl(url)).username}`,
    'set session_replication_role = replica',
    `set log_min_messages = 'debug5'`,
    `select pg_read_file('postgresql.conf')`,
    `copy (select 1) to program 'true'`,
    'alter table effect disable trigger user',
    'update bitacora set accion = accion',
    'delete from effect_attempt',
    'insert into kysely_migration values (1, 2)',
    'delete from graphile_worker.migrations',
  ];
  for (const statement of denied) expect([statement, await tell(url, statement)]).toEqual([statement, DENIED]);
  const allowed = [
    'select count(*) from bitacora',
    `insert into bitacora (entidad, entidad_id, accion) values ('x', '1', 'x')`,
    'delete from rate_limit',
    'update usuario set nombre = nombre',
    'create temp table suya (n integer)',
    `select graphile_worker.add_job('effect.sweep', '{}')`,
    'select purgar_evidencia(4000)',
  ];
  for (const statement of allowed) expect([statement, await tell(url, statement)]).toEqual([statement, 'hecho']);
});

test('every table there is has its rights, the ones of the queue too, and the jobs in it are seen', async () => {
  const { db } = testDatabase();
  const { rows } = await sql<{ name: string; rights: string }>`
    select c.oid::regclass::text as name, string_agg(word, ' ' order by place) as rights
    from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) with ordinality as one (word, place)
    where c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and c.relkind in ('r', 'v', 'p', 'm') and has_table_privilege(c.oid, word)
    group by 1`.execute(db);
  const others = Object.fromEntries(
    rows.filter(({ rights }) => rights !== 'SELECT INSERT UPDATE DELETE').map(({ name, rights }) => [name, rights]),
  );
  expect(others).toEqual({
    asiento: 'SELECT INSERT',
    bitacora: 'SELECT INSERT',
    costo_propio: 'SELECT INSERT',
    costo_visto: 'SELECT INSERT',
    decision_devuelta: 'SELECT INSERT',
    effect_attempt: 'SELECT INSERT',
    stock_movimiento: 'SELECT INSERT',
    kysely_migration: 'SELECT',
    kysely_migration_lock: 'SELECT',
    'graphile_worker.migrations': 'SELECT',
  });
  expect(rows.length).toBeGreaterThan(50);
  const cuentaDuena = CONDICIONES.find(({ clave }) => clave === 'cuentaDuena')!;
  expect(await cuentaDuena.mira(db)).toBeNull();
  expect((await cuentaDuena.mira(ownerDatabase().db))?.texto).toContain('cuenta dueña');
  const jobs = await sql<{ n: number }>`select count(*)::int as n from graphile_worker._private_jobs`.execute(db);
  const all = await sql<{ n: number }>`select count(*)::int as n from graphile_worker._private_jobs`.execute(
    ownerDatabase().db,
  );
  expect(jobs.rows[0]!.n).toBe(all.rows[0]!.n);
  expect(jobs.rows[0]!.n).toBeGreaterThan(0);
});

test('a database from before has its application account at the next start, and one start later nothing is left to give', async () => {
  const owner = await cluster.ensureDatabase('deantes');
  await migrateDatabase(owner);
  const before = new pg.Client(owner);
  await before.connect();
  // As it was: one account, and a table that came since.
  await before.query('drop owned by trastienda_app; create table nueva (n integer)');
  const { url, warning } = await migrateDatabase(owner);
  expect([url, warning]).toEqual([applicationUrlOf(owner), undefined]);
  expect(await tell(url, 'insert into nueva values (1)')).toBe('hecho');
  expect(await tell(url, 'delete from bitacora')).toBe(DENIED);
  const acl = () =>
    before.query(`select string_agg(relacl::text, ' ' order by oid) || max(xmin::text::bigint) as acl from pg_class`);
  const first = await acl();
  await Promise.all([migrateDatabase(owner), migrateDatabase(owner)]);
  expect((await acl()).rows).toEqual(first.rows);
  await before.end();
});

test('whose account may not make another goes on alone and is told; an account of one’s own choice is given its rights or refused', async () => {
  const admin = cluster.urlOf('postgres');
  expect(await tell(admin, `create role modesta login password 'una clave'`)).toBe('hecho');
  expect(await tell(admin, 'create database propia owner modesta')).toBe('hecho');
  const owner = new URL(cluster.urlOf('propia'));
  [owner.username, owner.password] = ['modesta', 'una%20clave'];

  const alone = await migrateDatabase(owner.href);
  expect(alone).toMatchObject({
    url: owner.href,
    warning: 'la base se usa con su cuenta dueña, que no puede crear la cuenta modesta_app',
  });
  expect(await tell(admin, `create role elegida login password 'otra'`)).toBe('hecho');
  const chosen = new URL(owner);
  [chosen.username, chosen.password] = ['elegida', 'otra'];
  expect(await migrateDatabase(owner.href, chosen.href)).toEqual({ applied: [], url: chosen.href });
  expect(await tell(chosen.href, 'delete from rate_limit')).toBe('hecho');
  expect(await tell(chosen.href, 'delete from bitacora')).toBe(DENIED);

  await tell(admin, 'grant modesta to elegida');
  await expect(migrateDatabase(owner.href, chosen.href)).rejects.toThrow('elegida es dueña de las tablas');
  await expect(migrateDatabase(owner.href, owner.href)).rejects.toThrow('la misma cuenta');
  owner.password = '';
  expect(applicationUrlOf(owner.href)).toBeUndefined();
});

test('what a row holds and what somebody typed is in no file of the server, whichever statement failed', async () => {
  const { url } = await migrateDatabase(await cluster.ensureDatabase('discreta'));
  const { db, close } = openTestDatabase(url);
  const person = { usuario: 'secretisima', nombre: 'SECRETA', apellidos: 'RESERVADA', email: 'oculta@ejemplo.mx' };
  const add = () =>
    db
      .insertInto('usuario')
      .values({ ...person, rol: 'sa', passwordHash: 'x' })
      .execute();
  await add();
  await expect(add()).rejects.toThrow('usuario_by_login');
  await expect(
    db
      .updateTable('usuario')
      .set({ rol: 'secretisimo' as never })
      .execute(),
  ).rejects.toThrow('check');
  await expect(sql`select ${'SECRETA'}::uuid`.execute(db)).rejects.toThrow('uuid');
  await expect(sql`select ${'RESERVADA'}::timestamptz`.execute(db)).rejects.toThrow('timestamp');
  await expect(sql.raw(`select 'oculta@ejemplo.mx'::integer`).execute(db)).rejects.toThrow('integer');
  await expect(sql.raw(`select secretisima`).execute(db)).rejects.toThrow('does not exist');
  await close();
  const kept = readFileSync(cluster.logFile, 'utf8');
  expect(kept).toContain('ready to accept connections');
  expect(kept).not.toMatch(/secret|reservada|oculta/i);
});
