import { type Kysely, sql } from 'kysely';

/**
 * Packing of shipments: which parcel is open or packed, and what was read into it. A row of `empaque_lectura` is one piece that went into the box (`codigo`), or
 * a line whose piece is missing (`falta`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table empaque (
    envio_id     uuid primary key references envio on delete cascade,
    empezado_en  timestamptz not null default now(),
    terminado_en timestamptz
  )`.execute(db);
  await sql`create table empaque_lectura (
    id         bigint generated always as identity primary key,
    envio_id   uuid not null references empaque on delete cascade,
    orden_id   uuid not null references orden on delete cascade,
    posicion   smallint not null,
    codigo     text,
    pieza_id   uuid references stock_interno,
    falta      text check (falta in ('noSeEncuentra', 'noLlego', 'danada', 'equivocada')),
    usuario_id uuid references usuario,
    en         timestamptz not null default now(),
    check ((codigo is null) <> (falta is null)),
    check (pieza_id is null or codigo is not null)
  )`.execute(db);
  await sql`create index empaque_lectura_by_envio on empaque_lectura (envio_id)`.execute(db);
  await sql`create index empaque_lectura_by_orden on empaque_lectura (orden_id)`.execute(db);
  await sql`create unique index empaque_lectura_by_pieza on empaque_lectura (pieza_id, envio_id) where pieza_id is not null`.execute(
    db,
  );
  await sql`create index empaque_lectura_falta on empaque_lectura (en) where falta is not null`.execute(db);
}
