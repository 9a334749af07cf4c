import { type Kysely, sql } from 'kysely';

/** The standing of a listing against the other sellers of its page, with its age; and whether a listing stands on such a page, null until it is read again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publicacion add column de_catalogo boolean`.execute(db);
  await sql`create index publicacion_de_catalogo on publicacion (market, id) where de_catalogo and ausente_desde is null`.execute(
    db,
  );
  await sql`create table publicacion_competencia (
    publicacion_id uuid primary key references publicacion on delete cascade,
    lugar text check (lugar in ('gana', 'comparte', 'pierde', 'noCompite')),
    razones text[] not null default '{}',
    nuestro numeric(14, 2) check (nuestro > 0),
    para_ganar numeric(14, 2) check (para_ganar > 0),
    ganador numeric(14, 2) check (ganador > 0),
    comparten integer check (comparten >= 0),
    leida_en timestamptz,
    error text,
    error_en timestamptz,
    negada smallint not null default 0 check (negada >= 0),
    pedir_en timestamptz not null default now(),
    check ((lugar is null) = (leida_en is null)),
    check (lugar is not null or (nuestro is null and para_ganar is null and ganador is null and comparten is null)),
    check ((error is null) = (error_en is null))
  )`.execute(db);
  await sql`create index publicacion_que_pierde on publicacion_competencia (publicacion_id) where lugar = 'pierde'`.execute(
    db,
  );
  await sql`alter table sync_run drop constraint sync_run_kind_check`.execute(db);
  await sql`alter table sync_run add constraint sync_run_kind_check
    check (kind in ('sweep', 'cancelled', 'missed', 'atencion', 'publicaciones', 'publicacionesNuevas', 'competencia', 'liquidacion'))`.execute(
    db,
  );
}
