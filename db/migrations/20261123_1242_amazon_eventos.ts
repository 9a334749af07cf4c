import { type Kysely, sql } from 'kysely';

/** The event bridge of each account of Amazon. `arn` is of the bus, and stands once somebody associated it with the source. */
export async function up(db: Kysely<unknown>) {
  await sql`create table amazon_eventos (
    cuenta        text primary key,
    name_resource text not null,
    arn           text,
    suscripciones integer not null check (suscripciones >= 0)
  )`.execute(db);
}
