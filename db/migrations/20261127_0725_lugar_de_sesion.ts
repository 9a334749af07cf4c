import { type Kysely, sql } from 'kysely';

/** Where a session was last used: place in the network and browser, which its owner recognises or closes. Null until its next use. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table sesion add column direccion text, add column navegador text`.execute(db);
}
