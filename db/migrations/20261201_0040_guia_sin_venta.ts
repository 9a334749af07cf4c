import { type Kysely, sql } from 'kysely';

/**
 * A label that we bought is paid for, whatever becomes of the sale: where no sale of its package stands, the first one carries it. What a marketplace charges for a
 * shipment is told by its settlement instead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function share_costo_envio(envios uuid[]) returns void language sql as $$
    update orden o set costo_envio = c.costo
    from (select id, case when (envio_propio or clase not in ('cancelada', 'devuelta')) and row_number() over (
              partition by envio_id order by clase in ('cancelada', 'devuelta'), market_id) = 1 then costo else 0 end as costo
          from (select x.id, x.envio_id, x.envio_propio, x.market_id, x.clase, coalesce(e.costo, 0) as costo
                from orden x join envio e on e.id = x.envio_id where x.envio_id = any (envios)) y) c
    where o.id = c.id and o.costo_envio <> c.costo $$`.execute(db);
  await sql`select share_costo_envio(array(
    select distinct e.id from orden o join envio e on e.id = o.envio_id
    where o.envio_propio and o.clase in ('cancelada', 'devuelta') and e.costo > 0 and o.costo_envio = 0))`.execute(db);
}
