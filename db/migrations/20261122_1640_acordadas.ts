import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // Buyer and seller agreed on the delivery: no shipment will ever be there.
  await sql`alter table orden add acordada boolean not null default false`.execute(db);
  await sql`update orden set acordada = true where market = 'ml' and 'no_shipping' = any(tags)`.execute(db);
}
