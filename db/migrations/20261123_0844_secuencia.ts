import { type Kysely, sql } from 'kysely';

/** A wish is newer than another by the clock of the database: the role of the application owns no sequence. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table publicacion_pendiente alter column secuencia set default (extract(epoch from clock_timestamp()) * 1000000)::bigint`.execute(
    db,
  );
  await sql`drop sequence publicacion_secuencia`.execute(db);
}
