import { type Kysely, sql } from 'kysely';

/** What each night's look at the movements of stock found: how many pieces they do not add up to. */
export async function up(db: Kysely<unknown>) {
  await sql`create table stock_cuadre (
    id           bigint generated always as identity primary key,
    en           timestamptz not null default now(),
    descuadradas integer not null check (descuadradas >= 0),
    folios       text[] not null
  )`.execute(db);
}
