import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // When the SAT last said that this request is in process. A word of rejection read before that may be about an earlier request.
  await sql`alter table cancelacion add column vista_en timestamptz`.execute(db);
  // A receiver's late yes is looked for after a rejection too, for some days.
  await sql`create index cancelacion_rechazada on cancelacion (resuelta_en) where estado = 'rechazada'`.execute(db);
}
