import { type Kysely, sql } from 'kysely';

/**
 * What is on sale by its state, by its supplier, and without a product: the rows of a filter are counted from an index alone, and a sort by either walks it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create index publicacion_by_estatus on publicacion (estatus, id) include (market, auto_sync, proveedor, producto_id) where ausente_desde is null`.execute(
    db,
  );
  await sql`create index publicacion_by_proveedor on publicacion (proveedor, id) include (market, auto_sync, estatus, producto_id) where ausente_desde is null`.execute(
    db,
  );
  await sql`create index publicacion_sin_producto on publicacion (fecha_creacion, id) include (market, auto_sync, estatus, proveedor) where ausente_desde is null and producto_id is null`.execute(
    db,
  );
}
