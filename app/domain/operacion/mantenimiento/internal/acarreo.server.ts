import { sql, type RawBuilder } from 'kysely';

/** Rows of before an upgrade that a job brings up to it, in lots of their own. What is left is in the rows themselves, so a run that was cut goes on there. */
type Acarreo = { tarea: string; quedan: RawBuilder<unknown> };

/** Every backfill, by the task that carries it; what is left is counted by an index of the rows that are left. */
export const ACARREOS: readonly Acarreo[] = [
  { tarea: 'libro.asentar', quedan: sql`select count(*) from libro_venta where comision is null` },
  { tarea: 'impuestos.leer', quedan: sql`select count(*) from proveedor_cfdi where metodo_pago is null` },
];

/** What each backfill has left, as rows of `tarea` and `quedan`. */
export const QUEDAN = sql.join(
  ACARREOS.map(({ tarea, quedan }) => sql`select ${sql.lit(tarea)} as tarea, (${quedan})::float8 as quedan`),
  sql` union all `,
);
