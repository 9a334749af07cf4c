import { type Kysely, sql } from 'kysely';

/** A price list that people sent, read and counted, until somebody applies it or sends another. */
export async function up(db: Kysely<unknown>) {
  await sql`create table lista_precios (
    id          uuid primary key default uuidv7(),
    proveedor   text not null references proveedor on delete cascade,
    nombre      text not null,
    renglones   jsonb not null,
    ilegibles   integer not null check (ilegibles >= 0),
    sin_leer    text[] not null,
    cuentas     jsonb not null,
    muestra     jsonb not null,
    usuario_id  uuid references usuario,
    creada_en   timestamptz not null default now(),
    aplicada_en timestamptz
  )`.execute(db);
  // One waits at a time; of those that were applied their lines are not kept.
  await sql`create unique index lista_precios_en_espera on lista_precios (proveedor) where aplicada_en is null`.execute(
    db,
  );
}
