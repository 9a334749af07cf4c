import { type Kysely, sql } from 'kysely';

/** The mark-up on cost by supplier and marketplace, and what a product has instead of its supplier's. Without a row the default holds. */
export async function up(db: Kysely<unknown>) {
  await sql`create table ganancia (
    proveedor text not null references proveedor,
    market    text not null check (market in ('ml', 'amz')),
    ganancia  numeric(6, 4) not null check (ganancia >= 0),
    primary key (proveedor, market)
  )`.execute(db);
  await sql`create table ganancia_producto (
    producto_id uuid not null references producto on delete cascade,
    market      text not null check (market in ('ml', 'amz')),
    ganancia    numeric(6, 4) not null check (ganancia >= 0),
    primary key (producto_id, market)
  )`.execute(db);
}
