import { type Kysely, sql } from 'kysely';

/** A transfer is known by the tracking key that its paper says, also before a person took it over. */
export async function up(db: Kysely<unknown>) {
  await sql`create index pago_archivo_by_clave on pago_archivo (upper(lectura ->> 'claveRastreo')) where lectura is not null`.execute(
    db,
  );
}
