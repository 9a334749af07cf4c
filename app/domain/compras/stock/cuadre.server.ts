import { sql } from 'kysely';
import type { Db } from '~db/client.server';

/** Folios that the report names. */
const MAX_NOMBRADAS = 20;

/** Returns the folios of pieces whose movements do not add up to their state. */
export async function descuadradas(db: Db): Promise<string[]> {
  const { rows } = await sql<{ folio: string }>`
    with sumas as (
      select pieza_id, estado, sum(n) as n from (
        select pieza_id, a as estado, 1 as n from stock_movimiento
        union all select pieza_id, de, -1 from stock_movimiento where de is not null) pasos
      group by 1, 2 having sum(n) <> 0)
    select s.folio from stock_interno s left join (
      select pieza_id, count(*) as cuantos, min(estado) as estado, min(n) as n from sumas group by 1) m on m.pieza_id = s.id
    where m.pieza_id is null or m.cuantos <> 1 or m.n <> 1 or m.estado <> s.estado
    order by s.folio`.execute(db);
  return rows.map(({ folio }) => folio);
}

/** Compares movements with states, once a night, and keeps the result for the condition on the board. */
export async function balanceStock(db: Db): Promise<void> {
  const folios = await descuadradas(db);
  await db
    .insertInto('stockCuadre')
    .values({ descuadradas: folios.length, folios: folios.slice(0, MAX_NOMBRADAS) })
    .execute();
  await sql`delete from stock_cuadre where en < now() - interval '90 days'`.execute(db);
}

/** Returns the last comparison; undefined before the first one. */
export function ultimoCuadre(db: Db) {
  return db.selectFrom('stockCuadre').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
}
