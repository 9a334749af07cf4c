import { type Kysely, sql } from 'kysely';

/** How often the marketplace refused the text of a listing in a row, and when the text is asked for again. Texts that nobody asked for come first. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table publicacion
    add column descripcion_negada smallint not null default 0 check (descripcion_negada >= 0),
    add column descripcion_pedir_en timestamptz`.execute(db);
  await sql`drop index publicacion_sin_descripcion`.execute(db);
  await sql`create index publicacion_sin_descripcion on publicacion (market, descripcion_pedir_en nulls first, fecha_creacion desc)
    where descripcion is null and ausente_desde is null`.execute(db);
}
