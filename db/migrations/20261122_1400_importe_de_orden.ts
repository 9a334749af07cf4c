import { sql, type Kysely } from 'kysely';

/**
 * What each orden of a factura to a customer was charged, as its concepts say: lines of no orden belong to the first of the factura. Globals have
 * kept theirs from the beginning.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    with primera as (
      select fo.factura_id, (array_agg(fo.orden_id order by o.fecha_creacion, o.market_id))[1] as orden_id
      from factura_orden fo join factura f on f.id = fo.factura_id and f.tipo = 'individual' join orden o on o.id = fo.orden_id
      group by fo.factura_id
    ), propio as (
      select p.factura_id, coalesce(fo.orden_id, p.orden_id) as orden_id, round(sum(c.importe + c.iva), 2) as importe
      from primera p join factura_concepto c on c.factura_id = p.factura_id
        left join factura_orden fo on fo.factura_id = c.factura_id and fo.orden_id = c.orden_id
      group by 1, 2
    )
    update factura_orden fo set importe = propio.importe from propio
    where propio.factura_id = fo.factura_id and propio.orden_id = fo.orden_id and fo.importe is null and propio.importe > 0`.execute(
    db,
  );
}
