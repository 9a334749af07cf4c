import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // One row each time this database came back from a backup: until when it knows, what was learnt since, and what nobody here can explain.
  await sql`create table restauracion (
    id            uuid primary key default uuidv7(),
    respaldo      text not null,
    sabe_hasta    timestamptz not null,
    restaurada_en timestamptz not null default now(),
    conciliada_en timestamptz,
    adoptadas     jsonb not null default '[]',
    inexplicadas  jsonb not null default '[]'
  )`.execute(db);
}
