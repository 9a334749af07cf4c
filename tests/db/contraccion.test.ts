/**
 * Migrations that landed after the last version that an upgrade is drilled from: the code of that version runs on beside them while webs and workers are rolled, so they only add. What is taken away goes
 * in a migration of the version after.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Migrations } from '~db/migration';
import { migrations } from '~db/migrations/index';
import { statementsIn } from '~db/reviewMigrations';
import { sql } from 'kysely';
import versiones from '../despliegue/versiones.json';
import { contractionOf, contractionsSince } from '../support/contracciones';
import { ownerUrl } from '../support/db';

/** Migrations that take something away, each with the reason why the version before does not miss it. One leaves when a later version is listed in `versiones.json`. */
const PERMITIDAS: Record<string, string> = {};

const maker = () => ownerUrl('/postgres');

test('no migration takes anything from the code of the version before', async () => {
  const { migracion: last } = versiones.at(-1)!;
  const found = await contractionsSince(last, maker());
  expect(found.filter(({ migracion }) => !(migracion in PERMITIDAS))).toEqual([]);
  const gone = Object.keys(PERMITIDAS).filter((name) => !found.some(({ migracion }) => migracion === name));
  expect(gone, 'an exception that nothing needs').toEqual([]);
});

test('each version that an upgrade is drilled from has its newest migration beside it', () => {
  const names = Object.keys(migrations).toSorted();
  expect(versiones.map(({ migracion }) => migracion).filter((name) => !names.includes(name))).toEqual([]);
  expect(versiones.map(({ migracion }) => migracion).toSorted()).toEqual(versiones.map(({ migracion }) => migracion));
  for (const { commit, migracion } of versiones) {
    const { status, stdout } = spawnSync('git', ['show', `${commit}:db/migrations/index.ts`], { encoding: 'utf8' });
    // A clone may be without that commit.
    if (status === 0)
      expect(
        [...stdout.matchAll(/^ {2}'(\w+)':/gm)]
          .map(([, name]) => name)
          .toSorted()
          .at(-1),
      ).toBe(migracion);
  }
});

test.each([
  ['alter table orden rename column total to suma', 'orden'],
  ['alter table orden rename to venta', 'orden'],
  ['alter table orden add column a int, drop column total', 'orden'],
  ['alter table orden drop total', 'orden'],
  ['alter table orden drop constraint orden_total_check', null],
  ['alter table orden alter column total drop not null', null],
  ['alter table orden alter column total drop default', 'orden'],
  ['drop table if exists orden', 'orden'],
  ['drop view orden_activa', 'orden_activa'],
  ['drop function libro_asentar(uuid[])', 'libro_asentar'],
  ['drop index orden_by_total', null],
  ['alter table orden alter column total type numeric(20, 2)', 'orden'],
  ['alter table orden alter column total set not null', 'orden'],
  ['alter table orden add constraint x check (total is not null) not valid', 'orden'],
  ['alter table orden add constraint x check (total is not null or neto is null) not valid', null],
  ['alter table orden add column nota text', null],
  ["alter table orden add column nota text not null default ''", null],
  ['alter table orden add column nota text not null', 'orden'],
  ['alter table orden add column a text, add column nota text not null check (nota <> $$)$$)', 'orden'],
  ['alter table orden add column doble numeric not null generated always as (total * 2) stored', null],
  ['create table otra (id int not null)', null],
])('what the version before could not live with is known: %s', (statement, tabla) => {
  expect(contractionOf(statement)?.tabla ?? null).toBe(tabla);
});

test('statements of one text are judged one by one', () => {
  const text = `
    -- a remark; with its mark
    alter table a add column b text default ';';
    create function f() returns void language plpgsql as $x$ begin drop table a; end $x$;
    drop table c`;
  expect(statementsIn(text).map((statement) => contractionOf(statement)?.tabla ?? null)).toEqual([null, null, 'c']);
});

test('what they make themselves is theirs to change, and a validated rule may become a not null', async () => {
  const step = (...statements: string[]): Migrations[string] => ({
    async up(trx) {
      for (const statement of statements) await sql.raw(statement).execute(trx);
    },
  });
  const tree: Migrations = {
    '1_antes': step(
      'create table orden (id int, total int, neto int, iva int, viejo int)',
      'alter table orden add constraint total_dicho check (total is not null) not valid',
      'alter table orden validate constraint total_dicho',
      'alter table orden add constraint iva_dicho check (iva is not null) not valid',
    ),
    '2_suma': step('alter table orden add column nuevo int', 'create table otra (id int)', 'drop table otra'),
    '3_prueba': step('alter table orden alter column total set not null'),
    '4_iva': step('alter table orden validate constraint iva_dicho', 'alter table orden alter column iva set not null'),
    '5_neto': step('alter table orden alter column neto set not null'),
    '6_quita': step('alter table orden drop column viejo; alter table orden rename column neto to limpio'),
  };
  const found = await contractionsSince('1_antes', maker(), tree);
  expect(found.map(({ migracion }) => migracion)).toEqual(['4_iva', '5_neto', '6_quita', '6_quita']);
});
