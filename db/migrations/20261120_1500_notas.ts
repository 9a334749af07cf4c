import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Folios without gaps: the next one is taken in the transaction of what it numbers, so what rolls back gives it back.
  await sql`create table contador (
    clave  text primary key,
    ultimo integer not null default 0 check (ultimo >= 0)
  )`.execute(db);
  await sql`insert into contador (clave) values ('notaSencilla')`.execute(db);

  await sql`create table nota_draft (
    id             uuid primary key default uuidv7(),
    usuario_id     uuid not null references usuario,
    articulos      jsonb not null,
    datos          jsonb,
    version        integer not null default 1,
    creado_en      timestamptz not null default now(),
    actualizado_en timestamptz not null default now()
  )`.execute(db);
  await sql`create index nota_draft_by_usuario on nota_draft (usuario_id, actualizado_en desc)`.execute(db);

  // A sale outside the marketplaces, on paper: no CFDI. What it says never changes.
  await sql`create table nota_sencilla (
    id              uuid primary key default uuidv7(),
    draft_id        uuid not null unique references nota_draft,
    serie           text not null,
    folio           integer not null check (folio > 0),
    fecha           date not null,
    nombre          text not null,
    apellidos       text not null,
    telefono        text not null check (telefono ~ '^\\d{10}$'),
    email           text not null,
    cp              text not null check (cp ~ '^\\d{5}$'),
    colonia         text not null,
    calle           text not null,
    numero_exterior text not null,
    numero_interior text not null,
    ciudad          text not null,
    municipio       text not null,
    estado          text not null,
    articulos       jsonb not null,
    subtotal        numeric(14, 2) not null,
    iva             numeric(14, 2) not null,
    total           numeric(14, 2) not null check (total > 0),
    pdf_id          uuid not null references archivo,
    usuario_id      uuid not null references usuario,
    creada_en       timestamptz not null default now(),
    busqueda        text generated always as (f_norm(serie || '-' || folio::text || ' ' || nombre || ' ' || apellidos || ' ' || email || ' ' || telefono)) stored,
    unique (serie, folio),
    check (subtotal + iva = total)
  )`.execute(db);
  await sql`create index nota_sencilla_by_fecha on nota_sencilla (fecha desc, id desc) include (total)`.execute(db);
  await sql`create index nota_sencilla_search on nota_sencilla using gin (busqueda gin_trgm_ops)`.execute(db);

  // Settlements as SEPOMEX lists them. 'demo' is the small hand-made set, which the first official file replaces.
  await sql`create table codigo_postal (
    cp           text not null check (cp ~ '^\\d{5}$'),
    asentamiento text not null,
    tipo         text not null,
    municipio    text not null,
    ciudad       text not null,
    estado       text not null,
    origen       text not null check (origen in ('sepomex', 'demo')),
    primary key (cp, asentamiento, tipo)
  )`.execute(db);
  // What the look-up service said of a code our table lacks; no answer means that it does not know it either.
  await sql`create table codigo_postal_consulta (
    cp            text primary key check (cp ~ '^\\d{5}$'),
    lugar         jsonb,
    consultado_en timestamptz not null default now()
  )`.execute(db);

  // The PAC's copies of the SAT's catalogues, one row per key, and when each was last read.
  await sql`create table sat_clave (
    catalogo text not null check (catalogo in ('usos', 'regimenes', 'formasPago', 'unidades', 'productos')),
    clave    text not null,
    texto    text not null,
    busqueda text generated always as (f_norm(clave || ' ' || texto)) stored,
    primary key (catalogo, clave)
  )`.execute(db);
  await sql`create index sat_clave_search on sat_clave using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create table sat_catalogo (
    catalogo   text primary key,
    leido_en   timestamptz,
    intento_en timestamptz not null default now(),
    error      text
  )`.execute(db);

  // A company that is one of our integrations carries its connection: deactivating it pauses what runs over it.
  await sql`create table empresa (
    id             uuid primary key default uuidv7(),
    nombre         text not null check (nombre = btrim(nombre) and nombre <> ''),
    activo         boolean not null default true,
    conexion       text unique check (conexion in ('mercadolibre', 'facturacom')),
    fecha_creacion timestamptz not null default now(),
    version        integer not null default 1,
    busqueda       text generated always as (f_norm(nombre)) stored
  )`.execute(db);
  await sql`create unique index empresa_by_nombre on empresa (f_norm(nombre))`.execute(db);
  await sql`insert into empresa (nombre, conexion) values ('Mercado Libre', 'mercadolibre'), ('factura.com', 'facturacom')`.execute(
    db,
  );
  await sql`alter table connection_state add column paused_at timestamptz`.execute(db);
}
