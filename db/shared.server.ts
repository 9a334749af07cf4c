import { env } from '~/core/env.server';
import { openDatabase, type Database, type Db } from './client.server';

let shared: Database | undefined;

/** Returns the only pool of this process, opened at the first call from DATABASE_URL. */
export function database(): Database {
  const { DATABASE_URL: url, DATABASE_URL_DIRECTA: direct, DB_POOL: max } = env();
  return (shared ??= openDatabase(url, { max, shared: direct !== '' }));
}

/** Returns kysely over the pool of this process. */
export function db(): Db {
  return database().db;
}

/** Closes the pool of this process; the next call of `database()` opens a new pool. */
export async function closeDatabase(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.close();
}
