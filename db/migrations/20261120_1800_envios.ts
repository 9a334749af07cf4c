import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // nombre_receptor is the whole name, as on a label; apellidos is its last part where it was typed apart. ocurre: picked up at a branch.
  await sql`alter table envio
    add apellidos text,
    add calle_a text,
    add calle_b text,
    add ocurre boolean not null default false`.execute(db);

  // Both lists of shipments, with the sum of what they cost read from the index alone.
  await sql`drop index envio_by_fecha`.execute(db);
  await sql`create index envio_by_fecha on envio (fecha_creacion desc, id desc) include (costo)`.execute(db);
  await sql`create index envio_pendientes on envio (fecha_creacion desc, id desc) include (costo)
    where estatus not in ('delivered', 'entregado', 'cancelled', 'cancelado', 'returned', 'devuelto') and (estatus <> 'not_delivered' or coalesce(subestatus, '') <> 'returned')`.execute(
    db,
  );
  await sql`create index envio_search on envio using gin (busqueda gin_trgm_ops)`.execute(db);

  // Sales that we send ourselves and that still wait for it.
  await sql`create index orden_por_cotizar on orden (fecha_creacion desc, id desc) include (pagado_abs, clase, costo_envio)
    where market = 'ml' and envio_propio and estatus in ('cobroRequerido', 'enPreparacion') and market_status <> 'cancelled'`.execute(
    db,
  );
}
