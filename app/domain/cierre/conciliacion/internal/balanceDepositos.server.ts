import { sql, type RawBuilder } from 'kysely';
import type { Market } from '~/core/market';
import { Money } from '~/core/money';
import { postLibros } from '~/domain/ventas/libro/asentar.server';
import { liquidacionesOf } from '~/domain/mercados/liquidaciones.server';
import type { Trx } from '~db/client.server';
import { lockName } from '~db/locks.server';
import { gatherSueltos } from './gatherSueltos.server';

/** Days after which a movement without its sale is no longer looked for: a sale may be read later than what was paid of it. */
const BUSCA_DIAS = 90;

/** Locks the payouts of a marketplace until the transaction ends, so that two processes never do the same work twice. */
export async function lockLiquidaciones(trx: Trx, market: Market): Promise<void> {
  await lockName(trx, 'liquidacion', market);
}

/**
 * Writes everything that follows from movements and deposits: the sale of each movement, the deposit it went into, the expected and the real figures of each
 * sale, the sums of each deposit, and what is of no sale. A sale of which all was told gets its settled amount (`orden.liquidado`), which can move the profit of a month that
 * ended. A second call changes nothing. Returns how many sales were reconciled. Locks the payouts of the marketplace.
 */
export async function balanceDepositos(trx: Trx, market: Market): Promise<{ conciliadas: number }> {
  await lockLiquidaciones(trx, market);
  // Right after a big read the planner has no figures of the new rows, and would look through one side for each row of the other.
  await sql`set local enable_nestloop = off`.execute(trx);
  const recognized = await recognizeMovimientos(trx, market);
  const deposited = await depositMovimientos(trx, market);
  const conciliadas = await reconcile(trx, market, [...recognized, ...deposited]);
  await sumDepositos(trx, market);
  await gatherSueltos(trx, market);
  return { conciliadas };
}

/**
 * Finds the sale of each movement that has none: by the number of the sale, by that of its cart or of its shipment, and by a payment whose sale is known.
 * Returns the sales that got a movement.
 */
async function recognizeMovimientos(trx: Trx, market: Market): Promise<string[]> {
  const isLoose = sql`m.market = ${market} and m.orden_id is null and m.concepto <> 'reserva'
    and m.fecha > now() - make_interval(days => ${BUSCA_DIAS})`;
  const found: string[] = [];
  const note = async (statement: RawBuilder<{ ordenId: string }>) => {
    const { rows } = await statement.execute(trx);
    found.push(...new Set(rows.map(({ ordenId }) => ordenId)));
  };
  for (const ref of [sql.ref('m.refOrden'), sql.ref('m.refExterna')])
    await note(sql`
      update movimiento m set orden_id = o.id
      from orden o
      where ${isLoose} and o.market = ${market} and o.market_id = ${ref}
      returning m.orden_id`);
  // A movement of a whole cart or shipment belongs to its first sale, as the cost of the shipment does.
  for (const ref of [sql.ref('m.refPaquete'), sql.ref('m.refExterna')])
    await note(sql`
      with first_of_cart as (
        select distinct on (num_orden) num_orden, id
        from orden
        where market = ${market}
        order by num_orden, clase in ('cancelada', 'devuelta'), market_id
      )
      update movimiento m set orden_id = o.id
      from first_of_cart o
      where ${isLoose} and o.num_orden = ${ref}
      returning m.orden_id`);
  for (const ref of [sql.ref('m.refEnvio'), sql.ref('m.refExterna')])
    await note(sql`
      with first_of_envio as (
        select distinct on (e.id) e.market_id as envio, o.id
        from orden o join envio e on e.id = o.envio_id
        where e.market = ${market}
        order by e.id, o.clase in ('cancelada', 'devuelta'), o.market_id
      )
      update movimiento m set orden_id = o.id
      from first_of_envio o
      where ${isLoose} and o.envio = ${ref}
      returning m.orden_id`);
  await note(sql`
    with sale_of_pago as (
      select distinct on (pago) pago, orden_id
      from movimiento
      where market = ${market} and pago is not null and orden_id is not null
      order by pago, id
    )
    update movimiento m set orden_id = p.orden_id
    from sale_of_pago p
    where ${isLoose} and p.pago = m.pago
    returning m.orden_id`);
  return found;
}

