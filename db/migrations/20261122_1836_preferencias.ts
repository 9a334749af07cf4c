import { type Kysely, sql } from 'kysely';

/** How each person wants their screens; who never chose has no row. */
export async function up(db: Kysely<unknown>) {
  await sql`create table preferencia (
    usuario_id    uuid primary key references usuario on delete cascade,
    apariencia    text not null default 'sistema' check (apariencia in ('sistema', 'claro', 'oscuro')),
    densidad      text not null default 'normal' check (densidad in ('compacta', 'normal', 'amplia')),
    cajon_plegado boolean not null default false,
    plegados      text[] not null default '{reportes,configuracion}'
  )`.execute(db);
}
