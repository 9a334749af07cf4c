import { type Kysely, sql } from 'kysely';

/** How fresh each catalogue is and has to be, which products are one piece, and reads of prices alone. */
export async function up(db: Kysely<unknown>) {
  // What is older than `frescura_min` counts as no stock for the marketplaces. `fresca_de`: when the last read that ended began. Its own rate of the dollar.
  await sql`create table catalogo_proveedor (
    proveedor    text primary key references proveedor on delete cascade,
    frescura_min integer not null default 720 check (frescura_min between 5 and 43200),
    fresca_de    timestamptz,
    tipo_cambio    numeric(18, 6) check (tipo_cambio > 0),
    tipo_cambio_en timestamptz,
    version      integer not null default 1,
    check ((tipo_cambio is null) = (tipo_cambio_en is null))
  )`.execute(db);
  await sql`insert into catalogo_proveedor (proveedor, fresca_de)
    select p.value, (select max(l.empezo_en) from lectura_catalogo l where l.proveedor = p.value and l.completa) from proveedor p`.execute(
    db,
  );

  // Each time that stock stopped counting, of a whole supplier or of one product, and when it counted again.
  await sql`create table catalogo_pausa (
    id          uuid primary key default uuidv7(),
    proveedor   text not null references proveedor on delete cascade,
    producto_id uuid references producto on delete cascade,
    empezo_en   timestamptz not null default now(),
    termino_en  timestamptz,
    minutos     integer not null,
    dato_de     timestamptz,
    productos   integer not null check (productos >= 0),
    check (termino_en is null or termino_en >= empezo_en)
  )`.execute(db);
  await sql`create unique index catalogo_pausa_proveedor_abierta on catalogo_pausa (proveedor) where producto_id is null and termino_en is null`.execute(
    db,
  );
  await sql`create unique index catalogo_pausa_producto_abierta on catalogo_pausa (producto_id) where producto_id is not null and termino_en is null`.execute(
    db,
  );
  await sql`create index catalogo_pausa_by_proveedor on catalogo_pausa (proveedor, empezo_en desc)`.execute(db);

  // Null where the last read met it; else when the last one that did began. Only exceptions are written.
  await sql`alter table producto add column visto_hasta timestamptz`.execute(db);
  await sql`create index producto_no_visto on producto (proveedor) where visto_hasta is not null`.execute(db);

  // Where only one of the two was read, when. Else both are of the moment when the row was written.
  await sql`alter table oferta add column precio_en timestamptz, add column existencia_en timestamptz`.execute(db);

  // By what the same piece is known at several suppliers: its GTINs with 14 digits, and brand and manufacturer's model without signs and accents.
  await sql`create function producto_llaves(marca text, modelo text, gtins text[]) returns text[] language plpgsql immutable parallel safe as $$
    declare
      llaves text[] := '{}';
      uno text;
      m text := regexp_replace(translate(upper(marca), 'ÁÉÍÓÚÜÑ', 'AEIOUUN'), '[^A-Z0-9]', '', 'g');
      n text := regexp_replace(translate(upper(modelo), 'ÁÉÍÓÚÜÑ', 'AEIOUUN'), '[^A-Z0-9]', '', 'g');
    begin
      foreach uno in array gtins loop
        if uno ~ '^[0-9]{8,14}$' then llaves := llaves || ('g' || lpad(uno, 14, '0')); end if;
      end loop;
      if m <> '' and length(n) >= 3 and n ~ '[0-9]' then llaves := llaves || ('m' || m || '|' || n); end if;
      return llaves;
    end $$`.execute(db);
  await sql`alter table producto add column llaves text[] not null generated always as (producto_llaves(marca, modelo_fabricante, gtins)) stored`.execute(
    db,
  );
  await sql`create index producto_by_llaves on producto using gin (llaves)`.execute(db);

  // What people say of two products, whatever their keys say.
  await sql`create table producto_par (
    uno        uuid not null references producto on delete cascade,
    otro       uuid not null references producto on delete cascade,
    igual      boolean not null,
    usuario_id uuid references usuario,
    en         timestamptz not null default now(),
    primary key (uno, otro),
    check (uno < otro)
  )`.execute(db);
  await sql`create index producto_par_by_otro on producto_par (otro)`.execute(db);

  // A read of prices and stock alone goes beside one of the whole catalogue, which may wait for hours.
  await sql`alter table lectura_catalogo
    add column tipo text not null default 'completa' check (tipo in ('completa', 'precios')),
    add column total integer,
    add column falla text check (falla in ('proveedor', 'forma', 'nuestra')),
    add column fallas smallint not null default 0,
    add column por_marcar integer check (por_marcar > 0),
    add column decision text check (decision in ('marcar', 'dejar')),
    add column decidio_id uuid references usuario,
    add column decidio_en timestamptz,
    add check (decision is null or por_marcar is not null)`.execute(db);
  await sql`drop index lectura_catalogo_abierta`.execute(db);
  await sql`create unique index lectura_catalogo_abierta on lectura_catalogo (proveedor, tipo) where termino_en is null`.execute(
    db,
  );

  // One row for each stretch: 'ids' it met, and 'rastros', every text of the rows of it that could not be read.
  await sql`alter table catalogo_visto rename to catalogo_visto_antes`.execute(db);
  await sql`create table catalogo_visto (
    lectura_id uuid not null references lectura_catalogo on delete cascade,
    tramo      integer not null,
    ids        text[] not null,
    rastros    text[] not null default '{}',
    primary key (lectura_id, tramo)
  )`.execute(db);
  await sql`insert into catalogo_visto (lectura_id, tramo, ids) select lectura_id, -1, array_agg(id_proveedor) from catalogo_visto_antes group by 1`.execute(
    db,
  );
  await sql`drop table catalogo_visto_antes`.execute(db);
}
