import { type Kysely, sql } from 'kysely';

/** Whose account a report of payouts is of: what stays in one account does not pass on to another that is linked later. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table liquidacion_reporte add column cuenta text not null default ''`.execute(db);
  await sql`update liquidacion_reporte r set cuenta = c.account from credential c
    where (c.connection, r.market) in (('mercadolibre', 'ml'), ('amazon', 'amz'))`.execute(db);
  await sql`alter table liquidacion_reporte drop constraint liquidacion_reporte_market_clave_key`.execute(db);
  await sql`alter table liquidacion_reporte add unique (market, cuenta, clave)`.execute(db);
}