/**
 * Finds the deposit that each movement went into: the deposit that its line names, else the first deposit of its account after it. Returns the sales whose
 * movements were put into a deposit.
 */
async function depositMovimientos(trx: Trx, market: Market): Promise<string[]> {
  const { rows } = await sql<{ ordenId: string | null }>`
    with named as (
      update movimiento m set deposito_id = d.id
      from deposito d
      where m.market = ${market} and m.deposito_id is null and m.de_deposito is not null
        and d.market = ${market} and d.clave = m.de_deposito
      returning m.orden_id
    ),
    last_of_account as (
      select r.cuenta, max(d.fecha) as fecha
      from deposito d join liquidacion_reporte r on r.id = d.reporte_id
      where d.market = ${market}
      group by r.cuenta
    ),
    followed as (
      update movimiento m set deposito_id = (
          select d.id
          from deposito d join liquidacion_reporte r on r.id = d.reporte_id
          where d.market = ${market} and r.cuenta = p.cuenta and (d.fecha, d.posicion) > (m.fecha, m.posicion)
          order by d.fecha, d.posicion
          limit 1)
      from liquidacion_reporte p, last_of_account l
      where m.market = ${market} and m.deposito_id is null and m.de_deposito is null
        and p.id = m.reporte_id and l.cuenta = p.cuenta and m.fecha <= l.fecha
      returning m.orden_id
    )
    select orden_id from named
    union
    select orden_id from followed`.execute(trx);
  return rows.flatMap(({ ordenId }) => (ordenId ? [ordenId] : []));
}

/** Columns of the sums of a sale's movements, by concept. Money that is only reserved comes and goes, so no column counts it. */
const REAL_SUMS = sql`
        sum(importe) filter (where concepto = 'venta') as cobrado,
        sum(importe) filter (where concepto = 'devolucion') as devuelto,
        sum(importe) filter (where concepto = 'comision') as comision,
        sum(importe) filter (where concepto = 'envio') as envio,
        sum(importe) filter (where concepto = 'iva') as iva,
        sum(importe) filter (where concepto = 'isr') as isr,
        sum(importe) filter (where concepto = 'retencion') as retencion,
        sum(importe) filter (where concepto in ('publicidad', 'otro')) as otros`;
/** The sales of the shipment of an orden. Table: orden. */
const SUS_VENTAS = sql`from orden s where s.envio_id = orden.envio_id`;
/** What all sales of its shipment were charged for it, as a negative amount. Table: orden. */
const ENVIO_COBRADO = sql`(select coalesce(sum(m.importe), 0) from movimiento m
            where m.concepto = 'envio' and m.orden_id in (select s.id ${SUS_VENTAS}))`;
/**
 * The shipping that a settlement is expected to charge for a sale. Of the sales of one shipment, the one that carries its cost is compared with what all of them
 * were charged, and the others are expected as they came. Where money went back, the marketplace may charge the shipping or forgive it: up to what the shipment
 * told, nobody owes the difference. Tables: real, orden, envio.
 */
const ENVIO_ESPERADO = sql`case
          when orden.envio_propio or orden.meli_resale or envio.id is null then 0
          when orden.costo_envio <> 0 then r_envio - least(0, ${ENVIO_COBRADO} + orden.costo_envio)
            - case when exists (select ${SUS_VENTAS} and (s.clase in ('cancelada', 'devuelta') or s.situacion = 'devueltaEnParte')) then 0
              else greatest(0, ${ENVIO_COBRADO} + orden.costo_envio) end
          when envio.costo is null or exists (select ${SUS_VENTAS} and s.costo_envio <> 0) then r_envio
          else greatest(r_envio, -envio.costo)
        end`;
