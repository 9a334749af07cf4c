import { sql } from 'kysely';
import type { Db } from './client.server';
import { ULTIMA_MIGRACION } from './ultima';

/** SQLSTATE of a database without migrations, and of one whose migrator has not given the account its rights yet. */
const NOT_YET: ReadonlySet<string> = new Set(['42P01', '42501']);

/** Whether a database was brought to this version. One that is ahead of it was; a database that is away throws. */
export async function isMigrated(db: Db, ultima = ULTIMA_MIGRACION): Promise<boolean> {
  try {
    const { rows } = await sql<{ esta: boolean }>`
      select exists (select from kysely_migration where name = ${ultima}) as esta`.execute(db);
    return rows[0]!.esta;
  } catch (error) {
    if (NOT_YET.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}
