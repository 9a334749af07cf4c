import { type Kysely, sql } from 'kysely';

/** What buyers ask before they buy and claim afterwards, the texts it is answered with, and which deadlines people were warned of. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table sync_run drop constraint sync_run_kind_check`.execute(db);
  await sql`alter table sync_run add constraint sync_run_kind_check check (kind in ('sweep', 'cancelled', 'missed', 'atencion', 'publicaciones', 'publicacionesNuevas'))`.execute(
    db,
  );

  // What its listing is called is kept with the question: a listing that was closed still says what was asked about.
  await sql`create table pregunta (
    id             uuid primary key default uuidv7(),
    market         text not null check (market in ('ml', 'amz')),
    market_id      text not null check (market_id <> ''),
    publicacion_id text not null check (publicacion_id <> ''),
    titulo         text,
    marca          text,
    modelo         text,
    sku            text,
    enlace         text,
    comprador_id   text,
    texto          text not null,
    estatus        text not null check (estatus in ('pendiente', 'respondida', 'cerrada', 'enRevision', 'retirada', 'borrada', 'desactivada', 'desconocida')),
    retenida       boolean not null default false,
    respuesta      text,
    respondida_en  timestamptz,
    respondida_por uuid references usuario,
    fecha          timestamptz not null,
    leida_en       timestamptz not null,
    creada_en      timestamptz not null default now(),
    version        integer not null default 1,
    datos          jsonb not null,
    norma          text generated always as (f_norm(texto)) stored,
    busqueda       text generated always as (f_norm(market_id || ' ' || publicacion_id || ' ' || coalesce(titulo, '') || ' ' || coalesce(sku, '') || ' ' ||
      coalesce(comprador_id, '') || ' ' || texto || ' ' || coalesce(respuesta, ''))) stored,
    unique (market, market_id)
  )`.execute(db);
  await sql`create index pregunta_list on pregunta (fecha desc, id desc) include (estatus, respondida_en)`.execute(db);
  await sql`create index pregunta_search on pregunta using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create index pregunta_pendiente on pregunta (publicacion_id, fecha) where estatus = 'pendiente'`.execute(
    db,
  );
  // Answers that were given before to questions of the same listing.
  await sql`create index pregunta_respondida on pregunta (market, publicacion_id, respondida_en desc) where estatus = 'respondida'`.execute(
    db,
  );
  await sql`create index pregunta_by_comprador on pregunta (market, comprador_id, fecha desc) where comprador_id is not null`.execute(
    db,
  );

  await sql`create table plantilla (
    id        uuid primary key default uuidv7(),
    nombre    text not null check (nombre <> ''),
    texto     text not null check (texto <> ''),
    version   integer not null default 1,
    creada_en timestamptz not null default now()
  )`.execute(db);
  await sql`create unique index plantilla_by_nombre on plantilla (f_norm(nombre))`.execute(db);

  // `acciones` are what we may do, each with its day and whether it has to be done; `vence_en` is the first of those days.
  await sql`create table reclamo (
    id             uuid primary key default uuidv7(),
    market         text not null check (market in ('ml', 'amz')),
    market_id      text not null check (market_id <> ''),
    orden_market_id text,
    recurso        text not null,
    recurso_id     text not null,
    estatus        text not null check (estatus in ('abierto', 'cerrado')),
    tipo           text not null,
    etapa          text,
    motivo         text,
    titulo         text,
    problema       text,
    responsable    text check (responsable in ('vendedor', 'comprador', 'mediador')),
    vence_en       timestamptz,
    parcial        boolean not null default false,
    jugadores      jsonb not null default '[]',
    acciones       jsonb not null default '[]',
    resolucion     jsonb,
    mensajes       jsonb not null default '[]',
    devoluciones   jsonb not null default '[]',
    ofertas        jsonb not null default '[]',
    sin_leer       text[] not null default '{}',
    fecha          timestamptz not null,
    actualizado_en timestamptz not null,
    leido_en       timestamptz not null,
    creado_en      timestamptz not null default now(),
    version        integer not null default 1,
    datos          jsonb not null,
    busqueda       text generated always as (f_norm(market_id || ' ' || coalesce(orden_market_id, '') || ' ' || recurso_id || ' ' || coalesce(titulo, '') || ' ' ||
      coalesce(problema, ''))) stored,
    unique (market, market_id)
  )`.execute(db);
  await sql`create index reclamo_list on reclamo (fecha desc, id desc)`.execute(db);
  await sql`create index reclamo_search on reclamo using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create index reclamo_abierto on reclamo (vence_en) where estatus = 'abierto'`.execute(db);
  await sql`create index reclamo_by_orden on reclamo (market, orden_market_id) where orden_market_id is not null`.execute(
    db,
  );

  // Each warning of a deadline is told once; another day is another deadline.
  await sql`create table aviso_plazo (
    reclamo_id uuid not null references reclamo on delete cascade,
    vence_en   timestamptz not null,
    horas      integer not null check (horas in (48, 24, 4, 0)),
    avisado_en timestamptz not null default now(),
    primary key (reclamo_id, vence_en, horas)
  )`.execute(db);
}
