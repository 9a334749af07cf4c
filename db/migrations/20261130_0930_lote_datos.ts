import { type Kysely, sql } from 'kysely';

/** What a person said for all rows of a prepared batch: the text of an answer. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table lote add column datos jsonb`.execute(db);
}
