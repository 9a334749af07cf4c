import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { handIn } from '../../../app/domain/operacion/handIn.server';
import { openDatabase, type Db } from '../../../db/client.server';

// What a story arranges goes through the product, and so needs the far sides as any process does.
handIn();

/** The database of the launcher under test. */
export async function withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const { databaseUrl } = JSON.parse(readFileSync(join(process.env.E2E_DATA_DIR!, 'run.json'), 'utf8')) as {
    databaseUrl: string;
  };
  const { db, close } = openDatabase(databaseUrl, { max: 2, statementTimeoutMs: 120_000 });
  try {
    return await work(db);
  } finally {
    await close();
  }
}
