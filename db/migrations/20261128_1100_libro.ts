import { type Kysely, sql } from 'kysely';

/** Accounts whose money stays with nobody of ours: what goes into one of them a sale no longer has. */
const GASTO = sql`array['venta', 'comision', 'envio', 'retenido', 'otros']`;

/**
 * The ledger of each sale: `asiento` holds its movements between two accounts, and `libro_venta` their sums. What should stand is told by `libro_debe`
 * alone; `libro_asentar` writes the difference to what stands, so nothing is ever changed, and a second call writes nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An amount of 0 says that what was estimated came true, or that another source tells the same now.
  await sql`create table asiento (
    id         bigint generated always as identity primary key,
    orden_id   uuid not null references orden on delete cascade,
    renglon    text not null,
    de         text not null,
    a          text not null,
    importe    numeric(14, 2) not null,
    cierto     boolean not null,
    fuente     text not null check (fuente in ('mercado', 'tarifa', 'liquidacion', 'envio', 'factura', 'pedido', 'pieza', 'retiro')),
    ocurrio    timestamptz not null,
    supimos    timestamptz not null default now(),
    check (de <> a)
  )`.execute(db);
  await sql`create index asiento_by_orden on asiento (orden_id, id)`.execute(db);

  /*
   * Null is unknown, never 0. `estima` names the parts that are estimated and `falta` those that are unknown; a row of before the ledger lacks its
   * reckoning ('calculo') until `libro.asentar` reaches it.
   */
  await sql`alter table libro_venta
    add column recibe numeric(14, 2),
    add column costo numeric(14, 2),
    add column por_liberar numeric(14, 2),
    add column estima text[] not null default '{}',
    add column falta text[] not null default '{calculo}',
    add column liquidada boolean not null default false,
    add column queda numeric(14, 2) generated always as (recibe - costo) stored,
    add column certeza text not null generated always as (case
      when recibe is null or costo is null then 'desconocida'
      when estima = '{}' and falta = '{}' then 'conocida'
      else 'estimada' end) stored check (certeza in ('conocida', 'estimada', 'desconocida'))`.execute(db);
  await sql`create index libro_venta_dinero on libro_venta (fecha desc, orden_id desc) include (queda, certeza)`.execute(
    db,
  );
  await sql`create index libro_venta_sin_saber on libro_venta (fecha) include (orden_id) where certeza <> 'conocida'`.execute(
    db,
  );
  await sql`create index libro_venta_por_liberar on libro_venta (fecha) include (orden_id, por_liberar)
    where por_liberar > 0 and not liquidada`.execute(db);
  await sql`create index libro_venta_sin_calculo on libro_venta (orden_id) where falta = '{calculo}'`.execute(db);

  /*
   * The money of a sale as it should stand now, one row for each thing that moves it. A null amount is a part that nobody can tell. Once the
   * marketplace settled a sale its figures are those of the settlement, and 'otros' is what none of them explains.
   */
  await sql`create function libro_debe(ordenes uuid[])
    returns table (orden_id uuid, renglon text, de text, a text, importe numeric, cierto boolean, fuente text, ocurrio timestamptz)
    language sql stable as $$
    with venta as (
      select o.id, o.market, o.clase, o.liquidado, o.envio_propio, o.costo_envio, o.fecha_creacion,
        c.deposito_id, c.recibido,
        o.clase not in ('cancelada', 'devuelta') as viva,
        case when o.liquidado is null then 'mercado' else 'liquidacion' end as fuente,
        coalesce(c.fecha, o.fecha_creacion) as ocurrio,
        coalesce(c.r_cobrado, o.pagado) as cobrado,
        coalesce(-c.r_devuelto, 0) as devuelto,
        coalesce(-c.r_comision, o.comision, round(o.pagado * tasa.comision, 2)) as comision,
        o.liquidado is not null or o.comision is not null as comision_dicha,
        coalesce(-(c.r_iva + c.r_isr + c.r_retencion), o.retencion, round(o.pagado / 1.16 * tasa.retencion, 2)) as retencion,
        o.liquidado is not null or o.retencion is not null as retencion_dicha,
        coalesce(o.retencion, -c.e_retencion) + c.e_retencion as retencion_del_mes,
        case when o.envio_propio then 0 else coalesce(-c.r_envio, o.costo_envio) end as envio,
        e.id is not null and e.costo is null and (o.envio_propio or o.liquidado is null) as envio_sin_decir
      from orden o
        left join conciliacion c on c.orden_id = o.id and o.liquidado is not null
        left join envio e on e.id = o.envio_id
        left join ajuste on ajuste.clave = 'tarifa_' || o.market
        cross join lateral (
          select coalesce((ajuste.valor ->> 'comision')::numeric, 0.15) as comision,
            coalesce((ajuste.valor ->> 'retencionIva')::numeric, 0.08) + coalesce((ajuste.valor ->> 'retencionIsr')::numeric, 0.025) as retencion
        ) tasa
      where o.id = any(ordenes)
    ),
    de_mercado as (
      select v.id, r.*, v.ocurrio
      from venta v cross join lateral (values
        ('venta', 'venta', 'porLiberar:' || v.market, v.cobrado, true, v.fuente),
        ('devolucion', 'porLiberar:' || v.market, 'venta', v.devuelto, true, v.fuente),
        ('comision', 'porLiberar:' || v.market, 'comision', v.comision, v.comision_dicha,
          case when v.comision_dicha then v.fuente else 'tarifa' end),
        ('retencion', 'porLiberar:' || v.market, 'retenido', v.retencion, v.retencion_dicha,
          case when v.retencion_dicha then v.fuente else 'tarifa' end),
        ('retencionDelMes', 'porDescontar:' || v.market, 'retenido', coalesce(v.retencion_del_mes, 0), true, v.fuente),
        ('envio', 'porLiberar:' || v.market, 'envio', v.envio, true, v.fuente),
        ('etiqueta', 'paqueteria', 'envio', case when v.envio_propio then v.costo_envio else 0 end, true, 'envio'),
        ('otros', 'porLiberar:' || v.market, 'otros',
          coalesce(v.cobrado - v.devuelto - v.comision - v.retencion - coalesce(v.retencion_del_mes, 0) - v.envio - v.liquidado, 0), true, v.fuente),
        ('deposito', 'porLiberar:' || v.market, 'banco', case when v.deposito_id is null then 0 else v.recibido end, true, 'liquidacion')
      ) r (renglon, de, a, importe, cierto, fuente)
      where r.importe <> 0
      union all
      select id, 'envio', null, null, null, false, 'envio', fecha_creacion from venta where viva and envio_sin_decir
    ),
    facturado as (
      select f.orden_id as id, f.proveedor, sum(f.monto) as importe, max(coalesce(f.emitida::timestamptz, f.fecha_creacion)) as ocurrio
      from proveedor_factura f
      where f.orden_id = any(ordenes)
      group by 1, 2
    ),
    pedido_sin_factura as (
      select l.orden_id as id, p.proveedor, max(p.creado_en) as ocurrio,
        case when bool_and(l.precio is not null and (l.moneda = 'MXN' or l.tipo_cambio is not null)) then
          round(sum(l.cantidad * l.precio * case when l.moneda = 'MXN' then 1 else l.tipo_cambio end) * 1.16, 2) end as importe
      from pedido_linea l join pedido p on p.id = l.pedido_id
      where l.orden_id = any(ordenes) and p.estado not in ('borrador', 'cancelado', 'rechazado', 'vencido')
        and not exists (select from facturado f where f.id = l.orden_id and f.proveedor = p.proveedor)
      group by 1, 2
    ),
    vendida as (
      select s.venta_id as id, s.folio, s.costo as importe, s.cambiada_en as ocurrio
      from stock_interno s where s.venta_id = any(ordenes)
    ),
    con_costo as (
      select id from facturado union select id from pedido_sin_factura union select id from vendida
    ),
    -- A piece that came back takes its cost to the shelf. One that was lost keeps what somebody got for it; one that its supplier took back, what it gave.
    de_vuelta as (
      select s.orden_id as id, s.folio, s.cambiada_en as ocurrio,
        case when s.estado = 'devueltoProveedor' then 'proveedor:' || coalesce(s.proveedor, 'otro')
          when s.estado in ('danado', 'baja') then 'banco' else 'estante' end as cuenta,
        case when s.estado in ('danado', 'baja') or (s.estado = 'devueltoProveedor' and s.recuperado > 0) then s.recuperado else s.costo end as importe,
        s.estado <> 'devueltoProveedor' or s.recuperado > 0 as cierto
      from stock_interno s join con_costo c on c.id = s.orden_id
      where s.orden_id = any(ordenes)
    )
    select * from de_mercado
    union all
    select id, 'costo:' || proveedor, 'proveedor:' || proveedor, 'costo', importe, true, 'factura', ocurrio from facturado where importe <> 0
    union all
    select id, 'costo:' || proveedor, 'proveedor:' || proveedor, 'costo', importe, false, 'pedido', ocurrio from pedido_sin_factura
    union all
    select id, 'pieza:' || folio, 'estante', 'costo', importe, true, 'pieza', ocurrio from vendida
    union all
    select id, 'recuperado:' || folio, 'costo', cuenta, importe, cierto, 'pieza', ocurrio from de_vuelta where importe <> 0
    union all
    -- A sale that was cancelled and bought nothing cost nothing; of any other nobody knows it.
    select v.id, 'costo', null, null, null, false, 'pedido', v.fecha_creacion
    from venta v where v.clase <> 'cancelada' and not exists (select from con_costo c where c.id = v.id) $$`.execute(
    db,
  );

  /*
   * Locks the rows of the sales first, so two writers of one sale post one after the other. A lock of `orden` or `pedido` is taken before, never after.
   * A plan for each call would cost six times what the statement does, and every plan goes by the same indexes.
   */
  await sql`create function libro_asentar(ordenes uuid[]) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
    begin
      perform from libro_venta where orden_id = any(ordenes) order by orden_id for update;
      with debe as materialized (
        select * from libro_debe(ordenes)
      ),
      hay as (
        select s.orden_id, s.renglon, s.de, s.a, sum(s.importe) as importe,
          (array_agg(s.cierto order by s.id desc))[1] as cierto, (array_agg(s.fuente order by s.id desc))[1] as fuente
        from asiento s where s.orden_id = any(ordenes)
        group by 1, 2, 3, 4
      ),
      escrito as (
        insert into asiento (orden_id, renglon, de, a, importe, cierto, fuente, ocurrio)
        select orden_id, renglon, de, a, coalesce(d.importe, 0) - coalesce(h.importe, 0),
          coalesce(d.cierto, true), coalesce(d.fuente, 'retiro'), coalesce(d.ocurrio, now())
        from (select * from debe where debe.importe is not null) d full join hay h using (orden_id, renglon, de, a)
        where coalesce(d.importe, 0) <> coalesce(h.importe, 0)
          or (d.importe is not null and (d.cierto, d.fuente) is distinct from (h.cierto, h.fuente))
        returning 1
      ),
      sumas as (
        select o.id, coalesce(r.recibe, 0) as recibe, coalesce(r.costo, 0) as costo, coalesce(r.por_liberar, 0) as por_liberar,
          coalesce(r.estima, '{}') as estima, coalesce(r.falta, '{}') as falta, orden.liquidado is not null as liquidada
        from unnest(ordenes) o (id) join orden on orden.id = o.id
          left join (
            select orden_id,
              sum(case when de = any(${GASTO}) then importe else 0 end - case when a = any(${GASTO}) then importe else 0 end) as recibe,
              sum(case when a = 'costo' then importe else 0 end - case when de = 'costo' then importe else 0 end) as costo,
              sum(case when a like 'porLiberar:%' then importe else 0 end - case when de like 'porLiberar:%' then importe else 0 end) as por_liberar,
              array_agg(distinct split_part(renglon, ':', 1) order by split_part(renglon, ':', 1)) filter (where not cierto and importe is not null) as estima,
              array_agg(distinct split_part(renglon, ':', 1) order by split_part(renglon, ':', 1)) filter (where importe is null) as falta
            from debe group by 1
          ) r on r.orden_id = o.id
      )
      update libro_venta l set recibe = s.recibe, costo = case when 'costo' = any(s.falta) then null else s.costo end,
        por_liberar = s.por_liberar, estima = s.estima, falta = s.falta, liquidada = s.liquidada
      from sumas s
      where l.orden_id = s.id
        and (l.recibe, l.costo, l.por_liberar, l.estima, l.falta, l.liquidada) is distinct from
          (s.recibe, case when 'costo' = any(s.falta) then null else s.costo end, s.por_liberar, s.estima, s.falta, s.liquidada);
    end $$`.execute(db);

  await sql`create table libro_cuadre (
    id           bigint generated always as identity primary key,
    en           timestamptz not null default now(),
    vistas       integer not null,
    descuadradas integer not null,
    ventas       text[] not null
  )`.execute(db);

  // Read where a sale of before the ledger was not reckoned yet.
  await sql`create function libro_recibe(orden uuid) returns numeric language sql stable as $$
    select sum(case when de = any(${GASTO}) then importe else 0 end - case when a = any(${GASTO}) then importe else 0 end)
    from libro_debe(array[orden]) where importe is not null $$`.execute(db);

  await sql`create function libro_of_dinero() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select id from after);
      else
        movidas := array(
          select id from after a join before b using (id)
          where (a.clase, a.pagado_abs, a.comision, a.retencion, a.costo_envio, a.envio_propio, a.envio_id, a.liquidado)
            is distinct from (b.clase, b.pagado_abs, b.comision, b.retencion, b.costo_envio, b.envio_propio, b.envio_id, b.liquidado));
      end if;
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $$`.execute(db);
  // Their names come after those of `orden_libro_added` and `orden_costo_envio_added`: the row is there, and the shipping lies on one sale.
  await sql`create trigger orden_posted_added after insert on orden referencing new table as after
    for each statement execute function libro_of_dinero()`.execute(db);
  await sql`create trigger orden_posted_changed after update on orden referencing old table as before new table as after
    for each statement execute function libro_of_dinero()`.execute(db);

  await sql`create function libro_of_envios() returns trigger language plpgsql as $$
    declare movidas uuid[] := array(
      select o.id from after a join before b using (id) join orden o on o.envio_id = a.id where (a.costo is null) <> (b.costo is null));
    begin
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger envio_posted after update on envio referencing old table as before new table as after
    for each statement execute function libro_of_envios()`.execute(db);

  // Rows that name their sale. An update that moved nothing of its money writes nothing.
  await sql`create function libro_of_costos() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select distinct orden_id from after);
      elsif tg_op = 'DELETE' then
        movidas := array(select distinct orden_id from before);
      else
        movidas := array(select orden_id from before union select orden_id from after);
      end if;
      perform libro_asentar(movidas);
      return null;
    end $$`.execute(db);
  for (const table of ['proveedor_factura', 'pedido_linea']) {
    const name = (when: string) => sql.ref(`${table}_posted_${when}`);
    await sql`create trigger ${name('added')} after insert on ${sql.table(table)} referencing new table as after
      for each statement execute function libro_of_costos()`.execute(db);
    await sql`create trigger ${name('changed')} after update on ${sql.table(table)} referencing old table as before new table as after
      for each statement execute function libro_of_costos()`.execute(db);
    await sql`create trigger ${name('removed')} after delete on ${sql.table(table)} referencing old table as before
      for each statement execute function libro_of_costos()`.execute(db);
  }
  await sql`create function libro_of_pedidos() returns trigger language plpgsql as $$
    declare movidas uuid[] := array(
      select distinct l.orden_id from after a join before b using (id) join pedido_linea l on l.pedido_id = a.id
      where a.estado <> b.estado);
    begin
      if cardinality(movidas) > 0 then perform libro_asentar(movidas); end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger pedido_posted after update on pedido referencing old table as before new table as after
    for each statement execute function libro_of_pedidos()`.execute(db);
  await sql`create function libro_of_piezas() returns trigger language plpgsql as $$
    begin
      perform libro_asentar(array(
        select distinct id from unnest(case when tg_op = 'INSERT' then array[new.orden_id, new.venta_id]
          else array[old.orden_id, old.venta_id, new.orden_id, new.venta_id] end) id where id is not null));
      return null;
    end $$`.execute(db);
  await sql`create trigger stock_interno_posted_added after insert on stock_interno for each row
    when (new.orden_id is not null or new.venta_id is not null) execute function libro_of_piezas()`.execute(db);
  await sql`create trigger stock_interno_posted_changed after update on stock_interno for each row
    when ((old.orden_id, old.venta_id, old.costo, old.recuperado, old.estado, old.proveedor)
      is distinct from (new.orden_id, new.venta_id, new.costo, new.recuperado, new.estado, new.proveedor))
    execute function libro_of_piezas()`.execute(db);

  // The profit of a sale is `libro_venta.queda` from now on. `orden.utilidad` stays for webs of the version before, until a later migration takes it away.
  await sql`drop trigger orden_utilidad_moved on orden`.execute(db);
  await sql`create or replace function utilidad_moved() returns trigger language plpgsql as $$
    declare mes_de_venta text := to_char(new.fecha at time zone 'America/Mexico_City', 'YYYY-MM');
    begin
      if mes_de_venta < to_char(now() at time zone 'America/Mexico_City', 'YYYY-MM') then
        insert into utilidad_ajuste (orden_id, mes, causa, antes, despues) values (new.orden_id, mes_de_venta,
          case when new.liquidada is distinct from old.liquidada or (new.liquidada and new.recibe <> old.recibe) then 'liquidacion'
               when new.costo is distinct from old.costo then 'factura' else 'relectura' end,
          old.queda, case when 'costo' = any(new.estima) then null else new.queda end);
      end if;
      return null;
    end $$`.execute(db);
  // Only a cost that an invoice or a piece of ours told was part of what a month said.
  await sql`create trigger libro_venta_moved after update on libro_venta for each row
    when (old.queda is not null and not ('costo' = any(old.estima))
      and (old.queda is distinct from new.queda or 'costo' = any(new.estima)))
    execute function utilidad_moved()`.execute(db);
}
