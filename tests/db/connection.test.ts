import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { askLeave } from '~/platform/connections/breaker.server';
import { isPaused } from '~/platform/connections/pause.server';
import { up } from '~db/migrations/20261122_1335_connection';
import { ownerDatabase } from '../support/db';

const { db } = ownerDatabase();

test('an installation keeps its pauses and the problems of its accounts when the states of its far sides move', async () => {
  // As the tables were before.
  await sql`drop table connection_breaker, connection`.execute(db);
  await sql`create table connection_state (connection text primary key, failures integer not null default 0, open_until timestamptz, account_problem text,
    tokens double precision not null default 0, refilled_at timestamptz not null default now(), last_ok_at timestamptz, last_error_at timestamptz,
    last_error text, paused_at timestamptz)`.execute(db);
  await sql`alter table empresa add constraint empresa_conexion_check check (conexion in ('mercadolibre', 'facturacom'))`.execute(
    db,
  );
  await sql`alter table credential add constraint credential_connection_check check (connection in ('mercadolibre', 'facturacom'))`.execute(
    db,
  );
  await sql`insert into connection_state (connection, failures, open_until, account_problem, last_error, last_error_at, last_ok_at, paused_at, tokens) values
    ('mercadolibre', 0, null, null, null, null, '2026-11-01', '2026-11-02', 3),
    ('facturacom', 7, now() + interval '4 minutes', 'llaves no reconocidas', 'llaves no reconocidas', '2026-11-03', null, null, 20),
    ('correo', 9, now() + interval '5 minutes', null, 'no contesta', '2026-11-04', null, null, 40)`.execute(db);

  await up(db as unknown as Kysely<unknown>);

  expect(await isPaused(db, 'mercadolibre')).toBe(true);
  expect(await isPaused(db, 'facturacom')).toBe(false);
  expect(await askLeave(db, 'mercadolibre', 'send')).toMatchObject({ given: false, paused: true });
  expect(await askLeave(db, 'facturacom', 'look')).toMatchObject({ given: false, why: 'la cuenta tiene un problema' });
  expect(await askLeave(db, 'correo', 'send')).toEqual({ given: true, trial: false });
  const known = await db
    .selectFrom('connectionBreaker')
    .select(['kind', 'call', 'lastError', 'openings'])
    .orderBy('kind')
    .execute();
  expect(known).toEqual([
    { kind: 'correo', call: 'send', lastError: 'no contesta', openings: 0 },
    { kind: 'facturacom', call: 'send', lastError: 'llaves no reconocidas', openings: 0 },
    { kind: 'mercadolibre', call: 'send', lastError: null, openings: 0 },
  ]);
});
