import { type Kysely, sql } from 'kysely';

/** The warehouse on a phone: photographs of a piece, and what each press of a phone was answered, so that one sent twice does it once. */
export async function up(db: Kysely<unknown>) {
  await sql`create table stock_foto (
    id         uuid primary key default uuidv7(),
    pieza_id   uuid not null references stock_interno,
    posicion   smallint not null check (posicion between 1 and 6),
    archivo_id uuid not null references archivo,
    usuario_id uuid references usuario,
    en         timestamptz not null default now(),
    unique (pieza_id, posicion)
  )`.execute(db);
  await sql`create index stock_foto_by_archivo on stock_foto (archivo_id)`.execute(db);
  // `clave`: made by the phone for one press. What was refused is not kept: it did nothing, and may be asked again.
  await sql`create table bodega_envio (
    clave      uuid primary key,
    usuario_id uuid not null references usuario,
    respuesta  jsonb not null,
    en         timestamptz not null default now()
  )`.execute(db);
}
