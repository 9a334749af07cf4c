import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  /*
   * Customers who were turned away before anything reached the PAC, for something of the company's: no keys, no series, lines that cannot be invoiced. They read
   * only that it is being seen to, so here is who has to be told. One row per sale, with the last reason.
   */
  await sql`create table sin_timbrar (
    market    text not null check (market in ('ml', 'amz')),
    num_orden text not null,
    motivo    text not null check (motivo <> ''),
    fecha     timestamptz not null default now(),
    primary key (market, num_orden)
  )`.execute(db);
}
