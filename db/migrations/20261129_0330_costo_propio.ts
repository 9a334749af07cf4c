import { type Kysely, sql } from 'kysely';

/**
 * Cost of a piece of what nobody orders for a sale: goods that lie with a marketplace, and our own brand. A row has its first day and is never changed;
 * of two rows with the same day the later one counts. A row without a cost says that it is unknown from that day on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table costo_propio (
    id           uuid primary key default uuidv7(),
    sku          text not null check (sku <> '' and sku = lower(sku)),
    desde        date not null,
    costo        numeric(14, 2) check (costo > 0),
    solo_almacen boolean not null,
    escrito_por  uuid references usuario,
    escrito_en   timestamptz not null default clock_timestamp(),
    busqueda     text generated always as (f_norm(sku)) stored
  )`.execute(db);
  await sql`create index costo_propio_by_sku on costo_propio (sku, desde desc, id desc)`.execute(db);

  // Amazon told by the mode that it sends a sale; the kind of logistics says so for both marketplaces from now on.
  await sql`update envio set tipo_logistico = 'fulfillment' where market = 'amz' and modo = 'AMAZON' and tipo_logistico is null`.execute(
    db,
  );

  await sql`alter table asiento drop constraint asiento_fuente_check`.execute(db);
  await sql`alter table asiento add constraint asiento_fuente_check
    check (fuente in ('mercado', 'tarifa', 'liquidacion', 'envio', 'factura', 'pedido', 'pieza', 'nota', 'retiro', 'producto')) not valid`.execute(
    db,
  );
  await sql`alter table asiento validate constraint asiento_fuente_check`.execute(db);

  /*
   * A typed cost counts for a sale that has no invoice, no order and no piece of ours, and whose every line has one. The cost of a settled sale is known
   * and stays: what was typed before its settlement counts, and what is typed later only tells what nobody knew.
   */
  await rewrite(db, 'libro_debe(uuid[])', [
    [
      `e.id is not null and e.costo is null and (o.envio_propio or o.liquidado is null) as envio_sin_decir`,
      `e.id is not null and e.costo is null and (o.envio_propio or o.liquidado is null) as envio_sin_decir,
        coalesce(e.tipo_logistico = 'fulfillment', false) as de_su_almacen`,
    ],
    [
      `    con_costo as (
      select id from facturado union select id from pedido_sin_factura union select id from vendida
    ),`,
      `    comprada as (
      select id from facturado union select id from pedido_sin_factura union select id from vendida
    ),
    linea_propia as (
      select v.id, a.sku, a.cantidad * c.costo as importe, v.liquidado is not null and v.clase <> 'devuelta' as cierto, v.fecha_creacion as ocurrio,
        count(*) over (partition by v.id) = count(c.costo) over (partition by v.id) as todas
      from venta v join articulo a on a.orden_id = v.id
        left join lateral (
          select p.costo from costo_propio p
            cross join lateral (select v.liquidado is not null and p.escrito_en > v.ocurrio as tarde) t
          where p.sku = lower(a.sku) and p.desde <= (v.fecha_creacion at time zone 'America/Mexico_City')::date
            and (v.de_su_almacen or not p.solo_almacen) and not (t.tarde and p.costo is null)
          order by t.tarde, case when t.tarde then p.id end, p.desde desc, p.id desc limit 1
        ) c on true
      where v.clase <> 'cancelada' and not exists (select from comprada b where b.id = v.id)
    ),
    propia as (
      select id, sku, sum(importe) as importe, bool_and(cierto) as cierto, max(ocurrio) as ocurrio from linea_propia where todas group by 1, 2
    ),
    con_costo as (
      select id from comprada union select id from propia
    ),`,
    ],
    [
      `    select id, 'recuperado:' || folio, 'costo', cuenta,`,
      `    select id, 'propio:' || sku, 'existencias', 'costo', importe, cierto, 'producto', ocurrio from propia
    union all
    select id, 'recuperado:' || folio, 'costo', cuenta,`,
    ],
  ]);

  // A cost that was typed is an estimate until the sale is settled, so it is no part of what an ended month said before.
  await rewrite(db, 'utilidad_moved()', [
    [`case when 'costo' = any(new.estima) then null`, `case when new.estima && '{costo,propio}' then null`],
  ]);
  await sql`drop trigger libro_venta_moved on libro_venta`.execute(db);
  await sql`create trigger libro_venta_moved after update on libro_venta for each row
    when (old.queda is not null and not (old.estima && '{costo,propio}')
      and (old.queda is distinct from new.queda or new.estima && '{costo,propio}'))
    execute function utilidad_moved()`.execute(db);

  // The lines of a sale come after its row, and so does the news that it leaves from the marketplace's warehouse.
  await sql`create function libro_of_articulos() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'DELETE' then
        movidas := array(select distinct o.id from before a join orden o on o.id = a.orden_id where exists (select from costo_propio c where c.sku = lower(a.sku)));
      elsif tg_op = 'INSERT' then
        movidas := array(select distinct a.orden_id from after a where exists (select from costo_propio c where c.sku = lower(a.sku)));
      else
        movidas := array(
          select distinct orden_id from (
            (select id, orden_id, sku, cantidad from after except select id, orden_id, sku, cantidad from before)
            union all
            (select id, orden_id, sku, cantidad from before except select id, orden_id, sku, cantidad from after)) a
          where exists (select from costo_propio c where c.sku = lower(a.sku)));
      end if;
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger articulo_posted_added after insert on articulo referencing new table as after
    for each statement execute function libro_of_articulos()`.execute(db);
  await sql`create trigger articulo_posted_changed after update on articulo referencing old table as before new table as after
    for each statement execute function libro_of_articulos()`.execute(db);
  await sql`create trigger articulo_posted_removed after delete on articulo referencing old table as before
    for each statement execute function libro_of_articulos()`.execute(db);
  await rewrite(db, 'libro_of_envios()', [
    [
      `select id from (select id, costo is null from after except select id, costo is null from before) moved`,
      `select id from (
          select id, costo is null, tipo_logistico is not distinct from 'fulfillment' from after
          except select id, costo is null, tipo_logistico is not distinct from 'fulfillment' from before) moved`,
    ],
  ]);
}

/** Replaces parts of a function, each of which must be there once. */
async function rewrite(db: Kysely<unknown>, name: string, parts: readonly (readonly [string, string])[]) {
  const { rows } = await sql<{ def: string }>`select pg_get_functiondef(${name}::regprocedure) as def`.execute(db);
  let { def } = rows[0]!;
  for (const [from, to] of parts) {
    if (def.split(from).length !== 2) throw new Error(`${name} does not hold once: ${from}`);
    def = def.replace(from, () => to);
  }
  await sql.raw(def).execute(db);
}
