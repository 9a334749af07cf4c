import { type Kysely, sql } from 'kysely';

/** What wholesalers sell, as their catalogues tell it, and how each read of a catalogue went. */
export async function up(db: Kysely<unknown>) {
  // What stays. A product that its catalogue no longer lists is marked, and the same row again when it comes back.
  await sql`create table producto (
    id                uuid primary key default uuidv7(),
    proveedor         text not null references proveedor,
    id_proveedor      text not null check (id_proveedor <> ''),
    modelo            text,
    modelo_fabricante text,
    nombre            text,
    marca             text,
    gtins             text[] not null default '{}',
    clave_sat         text,
    imagenes          text[] not null default '{}',
    link              text,
    en_venta          boolean not null,
    huella            text not null,
    ausencias         smallint not null default 0 check (ausencias >= 0),
    ausente_desde     timestamptz,
    creado_en         timestamptz not null default now(),
    cambiado_en       timestamptz not null default now(),
    unique (proveedor, id_proveedor),
    check (ausente_desde is null or ausencias > 0)
  )`.execute(db);

  // What moves. Without a price there is its reason, and what cannot be read of its stock is null and not 0.
  await sql`create table oferta (
    producto_id  uuid primary key references producto on delete cascade,
    precio       numeric(18, 6) check (precio > 0),
    moneda       text check (moneda in ('MXN', 'USD')),
    sin_precio   text check (sin_precio in ('sinDistribucion', 'proyecto', 'cero', 'ilegible', 'moneda')),
    tipo_cambio  numeric(18, 6) check (tipo_cambio > 0),
    existencia   integer check (existencia >= 0),
    tope         boolean not null,
    almacenes    jsonb not null,
    promociones  jsonb not null,
    raw          jsonb not null,
    huella       text not null,
    leida_en     timestamptz not null,
    check ((precio is null) = (moneda is null)),
    check ((precio is null) = (sin_precio is not null))
  )`.execute(db);

  await sql`create table producto_historia (
    id          bigint generated always as identity primary key,
    producto_id uuid not null references producto on delete cascade,
    en          timestamptz not null,
    precio      numeric(18, 6),
    moneda      text check (moneda in ('MXN', 'USD')),
    existencia  integer
  )`.execute(db);
  await sql`create index producto_historia_by_producto on producto_historia (producto_id, en)`.execute(db);
  await sql`create index producto_historia_by_en on producto_historia (en)`.execute(db);

  // One read of a whole catalogue. It goes on at `sigue` whoever takes it; one at a time is open for each supplier.
  await sql`create table lectura_catalogo (
    id           uuid primary key default uuidv7(),
    proveedor    text not null references proveedor,
    empezo_en    timestamptz not null default now(),
    termino_en   timestamptz,
    completa     boolean not null default false,
    sigue        text,
    tramos       integer not null default 0,
    vistos       integer not null default 0,
    escritos     integer not null default 0,
    ilegibles    integer not null default 0,
    ejemplos     text[] not null default '{}',
    ausentes     integer not null default 0,
    error        text,
    espera_hasta timestamptz,
    dueno        uuid,
    dueno_hasta  timestamptz,
    check (not completa or termino_en is not null),
    check ((dueno is null) = (dueno_hasta is null))
  )`.execute(db);
  await sql`create unique index lectura_catalogo_abierta on lectura_catalogo (proveedor) where termino_en is null`.execute(
    db,
  );
  await sql`create index lectura_catalogo_by_proveedor on lectura_catalogo (proveedor, empezo_en desc)`.execute(db);

  // Which products an open read met, so that its end knows which ones it did not. Emptied then.
  await sql`create table catalogo_visto (
    lectura_id   uuid not null references lectura_catalogo on delete cascade,
    id_proveedor text not null,
    primary key (lectura_id, id_proveedor)
  )`.execute(db);
}
