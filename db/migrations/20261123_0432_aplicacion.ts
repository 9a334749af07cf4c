import { type Kysely, sql } from 'kysely';

/** The application for telephones, in pieces of 1 MiB: neither who sends it nor who fetches it needs it whole in memory. */
export async function up(db: Kysely<unknown>) {
  await sql`create table aplicacion (
    id         uuid primary key default uuidv7(),
    bytes      integer not null default 0 check (bytes >= 0),
    subida_por uuid not null references usuario,
    creada_en  timestamptz not null default now(),
    -- From here on it never changes. Before, it is arriving.
    lista_en   timestamptz,
    formato    text check (formato in ('apk', 'aab')),
    paquete    text,
    version    text,
    codigo     text,
    sha256     bytea,
    check ((lista_en is null) = (formato is null)),
    check ((lista_en is null) = (sha256 is null))
  )`.execute(db);
  await sql`create index aplicacion_by_lista on aplicacion (lista_en desc) where lista_en is not null`.execute(db);
  await sql`create table aplicacion_pieza (
    aplicacion_id uuid not null references aplicacion on delete cascade,
    posicion      integer not null check (posicion >= 0),
    contenido     bytea not null,
    primary key (aplicacion_id, posicion)
  )`.execute(db);
  // It is compressed already.
  await sql`alter table aplicacion_pieza alter column contenido set storage external`.execute(db);
}
