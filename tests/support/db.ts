import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '~db/client.server';
import { applicationUrlOf } from '~db/rights';

export type TestDatabase = Database & { url: string };

let owned: Database | undefined;

const opened: Database[] = [];
let own: TestDatabase | undefined;

/** The clone of this test file, which DATABASE_URL names too: screens and verbs called here see the same rows. */
export function testDatabase(): TestDatabase {
  const url = process.env.DATABASE_URL!;
  return (own ??= { ...openTestDatabase(url), url });
}

/** The clone as its owner sees it, who may do what the product never does: change a table, or what only ever grows. */
export function ownerDatabase(): Database {
  return (owned ??= openTestDatabase(ownerUrl(process.env.DATABASE_URL!)));
}

/** Runs `work` while nothing can read these tables: what asks for one of them fails. */
export async function withoutTables(tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const rename = async (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(ownerDatabase().db);
  for (const table of tables) await rename(table, `${table}_lejos`);
  try {
    await work();
  } finally {
    for (const table of tables) await rename(`${table}_lejos`, table);
  }
}

/** One more pool, closed when the file ends: a second process, as far as PostgreSQL can tell. */
export function openTestDatabase(
  url = process.env.DATABASE_URL!,
  options: Parameters<typeof openDatabase>[1] = {},
): Database {
  const database = openDatabase(url, options);
  opened.push(database);
  return database;
}

export async function closeTestDatabases() {
  await Promise.all(opened.splice(0).map((database) => database.close()));
  own = owned = undefined;
}

/** A fresh migrated database, by the application's account; its file drops it. */
export async function cloneDatabase(): Promise<string> {
  const name = `t${process.env.VITEST_POOL_ID ?? ''}_${randomBytes(6).toString('hex')}`;
  // As files: page by page through the log costs PostgreSQL ten times as much.
  await onCluster(`create database ${name} template ${inject('template')} strategy file_copy`);
  return applicationUrlOf(ownerUrl(`/${name}`))!;
}

/** The owner's account at the database of an address. */
export function ownerUrl(of: string): string {
  const url = new URL(inject('clusterUrl'));
  url.pathname = new URL(of, url).pathname;
  return url.href;
}

/** Processes that were killed, and pools that were closed, have so long to be gone: PostgreSQL may be in the middle of something for them. */
const LEAVE_MS = 20_000;

/** Says who is still connected when its file has ended: what every file left open would add up to more than the cluster has. */
export async function dropDatabase(url: string) {
  const name = new URL(url).pathname.slice(1);
  const left = await withCluster(async (client) => {
    const connected = async () =>
      (
        await client.query<{ name: string }>(
          'select application_name as name from pg_stat_activity where datname = $1',
          [name],
        )
      ).rows.map((row) => row.name);
    let left = await connected();
    for (const until = Date.now() + LEAVE_MS; left.length > 0 && Date.now() < until; left = await connected())
      await new Promise((resolve) => setTimeout(resolve, 20));
    await client.query(`drop database if exists ${name} with (force)`);
    return left;
  });
  if (left.length > 0) throw new Error(`the file left ${left.length} connections open: ${left.join(', ')}`);
}

const onCluster = (statement: string) => withCluster((client) => client.query(statement));

async function withCluster<T>(verb: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('clusterUrl') });
  await client.connect();
  try {
    return await verb(client);
  } finally {
    await client.end();
  }
}
