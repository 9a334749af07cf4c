import { type Kysely, sql } from 'kysely';

/**
 * What a statement wrote is compared with what was there in time that grows with its rows. PL/pgSQL keeps the plan of a session's first statement: made for
 * one row, it compared each row of a catalogue with each. Over the catalogue the query is executed as text, and so planned each time, since it looks for
 * listings too. Over orders and shipments the rows that moved are a difference of two sets, which no plan makes slow; what hangs from them is asked by their ids.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create or replace function producto_moved() returns trigger language plpgsql as $$
    begin
      execute $q$
        insert into publicacion_mirar (producto_id, motivo)
          select a.id, case when a.ausente_desde is distinct from b.ausente_desde or a.en_venta <> b.en_venta then 'proveedor' else 'regla' end
          from after a join before b using (id)
          where (a.costo_envio, a.producto_maximo, a.ausente_desde, a.en_venta) is distinct from (b.costo_envio, b.producto_maximo, b.ausente_desde, b.en_venta)
            and exists (select from publicacion p where p.producto_id = a.id and p.auto_sync)$q$;
      return null;
    end $$`.execute(db);
  await sql`create or replace function oferta_moved() returns trigger language plpgsql as $$
    begin
      execute $q$
        insert into publicacion_mirar (producto_id, motivo)
          select distinct a.producto_id, 'proveedor' from after a left join before b using (producto_id)
          where (b.producto_id is null or (a.precio, a.moneda, a.tipo_cambio, a.existencia) is distinct from (b.precio, b.moneda, b.tipo_cambio, b.existencia))
            and exists (select from publicacion p where p.producto_id = a.producto_id and p.auto_sync)$q$;
      return null;
    end $$`.execute(db);
  await sql`create or replace function oferta_recounted() returns trigger language plpgsql as $$
    begin
      execute $q$
        insert into producto_cuenta (proveedor, existencia, cuantos)
          select p.proveedor, m.clase, sum(m.cuantos)
          from before b join after a using (producto_id) join producto p on p.id = producto_id,
            lateral (values (clase_existencia(a.existencia), 1), (clase_existencia(b.existencia), -1)) m (clase, cuantos)
          where clase_existencia(a.existencia) <> clase_existencia(b.existencia)
          group by 1, 2 having sum(m.cuantos) <> 0$q$;
      return null;
    end $$`.execute(db);
  await sql`create or replace function costo_envio_of_envios() returns trigger language plpgsql as $$
    declare envios uuid[] := array(
      select id from (select id, costo from after except select id, costo from before) moved);
    begin
      if cardinality(envios) > 0 then perform share_costo_envio(envios); end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function costo_envio_of_ordenes() returns trigger language plpgsql as $$
    declare envios uuid[];
    begin
      if tg_op = 'INSERT' then
        select array_agg(distinct envio_id) into envios from after where envio_id is not null;
      else
        select array_agg(distinct envio_id) into envios from (
          (select id, envio_id, clase from after except select id, envio_id, clase from before)
          union all
          (select id, envio_id, clase from before except select id, envio_id, clase from after)) moved
        where envio_id is not null;
        -- Asked first: an update of no rows would call this function again, and again.
        if exists (select from after where envio_id is null and costo_envio <> 0) then
          update orden set costo_envio = 0 from after a where a.id = orden.id and a.envio_id is null and a.costo_envio <> 0;
        end if;
      end if;
      if envios is not null then perform share_costo_envio(envios); end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function envio_receptor_changed() returns trigger language plpgsql as $$
    declare
      envios uuid[] := array(
        select id from (
          select id, nombre_receptor, apellidos, telefono from after
          except select id, nombre_receptor, apellidos, telefono from before) moved);
      movidas uuid[];
    begin
      if cardinality(envios) > 0 then
        movidas := array(select id from orden where envio_id = any(envios));
        if cardinality(movidas) > 0 then perform documentos_of(movidas); end if;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function libro_of_envios() returns trigger language plpgsql as $$
    declare
      envios uuid[] := array(
        select id from (select id, costo is null from after except select id, costo is null from before) moved);
      movidas uuid[];
    begin
      if cardinality(envios) > 0 then
        movidas := array(select id from orden where envio_id = any(envios));
        if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function libro_of_dinero() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select id from after);
      else
        movidas := array(
          select id from (
            select id, clase, pagado_abs, comision, retencion, costo_envio, envio_propio, envio_id, liquidado from after
            except
            select id, clase, pagado_abs, comision, retencion, costo_envio, envio_propio, envio_id, liquidado from before) moved);
      end if;
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function libro_of_ordenes() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        insert into libro_venta (orden_id, fecha, pagado) select o.id, o.fecha_creacion, case when o.clase in ('cancelada', 'devuelta') or o.meli_resale
    or o.situacion not in ('pagada', 'devueltaEnParte', 'devuelta') or o.pagado_abs <= 0 then 0 else o.pagado_abs end from after o;
      else
        movidas := array(
          select id from (
            select id, clase, situacion, pagado_abs, meli_resale, fecha_creacion from after
            except select id, clase, situacion, pagado_abs, meli_resale, fecha_creacion from before) moved);
        if cardinality(movidas) > 0 then perform libro_of(movidas); end if;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function orden_moved() returns trigger language plpgsql as $$
    declare movidas uuid[] := array(
      select id from (select id, clase, estatus from after except select id, clase, estatus from before) moved);
    begin
      if cardinality(movidas) > 0 then
        insert into publicacion_mirar (producto_id, motivo)
          select distinct p.producto_id, 'venta' from articulo a join publicacion p on lower(p.sku) = lower(a.sku)
          where a.orden_id = any(movidas) and p.auto_sync and p.producto_id is not null;
      end if;
      return null;
    end $$`.execute(db);
  await sql`create or replace function gancho_orden_actualizada() returns trigger language plpgsql as $$
    begin
      if gancho_quiere('orden.actualizada') then
        perform gancho_avisar('orden.actualizada', (select array_agg((id)::text) from (
          select id, version, estatus, clase, facturado from after where creada_en <> now()
          except select id, version, estatus, clase, facturado from before) moved));
      end if;
      return null;
    end $$`.execute(db);
}