/** Share of what the buyer paid that must have been told before the figures of a sale are final: the payments of one sale are released one by one. */
const COMPLETA = '0.95';

/**
 * Writes what was expected of each sale beside what there was, for the sales in `touched` and for those that were read again since. A sale of which all was
 * told takes the real figure over for its profit. Returns how many sales were written.
 */
async function reconcile(trx: Trx, market: Market, touched: readonly string[]): Promise<number> {
  const retencion = liquidacionesOf(market)?.retencionEsperada ?? sql`orden.retencion`;
  await sql`
    create temporary table conciliando on commit drop as
    with touched as (
      select unnest(${[...new Set(touched)]}::uuid[]) as id
    ),
    read_again as (
      select c.orden_id as id
      from conciliacion c join orden o on o.id = c.orden_id
      where c.market = ${market} and c.fecha > now() - make_interval(days => ${BUSCA_DIAS})
        and o.actualizada_en > c.calculada_en
    )
    select id from touched
    union
    select id from read_again`.execute(trx);
  // The sales of one shipment are charged for it one by one, and one of them is compared with the whole.
  await sql`
    insert into conciliando
    select distinct s.id
    from conciliando c
      cross join lateral (select envio_id from orden where orden.id = c.id and pack_id is not null) o
      cross join lateral (select id from orden where orden.envio_id = o.envio_id) s
    where s.id not in (select id from conciliando)`.execute(trx);
  await sql`analyze conciliando`.execute(trx);
  const { numAffectedRows } = await sql`
    with sums as (
      select orden_id, count(*)::int as movimientos,
        min(fecha) filter (where concepto <> 'reserva') as fecha,
        (array_agg(deposito_id order by fecha desc, id desc) filter (where deposito_id is not null))[1] as deposito_id,
        ${REAL_SUMS}
      from movimiento
      where orden_id in (select id from conciliando)
      group by orden_id
    ),
    real as (
      select orden_id, fecha, deposito_id, movimientos,
        coalesce(cobrado, 0) as r_cobrado, coalesce(devuelto, 0) as r_devuelto,
        coalesce(comision, 0) as r_comision, coalesce(envio, 0) as r_envio,
        coalesce(iva, 0) as r_iva, coalesce(isr, 0) as r_isr,
        coalesce(retencion, 0) as r_retencion, coalesce(otros, 0) as r_otros
      from sums
      where fecha is not null
    ),
    figures as (
      select real.*,
        -- The settlement tells the price less our part of a coupon. What stays paid of a sale that came back is paid out like any other.
        coalesce(case when orden.clase = 'devuelta' then orden.en_pie + orden.envio_carrito end, orden.pagado)
          - coalesce(orden.cupon, 0) as e_cobrado,
        -- As with the withholding: a commission that nobody could tell us is expected as it came.
        coalesce(-orden.comision, r_comision) as e_comision,
        ${ENVIO_ESPERADO} as e_envio,
        -- A withholding that nobody could tell us is expected as it came.
        coalesce(
          -case when r_isr <> 0 then orden.retencion else ${retencion} end,
          r_iva + r_isr + r_retencion) as e_retencion,
        r_cobrado > 0 and r_cobrado >= (orden.pagado_abs - coalesce(orden.cupon, 0)) * ${COMPLETA}::numeric as completa
      from real join orden on orden.id = real.orden_id left join envio on envio.id = orden.envio_id
    )
    insert into conciliacion (
      orden_id, market, fecha, deposito_id, movimientos, e_cobrado, e_comision, e_envio, e_retencion,
      r_cobrado, r_devuelto, r_comision, r_envio, r_iva, r_isr, r_retencion, r_otros, completa)
    select orden_id, ${market}, fecha, deposito_id, movimientos, e_cobrado, e_comision, e_envio, e_retencion,
      r_cobrado, r_devuelto, r_comision, r_envio, r_iva, r_isr, r_retencion, r_otros, completa
    from figures
    on conflict (orden_id) do update set
      fecha = excluded.fecha, deposito_id = excluded.deposito_id, movimientos = excluded.movimientos,
      e_cobrado = excluded.e_cobrado, e_comision = excluded.e_comision,
      e_envio = excluded.e_envio, e_retencion = excluded.e_retencion,
      r_cobrado = excluded.r_cobrado, r_devuelto = excluded.r_devuelto,
      r_comision = excluded.r_comision, r_envio = excluded.r_envio,
      r_iva = excluded.r_iva, r_isr = excluded.r_isr, r_retencion = excluded.r_retencion,
      r_otros = excluded.r_otros, completa = excluded.completa, calculada_en = now(),
      version = conciliacion.version + case
        when (conciliacion.esperado, conciliacion.recibido, conciliacion.mayor)
          is distinct from (excluded.esperado, excluded.recibido, excluded.mayor) then 1 else 0 end`.execute(trx);
  // A withholding that the marketplace keeps by the month is told of no sale, so the profit takes it as the sale says.
  await sql`
    with settled as (
      select c.orden_id,
        case when c.completa
          then c.recibido - (coalesce(o.retencion, -c.e_retencion) + c.e_retencion) end as liquidado
      from conciliacion c join orden o on o.id = c.orden_id
      where c.orden_id in (select id from conciliando)
    )
    update orden o set liquidado = s.liquidado
    from settled s
    where o.id = s.orden_id and o.liquidado is distinct from s.liquidado`.execute(trx);
  // The parts of a settlement may move while their sum stays, and its deposit comes later.
  const { rows: conciliadas } = await sql<{ id: string }>`select id from conciliando`.execute(trx);
  await postLibros(
    trx,
    conciliadas.map(({ id }) => id),
  );
  await sql`drop table conciliando`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Writes the sums of each deposit, and what stayed in the account before and after it. A balance that the marketplace told is believed; one that it did not
 * tell is what is left, and is never below zero.
 */
async function sumDepositos(trx: Trx, market: Market): Promise<void> {
  const desde = sql<Date>`now() - make_interval(days => ${BUSCA_DIAS})`;
  await sql`
    with moved as (
      select deposito_id, sum(importe) as suma, count(*)::int as movimientos
      from movimiento
      group by deposito_id
    ),
    reconciled as (
      select deposito_id, count(*)::int as ventas, sum(diferencia) as diferencia, max(mayor) as mayor
      from conciliacion
      group by deposito_id
    ),
    sums as (
      select d.id,
        coalesce(m.suma, 0) as suma, coalesce(m.movimientos, 0) as movimientos,
        coalesce(r.ventas, 0) as ventas, coalesce(r.diferencia, 0) as diferencia, coalesce(r.mayor, 0) as mayor
      from deposito d
        left join moved m on m.deposito_id = d.id
        left join reconciled r on r.deposito_id = d.id
      where d.market = ${market} and d.fecha > ${desde}
    )
    update deposito d set
      suma = s.suma, movimientos = s.movimientos, ventas = s.ventas, diferencia = s.diferencia, mayor = s.mayor
    from sums s
    where d.id = s.id
      and (d.suma, d.movimientos, d.ventas, d.diferencia, d.mayor)
        is distinct from (s.suma, s.movimientos, s.ventas, s.diferencia, s.mayor)`.execute(trx);
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
  const saldos = await firstSaldos(trx, market);
  for (const { id, cuenta, importe, suma, saldoAntes, saldoDespues, saldoDicho } of depositos) {
    const saldo = saldos.get(cuenta) ?? Money.zero;
    const left = saldo.plus(suma).minus(importe);
    const after = saldoDicho ?? (left.isNegative() ? Money.zero : left);
    if (!saldoAntes.equals(saldo) || !saldoDespues.equals(after))
      await trx.updateTable('deposito').set({ saldoAntes: saldo, saldoDespues: after }).where('id', '=', id).execute();
    saldos.set(cuenta, after);
  }
}

/** Returns the balance of each account at the beginning of its first report. */
async function firstSaldos(trx: Trx, market: Market): Promise<Map<string, Money>> {
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
