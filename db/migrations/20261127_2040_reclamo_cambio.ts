import { type Kysely, sql } from 'kysely';

/** What a claim swaps, and what its return costs us. The cost is null while the marketplace has not told it. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table reclamo
    add column cambios jsonb not null default '[]',
    add column costo_devolucion numeric(14, 2) check (costo_devolucion >= 0)`.execute(db);
}
