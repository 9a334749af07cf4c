import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import { vacuumAnalyze } from '../plans';

/** So many listings of both marketplaces, of as many products as there are, and one in twenty without a product. */
export async function seedPublicaciones(db: Db, cuantas: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`insert into publicacion (market, clave, market_id, sku, proveedor, producto_id, titulo, precio, stock, vendido, estatus, de_catalogo, fecha_creacion)
    select case when n % 4 = 0 then 'amz' else 'ml' end, 'P' || n, 'MLM' || n, 'AMS|P' || n || '|ct|X', case when n % 3 = 0 then 'syscom' else 'ct' end, p.id, 'Cámara bala ' || n, 100 + n % 900, n % 50, n % 9, case when n % 4 = 0 then 'DONE' when n % 10 = 1 then 'paused' else 'active' end, n % 2 = 0,
      timestamptz '2026-10-31 18:00Z' - n * interval '1 minute'
    from generate_series(1, ${cuantas}::int) s(n)
    left join (select id, row_number() over () as m from producto) p on p.m = s.n and s.n % 20 <> 0`.execute(trx);
  });
  await vacuumAnalyze(db, 'publicacion');
}
