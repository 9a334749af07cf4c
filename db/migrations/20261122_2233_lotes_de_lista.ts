import { type Kysely, sql } from 'kysely';

/** Something to be done to many sales at once: who asked, from which list, which sales, in which version, why some are left out, and how each ended. */
export async function up(db: Kysely<unknown>) {
  await sql`create table lote (
    id         uuid primary key default uuidv7(),
    usuario_id uuid not null references usuario on delete cascade,
    lista      text not null check (length(lista) between 1 and 60),
    consulta   text not null check (length(consulta) <= 2000),
    accion     text not null check (accion in ('correo', 'enlace', 'entregar')),
    creado_en  timestamptz not null default now(),
    pedido_en  timestamptz,
    batch_id   uuid references batch
  )`.execute(db);
  await sql`create index lote_by_usuario on lote (usuario_id)`.execute(db);
  await sql`create index lote_by_batch on lote (batch_id)`.execute(db);

  await sql`create table lote_orden (
    lote_id     uuid not null references lote on delete cascade,
    orden_id    uuid not null references orden on delete cascade,
    posicion    integer not null,
    version     integer not null,
    impedimento text,
    resultado   text check (resultado in ('aceptada', 'rechazada')),
    motivo      text,
    effects     uuid[] not null default '{}',
    primary key (lote_id, orden_id),
    check (impedimento is null or resultado is null)
  )`.execute(db);
  await sql`create index lote_orden_by_orden on lote_orden (orden_id)`.execute(db);
}
