import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrateDatabase } from '~db/migrate';
import { enqueue } from '~db/queue/catalog.server';
import { testDatabase } from '../support/db';

test('a clone has our tables and the queue, and a second migration finds nothing to do', async () => {
  const { db, url } = testDatabase();
  expect(await db.selectFrom('usuario').selectAll().execute()).toEqual([]);
  const both = await Promise.all([migrateDatabase(url), migrateDatabase(url)]);
  expect(both.map(({ applied }) => applied)).toEqual([[], []]);
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
