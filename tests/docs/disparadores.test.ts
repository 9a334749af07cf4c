import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/db';

const names = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);

/** 'trigger on table' for each row of the table in ARCHITECTURE.md. */
function named(): string[] {
  const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const section = page.slice(page.indexOf('\n## Triggers'));
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, triggers, table] = line.split('|');
      return names(triggers!).map((trigger) => `${trigger} on ${names(table!).join()}`);
    });
}

test('ARCHITECTURE.md names each living trigger with its table, and none that is gone', async () => {
  const { rows } = await sql<{ name: string }>`
    select g.tgname || ' on ' || c.relname as name from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where not g.tgisinternal and c.relnamespace = 'public'::regnamespace`.execute(testDatabase().db);
  expect(named().sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('a trigger of the three drawings is one of the table', () => {
  const page = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const drawn = [...page.matchAll(/-\. trigger ([\w, ]+?) \.->/g)].flatMap(([, list]) => list!.split(', '));
  const known = new Set(named().map((one) => one.split(' on ')[0]));
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.filter((one) => !known.has(one))).toEqual([]);
});
