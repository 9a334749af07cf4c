import { type Kysely, sql } from 'kysely';

/** The price that a marketplace really sells a listing at, which a promotion of its own may lower; null where it told none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publicacion
    add column precio_venta numeric(14, 2) check (precio_venta >= 0),
    add column precio_venta_en timestamptz`.execute(db);
}
