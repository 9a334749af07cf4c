import { type Kysely, sql } from 'kysely';

/** Whether the marketplace moves the price of a listing by a rule of its own. The next reading of each listing tells. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table publicacion add column precio_ajeno boolean not null default false`.execute(db);
}
