import { sql, type Kysely } from 'kysely';

/**
 * Shipping is three facts: `cobrado`, what the buyer paid, told by payments; `cotizado`, what we asked for; `costo`, what the courier charged us.
 *
 * One price field wrote `costo` and `cobrado` alike, so some of what stands in `cobrado` was never paid. It is told apart like this. Of a shipment
 * that the marketplace does not know (`propio-…`) only people wrote amounts. Of another one people wrote them when the audit trail names the cost
 * among what they changed, and what they wrote still stands in `cobrado` while it equals `costo`: a later reading of the marketplace would have replaced it.
 * The figure that people wrote is what was quoted and what it cost. What the buyer paid is then read again from the payments of its sales.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table envio add cotizado numeric(14, 2) check (cotizado >= 0)`.execute(db);
  await sql`
    with escrito as (
      select id, costo, cobrado is not distinct from costo or market_id like 'propio-%' as por_personas
      from envio
      where costo is not null and (market_id like 'propio-%' or exists (
        select from bitacora b where b.entidad = 'envio' and b.entidad_id = envio.id::text and b.accion = 'modificar'
          and b.datos -> 'campos' @> '["Costo del envío"]'))
    ), pago as (
      select o.envio_id, p.pago
      from escrito join orden o on o.envio_id = escrito.id,
        jsonb_array_elements(case jsonb_typeof(o.datos -> 'payments') when 'array' then o.datos -> 'payments' else '[]' end) as p(pago)
      where p.pago ->> 'status' = 'approved' and p.pago ->> 'operation_type' is distinct from 'payment_addition'
    ), dentro as (
      select envio_id, sum((pago ->> 'shipping_cost')::numeric) as importe
      from pago where pago ->> 'shipping_cost' ~ '^\\d+(\\.\\d+)?$' group by envio_id
    ), aparte as (
      select envio_id, sum(envio_adicional) as importe from orden where envio_id in (select id from escrito) group by envio_id
    )
    update envio set cotizado = escrito.costo,
      cobrado = case when escrito.por_personas then coalesce(nullif(dentro.importe, 0), nullif(aparte.importe, 0)) else envio.cobrado end
    from escrito left join dentro on dentro.envio_id = escrito.id left join aparte on aparte.envio_id = escrito.id
    where envio.id = escrito.id`.execute(db);
}
