import { type Kysely, sql } from 'kysely';

type Asked = {
  /**
   * Says in Spanish what of the data a job has not carried yet, as the end of a sentence; null when all of it is. The migration runs only then, and asks in the same transaction. A
   * migration that takes away what a job still reads has this question.
   */
  requires?(db: Kysely<unknown>): Promise<string | null>;
};

/** An index: its table with columns and conditions, as they stand behind `on`. */
export type Indice = { on: string; unique?: true };

/** A module of `db/migrations`. CONTRIBUTING.md ('Add a migration') says when each part is needed. */
export type Migration =
  | (Asked & { up(db: Kysely<unknown>): Promise<void> })
  /** Indexes by their names, which are made outside a transaction while everybody goes on writing. */
  | (Asked & { concurrently: Readonly<Record<string, Indice>> });

/** Migrations by their names, which sort as they run. */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Makes indexes while everybody goes on writing; runs outside a transaction. A run that was cut or failed leaves an index that PostgreSQL keeps up and never reads. The next run
 * removes that one and makes it anew. An index that is whole stays.
 */
export async function createConcurrently(db: Kysely<unknown>, indexes: Readonly<Record<string, Indice>>) {
  for (const [name, { on, unique }] of Object.entries(indexes)) {
    const { rows } = await sql<{ whole: boolean }>`
      select indisvalid as whole from pg_index where indexrelid = to_regclass(${name})`.execute(db);
    if (rows[0]?.whole) continue;
    if (rows[0]) await sql`drop index concurrently ${sql.table(name)}`.execute(db);
    const kind = sql.raw(unique ? 'unique index' : 'index');
    await sql`create ${kind} concurrently ${sql.table(name)} on ${sql.raw(on)}`.execute(db);
  }
}
