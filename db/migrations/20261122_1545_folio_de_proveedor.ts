import { sql, type Kysely } from 'kysely';

/** A supplier's folio typed whole is looked for in all dates. */
export async function up(db: Kysely<unknown>) {
  await sql`create index proveedor_factura_by_folio_solo on proveedor_factura (lower(folio))`.execute(db);
}
