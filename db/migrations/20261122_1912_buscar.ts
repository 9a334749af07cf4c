import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  /*
   * What is found from anywhere, over all of time: an address of a customer in any case of letters, the guía of a shipment, and the last sales
   * of a SKU or a model.
   */
  await sql`create function f_correos(correos text[]) returns text[] language sql immutable strict parallel safe
    return array(select lower(correo) from unnest(correos) correo)`.execute(db);
  await sql`create index factura_correos on factura using gin (f_correos(emails))`.execute(db);
  await sql`create index cliente_fiscal_correos on cliente_fiscal using gin (f_correos(emails))`.execute(db);
  await sql`create index envio_by_guia_escrita on envio (lower(guia)) where guia is not null`.execute(db);
  await sql`create index articulo_by_sku on articulo (lower(sku), orden_id) where sku is not null`.execute(db);
  await sql`drop index articulo_by_modelo`.execute(db);
  await sql`create index articulo_by_modelo on articulo (lower(modelo), orden_id) where modelo is not null`.execute(db);
}
