import { type Kysely, sql } from 'kysely';

/** The request in which a write to a far side was accepted, so that its lines in the log are found from the page. Null for what the clock began. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table effect add column peticion text`.execute(db);
}
