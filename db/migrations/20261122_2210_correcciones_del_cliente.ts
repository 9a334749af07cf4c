import { type Kysely, sql } from 'kysely';

/** Each factura that its customer asked for through their link to correct another one. How many there were is counted for the sale, whatever its links. */
export async function up(db: Kysely<unknown>) {
  await sql`create table correccion_cliente (
    effect_id  uuid primary key references effect on delete cascade,
    enlace_id  uuid references enlace on delete set null,
    factura_id uuid not null references factura,
    pedida_en  timestamptz not null default now()
  )`.execute(db);
  await sql`create index correccion_cliente_by_factura on correccion_cliente (factura_id)`.execute(db);
  await sql`create index correccion_cliente_by_enlace on correccion_cliente (enlace_id) where enlace_id is not null`.execute(
    db,
  );
}
