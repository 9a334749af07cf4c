import { type Kysely, sql } from 'kysely';

/** The listings of an account whose price a rule of Mercado Libre moves, as its own list told last. Null: the list was never read. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table mercadolibre_cuenta add column con_regla text[]`.execute(db);
}
