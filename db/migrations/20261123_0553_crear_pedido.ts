import { type Kysely, sql } from 'kysely';

/**
 * A supplier takes orders unless somebody says no: of a new installation, and of what is added to any. One that is at work keeps what it has, so that an update orders
 * nothing that its people had not asked for.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table proveedor alter crear_pedido set default true`.execute(db);
  await sql`update proveedor set crear_pedido = true where not exists (select from usuario) and not exists (select from orden)`.execute(
    db,
  );
}
