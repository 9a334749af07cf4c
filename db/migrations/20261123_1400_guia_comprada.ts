import { type Kysely, sql } from 'kysely';

/**
 * Labels that a marketplace sold us for what we send ourselves, with what they cost and what became of them. At most one of a shipment is alive: whoever buys another one
 * gave the first back. A label that was given back is not for printing any more.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create table remitente (
    conexion text primary key,
    version  integer not null default 0,
    nombre   text not null,
    calle    text not null,
    colonia  text,
    ciudad   text not null,
    estado   text not null,
    cp       text not null check (cp ~ '^[0-9]{5}$'),
    telefono text not null,
    email    text not null
  )`.execute(db);
  await sql`alter table guia add column anulada_en timestamptz`.execute(db);
  await sql`create table guia_comprada (
    id            uuid primary key default uuidv7(),
    envio_id      uuid not null references envio,
    guia_id       uuid not null references guia,
    market_id     text not null unique,
    estado        text not null check (estado in ('comprada', 'reembolsoPedido', 'reembolsada', 'sinReembolso')),
    servicio      text not null,
    costo         numeric(14, 2) not null check (costo >= 0),
    costo_antes   numeric(14, 2),
    entrega_desde timestamptz,
    entrega_hasta timestamptz,
    contenido     text not null,
    peso          integer not null check (peso > 0),
    largo         integer not null check (largo > 0),
    ancho         integer not null check (ancho > 0),
    alto          integer not null check (alto > 0),
    usuario_id    uuid references usuario,
    comprada_en   timestamptz not null default now(),
    cancelada_en  timestamptz,
    mirada_en     timestamptz not null default now(),
    check ((estado = 'comprada') = (cancelada_en is null))
  )`.execute(db);
  await sql`create unique index one_living_guia_per_envio on guia_comprada (envio_id) where estado = 'comprada'`.execute(
    db,
  );
  await sql`create index guia_comprada_by_envio on guia_comprada (envio_id, id desc)`.execute(db);
  await sql`create index guia_comprada_by_guia on guia_comprada (guia_id)`.execute(db);
  await sql`create index guia_comprada_by_contenido on guia_comprada (contenido, id desc)`.execute(db);
  await sql`create index guia_comprada_by_usuario on guia_comprada (usuario_id)`.execute(db);
  await sql`create index guia_comprada_por_mirar on guia_comprada (mirada_en) where estado = 'reembolsoPedido'`.execute(
    db,
  );
}
