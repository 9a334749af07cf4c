import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // What of corrections waits for people is counted with every page: each part of it by an index of what is open, and of nothing else.
  await sql`create index factura_draft_by_sustituye on factura_draft (sustituye_id) where sustituye_id is not null`.execute(
    db,
  );
  await sql`create index cancelacion_solicitada on cancelacion (pedida_en) where estado = 'solicitada'`.execute(db);
}
