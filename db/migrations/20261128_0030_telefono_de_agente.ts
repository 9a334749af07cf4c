import { type Kysely, sql } from 'kysely';

/** What was bought twice at a supplier without a way to cancel it is told by telephone too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agente_venta add telefono text`.execute(db);
}
