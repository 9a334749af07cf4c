import { type Kysely, sql } from 'kysely';

/** How far backups and WAL have reached the bucket, and what each nightly restore out of it told. */
export async function up(db: Kysely<unknown>) {
  await sql`create table respaldo_traslado (
    que             text primary key check (que in ('wal', 'base')),
    desde           timestamptz not null default now(),
    mirado_en       timestamptz not null,
    al_dia_en       timestamptz,
    pendiente_desde timestamptz,
    pendientes      integer,
    falla           text
  )`.execute(db);
  await sql`create table respaldo_prueba (
    id         bigint generated always as identity primary key,
    en         timestamptz not null default now(),
    respaldo   text,
    sabe_hasta timestamptz,
    bien       boolean not null,
    dice       text not null,
    segundos   integer not null
  )`.execute(db);
}
