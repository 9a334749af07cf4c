import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  await sql`create index orden_first_of_envio on orden (envio_id, market_id) include (clase) where envio_id is not null`.execute(
    db,
  );

  /*
   * What a sale earned, the one place that says it: paid minus shipping, commission, supplier
   * invoices and withholding, null without a supplier invoice. A cancelled sale was paid 0 and its shipping costs 0. A withholding
   * that is not known yet counts 0. Stored, because a month of 17,000 sales is added up while somebody waits.
   */
  await sql`alter table orden
    add column facturado numeric(14, 2) not null default 0,
    add column facturas_proveedor integer not null default 0,
    add column costo_envio numeric(14, 2) not null default 0`.execute(db);
  await sql`alter table orden add column utilidad numeric(14, 2) generated always as (case when facturas_proveedor > 0 then
    case when clase in ('cancelada', 'devuelta') then 0 else pagado_abs end - costo_envio - comision - facturado - coalesce(retencion, 0) end) stored`.execute(
    db,
  );
  // Whose product a sale is: its first articulo's. Beside the money, so that a year's graph reads one index.
  await sql`alter table orden add column proveedor text`.execute(db);
  await sql`create index orden_utilidad on orden (fecha_creacion desc, id desc)
    include (clase, pagado, pagado_abs, comision, costo_envio, retencion, facturado, utilidad, proveedor)`.execute(db);

  await sql`create function sum_proveedor_facturas() returns trigger language plpgsql as $$
    begin
      update orden set facturado = f.monto, facturas_proveedor = f.facturas
      from (select o.id, coalesce(sum(p.monto), 0) as monto, count(p.id) as facturas
            from orden o left join proveedor_factura p on p.orden_id = o.id
            where o.id in (select orden_id from changed) group by o.id) f
      where orden.id = f.id;
      return null;
    end $$`.execute(db);
  await sql`create function sum_proveedor_facturas_both() returns trigger language plpgsql as $$
    begin
      update orden set facturado = f.monto, facturas_proveedor = f.facturas
      from (select o.id, coalesce(sum(p.monto), 0) as monto, count(p.id) as facturas
            from orden o left join proveedor_factura p on p.orden_id = o.id
            where o.id in (select orden_id from before union select orden_id from after) group by o.id) f
      where orden.id = f.id;
      return null;
    end $$`.execute(db);
  await sql`create trigger proveedor_factura_added after insert on proveedor_factura referencing new table as changed
    for each statement execute function sum_proveedor_facturas()`.execute(db);
  await sql`create trigger proveedor_factura_removed after delete on proveedor_factura referencing old table as changed
    for each statement execute function sum_proveedor_facturas()`.execute(db);
  await sql`create trigger proveedor_factura_changed after update on proveedor_factura referencing old table as before new table as after
    for each statement execute function sum_proveedor_facturas_both()`.execute(db);

  // A shipment's cost is one sale's: that of its first orden that was not cancelled.
  await sql`create function share_costo_envio(envios uuid[]) returns void language sql as $$
    update orden o set costo_envio = c.costo
    from (select id, case when clase not in ('cancelada', 'devuelta') and row_number() over (
              partition by envio_id, clase in ('cancelada', 'devuelta') order by market_id) = 1 then costo else 0 end as costo
          from (select x.id, x.envio_id, x.market_id, x.clase, coalesce(e.costo, 0) as costo
                from orden x join envio e on e.id = x.envio_id where x.envio_id = any (envios)) y) c
    where o.id = c.id and o.costo_envio <> c.costo $$`.execute(db);
  await sql`create function costo_envio_of_ordenes() returns trigger language plpgsql as $$
    declare envios uuid[];
    begin
      if tg_op = 'INSERT' then
        select array_agg(distinct envio_id) into envios from after where envio_id is not null;
      else
        select array_agg(distinct e) into envios from (
          select unnest(array[b.envio_id, a.envio_id]) as e from before b join after a on a.id = b.id
          where (b.envio_id, b.clase) is distinct from (a.envio_id, a.clase)) changed where e is not null;
        -- Asked first: an update of no rows would call this function again, and again.
        if exists (select from after where envio_id is null and costo_envio <> 0) then
          update orden set costo_envio = 0 from after a where a.id = orden.id and a.envio_id is null and a.costo_envio <> 0;
        end if;
      end if;
      if envios is not null then perform share_costo_envio(envios); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger orden_costo_envio_added after insert on orden referencing new table as after
    for each statement execute function costo_envio_of_ordenes()`.execute(db);
  await sql`create trigger orden_costo_envio_changed after update on orden referencing old table as before new table as after
    for each statement execute function costo_envio_of_ordenes()`.execute(db);
  await sql`create function costo_envio_of_envios() returns trigger language plpgsql as $$
    declare envios uuid[];
    begin
      select array_agg(a.id) into envios from before b join after a on a.id = b.id where b.costo is distinct from a.costo;
      if envios is not null then perform share_costo_envio(envios); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger envio_costo_changed after update on envio referencing old table as before new table as after
    for each statement execute function costo_envio_of_envios()`.execute(db);

  await sql`create function proveedor_of_orden() returns trigger language plpgsql as $$
    begin
      update orden o set proveedor = a.proveedor
      from (select distinct on (orden_id) orden_id, articulo.proveedor from articulo
            where orden_id in (select orden_id from changed) order by orden_id, posicion) a
      where o.id = a.orden_id and o.proveedor is distinct from a.proveedor;
      return null;
    end $$`.execute(db);
  await sql`create trigger articulo_proveedor_added after insert on articulo referencing new table as changed
    for each statement execute function proveedor_of_orden()`.execute(db);
  await sql`create trigger articulo_proveedor_changed after update on articulo referencing new table as changed
    for each statement execute function proveedor_of_orden()`.execute(db);

  await sql`update orden o set proveedor = a.proveedor
    from (select distinct on (orden_id) orden_id, proveedor from articulo order by orden_id, posicion) a where a.orden_id = o.id`.execute(
    db,
  );
  await sql`select share_costo_envio(array(select id from envio where costo is not null))`.execute(db);
  await sql`update orden set facturado = f.monto, facturas_proveedor = f.facturas
    from (select orden_id, sum(monto) as monto, count(*) as facturas from proveedor_factura group by orden_id) f where f.orden_id = orden.id`.execute(
    db,
  );
}
