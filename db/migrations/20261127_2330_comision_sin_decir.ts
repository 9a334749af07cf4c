import { type Kysely, sql } from 'kysely';

/**
 * The commission of a sale may be unknown. Amazon tells it days after the sale, and a 0 meanwhile said that the whole price is kept: in margins, in profit
 * and in the guard of purchases.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orden alter comision drop not null, alter comision drop default`.execute(db);
  await sql`alter table articulo alter comision drop not null, alter comision drop default`.execute(db);
  // Sales of which no movement was read. A sale that was cancelled before any costs none.
  await sql`update articulo a set comision = null from orden o
    where a.orden_id = o.id and o.market = 'amz' and o.comision_leida is null and o.comision = 0 and o.clase <> 'cancelada'`.execute(
    db,
  );
  await sql`update orden set comision = null
    where market = 'amz' and comision_leida is null and comision = 0 and clase <> 'cancelada'`.execute(db);
}
