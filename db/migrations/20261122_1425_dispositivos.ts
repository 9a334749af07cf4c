import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Failures in a row, and from when on the next try is looked at. The key is a hash: it may name people.
  await sql`create table espera (
    clave     text primary key,
    fallos    integer not null check (fallos > 0),
    ultimo_en timestamptz not null,
    abre_en   timestamptz not null
  )`.execute(db);
  await sql`create index espera_by_ultimo on espera (ultimo_en)`.execute(db);

  // Browsers in which somebody entered before: each counts its own failures, whatever strangers do to the account.
  await sql`create table dispositivo (
    id         uuid primary key default uuidv7(),
    token_hash bytea not null,
    usuario_id uuid not null references usuario on delete cascade,
    creado_en  timestamptz not null default now(),
    visto_en   timestamptz not null default now(),
    unique (token_hash, usuario_id)
  )`.execute(db);
  await sql`create index dispositivo_by_usuario on dispositivo (usuario_id)`.execute(db);
  await sql`create index dispositivo_by_visto on dispositivo (visto_en)`.execute(db);
}
