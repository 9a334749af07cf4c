import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // The list of credit notes and its totals, as factura_list for the rest.
  await sql`create index factura_notas on factura (fecha_timbrado desc, id desc) include (total, estatus) where tipo = 'notaCredito'`.execute(
    db,
  );
}
