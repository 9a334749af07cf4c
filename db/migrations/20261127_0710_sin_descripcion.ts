import { type Kysely, sql } from 'kysely';

/** Listings whose text nobody read yet, the newest first: each reading of a marketplace takes some of them. */
export async function up(db: Kysely<unknown>) {
  await sql`create index publicacion_sin_descripcion on publicacion (market, fecha_creacion) where descripcion is null and ausente_desde is null`.execute(
    db,
  );
}
