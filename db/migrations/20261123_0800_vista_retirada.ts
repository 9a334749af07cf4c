import { type Kysely, sql } from 'kysely';

/** A view that was taken away can be put back for a while: it keeps its place, and its name is free for another. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table vista add column retirada timestamptz`.execute(db);
  await sql`drop index vista_by_nombre`.execute(db);
  await sql`create unique index vista_by_nombre on vista (usuario_id, lista, lower(nombre)) where retirada is null`.execute(
    db,
  );
}
