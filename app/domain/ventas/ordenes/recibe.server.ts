import { type RawBuilder, sql } from 'kysely';
import { MARKETS, type Market } from '~/core/market';
import type { Money } from '~/core/money';
import { claveOfTarifa, TARIFA } from '~/domain/ventas/ordenes/tarifa';

type Tasa = 'comision' | 'retencionIva' | 'retencionIsr';

/** SQL: a rate of the marketplace of `orden`, as people set it, else the default. Each marketplace is asked for once in a statement. */
const tasaDe = (orden: string, tasa: Tasa): RawBuilder<Money> => {
  const of = (market: Market) => sql`when ${market} then coalesce(
    (select (valor ->> ${sql.lit(tasa)})::numeric from ajuste where clave = ${claveOfTarifa(market)}), ${TARIFA[tasa]})`;
  return sql`case ${sql.ref(`${orden}.market`)} ${sql.join(MARKETS.map(of), sql` `)} end`;
};

/**
 * SQL: the money of a sale that arrives before its goods are paid, in pesos: paid, without commission, withholdings and shipping. `orden` is the alias of
 * its row. What the marketplace has not told yet is estimated by its rates (`esEstimado`): a commission of 0 would say that everything is kept.
 */
export function recibeDe(orden: string): RawBuilder<Money> {
  const of = (column: string) => sql.ref(`${orden}.${column}`);
  return sql`(${of('pagado')} - ${of('costoEnvio')}
    - coalesce(${of('comision')}, round(${of('pagado')} * ${tasaDe(orden, 'comision')}, 2))
    - coalesce(${of('retencion')}, round(${of('pagado')} / 1.16 * (${tasaDe(orden, 'retencionIva')} + ${tasaDe(orden, 'retencionIsr')}), 2)))`;
}

/** SQL: whether a part of `recibeDe` is estimated. */
export const esEstimado = (orden: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${orden}.comision`)} is null or ${sql.ref(`${orden}.retencion`)} is null)`;
