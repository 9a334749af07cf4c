import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Only of what ended with a no while an earlier call of it may still have been on its way: a handful at a time.
  await sql`alter table effect add column look_again_at timestamptz`.execute(db);
  await sql`create index effect_look_again on effect (look_again_at) where look_again_at is not null`.execute(db);
}
