import { type Kysely, sql } from 'kysely';

/** An order that lapsed waits for a person as one that was refused does. */
export async function up(db: Kysely<unknown>) {
  await sql`drop index pedido_by_confirmar`.execute(db);
  await sql`create index pedido_by_confirmar on pedido (proveedor, creado_en desc) where descartado_en is null and estado in ('borrador', 'enviando', 'incierto', 'solicitado', 'rechazado', 'vencido')`.execute(
    db,
  );
}
