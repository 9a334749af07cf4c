/**
 * Code of one version beside the schema of another, as it is for the minutes of an upgrade. The code of before finds what it reads in the schema of now, and what it writes is taken: versions and the few things
 * that their code never names stand in `tests/despliegue/versiones.json`, taken from their trees. The code of now waits for a schema of before.
 */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { env } from '~/core/env.server';
import { readiness } from '~/http/ready.server';
import type { Migrations } from '~db/migration';
import { migrations } from '~db/migrations/index';
import { ULTIMA_MIGRACION } from '~db/ultima';
import { reachDatabase } from '../../bin/reachDatabase';
import versiones from '../despliegue/versiones.json';
import { cloneDatabase, dropDatabase, openTestDatabase, ownerUrl, testDatabase } from '../support/db';
import { esquemasAt, lossesOf, nombreOf } from '../support/esquema';

const { db } = testDatabase();
const maker = ownerUrl('/postgres');
const esquemas = await esquemasAt(
  versiones.map(({ migracion }) => migracion),
  maker,
);

/** Losses that the code of before does not feel, each with its reason. */
const TOLERADAS: Record<string, string> = {
  'proveedor_factura has a new rule: proveedor_factura_acreditada_check':
    'nothing is credited where nobody writes it, and an amount was never less than nothing',
};

test.each(versiones)('the code of $commit finds what it reads, and what it writes is taken', async (version) => {
  const antes = esquemas.antes.get(version.migracion)!;
  const losses = await lossesOf(db, antes, esquemas.ahora, version.sinNombrar);
  expect(losses.filter((loss) => !(loss in TOLERADAS))).toEqual([]);
});

const camelOf = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

test.each(versiones)(
  'what the code of $commit never names is what its tree says',
  ({ commit, migracion, sinNombrar }) => {
    const code = ['app', 'jobs', 'db', 'bin', ':!db/migrations', ':!db/schema.sql', ':!db/types.ts'];
    const { status, stdout } = spawnSync('git', ['grep', '-ohwE', '[A-Za-z_][A-Za-z0-9_]*', commit, '--', ...code], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    // A clone may be without that commit.
    if (status !== 0) return;
    const words = new Set(stdout.split('\n'));
    const { tablas, funciones } = esquemas.antes.get(migracion)!;
    const isNamed = (name: string) => words.has(name) || words.has(camelOf(name));
    const unnamed = [
      ...funciones.map(nombreOf).filter((name) => !isNamed(name)),
      ...Object.entries(tablas).flatMap(([tabla, { columnas }]) => [
        ...(isNamed(tabla) ? [] : [tabla]),
        ...Object.keys(columnas).flatMap((columna) => (isNamed(columna) ? [] : [`${tabla}.${columna}`])),
      ]),
    ];
    expect([...new Set(unnamed)].toSorted()).toEqual(sinNombrar);
  },
);

const BEFORE = [
  `create table orden (id int primary key, total int not null default 0, nota text, estado text check (estado in ('a', 'b')), sobra int)`,
  'create table vieja (id int)',
  'create function suma(a int, b int) returns int language sql return a + b',
];

test.each([
  ['alter table orden drop column nota', ['orden.nota is gone']],
  ['alter table orden rename column nota to notas', ['orden.nota is gone']],
  ['alter table orden drop column sobra', []],
  ['alter table orden rename to venta', ['orden is gone']],
  ['drop table vieja', ['vieja is gone']],
  ['drop function suma(int, int)', ['suma(a integer, b integer) is gone']],
  ['alter table orden alter column nota type varchar(9)', ['orden.nota was text and is character varying(9)']],
  ['alter table orden alter column nota set not null', ['orden.nota takes no null any more']],
  ['alter table orden alter column total drop default', ['orden.total has no value of its own any more']],
  ['alter table orden add column nueva int not null', ['orden.nueva is new, and nothing fills it']],
  ['alter table orden add column nueva int not null default 1', []],
  ['alter table orden add column nueva int check (nueva > 0)', []],
  ['alter table orden add column nueva int check (nueva is not null)', ['orden has a new rule: orden_nueva_check']],
  ['alter table orden add column nueva int default 0 check (nueva > 0)', ['orden has a new rule: orden_nueva_check']],
  ['alter table orden add constraint corta check (length(nota) < 9)', ['orden has a new rule: corta']],
  [
    `alter table orden drop constraint orden_estado_check, add constraint orden_estado_check check (estado in ('a', 'b', 'c'))`,
    [],
  ],
  [
    `alter table orden drop constraint orden_estado_check, add constraint orden_estado_check check (estado in ('a', 'c'))`,
    ['orden has a new rule: orden_estado_check'],
  ],
])('what a version would miss is found: %s', async (statement, losses) => {
  const tree: Migrations = {
    '1': { up: async (trx) => void (await sql.raw(BEFORE.join(';')).execute(trx)) },
    '2': { up: async (trx) => void (await sql.raw(statement).execute(trx)) },
  };
  const { antes, ahora } = await esquemasAt(['1'], maker, tree);
  expect(await lossesOf(db, antes.get('1')!, ahora, ['orden.sobra'])).toEqual(losses);
});

test('code that is ahead of its schema takes nothing: a worker waits and a web is not ready until npm run migrate', async () => {
  expect(ULTIMA_MIGRACION, 'npm run db:types').toBe(Object.keys(migrations).toSorted().at(-1));
  const url = await cloneDatabase();
  const owner = openTestDatabase(ownerUrl(url));
  const { rows } = await sql<{ name: string; timestamp: string }>`
    delete from kysely_migration where name = ${ULTIMA_MIGRACION} returning name, timestamp`.execute(owner.db);

  let reached = false;
  const reaching = reachDatabase({ ...env(), DATABASE_URL: url, DATABASE_URL_DIRECTA: '' }).then(
    () => (reached = true),
  );
  const web = openTestDatabase(url);
  const server = express()
    .use(readiness({ leaving: false }, () => web.db))
    .listen(0);
  const listo = async () => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/healthcheck/listo`);
    return [answer.status, await answer.json()];
  };
  const late = [503, { listo: false, motivo: 'a la base de datos le falta npm run migrate' }];
  expect(await listo()).toEqual(late);
  await sleep(1_500);
  expect(reached).toBe(false);

  await sql`insert into kysely_migration values (${rows[0]!.name}, ${rows[0]!.timestamp})`.execute(owner.db);
  await reaching;
  expect(await listo()).toEqual([200, { listo: true }]);
  server.close();
  await web.close();
  await owner.close();
  await dropDatabase(url);
});
