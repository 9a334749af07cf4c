import { type Kysely, sql } from 'kysely';

/**
 * Each supplier invoice tells how much of it is paid. `pago_de_orden` says what a payment covers of a sale, and `paga_facturas` gives that to the
 * sale's invoices, the oldest first; triggers keep it in the transaction that moved an invoice or a payment. Each pedido tells whether an invoice of its
 * supplier stands here, so that those without one are found by an index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table proveedor add plazo_dias integer check (plazo_dias between 0 and 365)`.execute(db);
  await sql`alter table proveedor_factura add emitida date, add pagada numeric(14, 2) not null default 0`.execute(db);
  await sql`update proveedor_factura f set emitida = (c.fecha at time zone 'America/Mexico_City')::date
    from proveedor_cfdi c where c.id = f.cfdi_id`.execute(db);

  // Another payment of the same sale without an amount is no reason to cover less: a person says how much each pays.
  await sql`create view pago_de_orden as
    select po.pago_id, po.orden_id, pago.proveedor, po.monto, facturas.facturado, otros.dado,
      coalesce(po.monto, greatest(facturas.facturado - otros.dado, 0)) as pide
    from pago_orden po
      join pago on pago.id = po.pago_id
      cross join lateral (select coalesce(sum(f.monto), 0) as facturado from proveedor_factura f
        where f.orden_id = po.orden_id and f.proveedor = pago.proveedor) facturas
      cross join lateral (select coalesce(sum(otra.monto), 0) as dado from pago_orden otra join pago p on p.id = otra.pago_id
        where otra.orden_id = po.orden_id and otra.pago_id <> po.pago_id and p.proveedor = pago.proveedor) otros`.execute(
    db,
  );

  await sql`create function paga_facturas(ordenes uuid[], pagos uuid[]) returns void language plpgsql as $$
    declare tocadas uuid[]; suyos uuid[];
    begin
      suyos := array(select pago_id from pago_orden where orden_id = any(ordenes) union select unnest(pagos));
      tocadas := array(select unnest(ordenes) union select orden_id from pago_orden where pago_id = any(suyos));
      -- Two writers of one sale pass here one after the other: an invoice locks its sale too, and what follows sees what the first writer committed.
      perform 1 from orden where id = any(tocadas) order by id for no key update;
      suyos := array(select pago_id from pago_orden where orden_id = any(ordenes) union select unnest(pagos));
      tocadas := array(select unnest(ordenes) union select orden_id from pago_orden where pago_id = any(suyos));
      suyos := array(select distinct pago_id from pago_orden where orden_id = any(tocadas));
      update proveedor_factura f set pagada = reparto.pagada
      from (
        select p.id, greatest(0, least(p.monto, coalesce(d.dado, 0) - (
            sum(p.monto) over (partition by p.orden_id, p.proveedor order by p.fecha_creacion, p.id) - p.monto))) as pagada
        from proveedor_factura p
          left join (
            -- A transfer gives no more than its total: what a person wrote first, then sale by sale.
            select v.orden_id, v.proveedor, sum(case when v.monto is not null or pago.total is null then v.pide
              else greatest(0, least(v.pide, pago.total - v.escrito - v.antes)) end) as dado
            from (
              select *, coalesce(sum(monto) over (partition by pago_id), 0) as escrito,
                coalesce(sum(case when monto is null then pide end) over (
                  partition by pago_id order by orden_id rows between unbounded preceding and 1 preceding), 0) as antes
              from pago_de_orden where pago_id = any(suyos)
            ) v join pago on pago.id = v.pago_id
            group by 1, 2
          ) d on d.orden_id = p.orden_id and d.proveedor = p.proveedor
        where p.orden_id = any(tocadas)
      ) reparto
      where f.id = reparto.id and f.pagada <> reparto.pagada;
    end $$`.execute(db);

  await sql`alter table pedido add facturado_aqui boolean not null default false`.execute(db);
  await sql`create function facturado_aqui_of(pedidos uuid[]) returns void language sql as $$
    update pedido p set facturado_aqui = ahora.si
    from (
      select p.id, exists (
        select from pedido_linea l join proveedor_factura f on f.orden_id = l.orden_id and f.proveedor = p.proveedor
        where l.pedido_id = p.id) as si
      from pedido p where p.id = any(pedidos)
    ) ahora
    where p.id = ahora.id and p.facturado_aqui <> ahora.si $$`.execute(db);
  await sql`select facturado_aqui_of(array(select pedido_id from pedido_linea))`.execute(db);
  await sql`create index pedido_sin_factura on pedido (creado_en) include (proveedor, estado, total, moneda) where not facturado_aqui`.execute(
    db,
  );
  await sql`create index pedido_anunciado on pedido (factura_en, id) where not facturado_aqui and factura_folio is not null`.execute(
    db,
  );
  await sql`create function facturado_aqui_of_lineas() returns trigger language plpgsql as $$
    begin
      perform facturado_aqui_of(array(select distinct pedido_id from after));
      return null;
    end $$`.execute(db);
  await sql`create trigger pedido_linea_factura after insert on pedido_linea referencing new table as after
    for each statement execute function facturado_aqui_of_lineas()`.execute(db);

  // The invoices of a sale that has no payment are all to be paid: nothing is looked for.
  await sql`create function paga_of_facturas() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select distinct orden_id from after);
      elsif tg_op = 'DELETE' then
        movidas := array(select distinct orden_id from before);
      else
        movidas := array(
          select x.orden_id from after a join before b using (id) cross join lateral (values (a.orden_id), (b.orden_id)) x (orden_id)
          where (a.monto, a.proveedor, a.orden_id) is distinct from (b.monto, b.proveedor, b.orden_id));
      end if;
      if exists (select from pago_orden where orden_id = any(movidas)) then
        perform paga_facturas(movidas, '{}');
      end if;
      perform facturado_aqui_of(array(select distinct pedido_id from pedido_linea where orden_id = any(movidas)));
      return null;
    end $$`.execute(db);
  await sql`create function paga_of_ordenes() returns trigger language plpgsql as $$
    begin
      perform paga_facturas(array(select distinct orden_id from changed), array(select distinct pago_id from changed));
      return null;
    end $$`.execute(db);
  await sql`create function paga_of_pago() returns trigger language plpgsql as $$
    begin
      perform paga_facturas('{}', array[new.id]);
      return null;
    end $$`.execute(db);
  await sql`create trigger proveedor_factura_paga_added after insert on proveedor_factura referencing new table as after
    for each statement execute function paga_of_facturas()`.execute(db);
  await sql`create trigger proveedor_factura_paga_changed after update on proveedor_factura referencing old table as before new table as after
    for each statement execute function paga_of_facturas()`.execute(db);
  await sql`create trigger proveedor_factura_paga_removed after delete on proveedor_factura referencing old table as before
    for each statement execute function paga_of_facturas()`.execute(db);
  await sql`create trigger pago_orden_paga_added after insert on pago_orden referencing new table as changed
    for each statement execute function paga_of_ordenes()`.execute(db);
  await sql`create trigger pago_orden_paga_changed after update on pago_orden referencing new table as changed
    for each statement execute function paga_of_ordenes()`.execute(db);
  await sql`create trigger pago_orden_paga_removed after delete on pago_orden referencing old table as changed
    for each statement execute function paga_of_ordenes()`.execute(db);
  await sql`create trigger pago_paga after update of total, proveedor on pago for each row
    when ((old.total, old.proveedor) is distinct from (new.total, new.proveedor)) execute function paga_of_pago()`.execute(
    db,
  );

  await sql`select paga_facturas('{}', array(select id from pago))`.execute(db);
  await sql`create index proveedor_factura_por_pagar on proveedor_factura (fecha_creacion desc, id desc)
    include (proveedor, monto, pagada, emitida) where pagada < monto`.execute(db);
}
