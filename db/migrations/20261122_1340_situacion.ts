import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>) {
  // How a sale stands at its marketplace, in our words: what rules ask. The marketplace's own word stays beside it as evidence.
  await sql`alter table orden add situacion text not null default 'pagada' check (situacion in
    ('cobroPendiente', 'autorizandoPago', 'pagada', 'devueltaEnParte', 'devuelta', 'cancelada', 'invalida', 'desconocida'))`.execute(
    db,
  );
  await sql`update orden set situacion = case
      when market_status in ('cancelled', 'pending_cancel') then 'cancelada'
      when market_status in ('confirmed', 'payment_required', 'partially_paid') then 'cobroPendiente'
      when market_status = 'payment_in_process' then 'autorizandoPago'
      when market_status = 'paid' then 'devuelta'
      when market_status = 'partially_refunded' then 'devueltaEnParte'
      when market_status = 'invalid' then 'invalida'
      else 'desconocida' end
    where market = 'ml' and (market_status <> 'paid' or 'unfulfilled' = any(tags)) or market_status in ('cancelled', 'pending_cancel')`.execute(
    db,
  );
  await sql`alter table orden alter situacion drop default`.execute(db);

  /*
   * The two indexes whose condition named a marketplace. A query meets them only in their own words: 'Facturación general' (MOTIVO_DE_EXCLUSION)
   * and 'Cotizar envios' (POR_COTIZAR).
   */
  await sql`drop index orden_facturable`.execute(db);
  await sql`create index orden_facturable on orden (fecha_creacion, id) include (pack_id, num_orden, market, pagado_abs, busqueda) where (case
    when clase = 'cancelada' then 'cancelada'
    when clase = 'devuelta' then 'devuelta'
    when meli_resale then 'meliResale'
    when situacion not in ('pagada', 'devueltaEnParte', 'devuelta') then 'sinPagar'
    when pagado_abs <= 0 then 'sinImporte' end) is null`.execute(db);
  await sql`drop index orden_por_cotizar`.execute(db);
  await sql`create index orden_por_cotizar on orden (fecha_creacion desc, id desc) include (pagado_abs, clase, costo_envio)
    where envio_propio and estatus in ('cobroRequerido', 'enPreparacion') and situacion <> 'cancelada'`.execute(db);
}
