import { type Kysely, sql } from 'kysely';

/**
 * The nightly comparison with the PAC's list: each month that was read, and what was found there that was otherwise here. A finding that is gone is
 * kept with the moment in which it went.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table cotejo_mes (
    mes       text primary key check (mes ~ '^[0-9]{4}-[0-9]{2}$'),
    leido_en  timestamptz not null default now(),
    conocidos integer not null,
    ajenos    integer not null
  )`.execute(db);
  await sql`create table cotejo_hallazgo (
    uuid        text primary key,
    mes         text not null references cotejo_mes,
    que         text not null check (que in ('adoptado', 'cancelado', 'inexplicado')),
    folio       text not null,
    motivo      text,
    visto_en    timestamptz not null default now(),
    resuelto_en timestamptz
  )`.execute(db);
}
