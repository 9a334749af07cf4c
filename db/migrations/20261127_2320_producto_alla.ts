import { type Kysely, sql } from 'kysely';

/** The marketplace's own product whose pieces a listing sells: notices of pieces by place name it, and not the listing. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table publicacion add column producto_alla text`.execute(db);
  await sql`update publicacion set producto_alla = datos->>'user_product_id'
    where market = 'ml' and variantes = 0 and datos->>'user_product_id' is not null`.execute(db);
  await sql`create index publicacion_by_producto_alla on publicacion (market, producto_alla) where producto_alla is not null`.execute(
    db,
  );
}
