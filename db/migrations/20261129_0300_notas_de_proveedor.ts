import { type Kysely, sql } from 'kysely';

/**
 * Suppliers' credit notes (CFDI of type E) and payment complements (type P) are kept beside their invoices in `proveedor_cfdi`.
 * `proveedor_nota_factura` tells of which invoices a note is: `importe` leaves the cost of the sale, and `acreditado` is the part of it that was still
 * owed. What is left of a note is a balance in favour of us, and `proveedor_nota_uso` tells what became of it: another invoice, or money returned.
 * `proveedor_factura.acreditada` is the sum of both, kept by triggers: it is owed no more, and no payment covers it.
 * `proveedor_docto` is a row of a payment complement: what its supplier says was paid of one document, in pesos.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table proveedor_cfdi
    add tipo text not null default 'I' check (tipo in ('I', 'E', 'P')),
    add metodo_pago text check (metodo_pago in ('PUE', 'PPD', 'sinDecir')),
    add tipo_relacion text,
    add relacionados text[] not null default '{}'`.execute(db);
  await sql`drop index proveedor_cfdi_por_leer`.execute(db);
  await sql`create index proveedor_cfdi_por_metodo on proveedor_cfdi (id) where metodo_pago is null`.execute(db);
  await sql`create index proveedor_cfdi_notas on proveedor_cfdi (fecha, id) where tipo = 'E'`.execute(db);
  await sql`create index proveedor_cfdi_ppd on proveedor_cfdi (id) where metodo_pago = 'PPD'`.execute(db);
  await sql`create index proveedor_factura_by_documento on proveedor_factura (cfdi_id) where cfdi_id is not null`.execute(
    db,
  );

  await sql`create table proveedor_nota_factura (
    nota_id uuid not null references proveedor_cfdi (id),
    factura_id uuid not null references proveedor_factura (id),
    importe numeric(14, 2) not null check (importe > 0),
    acreditado numeric(14, 2) not null check (acreditado between 0 and importe),
    usuario_id uuid references usuario (id),
    creado_en timestamptz not null default now(),
    primary key (nota_id, factura_id))`.execute(db);
  await sql`create index proveedor_nota_factura_by_factura on proveedor_nota_factura (factura_id)`.execute(db);
  await sql`create table proveedor_nota_uso (
    id uuid primary key default uuidv7(),
    nota_id uuid not null references proveedor_cfdi (id),
    factura_id uuid references proveedor_factura (id),
    importe numeric(14, 2) not null check (importe > 0),
    fecha date not null,
    folio text check (folio <> ''),
    usuario_id uuid references usuario (id),
    creado_en timestamptz not null default now())`.execute(db);
  await sql`create index proveedor_nota_uso_by_nota on proveedor_nota_uso (nota_id)`.execute(db);
  await sql`create index proveedor_nota_uso_by_factura on proveedor_nota_uso (factura_id) where factura_id is not null`.execute(
    db,
  );
  await sql`create index proveedor_nota_uso_by_fecha on proveedor_nota_uso (fecha)`.execute(db);
  await sql`create table proveedor_docto (
    cfdi_id uuid not null references proveedor_cfdi (id) on delete cascade,
    posicion integer not null,
    fecha date not null,
    uuid text not null,
    folio text not null,
    moneda text not null,
    lugar text not null,
    parcialidad integer not null check (parcialidad > 0),
    saldo_anterior numeric(14, 2) not null check (saldo_anterior >= 0),
    pagado numeric(14, 2) not null check (pagado >= 0),
    insoluto numeric(14, 2) not null check (insoluto >= 0),
    base16 numeric(14, 2), iva16 numeric(14, 2), base8 numeric(14, 2), iva8 numeric(14, 2),
    base0 numeric(14, 2), exento numeric(14, 2), no_objeto numeric(14, 2), iva_retenido numeric(14, 2),
    sin_impuestos text check (sin_impuestos <> ''),
    primary key (cfdi_id, posicion),
    constraint proveedor_docto_impuestos check (
      num_nonnulls(base16, iva16, base8, iva8, base0, exento, no_objeto, iva_retenido) = case when sin_impuestos is null then 8 else 0 end))`.execute(
    db,
  );
  await sql`create index proveedor_docto_by_uuid on proveedor_docto (uuid, fecha)`.execute(db);

  await sql`alter table proveedor_factura add acreditada numeric(14, 2) not null default 0`.execute(db);
  await sql`alter table proveedor_factura add constraint proveedor_factura_acreditada_check check (acreditada between 0 and monto)`.execute(
    db,
  );
  await sql`drop index proveedor_factura_por_pagar`.execute(db);
  await sql`create index proveedor_factura_por_pagar on proveedor_factura (fecha_creacion desc, id desc)
    include (proveedor, monto, pagada, acreditada, emitida) where pagada + acreditada < monto`.execute(db);

  await sql`create function acreditada_of(facturas uuid[]) returns void language sql as $$
    update proveedor_factura f set acreditada = ahora.acreditada
    from (
      select f.id, coalesce((select sum(n.acreditado) from proveedor_nota_factura n where n.factura_id = f.id), 0)
        + coalesce((select sum(u.importe) from proveedor_nota_uso u where u.factura_id = f.id), 0) as acreditada
      from proveedor_factura f where f.id = any(facturas)
    ) ahora
    where f.id = ahora.id and f.acreditada <> ahora.acreditada $$`.execute(db);
  await sql`create function nota_moved() returns trigger language plpgsql as $$
    begin
      perform acreditada_of(array(select distinct factura_id from changed where factura_id is not null));
      if tg_table_name = 'proveedor_nota_factura' then
        perform libro_asentar(array(select distinct f.orden_id from changed c join proveedor_factura f on f.id = c.factura_id));
      end if;
      return null;
    end $$`.execute(db);
  for (const tabla of ['proveedor_nota_factura', 'proveedor_nota_uso']) {
    await sql`create trigger ${sql.raw(`${tabla}_added`)} after insert on ${sql.table(tabla)} referencing new table as changed
      for each statement execute function nota_moved()`.execute(db);
    await sql`create trigger ${sql.raw(`${tabla}_removed`)} after delete on ${sql.table(tabla)} referencing old table as changed
      for each statement execute function nota_moved()`.execute(db);
  }

  await sql`create or replace view pago_de_orden as
    select po.pago_id, po.orden_id, pago.proveedor, po.monto, facturas.facturado, otros.dado,
      coalesce(po.monto, greatest(facturas.facturado - otros.dado, 0)) as pide
    from pago_orden po
      join pago on pago.id = po.pago_id
      cross join lateral (select coalesce(sum(f.monto - f.acreditada), 0) as facturado from proveedor_factura f
        where f.orden_id = po.orden_id and f.proveedor = pago.proveedor) facturas
      cross join lateral (select coalesce(sum(otra.monto), 0) as dado from pago_orden otra join pago p on p.id = otra.pago_id
        where otra.orden_id = po.orden_id and otra.pago_id <> po.pago_id and p.proveedor = pago.proveedor) otros`.execute(
    db,
  );
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
        select p.id, greatest(0, least(p.monto - p.acreditada, coalesce(d.dado, 0) - (
            sum(p.monto - p.acreditada) over (partition by p.orden_id, p.proveedor order by p.fecha_creacion, p.id) - (p.monto - p.acreditada)))) as pagada
        from proveedor_factura p
          left join (
            select orden_id, proveedor, sum(dado) as dado from pago_dado where pago_id = any(suyos) group by 1, 2
          ) d on d.orden_id = p.orden_id and d.proveedor = p.proveedor
        where p.orden_id = any(tocadas)
      ) reparto
      where f.id = reparto.id and f.pagada <> reparto.pagada;
    end $$`.execute(db);
  await sql`create or replace function paga_of_facturas() returns trigger language plpgsql as $$
    declare movidas uuid[];
    begin
      if tg_op = 'INSERT' then
        movidas := array(select distinct orden_id from after);
      elsif tg_op = 'DELETE' then
        movidas := array(select distinct orden_id from before);
      else
        movidas := array(
          select x.orden_id from after a join before b using (id) cross join lateral (values (a.orden_id), (b.orden_id)) x (orden_id)
          where (a.monto, a.acreditada, a.proveedor, a.orden_id) is distinct from (b.monto, b.acreditada, b.proveedor, b.orden_id));
      end if;
      if exists (select from pago_orden where orden_id = any(movidas)) then
        perform paga_facturas(movidas, '{}');
      end if;
      perform facturado_aqui_of(array(select distinct pedido_id from pedido_linea where orden_id = any(movidas)));
      return null;
    end $$`.execute(db);
  await sql`create or replace function pago_aplicado(pagos uuid[]) returns table (pago_id uuid, factura_id uuid, importe numeric)
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
          select f.id, f.orden_id, f.proveedor, f.monto - f.acreditada as monto,
            sum(f.monto - f.acreditada) over (partition by f.orden_id, f.proveedor order by f.fecha_creacion, f.id) as hasta
          from proveedor_factura f where f.orden_id = any(suyas)
        ), cruce as (
          select d.pago_id, f.id as factura_id, least(d.hasta, f.hasta) - greatest(d.hasta - d.dado, f.hasta - f.monto) as importe
          from dado d join factura f on f.orden_id = d.orden_id and f.proveedor = d.proveedor
          where d.pago_id = any(pagos)
        )
        select c.pago_id, c.factura_id, c.importe from cruce c where c.importe > 0;
    end $$`.execute(db);

  await sql`alter table asiento drop constraint asiento_fuente_check, add constraint asiento_fuente_check check (
    fuente in ('mercado', 'tarifa', 'liquidacion', 'envio', 'factura', 'pedido', 'pieza', 'nota', 'retiro'))`.execute(
    db,
  );
  await sql`create or replace function libro_debe(ordenes uuid[]) returns table (orden_id uuid, renglon text, de text, a text, importe numeric, cierto boolean,
    fuente text, ocurrio timestamptz) language sql stable as $$
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
        cross join lateral tasa_de_ley(o.fecha_creacion) ley
        cross join lateral (
          select coalesce((ajuste.valor ->> 'comision')::numeric, 0.15) as comision,
            coalesce((ajuste.valor ->> 'retencionIva')::numeric, ley.iva) + coalesce((ajuste.valor ->> 'retencionIsr')::numeric, ley.isr) as retencion
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
    -- A supplier's note takes its part off the cost of the sale, whatever it is used for.
    bonificado as (
      select f.orden_id as id, n.nota_id, f.proveedor, sum(n.importe) as importe, max(c.fecha) as ocurrio
      from proveedor_nota_factura n join proveedor_factura f on f.id = n.factura_id join proveedor_cfdi c on c.id = n.nota_id
      where f.orden_id = any(ordenes)
      group by 1, 2, 3
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
    select id, 'nota:' || proveedor || ':' || nota_id, 'costo', 'proveedor:' || proveedor, importe, true, 'nota', ocurrio from bonificado
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
}
