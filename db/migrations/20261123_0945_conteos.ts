import { type Kysely, sql } from 'kysely';

/** What is added up along with the list of sales stands in its index: no year of them reads the whole table. */
export async function up(db: Kysely<unknown>) {
  await sql`drop index conciliacion_by_fecha`.execute(db);
  await sql`create index conciliacion_by_fecha on conciliacion (fecha desc, orden_id desc)
    include (mayor, esperado, recibido, diferencia)`.execute(db);
}
