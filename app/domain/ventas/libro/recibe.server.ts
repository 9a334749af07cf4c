import { type RawBuilder, sql } from 'kysely';
import type { Money } from '~/core/money';

/**
 * SQL: the money of a sale that arrives before its goods are paid, in pesos, as its ledger tells it. `orden` is the alias of its row. A sale of before the
 * ledger is reckoned on the spot.
 */
export function recibeDe(orden: string): RawBuilder<Money> {
  const id = sql.ref(`${orden}.id`);
  return sql`coalesce((select recibe from libro_venta where orden_id = ${id}), libro_recibe(${id}))`;
}

/** SQL over `libro_venta`: whether a part of what a sale brings is estimated, or not known yet. */
export const RECIBE_ESTIMADO = sql<boolean>`(libro_venta.estima && '{comision,cupon,retencion}' or libro_venta.falta && '{cupon,envio,calculo}')`;

/** SQL: whether a part of `recibeDe` is estimated, or not known yet. */
export const esEstimado = (orden: string): RawBuilder<boolean> =>
  sql`coalesce((select ${RECIBE_ESTIMADO} from libro_venta where orden_id = ${sql.ref(`${orden}.id`)}), true)`;
