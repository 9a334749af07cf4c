/** Who else has a record open. */
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { Estoy, listPresent, notePresence, Que } from '~/platform/presencia.server';
import { buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const que = 'reclamo:019a0000-0000-7000-8000-000000000000';
let [ana, luis] = ['', ''];
beforeAll(async () => {
  ana = (await buildQuien(db, 'admin')).id;
  luis = (await buildQuien(db, 'user')).id;
});
const here = (usuarioId: string, escribe = false) => notePresence(db, { que, escribe }, usuarioId);

test('a person is told of the others, of whoever writes first, and never of themselves', async () => {
  await here(ana);
  expect(await listPresent(db, que, ana)).toEqual([]);
  expect(await listPresent(db, que, luis)).toMatchObject([{ escribe: false }]);
  await here(ana, true);
  expect(await listPresent(db, que, luis)).toMatchObject([{ escribe: true }]);
  expect(await listPresent(db, 'reclamo:otro', luis)).toEqual([]);
});

test('whoever left is gone after fifteen seconds, and leaves no row behind', async () => {
  await here(ana);
  await here(luis);
  await sql`update presencia set visto_en = now() - interval '16 seconds' where usuario_id = ${ana}`.execute(db);
  expect(await listPresent(db, que, luis)).toEqual([]);
  await here(luis);
  expect((await db.selectFrom('presencia').select('usuarioId').execute()).map(({ usuarioId }) => usuarioId)).toEqual([
    luis,
  ]);
  // Back after a pause, with the row taken away in the same statement.
  await sql`update presencia set visto_en = now() - interval '16 seconds'`.execute(db);
  await here(luis);
  expect(await listPresent(db, que, ana)).toHaveLength(1);
});

test('only a record of those that several people work on can be named', () => {
  expect(Que.safeParse(que).success).toBe(true);
  for (const other of ['usuario:1', 'reclamo:', 'reclamo:a b', `reclamo:${'x'.repeat(65)}`])
    expect(Que.safeParse(other).success, other).toBe(false);
  expect(Estoy.parse({ que, escribe: '1' })).toEqual({ que, escribe: true });
});
