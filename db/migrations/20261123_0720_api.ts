import { type Kysely, sql } from 'kysely';

/** Tokens that people make for their programs, of which only the hash is kept; and the first answer to every key that a program sent. */
export async function up(db: Kysely<unknown>) {
  await sql`create table token_api (
    id          uuid primary key default uuidv7(),
    usuario_id  uuid not null references usuario on delete cascade,
    nombre      text not null check (length(nombre) between 1 and 60),
    token_hash  bytea not null unique,
    pista       text not null check (length(pista) <= 12),
    alcances    text[] not null check (cardinality(alcances) between 1 and 100),
    creado_en   timestamptz not null default now(),
    vence_en    timestamptz not null check (vence_en > creado_en),
    usado_en    timestamptz,
    revocado_en timestamptz
  )`.execute(db);
  await sql`create index token_api_by_usuario on token_api (usuario_id, id)`.execute(db);

  await sql`create table respuesta_api (
    quien        text not null check (length(quien) <= 100),
    llave        text not null check (length(llave) between 1 and 200),
    huella       bytea not null,
    tomada_hasta timestamptz not null,
    status       integer check (status between 200 and 499),
    cuerpo       text,
    creada_en    timestamptz not null default now(),
    primary key (quien, llave)
  )`.execute(db);
  await sql`create index respuesta_api_by_creada on respuesta_api (creada_en)`.execute(db);
}
