import { type Kysely, sql } from 'kysely';

/** What a supplier was paid: one payment may be of several sales, and a sale may have several. Its papers are files of the payment. */
export async function up(db: Kysely<unknown>) {
  // The folio of the supplier's quotation, where no order of ours tells it. One that was taken away leaves its row: who saw it has seen its version.
  await sql`create table cotizacion (
    orden_id   uuid primary key references orden on delete cascade,
    folio      text check (folio <> ''),
    usuario_id uuid references usuario,
    version    integer not null default 1,
    creada_en  timestamptz not null default now()
  )`.execute(db);
  await sql`create index cotizacion_by_folio on cotizacion (lower(folio))`.execute(db);

  await sql`create table pago (
    id            uuid primary key default uuidv7(),
    proveedor     text not null references proveedor,
    folio         text not null check (folio <> ''),
    fecha         date,
    total         numeric(14, 2) check (total > 0),
    clave_rastreo text check (clave_rastreo <> ''),
    banco         text check (banco <> ''),
    usuario_id    uuid references usuario,
    version       integer not null default 1,
    creado_en     timestamptz not null default now(),
    busqueda      text generated always as (f_norm(proveedor || ' ' || folio || ' ' || coalesce(clave_rastreo, '') || ' ' || coalesce(banco, ''))) stored
  )`.execute(db);
  // Pressed twice, or by two people at once, it is the same payment.
  await sql`create unique index pago_by_folio on pago (proveedor, lower(folio))`.execute(db);
  await sql`create index pago_by_folio_solo on pago (lower(folio))`.execute(db);
  await sql`create unique index pago_by_clave on pago (upper(clave_rastreo)) where clave_rastreo is not null`.execute(
    db,
  );
  await sql`create index pago_list on pago (creado_en desc, id desc)`.execute(db);
  await sql`create index pago_search on pago using gin (busqueda gin_trgm_ops)`.execute(db);

  // `monto`: what of the payment is of this sale, where a person said so.
  await sql`create table pago_orden (
    pago_id    uuid not null references pago on delete cascade,
    orden_id   uuid not null references orden on delete cascade,
    monto      numeric(14, 2) check (monto > 0),
    usuario_id uuid references usuario,
    creado_en  timestamptz not null default now(),
    primary key (pago_id, orden_id)
  )`.execute(db);
  await sql`create index pago_orden_by_orden on pago_orden (orden_id)`.execute(db);

  // `lectura`: what the file says of the payment, which a person may take over.
  await sql`create table pago_archivo (
    pago_id    uuid not null references pago on delete cascade,
    archivo_id uuid not null references archivo,
    nombre     text not null check (nombre <> ''),
    lectura    jsonb,
    usuario_id uuid references usuario,
    creado_en  timestamptz not null default now(),
    primary key (pago_id, archivo_id)
  )`.execute(db);
  await sql`create index pago_archivo_by_archivo on pago_archivo (archivo_id)`.execute(db);
  // The same bytes are kept once.
  await sql`create index archivo_by_sha256 on archivo (sha256)`.execute(db);
}
