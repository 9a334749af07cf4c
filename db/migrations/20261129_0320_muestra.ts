import { type Kysely, sql } from 'kysely';

/**
 * What processes tell of themselves each minute, and what one of them tells of the installation as a whole: the page 'Estado' draws a day of it. Kept for eight
 * days. A notice is looked for by the time of its arrival, and a write to a far side by its kind and time, to judge the promises of the product.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create table muestra (
    en      timestamptz not null,
    proceso text not null check (proceso <> ''),
    datos   jsonb not null,
    primary key (en, proceso)
  )`.execute(db);
  await sql`create index inbox_by_received on inbox using brin (received_at) with (autosummarize = on)`.execute(db);
  await sql`create index effect_prometido on effect (type, created_at) where type in ('cfdi.stamp', 'pregunta.responder')`.execute(
    db,
  );
}
