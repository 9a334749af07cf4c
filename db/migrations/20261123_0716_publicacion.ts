import { type Kysely, sql } from 'kysely';

/** What is on sale at each marketplace, how it follows its supplier, and what waits to be told. */
export async function up(db: Kysely<unknown>) {
  // Categories and product types as marketplaces name them, each with its path from the root.
  await sql`create table categoria (
    market       text not null check (market in ('ml', 'amz')),
    categoria_id text not null check (categoria_id <> ''),
    nombre       text not null,
    ruta         text[] not null default '{}',
    ruta_ids     text[] not null default '{}',
    leida_en     timestamptz not null default now(),
    primary key (market, categoria_id)
  )`.execute(db);

  // 'clave' is what the marketplace knows it by: the item, or the seller's sku at Amazon. 'market_id' is what people see: the item, or the ASIN, which comes later.
  await sql`create table publicacion (
    id             uuid primary key default uuidv7(),
    market         text not null check (market in ('ml', 'amz')),
    clave          text not null check (clave <> ''),
    market_id      text,
    sku            text,
    proveedor      text,
    producto_id    uuid references producto on delete set null,
    titulo         text not null,
    precio         numeric(14, 2) check (precio >= 0),
    stock          integer check (stock >= 0),
    vendido        integer check (vendido >= 0),
    estatus        text not null,
    subestatus     text[] not null default '{}',
    problemas      text[] not null default '{}',
    tipo           text,
    categoria_id   text,
    link           text,
    stock_ajeno    boolean not null default false,
    variantes      smallint not null default 0 check (variantes >= 0),
    fecha_creacion timestamptz,
    datos          jsonb not null default '{}',
    huella         text not null default '',
    cambio_en      timestamptz,
    leida_en       timestamptz not null default now(),
    visto_en       timestamptz not null default now(),
    dicho_en       timestamptz,
    ausencias      smallint not null default 0 check (ausencias >= 0),
    ausente_desde  timestamptz,
    auto_sync      boolean not null default false,
    sobreventa     integer not null default 0 check (sobreventa >= 0),
    precio_negado  numeric(14, 2),
    version        integer not null default 1,
    creado_en      timestamptz not null default now(),
    busqueda       text generated always as (f_norm(clave || ' ' || coalesce(market_id, '') || ' ' || coalesce(sku, '') || ' ' || titulo)) stored,
    unique (market, clave),
    check (ausente_desde is null or ausencias > 0)
  )`.execute(db);
  await sql`create index publicacion_search on publicacion using gin (busqueda gin_trgm_ops)`.execute(db);
  await sql`create index publicacion_list on publicacion (fecha_creacion, id)`.execute(db);
  await sql`create index publicacion_list_of on publicacion (market, fecha_creacion, id)`.execute(db);
  await sql`create index publicacion_by_precio on publicacion (precio, id)`.execute(db);
  await sql`create index publicacion_by_stock on publicacion (stock, id)`.execute(db);
  await sql`create index publicacion_by_vendido on publicacion (vendido, id)`.execute(db);
  await sql`create index publicacion_by_producto on publicacion (producto_id) where producto_id is not null`.execute(
    db,
  );
  await sql`create index publicacion_by_sku on publicacion (lower(sku)) where sku is not null`.execute(db);
  await sql`create index publicacion_followed on publicacion (proveedor, market) where auto_sync`.execute(db);
  await sql`create index publicacion_sobrevendida on publicacion (id) where sobreventa > 0`.execute(db);

  // One read of all that is on sale at a marketplace. One at a time is open; it goes on at 'sigue' whoever takes it.
  await sql`create table publicacion_barrido (
    id         uuid primary key default uuidv7(),
    market     text not null check (market in ('ml', 'amz')),
    empezo_en  timestamptz not null default now(),
    termino_en timestamptz,
    completo   boolean not null default false,
    sigue      text,
    vistas     integer not null default 0,
    escritas   integer not null default 0,
    ausentes   integer not null default 0,
    error      text,
    check (not completo or termino_en is not null)
  )`.execute(db);
  await sql`create unique index publicacion_barrido_abierto on publicacion_barrido (market) where termino_en is null`.execute(
    db,
  );

  // What people said of following: the switch of each marketplace, and the buffer and the cap of each supplier there.
  await sql`create table seguimiento (
    market      text primary key check (market in ('ml', 'amz')),
    detenido_en timestamptz,
    usuario_id  uuid references usuario
  )`.execute(db);
  await sql`insert into seguimiento (market) values ('ml'), ('amz')`.execute(db);
  await sql`create table seguimiento_regla (
    proveedor text not null references proveedor on delete cascade,
    market    text not null check (market in ('ml', 'amz')),
    colchon   integer not null default 0 check (colchon between 0 and 9999),
    tope      integer check (tope between 0 and 99999),
    version   integer not null default 1,
    primary key (proveedor, market)
  )`.execute(db);

  // A product whose listings may have to change. Rows are only added and taken away, so nobody waits for anybody.
  await sql`create table publicacion_mirar (
    id          bigint generated always as identity primary key,
    producto_id uuid not null,
    motivo      text not null check (motivo in ('proveedor', 'venta', 'frescura', 'regla', 'persona', 'revision')),
    en          timestamptz not null default clock_timestamp()
  )`.execute(db);

  // What is to be told of a listing: one line each, in which the newest wins. 'secuencia' grows with each value that is wanted.
  await sql`create sequence publicacion_secuencia`.execute(db);
  await sql`create table publicacion_pendiente (
    publicacion_id  uuid primary key references publicacion on delete cascade,
    market          text not null check (market in ('ml', 'amz')),
    proveedor       text,
    precio          numeric(14, 2) check (precio > 0),
    stock           integer check (stock >= 0),
    precio_retenido numeric(14, 2) check (precio_retenido > 0),
    stock_retenido  boolean not null default false,
    motivo          text not null,
    desde           timestamptz not null,
    secuencia       bigint not null default nextval('publicacion_secuencia'),
    effect_id       uuid references effect on delete set null,
    enviada         bigint,
    no_antes        timestamptz not null default now(),
    fallas          smallint not null default 0,
    error           text,
    check (precio is not null or stock is not null or precio_retenido is not null)
  )`.execute(db);
  await sql`create index publicacion_pendiente_due on publicacion_pendiente (market, no_antes) where effect_id is null`.execute(
    db,
  );
  await sql`create index publicacion_pendiente_of on publicacion_pendiente (effect_id) where effect_id is not null`.execute(
    db,
  );
  await sql`create index publicacion_pendiente_retenida on publicacion_pendiente (market, proveedor) where precio_retenido is not null or stock_retenido`.execute(
    db,
  );

  // What was told, with its reason, and how long it took from the change of the supplier.
  await sql`create table publicacion_historia (
    id             bigint generated always as identity primary key,
    publicacion_id uuid not null references publicacion on delete cascade,
    en             timestamptz not null default clock_timestamp(),
    motivo         text not null,
    precio_antes   numeric(14, 2),
    precio         numeric(14, 2),
    stock_antes    integer,
    stock          integer,
    desde          timestamptz,
    effect_id      uuid,
    usuario_id     uuid references usuario,
    error          text
  )`.execute(db);
  await sql`create index publicacion_historia_of on publicacion_historia (publicacion_id, en desc)`.execute(db);
  await sql`create index publicacion_historia_by_en on publicacion_historia (en)`.execute(db);

  // A file of many changes that a marketplace works on by itself, until it tells how each of them went.
  await sql`create table publicacion_envio (
    id         uuid primary key default uuidv7(),
    market     text not null check (market in ('ml', 'amz')),
    effect_id  uuid not null unique,
    clave      text not null,
    lineas     jsonb not null,
    creado_en  timestamptz not null default now(),
    mirar_en   timestamptz not null default now(),
    miradas    integer not null default 0,
    termino_en timestamptz,
    aceptadas  integer not null default 0,
    rechazadas integer not null default 0,
    error      text
  )`.execute(db);
  await sql`create index publicacion_envio_abierto on publicacion_envio (mirar_en) where termino_en is null`.execute(
    db,
  );

  await marcas(db);

  await sql`alter table sync_run drop constraint sync_run_kind_check`.execute(db);
  await sql`alter table sync_run add constraint sync_run_kind_check check (kind in ('sweep', 'cancelled', 'missed', 'publicaciones', 'publicacionesNuevas'))`.execute(
    db,
  );
}

