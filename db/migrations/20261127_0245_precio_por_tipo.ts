import { type Kysely, sql } from 'kysely';

/**
 * A mark-up for each kind of listing, and the price that a person typed for a listing, which the follower asks about before it is changed. A Premium
 * listing that was never repriced stands at the price its person typed: no rule had a price for it.
 */
export async function up(db: Kysely<unknown>) {
  for (const [tabla, de] of [
    ['ganancia', 'proveedor'],
    ['ganancia_producto', 'producto_id'],
  ] as const)
    await sql`alter table ${sql.table(tabla)}
      add column tipo text not null default '' check (tipo in ('', 'gold_pro')),
      drop constraint ${sql.ref(`${tabla}_pkey`)},
      add primary key (${sql.ref(de)}, market, tipo)`.execute(db);
  await sql`alter table publicacion add column precio_escrito numeric(14, 2) check (precio_escrito >= 0)`.execute(db);
  await sql`update publicacion p set precio_escrito = precio
    where auto_sync and tipo = 'gold_pro' and not exists (
      select from publicacion_historia h
      where h.publicacion_id = p.id and h.usuario_id is null and h.precio is not null and h.error is null)`.execute(db);
}
