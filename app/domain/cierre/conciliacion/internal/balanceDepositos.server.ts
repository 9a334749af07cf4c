import { sql, type RawBuilder } from 'kysely';
import type { Market } from '~/core/market';
import { Money } from '~/core/money';
import { liquidacionesOf } from '~/domain/mercados/liquidaciones.server';
import type { Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';

/** How far back a movement without its sale is looked for again: a sale may be read later than what was paid of it. */
const BUSCA_DIAS = 90;

/** Holds the payouts of a marketplace until the transaction ends: work that two processes would do is done once. */
export async function lockLiquidaciones(trx: Trx, market: Market): Promise<void> {
  await lockName(trx, 'liquidacion', market);
}

/**
 * Everything that follows from movements and deposits: which sale each movement is of, which deposit it went into, what each deposit is made of, and what was expected of each sale beside what there
 * was. All of it may be done again at any time, and comes to the same.
 */
export async function balanceDepositos(trx: Trx, market: Market): Promise<{ conciliadas: number }> {
  await lockLiquidaciones(trx, market);
  // Right after a big read the planner knows no figures of it, and would look through one side for each row of the other.
  await sql`set local enable_nestloop = off`.execute(trx);
  const halladas = await reconocer(trx, market);
  const depositadas = await depositar(trx, market);
  const conciliadas = await reconcile(trx, market, [...halladas, ...depositadas]);
  await sumDepositos(trx, market);
  return { conciliadas };
}

/** Whose each movement is: by the sale's own number, by that of its cart or of its shipment, and by a payment of which the sale is known. */
async function reconocer(trx: Trx, market: Market): Promise<string[]> {
  const sueltos = sql`m.market = ${market} and m.orden_id is null and m.concepto <> 'reserva' and m.fecha > now() - make_interval(days => ${BUSCA_DIAS})`;
  const found: string[] = [];
  const one = async (statement: RawBuilder<{ ordenId: string }>) => {
    const { rows } = await statement.execute(trx);
    found.push(...new Set(rows.map(({ ordenId }) => ordenId)));
  };
  for (const ref of [sql.ref('m.refOrden'), sql.ref('m.refExterna')])
    await one(sql`update movimiento m set orden_id = o.id from orden o
      where ${sueltos} and o.market = ${market} and o.market_id = ${ref} returning m.orden_id`);
  // What a cart or a shipment shares is told on its first sale, as its cost is.
  for (const ref of [sql.ref('m.refPaquete'), sql.ref('m.refExterna')])
    await one(sql`update movimiento m set orden_id = o.id from (
        select distinct on (num_orden) num_orden, id from orden where market = ${market} order by num_orden, clase in ('cancelada', 'devuelta'), market_id) o
      where ${sueltos} and o.num_orden = ${ref} returning m.orden_id`);
  for (const ref of [sql.ref('m.refEnvio'), sql.ref('m.refExterna')])
    await one(sql`update movimiento m set orden_id = o.id from (
        select distinct on (e.id) e.market_id as envio, o.id from orden o join envio e on e.id = o.envio_id
        where e.market = ${market} order by e.id, o.clase in ('cancelada', 'devuelta'), o.market_id) o
      where ${sueltos} and o.envio = ${ref} returning m.orden_id`);
  await one(sql`update movimiento m set orden_id = p.orden_id from (
      select distinct on (pago) pago, orden_id from movimiento where market = ${market} and pago is not null and orden_id is not null order by pago, id) p
    where ${sueltos} and p.pago = m.pago returning m.orden_id`);
  return found;
}

/** Which deposit each movement went into: the one its line says, else the first one after it. */
async function depositar(trx: Trx, market: Market): Promise<string[]> {
  const { rows } = await sql<{ ordenId: string | null }>`
    with dichos as (
      update movimiento m set deposito_id = d.id from deposito d
      where m.market = ${market} and m.deposito_id is null and m.de_deposito is not null and d.market = ${market} and d.clave = m.de_deposito
      returning m.orden_id),
    puestos as (
      update movimiento m set deposito_id = (
          select d.id from deposito d join liquidacion_reporte r on r.id = d.reporte_id
          where d.market = ${market} and r.cuenta = p.cuenta and (d.fecha, d.posicion) > (m.fecha, m.posicion) order by d.fecha, d.posicion limit 1)
      from liquidacion_reporte p,
        (select r.cuenta, max(d.fecha) as hasta from deposito d join liquidacion_reporte r on r.id = d.reporte_id where d.market = ${market} group by 1) u
      where m.market = ${market} and m.deposito_id is null and m.de_deposito is null and p.id = m.reporte_id and u.cuenta = p.cuenta and m.fecha <= u.hasta
      returning m.orden_id)
    select orden_id from dichos union select orden_id from puestos`.execute(trx);
  return rows.flatMap(({ ordenId }) => (ordenId ? [ordenId] : []));
}

/** Figures of a sale that follow from its movements. What is only reserved comes and goes. */
const REAL = sql`sum(importe) filter (where concepto = 'venta') as r_cobrado, sum(importe) filter (where concepto = 'devolucion') as r_devuelto,
  sum(importe) filter (where concepto = 'comision') as r_comision, sum(importe) filter (where concepto = 'envio') as r_envio,
  sum(importe) filter (where concepto = 'iva') as r_iva, sum(importe) filter (where concepto = 'isr') as r_isr,
  sum(importe) filter (where concepto = 'retencion') as r_retencion, sum(importe) filter (where concepto in ('publicidad', 'otro')) as r_otros`;
/** Of what the buyer paid, so much has to be told before the figures of a sale are final: payments of one sale are released one by one. */
const COMPLETA = '0.95';

/** What was expected of a sale beside what there was; for these, and for those read again since. Once all of it was told, the sale takes it over for its profit. */
async function reconcile(trx: Trx, market: Market, tocadas: readonly string[]): Promise<number> {
  const retencion = liquidacionesOf(market)?.retencionEsperada ?? sql`orden.retencion`;
  await sql`create temporary table conciliando on commit drop as
    select distinct id from (
      select unnest(${[...new Set(tocadas)]}::uuid[]) as id
      union select c.orden_id from conciliacion c join orden o on o.id = c.orden_id
        where c.market = ${market} and c.fecha > now() - make_interval(days => ${BUSCA_DIAS}) and o.actualizada_en > c.calculada_en) x`.execute(
    trx,
  );
  await sql`analyze conciliando`.execute(trx);
  const { numAffectedRows } = await sql`
    with real as (
      select orden_id, min(fecha) filter (where concepto <> 'reserva') as fecha, count(*)::int as movimientos, ${REAL},
        (array_agg(deposito_id order by fecha desc, id desc) filter (where deposito_id is not null))[1] as deposito_id
      from movimiento where orden_id in (select id from conciliando) group by orden_id),
    cifras as (
      select orden.id as orden_id, real.fecha, real.deposito_id, real.movimientos,
        orden.pagado as e_cobrado, -orden.comision as e_comision, case when orden.envio_propio or orden.meli_resale then 0 else -orden.costo_envio end as e_envio,
        -- What nobody could tell us of a sale is expected as it came.
        coalesce(-case when coalesce(real.r_isr, 0) <> 0 then orden.retencion else ${retencion} end,
          coalesce(r_iva, 0) + coalesce(r_isr, 0) + coalesce(r_retencion, 0)) as e_retencion,
        coalesce(r_cobrado, 0) as r_cobrado, coalesce(r_devuelto, 0) as r_devuelto, coalesce(r_comision, 0) as r_comision, coalesce(r_envio, 0) as r_envio,
        coalesce(r_iva, 0) as r_iva, coalesce(r_isr, 0) as r_isr, coalesce(r_retencion, 0) as r_retencion, coalesce(r_otros, 0) as r_otros,
        coalesce(r_cobrado, 0) > 0 and coalesce(r_cobrado, 0) >= orden.pagado_abs * ${COMPLETA}::numeric as completa
      from real join orden on orden.id = real.orden_id where real.fecha is not null)
    insert into conciliacion (orden_id, market, fecha, deposito_id, movimientos, e_cobrado, e_comision, e_envio, e_retencion,
      r_cobrado, r_devuelto, r_comision, r_envio, r_iva, r_isr, r_retencion, r_otros, completa)
    select orden_id, ${market}, fecha, deposito_id, movimientos, e_cobrado, e_comision, e_envio, e_retencion,
      r_cobrado, r_devuelto, r_comision, r_envio, r_iva, r_isr, r_retencion, r_otros, completa from cifras
    on conflict (orden_id) do update set fecha = excluded.fecha, deposito_id = excluded.deposito_id, movimientos = excluded.movimientos,
      e_cobrado = excluded.e_cobrado, e_comision = excluded.e_comision, e_envio = excluded.e_envio, e_retencion = excluded.e_retencion,
      r_cobrado = excluded.r_cobrado, r_devuelto = excluded.r_devuelto, r_comision = excluded.r_comision, r_envio = excluded.r_envio,
      r_iva = excluded.r_iva, r_isr = excluded.r_isr, r_retencion = excluded.r_retencion, r_otros = excluded.r_otros, completa = excluded.completa,
      calculada_en = now(),
      version = conciliacion.version + case when (conciliacion.esperado, conciliacion.recibido, conciliacion.mayor) is distinct from
        (excluded.esperado, excluded.recibido, excluded.mayor) then 1 else 0 end`.execute(trx);
  // What is kept by the month is told of no sale: of its profit it is taken as the sale says.
  await sql`update orden o set liquidado = c.liquidado from (
      select x.orden_id, case when x.completa then x.recibido - (coalesce(y.retencion, -x.e_retencion) + x.e_retencion) end as liquidado
      from conciliacion x join orden y on y.id = x.orden_id where x.orden_id in (select id from conciliando)) c
    where o.id = c.orden_id and o.liquidado is distinct from c.liquidado`.execute(trx);
  await sql`drop table conciliando`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * What each deposit is made of, and what stayed in the account before and after it. A balance that was told is believed; one that was not is what is left, and is never less than nothing.
 */
async function sumDepositos(trx: Trx, market: Market): Promise<void> {
  const desde = sql<Date>`now() - make_interval(days => ${BUSCA_DIAS})`;
  await sql`update deposito d set suma = s.suma, movimientos = s.movimientos, ventas = s.ventas, diferencia = s.diferencia, mayor = s.mayor from (
      select d.id, coalesce(m.suma, 0) as suma, coalesce(m.movimientos, 0) as movimientos, coalesce(c.ventas, 0) as ventas,
        coalesce(c.diferencia, 0) as diferencia, coalesce(c.mayor, 0) as mayor
      from deposito d
        left join (select deposito_id, sum(importe) as suma, count(*)::int as movimientos from movimiento group by 1) m on m.deposito_id = d.id
        left join (select deposito_id, count(*)::int as ventas, sum(diferencia) as diferencia, max(mayor) as mayor from conciliacion group by 1) c on c.deposito_id = d.id
      where d.market = ${market} and d.fecha > ${desde}) s
    where d.id = s.id and (d.suma, d.movimientos, d.ventas, d.diferencia, d.mayor) is distinct from (s.suma, s.movimientos, s.ventas, s.diferencia, s.mayor)`.execute(
    trx,
  );
  if (!liquidacionesOf(market)?.guardaSaldo) return;
  const depositos = await trx
    .selectFrom('deposito')
    .innerJoin('liquidacionReporte', 'liquidacionReporte.id', 'deposito.reporteId')
    .select(['deposito.id', 'deposito.importe', 'deposito.suma', 'deposito.saldoAntes', 'deposito.saldoDespues'])
    .select(['deposito.saldoDicho', 'liquidacionReporte.cuenta'])
    .where('deposito.market', '=', market)
    .orderBy('deposito.fecha')
    .orderBy('deposito.posicion')
    .execute();
  const saldos = await saldosPrimeros(trx, market);
  for (const { id, cuenta, importe, suma, saldoAntes, saldoDespues, saldoDicho } of depositos) {
    const saldo = saldos.get(cuenta) ?? Money.zero;
    const left = saldo.plus(suma).minus(importe);
    const after = saldoDicho ?? (left.isNegative() ? Money.zero : left);
    if (!saldoAntes.equals(saldo) || !saldoDespues.equals(after))
      await trx.updateTable('deposito').set({ saldoAntes: saldo, saldoDespues: after }).where('id', '=', id).execute();
    saldos.set(cuenta, after);
  }
}

/** What was in each account when its first report begins. */
async function saldosPrimeros(trx: Trx, market: Market): Promise<Map<string, Money>> {
  const firsts = await trx
    .selectFrom('liquidacionReporte')
    .distinctOn('cuenta')
    .select(['cuenta', 'saldoInicial'])
    .where('market', '=', market)
    .where('estado', '=', 'leido')
    .orderBy('cuenta')
    .orderBy('desde')
    .execute();
  return new Map(firsts.map(({ cuenta, saldoInicial }) => [cuenta, saldoInicial ?? Money.zero]));
}
