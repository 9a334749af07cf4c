import { type Kysely, sql } from 'kysely';

/** What suppliers invoiced, by when they did: those that nobody paid are looked for each time somebody opens their day. */
export async function up(db: Kysely<unknown>) {
  await sql`create index pedido_by_facturado on pedido (factura_en) where factura_en is not null`.execute(db);
}
