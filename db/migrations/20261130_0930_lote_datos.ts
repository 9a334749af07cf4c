import { type Kysely, sql } from 'kysely';

/** What a person said for all rows of a prepared batch (the text of an answer), and rows that a person stopped. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table lote add column datos jsonb`.execute(db);
  await sql`alter table lote_fila drop constraint lote_orden_resultado_check`.execute(db);
  await sql`alter table lote_fila
    add constraint lote_fila_resultado_check check (resultado in ('aceptada', 'rechazada', 'detenida'))`.execute(db);
}
