import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  await sql`create table cliente_fiscal (
    id             uuid primary key default uuidv7(),
    rfc            text not null check (rfc = upper(rfc)),
    razon_social   text not null,
    cp             text not null,
    regimen        text not null,
    emails         text[] not null default '{}',
    uso_cfdi       text,
    telefono       text,
    nombre         text,
    apellidos      text,
    calle          text,
    numero_exterior text,
    numero_interior text,
    colonia        text,
    ciudad         text,
    delegacion     text,
    estado         text,
    pais           text not null default 'MEX',
    uid            text unique,
    fecha_creacion timestamptz not null default now(),
    actualizado_en timestamptz not null default now(),
    version        integer not null default 1,
    busqueda       text generated always as (f_norm(rfc || ' ' || razon_social || ' ' || cp || ' ' || coalesce(telefono, ''))) stored,
    unique (rfc, razon_social)
  )`.execute(db);
  await sql`create index cliente_fiscal_search on cliente_fiscal using gin (busqueda gin_trgm_ops)`.execute(db);

  await sql`create table factura_draft (
    id                uuid primary key default uuidv7(),
    num_orden         text not null,
    market            text not null,
    usuario_id        uuid references usuario,
    articulos         jsonb not null,
    cliente           jsonb,
    cliente_fiscal_id uuid references cliente_fiscal,
    revision          jsonb,
    effect_id         uuid references effect,
    version           integer not null default 1,
    creado_en         timestamptz not null default now(),
    actualizado_en    timestamptz not null default now()
  )`.execute(db);
  await sql`create index factura_draft_saving on factura_draft ((cliente ->> 'guardando')) where cliente ->> 'guardando' is not null`.execute(
    db,
  );
  await sql`create index factura_draft_by_effect on factura_draft (effect_id) where effect_id is not null`.execute(db);
  await sql`create index factura_draft_by_usuario on factura_draft (usuario_id, actualizado_en desc)`.execute(db);

  await sql`create table factura (
    id                uuid primary key default uuidv7(),
    tipo              text not null check (tipo in ('individual', 'global', 'notaCredito')),
    estatus           text not null check (estatus in ('vigente', 'cancelando', 'cancelada')),
    effect_id         uuid not null unique references effect,
    market            text,
    num_orden         text,
    uuid              text not null unique,
    uid               text not null unique,
    serie             text not null,
    folio             integer not null,
    fecha             timestamptz not null,
    fecha_timbrado    timestamptz not null,
    rfc               text not null,
    razon_social      text not null,
    cp                text not null,
    regimen           text not null,
    uso_cfdi          text not null,
    forma_pago        text not null,
    subtotal          numeric(14, 2) not null,
    iva               numeric(14, 2) not null,
    total             numeric(14, 2) not null check (total >= 0),
    cliente_fiscal_id uuid references cliente_fiscal,
    emails            text[] not null default '{}',
    usuario_id        uuid references usuario,
    xml_id            uuid not null references archivo,
    pdf_id            uuid references archivo,
    creada_en         timestamptz not null default now(),
    cancelada_en      timestamptz,
    busqueda          text generated always as (f_norm(serie || '-' || folio::text || ' ' || coalesce(num_orden, '') || ' ' || rfc || ' ' || razon_social)) stored,
    unique (serie, folio)
  )`.execute(db);
  // Covers the list of a month and its totals without touching the table.
  await sql`create index factura_list on factura (fecha_timbrado desc, id desc) include (total, estatus) where tipo <> 'notaCredito'`.execute(
    db,
  );
  await sql`create index factura_by_num_orden on factura (num_orden)`.execute(db);
  await sql`create index factura_search on factura using gin (busqueda gin_trgm_ops)`.execute(db);

  await sql`create table factura_concepto (
    factura_id        uuid not null references factura,
    posicion          integer not null,
    orden_id          uuid references orden,
    clave_prod_serv   text not null,
    no_identificacion text,
    cantidad          numeric(18, 6) not null,
    clave_unidad      text not null,
    descripcion       text not null,
    valor_unitario    numeric(18, 6) not null,
    importe           numeric(18, 6) not null,
    base              numeric(18, 6) not null,
    tasa_iva          numeric(7, 6) not null,
    iva               numeric(18, 6) not null,
    primary key (factura_id, posicion)
  )`.execute(db);

  // Every orden a factura covers, kept after a cancellation.
  await sql`create table factura_orden (
    factura_id uuid not null references factura,
    orden_id   uuid not null references orden,
    primary key (factura_id, orden_id)
  )`.execute(db);
  await sql`create index factura_orden_by_orden on factura_orden (orden_id)`.execute(db);

  // One sale in at most one live fiscal document: taken when the stamp is accepted, freed by a clear no or a cancellation.
  await sql`create table fiscal_claim (
    orden_id   uuid primary key references orden,
    kind       text not null check (kind in ('individual', 'global')),
    effect_id  uuid not null references effect,
    factura_id uuid references factura,
    claimed_at timestamptz not null default now()
  )`.execute(db);
  await sql`create index fiscal_claim_by_effect on fiscal_claim (effect_id)`.execute(db);
  await sql`create index fiscal_claim_by_factura on fiscal_claim (factura_id) where factura_id is not null`.execute(db);
}
