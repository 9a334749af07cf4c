import { type Kysely, sql } from 'kysely';

/** What we order from a supplier for a sale: one at a time of each supplier, and never a move that its table does not know. */
export async function up(db: Kysely<unknown>) {
  // `compra`: how this account buys there (way of payment, carrier, warehouses it prefers, copies of its letters).
  await sql`alter table proveedor
    add crear_pedido boolean not null default false,
    add comprar_sin_confirmar boolean not null default false,
    add compra jsonb not null default '{}'`.execute(db);
  await sql`alter table producto add auto_orden boolean not null default false`.execute(db);

  await sql`create table pedido_paso (
    de text not null,
    a  text not null,
    primary key (de, a)
  )`.execute(db);
  await sql`insert into pedido_paso (de, a) values
    ('borrador', 'enviando'), ('borrador', 'cancelado'),
    ('enviando', 'incierto'), ('enviando', 'solicitado'), ('enviando', 'confirmado'), ('enviando', 'rechazado'),
    ('incierto', 'enviando'), ('incierto', 'solicitado'), ('incierto', 'confirmado'), ('incierto', 'rechazado'),
    ('solicitado', 'confirmado'), ('solicitado', 'facturado'), ('solicitado', 'cancelado'), ('solicitado', 'rechazado'), ('solicitado', 'vencido'),
    ('confirmado', 'facturado'), ('confirmado', 'cancelado'),
    ('facturado', 'guiaEnviada'), ('facturado', 'enviado'), ('facturado', 'cancelado'),
    ('guiaEnviada', 'enviado'), ('guiaEnviada', 'cancelado')`.execute(db);

  // Our reference at suppliers, also at the one that takes integers alone. Never used twice.
  await sql`create table pedido (
    id              uuid primary key default uuidv7(),
    numero          integer not null unique generated always as identity (start with 1001),
    folio           text not null generated always as ('TR-' || lpad(numero::text, 6, '0')) stored,
    market          text not null check (market in ('ml', 'amz')),
    num_orden       text not null,
    proveedor       text not null references proveedor,
    estado          text not null default 'borrador' check (estado in ('borrador', 'enviando', 'incierto', 'solicitado', 'confirmado', 'facturado', 'guiaEnviada',
                      'enviado', 'cancelado', 'rechazado', 'vencido')),
    via             text not null check (via in ('api', 'correo')),
    almacen         text,
    folio_proveedor text check (folio_proveedor <> ''),
    total           numeric(14, 2) check (total >= 0),
    moneda          text check (moneda in ('MXN', 'USD')),
    errores         text[] not null default '{}',
    correos         text[] not null default '{}',
    dice            text,
    automatico      boolean not null default false,
    motivo          text,
    detalle         text,
    movido_por      uuid references usuario,
    vence_en        timestamptz,
    solicitado_en   timestamptz,
    confirmado_en   timestamptz,
    guia_por        text check (guia_por in ('pedido', 'api', 'correo')),
    guia_enviada_en timestamptz,
    correo_en       timestamptz,
    factura_folio   text,
    factura_uuid    text,
    factura_total   numeric(14, 2),
    factura_moneda  text check (factura_moneda in ('MXN', 'USD')),
    factura_en      timestamptz,
    respuesta       jsonb,
    revisar_en      timestamptz,
    descartado_en   timestamptz,
    version         integer not null default 1,
    creado_en       timestamptz not null default now(),
    cambiado_en     timestamptz not null default now(),
    check ((guia_por is null) = (guia_enviada_en is null)),
    check (estado not in ('borrador', 'enviando', 'incierto') or folio_proveedor is null)
  )`.execute(db);
  await sql`create unique index pedido_vivo on pedido (market, num_orden, proveedor) where estado not in ('cancelado', 'rechazado', 'vencido')`.execute(
    db,
  );
  // What the supplier has under one folio is one of ours.
  await sql`create unique index pedido_by_folio_proveedor on pedido (proveedor, folio_proveedor) where folio_proveedor is not null`.execute(
    db,
  );
  await sql`create index pedido_by_venta on pedido (market, num_orden)`.execute(db);
  await sql`create index pedido_by_revisar on pedido (revisar_en) where revisar_en is not null`.execute(db);
  await sql`create index pedido_by_confirmar on pedido (proveedor, creado_en desc) where descartado_en is null and estado in ('borrador', 'enviando', 'incierto', 'solicitado', 'rechazado')`.execute(
    db,
  );

  // The price is the one that was known when it was asked for.
  await sql`create table pedido_linea (
    pedido_id    uuid not null references pedido on delete cascade,
    posicion     smallint not null,
    orden_id     uuid not null references orden,
    producto_id  uuid references producto,
    id_proveedor text not null check (id_proveedor <> ''),
    modelo       text,
    descripcion  text not null,
    cantidad     integer not null check (cantidad > 0),
    precio       numeric(18, 6) check (precio > 0),
    moneda       text check (moneda in ('MXN', 'USD')),
    tipo_cambio  numeric(18, 6) check (tipo_cambio > 0),
    primary key (pedido_id, posicion),
    check ((precio is null) = (moneda is null))
  )`.execute(db);
  await sql`create index pedido_linea_by_orden on pedido_linea (orden_id)`.execute(db);
  await sql`create index pedido_linea_by_producto on pedido_linea (producto_id) where producto_id is not null`.execute(
    db,
  );

  await sql`create table pedido_historia (
    id         bigint generated always as identity primary key,
    pedido_id  uuid not null references pedido on delete cascade,
    de         text,
    a          text not null,
    en         timestamptz not null default now(),
    usuario_id uuid references usuario,
    detalle    text,
    constraint pedido_historia_paso foreign key (de, a) references pedido_paso (de, a)
  )`.execute(db);
  await sql`create index pedido_historia_by_pedido on pedido_historia (pedido_id, id)`.execute(db);
  // A move that is no step fails here, whoever asks for it.
  await sql`create function pedido_moved() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        if new.estado <> 'borrador' then raise exception 'un pedido empieza como borrador' using errcode = 'check_violation'; end if;
        insert into pedido_historia (pedido_id, a, usuario_id, detalle) values (new.id, new.estado, new.movido_por, new.detalle);
      elsif new.estado <> old.estado then
        insert into pedido_historia (pedido_id, de, a, usuario_id, detalle) values (new.id, old.estado, new.estado, new.movido_por, new.detalle);
      end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger pedido_moved after insert or update of estado on pedido for each row execute function pedido_moved()`.execute(
    db,
  );
}
