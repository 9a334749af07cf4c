import { type Kysely, sql } from 'kysely';

/**
 * Counts of the shelf. `parte` is the state that is counted; null is the whole shelf. Of one part a single count is open, so that several people add to it. A row of
 * `conteo_pieza` is a scan (`leida_en`), or a piece that nobody scanned (written at the end). `hallazgo` is the judgement of the end, and `decision` a person's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table conteo (
    id            uuid primary key default uuidv7(),
    parte         text check (parte in ('enRevision', 'disponible', 'reservado', 'danado')),
    empezado_por  uuid not null references usuario,
    empezado_en   timestamptz not null default clock_timestamp(),
    terminado_por uuid references usuario,
    terminado_en  timestamptz,
    check ((terminado_por is null) = (terminado_en is null))
  )`.execute(db);
  await sql`create unique index conteo_abierto on conteo (coalesce(parte, '')) where terminado_en is null`.execute(db);
  await sql`create table conteo_pieza (
    id           bigint generated always as identity primary key,
    conteo_id    uuid not null references conteo on delete cascade,
    pieza_id     uuid references stock_interno,
    codigo       text not null,
    leida_por    uuid references usuario,
    leida_en     timestamptz,
    estado_leida text references stock_estado,
    hallazgo     text check (hallazgo in ('encontrada', 'falta', 'fueraDeLugar', 'fuera', 'etiqueta')),
    estado_final text references stock_estado,
    decision     text check (decision in ('pasada', 'apartada', 'aparecio', 'baja', 'pendiente')),
    motivo       text check (motivo in ('extraviada', 'robada', 'desechada', 'error')),
    decidida_por uuid references usuario,
    decidida_en  timestamptz,
    check ((leida_por is null) = (leida_en is null)),
    check (leida_en is not null or hallazgo = 'falta'),
    check (leida_en is null or (pieza_id is null) = (estado_leida is null)),
    check ((decision is null) = (decidida_en is null) and (decision is null) = (decidida_por is null)),
    check ((decision is not distinct from 'baja') = (motivo is not null))
  )`.execute(db);
  await sql`create unique index conteo_pieza_one on conteo_pieza (conteo_id, pieza_id) where pieza_id is not null`.execute(
    db,
  );
  await sql`create unique index conteo_pieza_etiqueta on conteo_pieza (conteo_id, codigo) where pieza_id is null`.execute(
    db,
  );
  await sql`create index conteo_pieza_by_pieza on conteo_pieza (pieza_id) where pieza_id is not null`.execute(db);
}
