import { type Kysely, sql } from 'kysely';

/** What a marketplace kept of each sale and handed over in each deposit, as its reports tell it, beside what we expected of it. */
export async function up(db: Kysely<unknown>) {
  // Reports that were asked for, or that come by themselves. `suyo` is the number that the far side gave it, `archivo` the name it is fetched by.
  await sql`create table liquidacion_reporte (
    id            uuid primary key default uuidv7(),
    market        text not null check (market in ('ml', 'amz')),
    clave         text not null,
    estado        text not null check (estado in ('pedido', 'listo', 'leido', 'fallido')),
    desde         timestamptz not null,
    hasta         timestamptz not null,
    suyo          text,
    archivo       text,
    pedido_en     timestamptz not null default now(),
    mirar_en      timestamptz not null default now(),
    leido_en      timestamptz,
    intentos      integer not null default 0,
    lineas        integer not null default 0,
    saldo_inicial numeric(14, 2),
    saldo_final   numeric(14, 2),
    error         text,
    unique (market, clave),
    check (desde < hasta)
  )`.execute(db);
  await sql`create index liquidacion_reporte_pendiente on liquidacion_reporte (market, desde) where estado <> 'leido'`.execute(
    db,
  );

  /*
   * What arrived at the bank. `saldo_antes` and `saldo_despues` are of the account at the marketplace: what was in it already, and what stayed. What none of the three explains is the rest.
   * `suma`, `movimientos`, `ventas` and `con_diferencia` follow from what it is made of.
   */
  await sql`create table deposito (
    id             uuid primary key default uuidv7(),
    market         text not null check (market in ('ml', 'amz')),
    clave          text not null,
    fecha          timestamptz not null,
    importe        numeric(14, 2) not null,
    reporte_id     uuid not null references liquidacion_reporte,
    posicion       integer not null default 0,
    saldo_antes    numeric(14, 2) not null default 0,
    saldo_despues  numeric(14, 2) not null default 0,
    saldo_dicho    numeric(14, 2),
    suma           numeric(14, 2) not null default 0,
    movimientos    integer not null default 0,
    ventas         integer not null default 0,
    diferencia     numeric(14, 2) not null default 0,
    mayor          numeric(14, 2) not null default 0,
    sin_explicar   numeric(14, 2) generated always as (importe - (saldo_antes + suma - saldo_despues)) stored,
    motivo         text,
    reclamado_en   timestamptz,
    reclamado_por  uuid references usuario,
    version        integer not null default 1,
    unique (market, clave)
  )`.execute(db);
  await sql`create index deposito_by_fecha on deposito (fecha desc, id desc)`.execute(db);

  // A part of a line of a report: the line of a sale tells its price, its commission, its shipping and its taxes at once. What goes to us is positive.
  await sql`create table movimiento (
    id          bigint generated always as identity primary key,
    market      text not null check (market in ('ml', 'amz')),
    clave       text not null,
    reporte_id  uuid not null references liquidacion_reporte,
    posicion    integer not null,
    deposito_id uuid references deposito,
    orden_id    uuid references orden,
    concepto    text not null check (concepto in ('venta', 'devolucion', 'comision', 'envio', 'iva', 'isr', 'retencion', 'publicidad', 'reserva', 'otro')),
    importe     numeric(14, 2) not null,
    fecha       timestamptz not null,
    detalle     text not null,
    de_deposito text,
    pago        text,
    ref_orden   text,
    ref_paquete text,
    ref_envio   text,
    ref_externa text,
    datos       jsonb,
    unique (market, clave)
  )`.execute(db);
  await sql`create index movimiento_by_deposito on movimiento (deposito_id, fecha, id)`.execute(db);
  await sql`create index movimiento_by_orden on movimiento (orden_id, fecha, id) where orden_id is not null`.execute(
    db,
  );
  await sql`create index movimiento_by_reporte on movimiento (reporte_id, posicion)`.execute(db);
  await sql`create index movimiento_by_pago on movimiento (market, pago) where pago is not null`.execute(db);
  await sql`create index movimiento_sin_orden on movimiento (market, fecha) where orden_id is null and concepto <> 'reserva'`.execute(
    db,
  );

  // How much two amounts may differ before somebody is told, and after how many days a report that did not come is missed.
  await sql`create table conciliacion_regla (
    unica      boolean primary key default true check (unica),
    tolerancia numeric(14, 2) not null default 1 check (tolerancia >= 0),
    dias       integer not null default 3 check (dias between 1 and 60),
    version    integer not null default 1
  )`.execute(db);
  await sql`insert into conciliacion_regla default values`.execute(db);

  /*
   * A sale of which something was told: what we expected of it, `e_`, and what there was, `r_`, both as they change our money. `completa`: all that the buyer paid was told, so
   * its figures are final. `mayor` is the widest difference of one of its concepts: two that even out are two differences.
   */
  await sql`create table conciliacion (
    orden_id      uuid primary key references orden,
    market        text not null check (market in ('ml', 'amz')),
    fecha         timestamptz not null,
    deposito_id   uuid references deposito,
    movimientos   integer not null,
    e_cobrado     numeric(14, 2) not null,
    e_comision    numeric(14, 2) not null,
    e_envio       numeric(14, 2) not null,
    e_retencion   numeric(14, 2) not null,
    r_cobrado     numeric(14, 2) not null,
    r_devuelto    numeric(14, 2) not null,
    r_comision    numeric(14, 2) not null,
    r_envio       numeric(14, 2) not null,
    r_iva         numeric(14, 2) not null,
    r_isr         numeric(14, 2) not null,
    r_retencion   numeric(14, 2) not null,
    r_otros       numeric(14, 2) not null,
    completa      boolean not null,
    esperado      numeric(14, 2) generated always as (e_cobrado + e_comision + e_envio + e_retencion) stored,
    recibido      numeric(14, 2) generated always as (r_cobrado + r_devuelto + r_comision + r_envio + r_iva + r_isr + r_retencion + r_otros) stored,
    d_cobrado     numeric(14, 2) generated always as (r_cobrado + r_devuelto - e_cobrado) stored,
    d_comision    numeric(14, 2) generated always as (r_comision - e_comision) stored,
    d_envio       numeric(14, 2) generated always as (r_envio - e_envio) stored,
    d_retencion   numeric(14, 2) generated always as (r_iva + r_isr + r_retencion - e_retencion) stored,
    diferencia    numeric(14, 2) generated always as (r_cobrado + r_devuelto + r_comision + r_envio + r_iva + r_isr + r_retencion + r_otros
                    - (e_cobrado + e_comision + e_envio + e_retencion)) stored,
    mayor         numeric(14, 2) generated always as (greatest(abs(r_cobrado + r_devuelto - e_cobrado), abs(r_comision - e_comision), abs(r_envio - e_envio),
                    abs(r_iva + r_isr + r_retencion - e_retencion), abs(r_otros))) stored,
    motivo        text,
    reclamado_en  timestamptz,
    reclamado_por uuid references usuario,
    calculada_en  timestamptz not null default now(),
    version       integer not null default 1
  )`.execute(db);
  await sql`create index conciliacion_by_fecha on conciliacion (fecha desc, orden_id desc)`.execute(db);
  await sql`create index conciliacion_by_mayor on conciliacion (mayor desc, orden_id desc)`.execute(db);
  await sql`create index conciliacion_by_deposito on conciliacion (deposito_id)`.execute(db);

  /*
   * What the marketplace handed over of a sale, once all of it was told. From then on it is what the profit is made of: a sale that is read again moves it no more. What we paid for a
   * shipment of our own the marketplace knows nothing of.
   */
  await sql`alter table orden add column liquidado numeric(14, 2)`.execute(db);
  await sql`alter table orden drop column utilidad`.execute(db);
  await sql`alter table orden add column utilidad numeric(14, 2) generated always as (case when facturas_proveedor > 0 then
    coalesce(liquidado - case when envio_propio then costo_envio else 0 end,
      case when clase in ('cancelada', 'devuelta') then 0 else pagado_abs end - costo_envio - comision - coalesce(retencion, 0)) - facturado end) stored`.execute(
    db,
  );
  await sql`drop index if exists orden_utilidad`.execute(db);
  await sql`create index orden_utilidad on orden (fecha_creacion desc, id desc)
    include (clase, pagado, pagado_abs, comision, costo_envio, retencion, facturado, utilidad, proveedor)`.execute(db);

  // A profit of a month that has ended and moved afterwards. Nobody writes these but the trigger.
  await sql`create table utilidad_ajuste (
    id         uuid primary key default uuidv7(),
    orden_id   uuid not null references orden,
    en         timestamptz not null default now(),
    mes        text not null check (mes ~ '^\\d{4}-\\d{2}$'),
    causa      text not null check (causa in ('liquidacion', 'factura', 'relectura')),
    antes      numeric(14, 2) not null,
    despues    numeric(14, 2),
    diferencia numeric(14, 2) generated always as (coalesce(despues, 0) - antes) stored
  )`.execute(db);
  await sql`create index utilidad_ajuste_by_en on utilidad_ajuste (en desc, id desc)`.execute(db);
  await sql`create index utilidad_ajuste_by_orden on utilidad_ajuste (orden_id)`.execute(db);
  await sql`create function utilidad_moved() returns trigger language plpgsql as $$
    declare mes_de_venta text := to_char(new.fecha_creacion at time zone 'America/Mexico_City', 'YYYY-MM');
    begin
      if mes_de_venta < to_char(now() at time zone 'America/Mexico_City', 'YYYY-MM') then
        insert into utilidad_ajuste (orden_id, mes, causa, antes, despues) values (new.id, mes_de_venta,
          case when new.liquidado is distinct from old.liquidado then 'liquidacion'
               when (new.facturado, new.facturas_proveedor) is distinct from (old.facturado, old.facturas_proveedor) then 'factura' else 'relectura' end,
          old.utilidad, new.utilidad);
      end if;
      return null;
    end $$`.execute(db);
  await sql`create trigger orden_utilidad_moved after update on orden for each row
    when (old.utilidad is not null and old.utilidad is distinct from new.utilidad) execute function utilidad_moved()`.execute(
    db,
  );

  await sql`alter table sync_run drop constraint sync_run_kind_check`.execute(db);
  await sql`alter table sync_run add constraint sync_run_kind_check check (kind in ('sweep', 'cancelled', 'missed', 'atencion', 'publicaciones', 'publicacionesNuevas', 'liquidacion'))`.execute(
    db,
  );
}
