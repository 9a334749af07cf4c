import { env } from '~/core/env.server';
import { openDatabase, type Database, type Db } from './client.server';

let shared: Database | undefined;

/** The one pool of this process, opened at first use from DATABASE_URL. */
export function database(): Database {
  return (shared ??= openDatabase(env().DATABASE_URL, { max: env().DB_POOL }));
}

export function db(): Db {
  return database().db;
}

export async function closeDatabase(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.close();
}
