import { type Kysely, sql } from 'kysely';

/** Answers of far sides by hour and route, and how many were 4xx: a far side that gets too many of those blocks an application. */
export async function up(db: Kysely<unknown>) {
  await sql`create table respuesta_lejana (
    connection  text not null,
    hora        timestamptz not null,
    ruta        text not null,
    contestadas integer not null check (contestadas > 0),
    rechazadas  integer not null check (rechazadas between 0 and contestadas),
    primary key (connection, hora, ruta)
  )`.execute(db);
}
