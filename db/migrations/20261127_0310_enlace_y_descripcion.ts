import { type Kysely, sql } from 'kysely';

/** The pages where Syscom and TVC show an invoice, as defaults that people may change, and the description with which a listing was published. */
export async function up(db: Kysely<unknown>) {
  await sql`update proveedor set link_factura = 'https://www.syscom.mx/factura/' where value = 'syscom' and link_factura is null`.execute(
    db,
  );
  await sql`update proveedor set link_factura = 'https://tvc.mx/factura/', sufijo_factura = coalesce(sufijo_factura, '?tipo=pdf')
    where value = 'tvc' and link_factura is null`.execute(db);
  await sql`alter table publicacion add column descripcion text`.execute(db);
}
