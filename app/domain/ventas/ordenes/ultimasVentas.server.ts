import { sql } from 'kysely';
import type { Money } from '~/core/money';
import type { Db } from '~db/client.server';
import type { Clase, Market, Situacion } from '~db/columns';
import { PAGADAS } from './orden';

export type EstadoFactura = 'facturada' | 'global' | 'enProceso' | 'sinFactura';

/** A number of sale: one order, or all orders of a cart. */
export type UltimaVenta = {
  market: Market;
  numOrden: string;
  fecha: Date;
  titulo: string;
  ordenes: number;
  pagado: Money;
  clase: Clase;
  situacion: Situacion;
  meliResale: boolean;
  factura: EstadoFactura;
  folio: string | null;
  facturaId: string | null;
  /** True when an orden of the sale can be invoiced and is not. */
  facturable: boolean;
};

/** Orders of one cart are born together, so these many of the newest orders hold at least `limit` numbers but for carts of more than six. */
const ORDERS_PER_NUMBER = 6;

/** Lists the newest numbers of sale, one row each. The query reads the newest orders by index and never the whole table. */
export async function listUltimasVentas(db: Db, limit: number): Promise<UltimaVenta[]> {
  const { rows } = await sql<UltimaVenta>`
    with recientes as (
      select market, num_orden, max(fecha_creacion) as fecha
      from (select market, num_orden, fecha_creacion from orden order by fecha_creacion desc, id desc limit ${limit * ORDERS_PER_NUMBER}) nuevas
      group by market, num_orden order by fecha desc, num_orden desc limit ${limit})
    select r.market, r.num_orden, r.fecha, v.*,
      case when v.folio is not null and v.una_global then 'global' when v.folio is not null then 'facturada' when v.reclamada then 'enProceso' else 'sinFactura' end as factura
    from recientes r cross join lateral (
      select (array_agg(o.titulo order by o.market_id))[1] as titulo, count(*)::int as ordenes, sum(o.pagado) as pagado, bool_or(o.meli_resale) as meli_resale,
        (array_agg(o.clase order by array_position(array['normal', 'invalida', 'devuelta', 'cancelada'], o.clase)))[1] as clase,
        (array_agg(o.situacion order by o.market_id))[1] as situacion,
        max(f.serie || '-' || f.folio) as folio, (array_agg(f.id) filter (where f.id is not null))[1] as factura_id,
        bool_or(coalesce(c.kind = 'global', false)) as una_global, bool_or(c.orden_id is not null) as reclamada,
        bool_or(c.orden_id is null and o.clase in ('normal', 'invalida') and not o.meli_resale
          and o.situacion = any(${PAGADAS})) as facturable
      from orden o left join fiscal_claim c on c.orden_id = o.id left join factura f on f.id = c.factura_id
      where o.num_orden = r.num_orden and o.market = r.market) v
    order by r.fecha desc, r.num_orden desc`.execute(db);
  return rows;
}
