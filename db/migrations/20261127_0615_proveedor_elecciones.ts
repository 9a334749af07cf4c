import { type Kysely, sql } from 'kysely';

/** The choices that a supplier tells for an order (ways of payment, carriers, branches), as it told them last. */
export async function up(db: Kysely<unknown>) {
  await sql`create table proveedor_elecciones (
    proveedor  text primary key references proveedor on delete cascade,
    elecciones jsonb not null check (jsonb_typeof(elecciones) = 'object'),
    leidas_en  timestamptz not null default now()
  )`.execute(db);
}
