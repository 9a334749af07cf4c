import { type RawBuilder, sql } from 'kysely';
import { type Market, MARKETS } from '~/core/market';
import type { Money } from '~/core/money';
import type { Db, Trx } from '~db/client.server';

/** What other mark-ups would do to the products of a supplier at one marketplace. */
export type Movimiento = {
  market: Market;
  /** Products with a price that have no mark-up of their own: of these, those whose price moves. */
  mueven: number;
  /** Listings there that follow one of those that move. */
  publicaciones: number;
  /** That have a mark-up of their own there. */
  propios: number;
  /** That have a price in dollars and no rate: no price of ours, before and after. */
  sinCambio: number;
  /** The mean of those that move. */
  antes: Money | null;
  despues: Money | null;
};

/** The price rule for a whole catalogue in one statement, as `precioDeVenta` has it for one product. Null where there is no price. */
const precioSql = (ganancia: RawBuilder<unknown>) =>
  sql`ceil(o.precio * case o.moneda when 'MXN' then 1 else coalesce(c.tipo_cambio, o.tipo_cambio) end * 1.16 * (1 + ${ganancia}) + coalesce(p.costo_envio, 0))`;

/** Counted before anything is saved. `siguen` says which listings (`p`) have their price from us. */
export async function countMovimientos(
  db: Db | Trx,
  proveedor: string,
  antes: Record<Market, string>,
  despues: Record<Market, string>,
  siguen: RawBuilder<boolean>,
): Promise<Movimiento[]> {
  const moved = MARKETS.filter((market) => antes[market] !== despues[market]);
  return await Promise.all(
    moved.map(async (market) => {
      const { rows } = await sql<Omit<Movimiento, 'market'>>`
        select count(*) filter (where not propio and era <> sera)::int as mueven, count(*) filter (where propio)::int as propios,
          count(*) filter (where era is null)::int as sin_cambio,
          coalesce(sum(seguidas) filter (where not propio and era <> sera), 0)::int as publicaciones,
          avg(era) filter (where not propio and era <> sera) as antes, avg(sera) filter (where not propio and era <> sera) as despues
        from (
          select ${precioSql(sql`${antes[market]}::numeric`)} as era, ${precioSql(sql`${despues[market]}::numeric`)} as sera, g.producto_id is not null as propio, u.seguidas
          from producto p join oferta o on o.producto_id = p.id
            left join catalogo_proveedor c on c.proveedor = p.proveedor
            left join ganancia_producto g on g.producto_id = p.id and g.market = ${market}
            left join (select p.producto_id, count(*) as seguidas from publicacion p
              where p.proveedor = ${proveedor} and p.market = ${market} and ${siguen} group by p.producto_id) u on u.producto_id = p.id
          where p.proveedor = ${proveedor} and p.ausente_desde is null and o.precio is not null) as precios`.execute(
        db,
      );
      return { market, ...rows[0]! };
    }),
  );
}
