import { type Kysely, sql } from 'kysely';

/** The grace before a second factor is owed, passwords that only the API takes, and who enters by the old client's calls with the own password. */
export async function up(db: Kysely<unknown>) {
  await sql`create table plazo_segundo_factor (
    usuario_id uuid primary key references usuario on delete cascade,
    desde      timestamptz not null default now()
  )`.execute(db);
  await sql`create table clave_api (
    id          uuid primary key default uuidv7(),
    usuario_id  uuid not null references usuario on delete cascade,
    nombre      text not null check (length(nombre) between 1 and 60),
    clave_hash  bytea not null unique,
    pista       text not null check (length(pista) <= 12),
    creada_en   timestamptz not null default now(),
    usada_en    timestamptz,
    revocada_en timestamptz
  )`.execute(db);
  await sql`create index clave_api_by_usuario on clave_api (usuario_id, id)`.execute(db);
  await sql`create table entrada_anterior (
    usuario_id uuid primary key references usuario on delete cascade,
    primera_en timestamptz not null default now(),
    ultima_en  timestamptz not null default now(),
    direccion  text not null
  )`.execute(db);
  // A session that only the API takes, and the API password that opened it.
  await sql`alter table sesion
    add column solo_api boolean not null default false,
    add column clave_api_id uuid references clave_api on delete cascade,
    add check (solo_api or clave_api_id is null)`.execute(db);
  await sql`create index sesion_by_clave_api on sesion (clave_api_id) where clave_api_id is not null`.execute(db);
}
