import { type Kysely, sql } from 'kysely';

/** Sales whose factura was asked for are told from the others in each count of what waits for one press. */
export async function up(db: Kysely<unknown>) {
  await sql`create index factura_draft_by_venta on factura_draft (num_orden, market) where effect_id is not null`.execute(
    db,
  );
}
