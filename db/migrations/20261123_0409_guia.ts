import { type Kysely, sql } from 'kysely';

/** The labels that marketplaces printed for shipments. One that comes with other bytes is another row, and the newest is the one to use. */
export async function up(db: Kysely<unknown>) {
  await sql`create table guia (
    id         uuid primary key default uuidv7(),
    envio_id   uuid not null references envio,
    archivo_id uuid not null references archivo,
    sha256     bytea not null,
    numero     text not null,
    paqueteria text not null,
    creada_en  timestamptz not null default now(),
    unique (envio_id, sha256)
  )`.execute(db);
  await sql`create index guia_by_archivo on guia (archivo_id)`.execute(db);
}
