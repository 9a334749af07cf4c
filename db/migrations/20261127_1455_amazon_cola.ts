import { type Kysely, sql } from 'kysely';

/** The queue at which Amazon leaves its notices of sales, by account: how it was read last, and whether Amazon was asked to write to it. */
export async function up(db: Kysely<unknown>) {
  await sql`create table amazon_cola (
    cuenta   text primary key,
    avisos   integer not null default 0 check (avisos >= 0),
    error    text,
    leida_en timestamptz,
    suscrita text
  )`.execute(db);
}
