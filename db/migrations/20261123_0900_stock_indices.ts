import { type Kysely, sql } from 'kysely';

/** The pieces that left for a sale are found by it, also once they came back. */
export async function up(db: Kysely<unknown>) {
  await sql`create index stock_movimiento_by_venta on stock_movimiento (venta_id) where venta_id is not null`.execute(
    db,
  );
  // What is on the shelf is added up by state and supplier from the index alone.
  await sql`create index stock_interno_en_bodega on stock_interno (estado, proveedor) include (costo)
    where estado in ('enRevision', 'disponible', 'reservado', 'danado')`.execute(db);
}
