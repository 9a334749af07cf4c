import { type Kysely, sql } from 'kysely';

/**
 * A supplier's CFDI tells its taxes by rate, in pesos. Documents of before are read again by `impuestos.leer`: until then all of these columns are null. A
 * document whose taxes cannot be told by rate says why instead.
 * What a transfer gives to a sale is told by one view, `pago_dado`; `pago_aplicado` tells which invoices it paid, the oldest first by the earliest transfer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table proveedor_cfdi
    add base16 numeric(14, 2) check (base16 >= 0),
    add iva16 numeric(14, 2) check (iva16 >= 0),
    add base8 numeric(14, 2) check (base8 >= 0),
    add iva8 numeric(14, 2) check (iva8 >= 0),
    add base0 numeric(14, 2) check (base0 >= 0),
    add exento numeric(14, 2) check (exento >= 0),
    add no_objeto numeric(14, 2) check (no_objeto >= 0),
    add iva_retenido numeric(14, 2) check (iva_retenido >= 0),
    add lugar text check (lugar ~ '^[0-9]{5}$'),
    add sin_impuestos text check (sin_impuestos <> ''),
    add constraint proveedor_cfdi_impuestos check (
      num_nonnulls(base16, iva16, base8, iva8, base0, exento, no_objeto, iva_retenido) = case when lugar is null then 0 else 8 end
      and (lugar is null or sin_impuestos is null))`.execute(db);
  await sql`create index proveedor_cfdi_por_leer on proveedor_cfdi (id) where lugar is null and sin_impuestos is null`.execute(
    db,
  );
  await sql`create index pago_by_fecha on pago (fecha) where fecha is not null`.execute(db);

  // A transfer gives no more than its total: what a person wrote first, then sale by sale.
  await sql`create view pago_dado as
    select v.pago_id, v.orden_id, v.proveedor, case when v.monto is not null or pago.total is null then v.pide
      else greatest(0, least(v.pide, pago.total - v.escrito - v.antes)) end as dado
    from (
      select pago_id, orden_id, proveedor, monto, pide, coalesce(sum(monto) over (partition by pago_id), 0) as escrito,
        coalesce(sum(case when monto is null then pide end) over (
          partition by pago_id order by orden_id rows between unbounded preceding and 1 preceding), 0) as antes
      from pago_de_orden
    ) v join pago on pago.id = v.pago_id`.execute(db);

  await sql`create or replace function paga_facturas(ordenes uuid[], pagos uuid[]) returns void language plpgsql as $$
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
            select orden_id, proveedor, sum(dado) as dado from pago_dado where pago_id = any(suyos) group by 1, 2
          ) d on d.orden_id = p.orden_id and d.proveedor = p.proveedor
        where p.orden_id = any(tocadas)
      ) reparto
      where f.id = reparto.id and f.pagada <> reparto.pagada;
    end $$`.execute(db);

  // Planned for the payments of each call: a plan for a few compares each row of a large month with each.
  // Transfers of a sale lie one behind the other by their day, its invoices by their age, and a transfer paid what lies beside it: all together is `pagada`.
  await sql`create function pago_aplicado(pagos uuid[]) returns table (pago_id uuid, factura_id uuid, importe numeric)
    language plpgsql stable set plan_cache_mode = force_custom_plan as $$
    declare suyas uuid[]; todos uuid[];
    begin
      suyas := array(select distinct po.orden_id from pago_orden po where po.pago_id = any(pagos));
      todos := array(select distinct po.pago_id from pago_orden po where po.orden_id = any(suyas));
      return query
        with dado as (
          select d.pago_id, d.orden_id, d.proveedor, d.dado,
            sum(d.dado) over (partition by d.orden_id, d.proveedor order by p.fecha nulls last, p.creado_en, p.id) as hasta
          from pago_dado d join pago p on p.id = d.pago_id
          where d.pago_id = any(todos) and d.orden_id = any(suyas)
        ), factura as (
          select f.id, f.orden_id, f.proveedor, f.monto,
            sum(f.monto) over (partition by f.orden_id, f.proveedor order by f.fecha_creacion, f.id) as hasta
          from proveedor_factura f where f.orden_id = any(suyas)
        ), cruce as (
          select d.pago_id, f.id as factura_id, least(d.hasta, f.hasta) - greatest(d.hasta - d.dado, f.hasta - f.monto) as importe
          from dado d join factura f on f.orden_id = d.orden_id and f.proveedor = d.proveedor
          where d.pago_id = any(pagos)
        )
        select c.pago_id, c.factura_id, c.importe from cruce c where c.importe > 0;
    end $$`.execute(db);
}
