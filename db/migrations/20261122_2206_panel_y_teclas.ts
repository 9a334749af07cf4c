import { sql, type Kysely } from 'kysely';

/** Each person's panel of records, narrow or wide, and whether keys of one letter do something. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table preferencia
    add column panel_ancho boolean not null default false,
    add column teclas boolean not null default true`.execute(db);
}
