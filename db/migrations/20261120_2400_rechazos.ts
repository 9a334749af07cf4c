import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // The home asks for the few that were refused lately, among all that were ever sent.
  await sql`create index effect_refused on effect (type, created_at) where state = 'refused'`.execute(db);
}