/** Whoever changes what a price or a stock is made of leaves a mark for each product that has a listing which follows it. */
async function marcas(db: Kysely<unknown>) {
  await sql`create function oferta_moved() returns trigger language plpgsql as $$
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select distinct a.producto_id, 'proveedor' from after a left join before b using (producto_id)
        where (b.producto_id is null or (a.precio, a.moneda, a.tipo_cambio, a.existencia) is distinct from (b.precio, b.moneda, b.tipo_cambio, b.existencia))
          and exists (select from publicacion p where p.producto_id = a.producto_id and p.auto_sync);
      return null;
    end $$`.execute(db);
  await sql`create trigger oferta_moved after update on oferta referencing old table as before new table as after
    for each statement execute function oferta_moved()`.execute(db);

  // Of a product itself: what people say of its shipping, and whether its supplier still lists it.
  await sql`create function producto_moved() returns trigger language plpgsql as $$
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select a.id, case when a.ausente_desde is distinct from b.ausente_desde or a.en_venta <> b.en_venta then 'proveedor' else 'regla' end
        from after a join before b using (id)
        where (a.costo_envio, a.producto_maximo, a.ausente_desde, a.en_venta) is distinct from (b.costo_envio, b.producto_maximo, b.ausente_desde, b.en_venta)
          and exists (select from publicacion p where p.producto_id = a.id and p.auto_sync);
      return null;
    end $$`.execute(db);
  await sql`create trigger producto_moved after update on producto referencing old table as before new table as after
    for each statement execute function producto_moved()`.execute(db);

  // Of a whole supplier: its rate of the dollar, its mark-ups, its buffer and cap, and whether what it told still counts.
  await sql`create function proveedor_moved() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'catalogo_proveedor' and new.tipo_cambio is not distinct from old.tipo_cambio and new.frescura_min = old.frescura_min then
        return null;
      end if;
      insert into publicacion_mirar (producto_id, motivo)
        select distinct p.producto_id, case tg_table_name when 'catalogo_proveedor' then 'proveedor' when 'catalogo_pausa' then 'frescura' else 'regla' end
        from publicacion p where p.auto_sync and p.producto_id is not null and p.proveedor = new.proveedor
          and (tg_table_name <> 'catalogo_pausa' or (to_jsonb(new) ->> 'producto_id') is null or p.producto_id = (to_jsonb(new) ->> 'producto_id')::uuid);
      return null;
    end $$`.execute(db);
  await sql`create trigger catalogo_proveedor_moved after update on catalogo_proveedor for each row execute function proveedor_moved()`.execute(
    db,
  );
  for (const table of ['catalogo_pausa', 'ganancia', 'seguimiento_regla'])
    await sql`create trigger ${sql.raw(table)}_moved after insert or update on ${sql.table(table)} for each row execute function proveedor_moved()`.execute(
      db,
    );

  await sql`create function ganancia_producto_moved() returns trigger language plpgsql as $$
    declare cual uuid := coalesce(new.producto_id, old.producto_id);
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select cual, 'regla' where exists (select from publicacion p where p.producto_id = cual and p.auto_sync);
      return null;
    end $$`.execute(db);
  await sql`create trigger ganancia_producto_moved after insert or update or delete on ganancia_producto
    for each row execute function ganancia_producto_moved()`.execute(db);

  // A sale takes pieces that its supplier still counts, and gives them back when it is cancelled. Its sku says of which listings.
  await sql`create function articulo_moved() returns trigger language plpgsql as $$
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select distinct p.producto_id, 'venta' from added a join publicacion p on lower(p.sku) = lower(a.sku) where p.auto_sync and p.producto_id is not null;
      return null;
    end $$`.execute(db);
  await sql`create trigger articulo_moved after insert on articulo referencing new table as added for each statement execute function articulo_moved()`.execute(
    db,
  );
  await sql`create function orden_moved() returns trigger language plpgsql as $$
    begin
      insert into publicacion_mirar (producto_id, motivo)
        select distinct p.producto_id, 'venta' from after o join before b using (id) join articulo a on a.orden_id = o.id join publicacion p on lower(p.sku) = lower(a.sku)
        where (o.clase, o.estatus) is distinct from (b.clase, b.estatus) and p.auto_sync and p.producto_id is not null;
      return null;
    end $$`.execute(db);
  await sql`create trigger orden_moved after update on orden referencing old table as before new table as after
    for each statement execute function orden_moved()`.execute(db);
}
