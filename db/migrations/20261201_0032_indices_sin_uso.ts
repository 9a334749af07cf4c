import { type Kysely, sql } from 'kysely';

/** An index whose place `libro_venta_por_calcular` has taken. The narrow `libro_venta_dinero` stays: a month is sorted by what its sales left from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index libro_venta_sin_calculo`.execute(db);
}
