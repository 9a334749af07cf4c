import { type Kysely, sql } from 'kysely';

/**
 * What Mercado Libre tells of an account: its tags and its stores, and the store that people chose for our pieces. `condicion` is the one way of telling the
 * condition of an item that was not refused. Of a listing, the pieces that lie with the marketplace beside those of ours.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create table mercadolibre_cuenta (
    cuenta       text primary key,
    etiquetas    text[] not null default '{}',
    almacenes    jsonb not null default '[]',
    leida_en     timestamptz not null default now(),
    almacen      text,
    condicion    text check (condicion in ('campo', 'atributo')),
    condicion_en timestamptz,
    check ((condicion is null) = (condicion_en is null))
  )`.execute(db);
  await sql`alter table publicacion add column piezas_ajenas integer check (piezas_ajenas >= 0)`.execute(db);
}
