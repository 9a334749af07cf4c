import { readFileSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { schemaOf } from '../../bin/lib/schema.mjs';
import { ownerDatabase } from '../support/db';

test('db/schema.sql is what the migrations leave: `npm run db:types` writes it', async () => {
  const schema = await schemaOf(
    async (statement) => (await sql.raw<object>(statement).execute(ownerDatabase().db)).rows,
  );
  const file = new URL('../../db/schema.sql', import.meta.url);
  if (process.env.ESCRIBE) writeFileSync(file, schema);
  expect(readFileSync(file, 'utf8')).toBe(schema);
});
