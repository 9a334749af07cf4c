import { type Kysely, sql } from 'kysely';

/** The name of a piece's invoice as its own person sent it: the same bytes are kept once, under the name of whoever sent them first. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table stock_interno add column factura_nombre text`.execute(db);
  await sql`update stock_interno s set factura_nombre = a.nombre from archivo a where a.id = s.factura_id`.execute(db);
}
