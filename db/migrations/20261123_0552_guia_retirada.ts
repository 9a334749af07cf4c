import { type Kysely, sql } from 'kysely';

/** The file of a label holds a name and an address, and goes after its period. Its row stays: hash, number and carrier. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table guia alter archivo_id drop not null`.execute(db);
  await sql`create index guia_con_archivo on guia (creada_en) where archivo_id is not null`.execute(db);
}
