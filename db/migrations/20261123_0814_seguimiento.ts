import { type Kysely, sql } from 'kysely';

/** How listings are counted, and until when somebody vouched for a supplier that leaves many at 0. */
export async function up(db: Kysely<unknown>) {
  await sql`create index publicacion_vivas on publicacion (market, auto_sync) where ausente_desde is null`.execute(db);
  await sql`alter table seguimiento_regla add column ceros_hasta timestamptz`.execute(db);
  // How many were left at 0 of late.
  await sql`create index publicacion_historia_ceros on publicacion_historia (en) where stock = 0 and stock_antes > 0`.execute(
    db,
  );
}
