import { type Kysely, sql } from 'kysely';

/** What a buyer bought, the newest first: 'Detalle cliente' asks it beside what the buyer asked. */
export async function up(db: Kysely<unknown>) {
  await sql`create index orden_by_comprador on orden (market, comprador_id, fecha_creacion desc) where comprador_id is not null`.execute(
    db,
  );
}
