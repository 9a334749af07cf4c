import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // `regla_factura` says how the address of one invoice is made from `link_factura`: none, the address itself, the address with the folio whose
  // slash became a dash, or the folio between the address and a suffix.
  await sql`create table proveedor (
    value          text primary key check (value ~ '^[a-z0-9]{2,20}$'),
    label          text not null check (label = btrim(label) and label <> ''),
    link_home      text,
    link_productos text,
    link_factura   text,
    regla_factura  text not null default 'base' check (regla_factura in ('ninguna', 'base', 'guion', 'sufijo')),
    sufijo_factura text,
    rfc            text,
    email          text,
    activo         boolean not null default true,
    version        integer not null default 1
  )`.execute(db);
  await sql`create unique index proveedor_by_rfc on proveedor (rfc) where rfc is not null`.execute(db);

  // Public sites. Where a supplier shows an invoice is told by the people who have an account there.
  await sql`insert into proveedor (value, label, link_home, link_productos, link_factura, regla_factura) values
    ('propio', 'Marca propia',   null,                         null,                                null,                         'ninguna'),
    ('syscom', 'Syscom',         'https://www.syscom.mx/',     'https://www.syscom.mx/producto/',   null,                         'guion'),
    ('tvc',    'TVC',            'https://tvc.mx/',            'https://tvc.mx/',                   null,                         'sufijo'),
    ('ts',     'TecnoSinergia',  'https://tecnosinergia.com/', 'https://tecnosinergia.com/',        'https://tecnosinergia.com/', 'base'),
    ('ct',     'CT',             'https://ctonline.mx/',       'https://ctonline.mx/',              'https://ctonline.mx/',       'base'),
    ('cva',    'CVA',            'https://www.grupocva.com/',  null,                                'https://www.grupocva.com/',  'base')`.execute(
    db,
  );

  // A supplier's CFDI as it was read, waiting to be said of which sales it is. `conceptos` keeps what the match looks at.
  await sql`create table proveedor_cfdi (
    id             uuid primary key default uuidv7(),
    uuid           text not null unique,
    archivo_id     uuid not null references archivo,
    proveedor      text references proveedor,
    emisor_rfc     text not null,
    emisor_nombre  text not null,
    folio          text not null,
    fecha          timestamptz not null,
    total          numeric(14, 2) not null check (total >= 0),
    conceptos      jsonb not null,
    usuario_id     uuid references usuario,
    creado_en      timestamptz not null default now(),
    descartado_en  timestamptz
  )`.execute(db);
  await sql`create index proveedor_cfdi_by_creado on proveedor_cfdi (creado_en desc) where descartado_en is null`.execute(
    db,
  );

  await sql`create table proveedor_factura (
    id             uuid primary key default uuidv7(),
    orden_id       uuid not null references orden,
    proveedor      text not null references proveedor,
    folio          text not null check (folio = btrim(folio) and folio <> ''),
    monto          numeric(14, 2) not null check (monto >= 0),
    cfdi_id        uuid references proveedor_cfdi,
    usuario_id     uuid references usuario,
    fecha_creacion timestamptz not null default now(),
    version        integer not null default 1,
    busqueda       text generated always as (f_norm(proveedor || ' ' || folio)) stored
  )`.execute(db);
  await sql`create unique index proveedor_factura_by_folio on proveedor_factura (orden_id, lower(folio)) include (monto)`.execute(
    db,
  );
  // One document may be split over several sales, and counts once in each.
  await sql`create unique index proveedor_factura_by_cfdi on proveedor_factura (cfdi_id, orden_id) where cfdi_id is not null`.execute(
    db,
  );
  await sql`create index proveedor_factura_list on proveedor_factura (fecha_creacion desc, id desc) include (monto)`.execute(
    db,
  );
  await sql`create index proveedor_factura_search on proveedor_factura using gin (busqueda gin_trgm_ops)`.execute(db);

  await sql`create table agente_venta (
    id             uuid primary key default uuidv7(),
    nombre         text not null,
    apellidos      text not null,
    email          text not null,
    proveedor      text not null references proveedor,
    activo         boolean not null default true,
    fecha_creacion timestamptz not null default now(),
    version        integer not null default 1,
    busqueda       text generated always as (f_norm(nombre || ' ' || apellidos || ' ' || email || ' ' || proveedor)) stored
  )`.execute(db);

  // A line of a supplier's document names the model; the sales that wait for it are found by it.
  await sql`create index articulo_by_modelo on articulo (lower(modelo)) where modelo is not null`.execute(db);
  await sql`create index envio_by_guia on envio (guia) where guia is not null`.execute(db);
}
