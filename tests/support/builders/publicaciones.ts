import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** So many listings of both marketplaces, of as many products as there are. */
export async function seedPublicaciones(db: Db, cuantas: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // What is not yet on disk VACUUM cannot call visible to all, and an index alone would not do.
    await sql`set local synchronous_commit to on`.execute(trx);
    await sql`insert into publicacion (market, clave, market_id, sku, titulo, precio, stock, vendido, estatus, fecha_creacion)
    select case when n % 4 = 0 then 'amz' else 'ml' end, 'P' || n, 'MLM' || n, 'AMS|P' || n || '|ct|X', 'Cámara bala ' || n, 100 + n % 900, n % 50, n % 9, 'active',
      timestamptz '2026-10-31 18:00Z' - n * interval '1 minute'
    from generate_series(1, ${cuantas}::int) n`.execute(trx);
  });
  await sql`vacuum analyze publicacion`.execute(db);
}
