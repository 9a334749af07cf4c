import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Lists of a range and their totals are read from the index of what sales earned, which has the same order (20261120_1700_utilidad).
  await sql`drop index orden_by_fecha`.execute(db);
  await sql`create index orden_canceladas on orden (fecha_creacion desc, id desc) include (pagado_abs) where clase in ('cancelada', 'devuelta')`.execute(
    db,
  );
  await sql`create index orden_activas on orden (fecha_creacion desc, id desc) where estatus = 'enPreparacion'`.execute(
    db,
  );

  // What people type of a factura when they look for its sale. The wider search text of a factura holds the number of the sale too, which
  // the sale's own has already.
  await sql`alter table factura add folio_rfc text generated always as (f_norm(serie || '-' || folio::text || ' ' || rfc)) stored`.execute(
    db,
  );
  await sql`create index factura_folio_rfc on factura using gin (folio_rfc gin_trgm_ops)`.execute(db);
}
