import { type Kysely, sql } from 'kysely';

/** Orders to suppliers, by day for their lists and whole by either folio. */
export async function up(db: Kysely<unknown>) {
  await sql`create index pedido_list on pedido (proveedor, creado_en desc, id desc)`.execute(db);
  await sql`create index pedido_by_folio on pedido (lower(folio))`.execute(db);
  await sql`create index pedido_by_su_folio on pedido (lower(folio_proveedor)) where folio_proveedor is not null`.execute(
    db,
  );
}
