import { type Kysely, sql } from 'kysely';

/** What is being prepared to be put on sale, and what each category asks about a product. */
export async function up(db: Kysely<unknown>) {
  // One for each product and marketplace: whoever comes back finds it as it was left.
  await sql`create table publicacion_borrador (
    id             uuid primary key default uuidv7(),
    market         text not null check (market in ('ml', 'amz')),
    producto_id    uuid not null references producto on delete cascade,
    categoria_id   text check (categoria_id <> ''),
    datos          jsonb not null default '{}',
    problemas      jsonb not null default '[]',
    version        integer not null default 1,
    usuario_id     uuid references usuario,
    actualizado_en timestamptz not null default now(),
    unique (market, producto_id)
  )`.execute(db);

  // What a category asks, as it was read last: it is asked for again after a day.
  await sql`create table categoria_formulario (
    market       text not null check (market in ('ml', 'amz')),
    categoria_id text not null check (categoria_id <> ''),
    formulario   jsonb not null,
    leido_en     timestamptz not null default now(),
    primary key (market, categoria_id)
  )`.execute(db);
}
