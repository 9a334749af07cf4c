import { type Kysely, sql } from 'kysely';

/** How each person has the columns of each list, the views of a list that were given a name, and the one a role begins with. */
export async function up(db: Kysely<unknown>) {
  await sql`create table columnas_de_lista (
    usuario_id uuid not null references usuario on delete cascade,
    lista      text not null check (length(lista) between 1 and 60),
    columnas   text not null check (length(columnas) between 1 and 2000),
    primary key (usuario_id, lista)
  )`.execute(db);

  await sql`create table vista (
    id         uuid primary key default uuidv7(),
    lista      text not null check (length(lista) between 1 and 60),
    nombre     text not null check (length(nombre) between 1 and 40),
    usuario_id uuid not null references usuario on delete cascade,
    consulta   text not null check (length(consulta) <= 2000),
    roles      text[] not null default '{}' check (roles <@ array['sa', 'admin', 'user', 'aux', 'cont'])
  )`.execute(db);
  await sql`create unique index vista_by_nombre on vista (usuario_id, lista, lower(nombre))`.execute(db);
  await sql`create index vista_by_lista on vista (lista)`.execute(db);

  await sql`create table vista_inicial (
    lista    text not null,
    rol      text not null check (rol in ('sa', 'admin', 'user', 'aux', 'cont')),
    vista_id uuid not null references vista on delete cascade,
    primary key (lista, rol)
  )`.execute(db);
  await sql`create index vista_inicial_by_vista on vista_inicial (vista_id)`.execute(db);
}
