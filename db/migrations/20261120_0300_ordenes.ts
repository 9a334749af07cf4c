import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  await sql`create table envio (
    id              uuid primary key default uuidv7(),
    market          text not null check (market in ('ml', 'amz')),
    market_id       text not null,
    estatus         text not null,
    subestatus      text,
    modo            text,
    tipo_logistico  text,
    propio          boolean not null default false,
    cobrado         numeric(14, 2) check (cobrado >= 0),
    costo           numeric(14, 2),
    guia            text,
    paqueteria      text,
    paqueteria_url  text,
    nombre_receptor text,
    telefono        text,
    calle           text,
    numero_e        text,
    numero_i        text,
    referencia      text,
    colonia         text,
    ciudad          text,
    municipio       text,
    estado          text,
    cp              text,
    fecha_creacion  timestamptz not null,
    actualizado_en  timestamptz not null,
    datos           jsonb not null,
    busqueda        text generated always as (f_norm(market_id || ' ' || coalesce(guia, '') || ' ' || coalesce(nombre_receptor, ''))) stored,
    unique (market, market_id)
  )`.execute(db);
  await sql`create index envio_by_fecha on envio (fecha_creacion desc, id desc)`.execute(db);

  await sql`create table orden (
    id              uuid primary key default uuidv7(),
    market          text not null check (market in ('ml', 'amz')),
    market_id       text not null,
    num_orden       text not null,
    pack_id         text,
    fecha_creacion  timestamptz not null,
    fecha_cierre    timestamptz,
    actualizada_en  timestamptz not null,
    estatus         text not null,
    market_status   text not null,
    tags            text[] not null default '{}',
    clase           text not null check (clase in ('normal', 'cancelada', 'devuelta', 'invalida')),
    meli_resale     boolean not null default false,
    titulo          text not null,
    total           numeric(14, 2) not null,
    pagado_abs      numeric(14, 2) not null,
    pagado          numeric(14, 2) generated always as (case when clase in ('cancelada', 'devuelta') then 0 else pagado_abs end) stored,
    comision        numeric(14, 2) not null default 0,
    retencion       numeric(14, 2),
    envio_adicional numeric(14, 2) not null default 0,
    envio_id        uuid references envio,
    envio_propio    boolean not null default false,
    medio_pago      text,
    forma_pago      text,
    comprador_id    text,
    comprador       text,
    billing_info_id text,
    datos           jsonb not null,
    creada_en       timestamptz not null default now(),
    version         integer not null default 1,
    busqueda        text generated always as (f_norm(num_orden || ' ' || market_id || ' ' || titulo)) stored,
    unique (market, market_id)
  )`.execute(db);
  await sql`create index orden_by_fecha on orden (fecha_creacion desc, id desc)`.execute(db);
  await sql`create index orden_by_num_orden on orden (num_orden)`.execute(db);
  await sql`create index orden_by_envio on orden (envio_id) where envio_id is not null`.execute(db);
  await sql`create index orden_search on orden using gin (busqueda gin_trgm_ops)`.execute(db);

  await sql`create table articulo (
    id              uuid primary key default uuidv7(),
    orden_id        uuid not null references orden on delete cascade,
    posicion        smallint not null,
    item_id         text,
    nombre          text not null,
    sku             text,
    proveedor       text generated always as (nullif(split_part(sku, '|', 3), '')) stored,
    modelo          text generated always as (nullif(split_part(sku, '|', 4), '')) stored,
    cantidad        integer not null check (cantidad > 0),
    importe         numeric(14, 2) not null,
    precio_unitario numeric(18, 6) not null,
    tasa_iva        numeric(7, 6) not null default 0.16,
    comision        numeric(14, 2) not null default 0,
    unique (orden_id, posicion)
  )`.execute(db);

  // Fiscal data the buyer typed at the marketplace's checkout: a proposal for the form, never stamped unseen.
  await sql`create table comprador_fiscal (
    market          text not null,
    billing_info_id text not null,
    rfc             text,
    razon_social    text,
    regimen         text,
    uso_cfdi        text,
    cp              text,
    leido_en        timestamptz not null default now(),
    primary key (market, billing_info_id)
  )`.execute(db);

  // The SAT key staff typed last for a sku is the first proposal the next time.
  await sql`create table codigo_sat_sku (
    sku            text primary key,
    codigo_sat     text not null check (codigo_sat ~ '^[0-9]{8}$'),
    actualizado_en timestamptz not null default now()
  )`.execute(db);
}
