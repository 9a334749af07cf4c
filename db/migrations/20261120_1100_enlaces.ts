import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // The key a customer holds to one thing of one sale. Of the token only its hash is kept.
  await sql`create table enlace (
    id           uuid primary key default uuidv7(),
    token_hash   bytea not null unique check (octet_length(token_hash) = 32),
    proposito    text not null check (proposito in ('facturacion', 'datosEnvio')),
    market       text not null,
    num_orden    text not null,
    origen       text not null check (origen in ('personal', 'automatico', 'portada')),
    creado_por   uuid references usuario,
    creado_en    timestamptz not null default now(),
    vence_en     timestamptz not null,
    revocado_en  timestamptz,
    revocado_por uuid references usuario,
    usos         integer not null default 0,
    usado_en     timestamptz,
    check ((origen = 'personal') = (creado_por is not null))
  )`.execute(db);
  await sql`create index enlace_by_orden on enlace (num_orden, market, creado_en desc)`.execute(db);
  await sql`create index enlace_by_vence on enlace (vence_en)`.execute(db);

  // The distinct RFC looked at through a link, by hash: enough to count them.
  await sql`create table enlace_rfc (
    enlace_id uuid not null references enlace on delete cascade,
    rfc_hash  bytea not null,
    en        timestamptz not null default now(),
    primary key (enlace_id, rfc_hash)
  )`.execute(db);

  // One draft per link: what was typed under another link of the same sale is nobody else's to see.
  await sql`alter table factura_draft add enlace_id uuid references enlace on delete set null`.execute(db);
  await sql`create unique index one_draft_per_enlace on factura_draft (enlace_id) where enlace_id is not null`.execute(
    db,
  );

  // Receivers made at the PAC for what customers typed. Never updated, and no stored record of staff.
  await sql`create table cliente_publico (
    uid          text primary key,
    rfc          text not null,
    razon_social text not null,
    cp           text not null,
    regimen      text not null,
    creado_en    timestamptz not null default now(),
    unique (rfc, razon_social, cp, regimen)
  )`.execute(db);
}
