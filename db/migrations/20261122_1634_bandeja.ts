import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // A notice that is being worked on; who took it and was killed has had its time.
  await sql`alter table inbox add taken_until timestamptz`.execute(db);
}
