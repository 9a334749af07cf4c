import { type Kysely, sql } from 'kysely';

/** How a person prints labels, and the ZPL of a label beside its PDF, which suppliers get. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table preferencia add column etiquetas text not null default 'pdf' check (etiquetas in ('pdf', 'zpl'))`.execute(
    db,
  );
  await sql`alter table guia add column zpl_id uuid references archivo`.execute(db);
  await sql`create index guia_by_zpl on guia (zpl_id)`.execute(db);
}
