import { type Kysely, sql } from 'kysely';

/** What came back and is held by us, a row for each piece. Where it stands is what its movements add up to, and no movement goes where its table does not lead. */
export async function up(db: Kysely<unknown>) {
  // `posicion`: the order people see them in. `en_bodega`: a piece in it is on our shelf. `inicial`: a piece may begin there.
  await sql`create table stock_estado (
    value     text primary key,
    posicion  smallint not null,
    en_bodega boolean not null,
    inicial   boolean not null
  )`.execute(db);
  await sql`insert into stock_estado (value, posicion, en_bodega, inicial) values
    ('enRevision', 1, true, true), ('disponible', 2, true, true), ('reservado', 3, true, false), ('vendido', 4, false, false),
    ('enGarantia', 5, false, true), ('devueltoProveedor', 6, false, true), ('danado', 7, true, true), ('baja', 8, false, true)`.execute(
    db,
  );
  await sql`create table stock_paso (
    de text not null references stock_estado,
    a  text not null references stock_estado,
    primary key (de, a),
    check (de <> a)
  )`.execute(db);
  await sql`insert into stock_paso (de, a) values
    ('enRevision', 'disponible'), ('enRevision', 'enGarantia'), ('enRevision', 'devueltoProveedor'), ('enRevision', 'danado'), ('enRevision', 'baja'),
    ('disponible', 'enRevision'), ('disponible', 'reservado'), ('disponible', 'vendido'), ('disponible', 'enGarantia'), ('disponible', 'devueltoProveedor'),
    ('disponible', 'danado'), ('disponible', 'baja'),
    ('reservado', 'enRevision'), ('reservado', 'disponible'), ('reservado', 'vendido'), ('reservado', 'danado'),
    ('vendido', 'enRevision'),
    ('enGarantia', 'enRevision'), ('enGarantia', 'disponible'), ('enGarantia', 'devueltoProveedor'), ('enGarantia', 'danado'), ('enGarantia', 'baja'),
    ('devueltoProveedor', 'enRevision'), ('devueltoProveedor', 'baja'),
    ('danado', 'enRevision'), ('danado', 'enGarantia'), ('danado', 'devueltoProveedor'), ('danado', 'baja')`.execute(
    db,
  );

  // Of the numbers of a year none is missing: who takes some holds its row until they are written.
  await sql`create table stock_folio (
    anio   smallint primary key check (anio between 2000 and 2099),
    ultimo integer not null check (ultimo between 1 and 999999)
  )`.execute(db);
  // Its letter is the rest by 23, as in other documents that are read aloud: one wrong digit, or two that changed places, have another.
  await sql`create function stock_folio_de(anio smallint, numero integer) returns text language sql immutable strict parallel safe
    return 'DV-' || lpad((anio % 100)::text, 2, '0') || '-' || lpad(numero::text, 6, '0') || '-' ||
      substr('TRWAGMYFPDXBNJZSQVHLCKE', ((anio % 100) * 1000000 + numero) % 23 + 1, 1)`.execute(db);

  // One press of 'Crear devolución'. The same press twice finds the first.
  await sql`create table stock_alta (
    id         uuid primary key default uuidv7(),
    clave      uuid not null unique,
    usuario_id uuid references usuario,
    creada_en  timestamptz not null default now()
  )`.execute(db);

  // `venta_id`: the sale that it left for, or is kept for. `busqueda` is written by its trigger.
  await sql`create table stock_interno (
    id             uuid primary key default uuidv7(),
    anio           smallint not null,
    numero         integer not null check (numero between 1 and 999999),
    folio          text not null generated always as (stock_folio_de(anio, numero)) stored unique,
    alta_id        uuid not null references stock_alta,
    estado         text not null references stock_estado check (estado in ('enRevision', 'disponible', 'reservado', 'vendido', 'enGarantia',
                     'devueltoProveedor', 'danado', 'baja')),
    orden_id       uuid references orden,
    producto_id    uuid references producto,
    descripcion    text,
    proveedor      text references proveedor,
    costo          numeric(14, 2) not null check (costo > 0),
    recuperado     numeric(14, 2) not null default 0 check (recuperado >= 0),
    observaciones  text,
    factura_folio  text,
    factura_id     uuid references archivo,
    venta_id       uuid references orden,
    busqueda       text not null default '',
    creada_por     uuid references usuario,
    creada_en      timestamptz not null default now(),
    cambiada_en    timestamptz not null default now(),
    version        integer not null default 1,
    unique (anio, numero),
    check (factura_id is null or factura_folio is not null),
    check (venta_id is null or estado in ('reservado', 'vendido'))
  )`.execute(db);
  await sql`create index stock_interno_by_fecha on stock_interno (creada_en desc, id desc) include (estado, proveedor, costo)`.execute(
    db,
  );
  await sql`create index stock_interno_by_estado on stock_interno (estado, proveedor, creada_en desc, id desc) include (costo)`.execute(
    db,
  );
  await sql`create index stock_interno_by_proveedor on stock_interno (proveedor, creada_en desc, id desc) include (estado, costo)`.execute(
    db,
  );
  await sql`create index stock_interno_by_orden on stock_interno (orden_id) where orden_id is not null`.execute(db);
  await sql`create index stock_interno_by_venta on stock_interno (venta_id) where venta_id is not null`.execute(db);
  await sql`create index stock_interno_by_producto on stock_interno (producto_id, estado) where producto_id is not null`.execute(
    db,
  );
  await sql`create index stock_interno_by_alta on stock_interno (alta_id)`.execute(db);
  await sql`create index stock_interno_by_factura on stock_interno (lower(factura_folio)) where factura_folio is not null`.execute(
    db,
  );
  await sql`create index stock_interno_search on stock_interno using gin (busqueda gin_trgm_ops)`.execute(db);

  // `venta_id`: the sale that the piece is kept for, or left with, from here on. `deshace`: the movement that this one takes back.
  await sql`create table stock_movimiento (
    id         bigint generated always as identity primary key,
    pieza_id   uuid not null references stock_interno,
    de         text references stock_estado,
    a          text not null references stock_estado,
    en         timestamptz not null default clock_timestamp(),
    usuario_id uuid references usuario,
    detalle    text,
    venta_id   uuid references orden,
    deshace    bigint unique references stock_movimiento,
    check (de <> a)
  )`.execute(db);
  await sql`create index stock_movimiento_by_pieza on stock_movimiento (pieza_id, id)`.execute(db);
  await sql`create unique index stock_movimiento_primero on stock_movimiento (pieza_id) where de is null`.execute(db);

  await sql`create function stock_escrito() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if not (select inicial from stock_estado where value = new.estado) then
          raise exception 'una pieza no empieza en %', new.estado using errcode = 'check_violation';
        end if;
      elsif new.estado <> old.estado and pg_trigger_depth() < 2 then
        raise exception 'el estado de una pieza cambia con un movimiento' using errcode = 'check_violation';
      end if;
      new.busqueda := f_norm(concat_ws(' ', stock_folio_de(new.anio, new.numero), new.factura_folio, new.descripcion, new.observaciones,
        (select num_orden from orden where id = new.orden_id),
        (select concat_ws(' ', nombre, modelo, id_proveedor) from producto where id = new.producto_id),
        (select label from proveedor where value = new.proveedor)));
      return new;
    end $$`.execute(db);
  await sql`create trigger stock_escrito before insert or update on stock_interno for each row execute function stock_escrito()`.execute(
    db,
  );
  await sql`create function stock_empieza() returns trigger language plpgsql as $$
    begin
      insert into stock_movimiento (pieza_id, a, usuario_id) values (new.id, new.estado, new.creada_por);
      return null;
    end $$`.execute(db);
  await sql`create trigger stock_empieza after insert on stock_interno for each row execute function stock_empieza()`.execute(
    db,
  );

  // It holds the piece until its transaction ends: of two movements at once the second starts where the first ended, or is refused.
  await sql`create function stock_mueve() returns trigger language plpgsql as $$
    declare
      esta text;
      ultimo stock_movimiento;
    begin
      select estado into esta from stock_interno where id = new.pieza_id for update;
      if new.de is null then
        if esta is distinct from new.a or exists (select from stock_movimiento where pieza_id = new.pieza_id) then
          raise exception 'una pieza empieza una vez' using errcode = 'check_violation';
        end if;
        return new;
      end if;
      if esta is distinct from new.de then
        raise exception 'la pieza está en % y no en %', esta, new.de using errcode = 'check_violation';
      end if;
      if new.deshace is not null then
        select * into ultimo from stock_movimiento where pieza_id = new.pieza_id order by id desc limit 1;
        if ultimo.id is distinct from new.deshace or ultimo.de is distinct from new.a or ultimo.deshace is not null
          or ultimo.en < clock_timestamp() - interval '10 minutes' then
          raise exception 'ese movimiento ya no se deshace' using errcode = 'check_violation';
        end if;
      elsif not exists (select from stock_paso where de = new.de and a = new.a) then
        raise exception 'de % no se pasa a %', new.de, new.a using errcode = 'check_violation';
      end if;
      update stock_interno set estado = new.a, venta_id = new.venta_id, version = version + 1, cambiada_en = now() where id = new.pieza_id;
      return new;
    end $$`.execute(db);
  await sql`create trigger stock_mueve before insert on stock_movimiento for each row execute function stock_mueve()`.execute(
    db,
  );

  // Labels that were printed before anybody knew what they would hang on. They have codes of their own, so that the folios of a year stay whole.
  await sql`create table stock_etiqueta (
    numero    integer primary key generated always as identity check (numero between 1 and 9999999),
    codigo    text not null generated always as ('ET-' || lpad(numero::text, 7, '0') || '-' || substr('TRWAGMYFPDXBNJZSQVHLCKE', numero % 23 + 1, 1)) stored unique,
    creada_por uuid references usuario,
    creada_en  timestamptz not null default now(),
    pieza_id   uuid references stock_interno,
    ligada_por uuid references usuario,
    ligada_en  timestamptz,
    check ((pieza_id is null) = (ligada_en is null))
  )`.execute(db);
  await sql`create index stock_etiqueta_by_pieza on stock_etiqueta (pieza_id) where pieza_id is not null`.execute(db);
}
