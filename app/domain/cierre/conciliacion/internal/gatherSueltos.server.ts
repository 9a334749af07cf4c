import { sql } from 'kysely';
import type { Market } from '~/core/market';
import { bringNumero } from '~/domain/ventas/ordenes/bringVentas.server';
import type { Fuente } from '~/domain/mercados/mercado';
import { Refused, Unavailable, UnexpectedShape } from '~/integrations/errors';
import type { Db, Trx } from '~db/client.server';

/** Sales that one run asks a marketplace for. */
const POR_VUELTA = 20;
/** A sale that the marketplace denied is asked for again each day, for so many days: the marketplace may show it late. */
const INSISTE_DIAS = 7;
const NO_ESTA = 'El mercado no la conoce';

/** SQL: the number that the lines of one loose amount share. Table: movimiento m. */
export const NOMBRE_DE_SUELTO = sql<string>`coalesce(m.ref_orden, m.ref_paquete, m.ref_envio, m.ref_externa, m.pago, m.clave)`;

/**
 * Writes the money of a marketplace's settlements that is of no sale here: one row for the lines that share a number. What the marketplace itself calls
 * advertising, a tax or a charge of the account has its reason at once. A payout names a sale of these weeks, so the sale is to be searched; a refund alone may be of
 * a sale from before our history, so nobody searches it unasked. A row whose lines found their sale goes.
 */
export async function gatherSueltos(trx: Trx, market: Market): Promise<void> {
  await sql`
    with sums as (
      select ${NOMBRE_DE_SUELTO} as nombre, sum(m.importe) as importe, count(*)::int as lineas, min(m.fecha) as desde, max(m.fecha) as hasta,
        (array_agg(m.detalle order by abs(m.importe) desc, m.id))[1] as detalle,
        (array_agg(m.deposito_id order by m.fecha desc, m.id desc) filter (where m.deposito_id is not null))[1] as deposito_id,
        min(coalesce(m.ref_orden, m.ref_paquete, case when m.ref_externa ~ '^[0-9-]{10,20}$' then m.ref_externa end)) as numero,
        bool_or(coalesce(m.ref_orden, m.ref_paquete, m.ref_envio) is not null or m.ref_externa ~ '^[0-9-]{10,20}$') as de_venta,
        bool_or(m.concepto = 'venta') as pagada,
        bool_or(m.concepto in ('venta', 'devolucion')) as de_cobro,
        bool_and(m.concepto = 'publicidad') as de_publicidad,
        bool_and(m.concepto in ('iva', 'isr', 'retencion')) as de_impuesto
      from movimiento m
      where m.market = ${market} and m.orden_id is null and m.concepto <> 'reserva'
      group by 1
    ),
    dichos as (
      select sums.*,
        case when de_venta then 'venta' when de_cobro then 'cobro' when de_publicidad then 'publicidad' when de_impuesto then 'impuesto'
          when importe <= 0 then 'cargo' else 'abono' end as clase
      from sums
    ),
    gone as (
      delete from suelto s where s.market = ${market} and not exists (select from dichos d where d.nombre = s.clave)
    )
    insert into suelto as s (market, clave, clase, numero, detalle, importe, lineas, desde, hasta, deposito_id, pedido_en, motivo, motivo_en)
    select ${market}, nombre, clase, numero, detalle, importe, lineas, desde, hasta, deposito_id, case when clase = 'venta' and pagada and numero is not null then now() end,
      case clase when 'publicidad' then 'publicidad' when 'impuesto' then 'impuesto' when 'cargo' then 'cuenta' end,
      case when clase in ('publicidad', 'impuesto', 'cargo') then now() end
    from dichos
    on conflict (market, clave) do update set
      clase = excluded.clase, numero = excluded.numero, detalle = excluded.detalle, importe = excluded.importe, lineas = excluded.lineas,
      desde = excluded.desde, hasta = excluded.hasta, deposito_id = excluded.deposito_id, pedido_en = coalesce(s.pedido_en, excluded.pedido_en),
      motivo = case when s.motivo_por is null then excluded.motivo else s.motivo end,
      motivo_en = case when s.motivo_por is null then case when excluded.motivo is not null then coalesce(s.motivo_en, excluded.motivo_en) end else s.motivo_en end,
      version = s.version + 1
    where (s.clase, s.numero, s.importe, s.lineas, s.hasta, s.deposito_id)
      is distinct from (excluded.clase, excluded.numero, excluded.importe, excluded.lineas, excluded.hasta, excluded.deposito_id)`.execute(
    trx,
  );
}

/**
 * Asks a marketplace for the sales that its settlements paid and nobody here knows, and writes those that it tells. Returns how many were found. A marketplace that
 * cannot be asked ends the search until the next run.
 */
export async function searchSueltos(
  db: Db,
  market: Market,
  ventas: Fuente,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const { rows } = await sql<{ id: string; numero: string }>`
    select id, numero from suelto
    where market = ${market} and clase = 'venta' and pedido_en is not null and motivo is null and numero is not null
      and (buscado_en is null or (buscado_en < ${now}::timestamptz - interval '1 day' and hasta > ${now}::timestamptz - make_interval(days => ${INSISTE_DIAS})))
    order by buscado_en nulls first, hasta desc limit ${POR_VUELTA}`.execute(db);
  let found = 0;
  for (const { id, numero } of rows) {
    signal?.throwIfAborted();
    let hallazgo: string | null = NO_ESTA;
    try {
      if (await bringNumero(db, ventas, numero)) {
        found += 1;
        hallazgo = null;
      }
    } catch (error) {
      if (error instanceof Unavailable) return found;
      if (!(error instanceof Refused || error instanceof UnexpectedShape)) throw error;
      hallazgo = error.message;
    }
    await db.updateTable('suelto').set({ buscadoEn: now, hallazgo }).where('id', '=', id).execute();
  }
  return found;
}
