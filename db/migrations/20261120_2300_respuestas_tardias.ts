import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What the far side said of a call after people had ended it: somebody has to see it.
  await sql`alter table effect add column late_evidence jsonb`.execute(db);
  await sql`create index effect_late on effect (created_at) where late_evidence is not null`.execute(db);
}
