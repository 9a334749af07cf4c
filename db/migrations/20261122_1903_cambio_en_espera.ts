import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Which change of a sale waits here, by the row of the listing that announced it: a sweep that meets the same row again leaves it to its wait.
  await sql`alter table inbox add column cambio_en timestamptz`.execute(db);
}
