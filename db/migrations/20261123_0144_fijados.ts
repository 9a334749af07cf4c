import { type Kysely, sql } from 'kysely';

/** Screens that a person keeps at the top of their menu, in the order in which they were pinned. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table preferencia add column fijados text[] not null default '{}'`.execute(db);
}
