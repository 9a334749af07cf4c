import { randomBytes } from 'node:crypto';
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

export async function dropDatabase(url: string) {
  await onCluster(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

async function onCluster(statement: string) {
  const client = new pg.Client({ connectionString: inject('clusterUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
