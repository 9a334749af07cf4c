import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What people were told of an effect that landed late, so that later looks tell only of what is new.
  await sql`alter table effect add column late_seen text[] not null default '{}'`.execute(db);
}
