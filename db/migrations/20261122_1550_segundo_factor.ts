import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // The secret in use, and one that waits for its first code: whoever changes telephones keeps the old one until the new one works.
  await sql`create table segundo_factor (
    usuario_id    uuid primary key references usuario on delete cascade,
    sellado       bytea,
    confirmado_en timestamptz,
    ultimo_paso   integer not null default 0,
    nuevo_sellado bytea,
    nuevo_en      timestamptz,
    check ((sellado is null) = (confirmado_en is null)),
    check ((nuevo_sellado is null) = (nuevo_en is null))
  )`.execute(db);
  await sql`create table codigo_recuperacion (
    usuario_id  uuid not null references segundo_factor on delete cascade,
    codigo_hash bytea not null,
    usado_en    timestamptz,
    primary key (usuario_id, codigo_hash)
  )`.execute(db);

  // Who gave their password and owes a code.
  await sql`create table entrada (
    token_hash bytea primary key,
    usuario_id uuid not null references usuario on delete cascade,
    version    integer not null,
    recordar   boolean not null,
    vence_en   timestamptz not null
  )`.execute(db);
  await sql`create index entrada_by_usuario on entrada (usuario_id)`.execute(db);
  await sql`create index entrada_by_vence on entrada (vence_en)`.execute(db);

  // When the second factor was shown, and when a password or a code was given last. Until now that was when the session began.
  await sql`alter table sesion add column segundo_factor_en timestamptz, add column probada_en timestamptz not null default now()`.execute(
    db,
  );
  await sql`update sesion set probada_en = creada_en`.execute(db);
  // When a code was given in a browser that is not asked for one for some time.
  await sql`alter table dispositivo add column codigo_en timestamptz`.execute(db);

  // What was sent and waits until its sender has proven who they are. It holds passwords and keys: sealed, and gone with its session.
  await sql`create table por_probar (
    token_hash  bytea primary key,
    sesion_hash bytea not null references sesion on delete cascade,
    ruta        text not null,
    sellado     bytea not null,
    vence_en    timestamptz not null
  )`.execute(db);
  await sql`create index por_probar_by_sesion on por_probar (sesion_hash)`.execute(db);
  await sql`create index por_probar_by_vence on por_probar (vence_en)`.execute(db);
}
