import { sql } from 'kysely';

const TOLERANCIA = sql`(select tolerancia from conciliacion_regla)`;

/** True for a deposit with an amount that nothing explains, or with a sale that differs, above the tolerance. */
export const DEPOSITO_DIFIERE = sql<boolean>`(greatest(abs(deposito.sin_explicar), deposito.mayor) > ${TOLERANCIA})`;

/** True for a settled sale with a concept that differs above the tolerance. */
export const VENTA_DIFIERE = sql<boolean>`(conciliacion.mayor > ${TOLERANCIA})`;
