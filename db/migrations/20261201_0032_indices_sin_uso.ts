import { type Kysely, sql } from 'kysely';

/** Indexes whose place `libro_venta_partes` and `libro_venta_por_calcular` have taken. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index libro_venta_dinero`.execute(db);
  await sql`drop index libro_venta_sin_calculo`.execute(db);
}
