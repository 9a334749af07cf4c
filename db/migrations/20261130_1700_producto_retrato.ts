import { type Kysely, sql } from 'kysely';

/**
 * The small picture of a product for lists, 80 px square. `origen` is the picture that it was made of, and `llave` the address under which anybody may see it; both null
 * while there is none. A row without `mirada_en` waits for the worker. Nobody asks for it again before `vence_en`.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create table producto_retrato (
    producto_id   uuid primary key references producto on delete cascade,
    llave         uuid unique,
    miniatura     bytea,
    origen        text,
    problema      text,
    mirada_en     timestamptz,
    vence_en      timestamptz not null default now() + interval '10 minutes',
    check ((llave is null) = (miniatura is null) and (llave is null) = (origen is null))
  )`.execute(db);
  await sql`create index producto_retrato_by_espera on producto_retrato (vence_en) where mirada_en is null`.execute(db);
}
