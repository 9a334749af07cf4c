import { type Kysely, sql } from 'kysely';

/**
 * Pictures of a product: those that people uploaded (`origen` null) and our copies of the supplier's. `llave` is the address under which anybody may
 * see a picture, so nobody can guess one. A picture of the supplier without `mirada_en` waits for the worker.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create table producto_foto (
    id            uuid primary key default uuidv7(),
    producto_id   uuid not null references producto on delete cascade,
    origen        text,
    posicion      integer not null default 0,
    llave         uuid not null unique default gen_random_uuid(),
    archivo_id    uuid references archivo,
    ancho         integer,
    alto          integer,
    problema      text,
    inalcanzable  boolean not null default false,
    mirada_en     timestamptz,
    usuario_id    uuid references usuario,
    creado_en     timestamptz not null default now(),
    unique (producto_id, origen),
    check (origen is not null or archivo_id is not null)
  )`.execute(db);
  await sql`create index producto_foto_by_archivo on producto_foto (archivo_id)`.execute(db);
}
