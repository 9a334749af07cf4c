import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`create extension if not exists unaccent`.execute(db);

  // unaccent() is only stable, because a dictionary may change; ours is the shipped one, so an index may use it.
  await sql`create function f_norm(texto text) returns text language sql immutable strict parallel safe
    as $$ select public.unaccent('public.unaccent'::regdictionary, lower(texto)) $$`.execute(db);

  await sql`create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception 'la tabla % solo admite altas', tg_table_name using errcode = 'restrict_violation'; end $$`.execute(
    db,
  );

  await sql`create table usuario (
    id             uuid primary key default uuidv7(),
    usuario        text not null check (usuario = btrim(usuario) and usuario <> ''),
    nombre         text not null,
    apellidos      text not null,
    email          text not null,
    rol            text not null check (rol in ('sa', 'admin', 'user', 'aux', 'cont')),
    activo         boolean not null default true,
    password_hash  text not null,
    fecha_creacion timestamptz not null default now(),
    version        integer not null default 1,
    busqueda       text generated always as (f_norm(usuario || ' ' || nombre || ' ' || apellidos || ' ' || email)) stored
  )`.execute(db);
  await sql`create unique index usuario_by_login on usuario (lower(usuario))`.execute(db);

  await sql`create table sesion (
    token_hash bytea primary key,
    usuario_id uuid not null references usuario on delete cascade,
    recordar   boolean not null,
    creada_en  timestamptz not null default now(),
    vista_en   timestamptz not null default now(),
    vence_en   timestamptz not null
  )`.execute(db);
  await sql`create index sesion_by_usuario on sesion (usuario_id)`.execute(db);
  await sql`create index sesion_by_vence on sesion (vence_en)`.execute(db);

  // Counters that every web process shares; a row is one key in one window.
  await sql`create table rate_limit (
    key          text not null,
    window_start timestamptz not null,
    hits         integer not null default 0,
    primary key (key, window_start)
  )`.execute(db);

  await sql`create table bitacora (
    id         bigint generated always as identity primary key,
    en         timestamptz not null default now(),
    usuario_id uuid references usuario,
    entidad    text not null,
    entidad_id text not null,
    accion     text not null,
    datos      jsonb not null default '{}'
  )`.execute(db);
  await sql`create index bitacora_by_entidad on bitacora (entidad, entidad_id, id)`.execute(db);
  await sql`create trigger bitacora_append_only before update or delete or truncate on bitacora
    for each statement execute function refuse_change()`.execute(db);

  await sql`create table archivo (
    id        uuid primary key default uuidv7(),
    nombre    text not null,
    tipo      text not null,
    bytes     integer not null check (bytes >= 0),
    sha256    bytea not null,
    contenido bytea not null,
    creado_en timestamptz not null default now()
  )`.execute(db);
  // Already compressed or small text: do not spend CPU on TOAST compression of PDF and XLSX.
  await sql`alter table archivo alter column contenido set storage external`.execute(db);

  await sql`create table ajuste (
    clave          text primary key,
    valor          jsonb not null,
    actualizado_en timestamptz not null default now()
  )`.execute(db);

  await sql`create table credential (
    connection     text primary key check (connection in ('mercadolibre', 'facturacom')),
    account        text not null,
    status         text not null check (status in ('linked', 'broken')),
    detail         text,
    sealed         bytea not null,
    expires_at     timestamptz,
    lease_owner    text,
    lease_until    timestamptz,
    version        integer not null default 1,
    updated_at     timestamptz not null default now()
  )`.execute(db);

  await sql`create table oauth_state (
    state_hash bytea primary key,
    connection text not null,
    sealed     bytea not null,
    usuario_id uuid not null references usuario on delete cascade,
    expires_at timestamptz not null
  )`.execute(db);

  await sql`create table worker_heartbeat (
    worker_id  text primary key,
    pid        integer not null,
    started_at timestamptz not null default now(),
    beat_at    timestamptz not null default now()
  )`.execute(db);
}
