import { type Kysely, sql } from 'kysely';

/** How many listings there are is read from an index alone, of those that stood there when a list was opened. */
export async function up(db: Kysely<unknown>) {
  await sql`drop index publicacion_vivas`.execute(db);
  await sql`create index publicacion_vivas on publicacion (market, auto_sync, id) where ausente_desde is null`.execute(
    db,
  );
  // Its pages have to be known as visible to all: a twentieth of the table may have changed, not a fifth.
  await sql`alter table publicacion set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 5000,
    autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`.execute(db);
}
