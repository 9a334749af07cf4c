import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // The sales that no supplier invoice covers, by date: a month of them is listed, searched and added up without reading a row.
  await sql`create index orden_sin_factura on orden (fecha_creacion desc, id desc) include (estatus, pagado, busqueda) where facturas_proveedor = 0`.execute(
    db,
  );
  // The index of the first sale of a shipment (20261120_1700_utilidad) begins with the same column and knows the same rows.
  await sql`drop index orden_by_envio`.execute(db);
}
