import { sql, type Kysely } from 'kysely';

/** An activation belongs to the session that began it, and goes with it. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table oauth_state add column sesion_hash bytea references sesion (token_hash) on delete cascade`.execute(
    db,
  );
  await sql`create index oauth_state_by_sesion on oauth_state (sesion_hash)`.execute(db);
}
