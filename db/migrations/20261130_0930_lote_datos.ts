import { type Kysely, sql } from 'kysely';

/** What a person says once for all rows of a prepared batch; null for an act that asks nothing but the question. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table lote add column datos jsonb`.execute(db);
}
