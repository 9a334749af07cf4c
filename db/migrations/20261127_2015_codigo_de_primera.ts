import { type Kysely, sql } from 'kysely';

/** One-time codes by which the first person of an installation is made. There are none once somebody exists. */
export async function up(db: Kysely<unknown>) {
  await sql`create table codigo_de_primera (
    codigo_hash bytea primary key,
    fallos      integer not null default 0 check (fallos >= 0),
    vence_en    timestamptz not null
  )`.execute(db);
}
