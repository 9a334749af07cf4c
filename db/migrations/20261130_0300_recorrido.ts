import { type Kysely, sql } from 'kysely';

/** Whether a person still wants to see the tour of the demo on 'Hoy'. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table preferencia add column recorrido boolean not null default true`.execute(db);
}
