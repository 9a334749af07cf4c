import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Market } from '~/core/market';
import type { ComisionHallada, VentaDeUna } from '~/domain/mercados/comision';
import { fuenteOf, listFuentes } from '~/domain/mercados/registro.server';
import { Unavailable, UnexpectedShape } from '~/integrations/errors';
import { startRun, type SyncRun } from '~/platform/syncRuns.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { VALE_DIAS } from '~/domain/compras/precios/estimadas.server';
import { CERCA } from '~/domain/compras/precios/precio';

/** Commissions that a marketplace estimates before it takes them: of sales whose commission it has not told, and of what is on sale. */

/** Days for which an answer holds before the same price is asked for again. */
const OTRA_VEZ_DIAS = 14;
/** Days of sales that are asked for: the commission of an older one is told, or its settlement tells it. */
const DE_VENTAS_DIAS = 30;
/** The most days that a refused price waits. It waits an hour after the first refusal, and twice as long after each further one. */
const MAX_ESPERA_DIAS = 8;
/** Most prices that one run asks for: ten questions, twenty seconds at the pace of the slowest marketplace. */
const POR_CORRIDA = 200;
/** Questions in a row without an answer that end a run. */
const SILENCIOS = 3;
/** Sales whose told commission is compared with what was estimated, and the fewest that say something. */
const COMPARADAS = 50;
const MIN_COMPARADAS = 3;

/** Enqueues a run for each linked marketplace that tells its commission beforehand. */
export async function enqueueComisiones(db: Db): Promise<void> {
  for (const fuente of listFuentes())
    if (fuente.comisiones && (await fuente.link(db)))
      await enqueue(db, 'comisiones.preguntar', { market: fuente.market });
}

/**
 * Asks a marketplace for the commissions that are due, sales first, as many as one run may, and posts the estimates of sales to their ledgers. Returns how many
 * were told; null where nothing can be asked. Each answer is kept as it comes, so a run that was stopped goes on with the rest; where no answer comes, the one of
 * before stays with its age, and the rates of the marketplace hold for what never had one.
 */
export async function bringComisiones(
  db: Db,
  market: Market,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number | null> {
  const fuente = fuenteOf(market);
  if (!fuente.comisiones) return null;
  if ((await fuente.link(db))?.status !== 'linked' || (await fuente.isPaused(db))) return null;
  const iva = await learnIva(db, market);
  const pendientes = await listPendientes(db, market);
  let dichas = 0;
  if (pendientes.length > 0) {
    const run = await startRun(db, fuente.source, 'comisiones');
    try {
      await askAll(db, market, { pendientes, iva, run, signal });
      await run.end();
    } catch (error) {
      await run.end(error);
      if (!(error instanceof Unavailable || error instanceof UnexpectedShape)) throw error;
    }
    dichas = run.counts.written;
  }
  const ventas = await postVentas(db, market, iva);
  await sql`
    delete from comision_estimada
    where market = ${market} and greatest(pedir_en, dicha_en) < now() - make_interval(days => ${VALE_DIAS})`.execute(
    db,
  );
  if (ventas > 0) log.info('comisiones estimadas', { market, ventas });
  return dichas;
}

type Corrida = {
  pendientes: readonly VentaDeUna[];
  /** The VAT that the marketplace's estimates leave out, as a factor. */
  iva: string;
  run: SyncRun;
  signal: AbortSignal | undefined;
};

async function askAll(db: Db, market: Market, { pendientes, iva, run, signal }: Corrida): Promise<void> {
  const estimador = fuenteOf(market).comisiones!.open(db);
  const { porPregunta } = estimador;
  let silencios = 0;
  for (let at = 0; at < pendientes.length; at += porPregunta) {
    signal?.throwIfAborted();
    const lote = pendientes.slice(at, at + porPregunta);
    run.counts.seen += lote.length;
    try {
      const halladas = await estimador.estimar(lote);
      silencios = 0;
      for (const [n, hallada] of halladas.entries())
        if ('negada' in hallada) run.fail(`SKU ${lote[n]!.sku}`, hallada.negada);
      run.counts.written += await saveHalladas(db, market, lote, halladas, iva);
      const [cuenta] = halladas.flatMap((una) => ('negada' in una && una.cuenta ? [una.negada] : []));
      if (cuenta !== undefined) {
        await putOff(db, market, pendientes, { error: cuenta, minutos: 24 * 60 });
        return;
      }
    } catch (error) {
      if (!(error instanceof UnexpectedShape || (error instanceof Unavailable && !endsRun(error)))) throw error;
      // A question that is never answered holds back none of those behind it.
      await putOff(db, market, lote, { error: error.message, minutos: 60 });
      if (++silencios === SILENCIOS) throw error;
      for (const { sku } of lote) run.fail(`SKU ${sku}`, error.message);
    }
    await run.progress();
  }
}

/** Tells whether an answer that did not come is about more than the prices that were asked for: the account, or the pace. */
const endsRun = ({ details: { account, ownPace, status } }: Unavailable) =>
  account === true || ownPace === true || status === 429;

/** SQL: the lines of a sale that cost a commission, each with its price for one piece. `venta` is a query with `id`, `envio` and `del_mercado`. */
const LINEAS = sql`
  select v.id, v.del_mercado, a.sku, a.cantidad, a.importe, round(a.importe / a.cantidad, 2) as precio,
    round(v.envio / sum(a.cantidad) over (partition by v.id), 2) as envio, v.envio as envio_de_todas
  from venta v join articulo a on a.orden_id = v.id
  where a.importe > 0`;

/** SQL: the sales of a marketplace whose commission nobody has told, neither it nor its estimate. What the buyer paid beyond the products is shipping. */
const sinComision = (market: Market) => sql`
  select o.id, greatest(o.pagado_abs - o.total, 0) as envio, coalesce(e.tipo_logistico = 'fulfillment', false) as del_mercado
  from libro_venta l join orden o on o.id = l.orden_id left join envio e on e.id = o.envio_id
  where o.market = ${market} and l.certeza <> 'conocida' and 'comision' = any(l.estima)
    and l.fecha > now() - make_interval(days => ${DE_VENTAS_DIAS})
    and o.comision is null and o.liquidado is null and not exists (select from orden_comision c where c.orden_id = o.id)`;

/**
 * Lists the prices that are asked for now: those of sales, to the cent, and those of what is on sale where no price within a tenth was answered. The newest sales
 * go first.
 */
async function listPendientes(db: Db, market: Market): Promise<VentaDeUna[]> {
  const { rows } = await sql<VentaDeUna>`
    with venta as (${sinComision(market)}),
    linea as (${LINEAS}),
    pedida as (
      select sku, del_mercado, precio, envio, 0 as turno, max(id::text) as quien from linea
      where sku <> '' and precio > 0
        and not exists (
          select from comision_estimada e
          where e.market = ${market} and e.sku = linea.sku and e.del_mercado = linea.del_mercado and e.precio = linea.precio and e.envio = linea.envio
            and e.pedir_en > now())
      group by 1, 2, 3, 4
      union all
      select p.sku, p.stock_ajeno, p.precio, 0, 1, max(p.id::text) from publicacion p
      where p.market = ${market} and p.ausente_desde is null and p.sku <> '' and p.precio > 0
        and not exists (
          select from comision_estimada e
          where e.market = ${market} and e.sku = p.sku and e.del_mercado = p.stock_ajeno and e.envio = 0
            and e.pedir_en > now() and abs(p.precio - e.precio) * ${CERCA} <= e.precio)
      group by 1, 2, 3
    )
    select sku, del_mercado as "delMercado", precio, envio
    from pedida group by 1, 2, 3, 4
    order by min(turno), max(quien) desc, sku, precio limit ${POR_CORRIDA}`.execute(db);
  return rows;
}

/** Keeps the answers to some prices, and returns how many told a commission. A refusal keeps what was told before, and waits longer each time. */
async function saveHalladas(
  db: Db,
  market: Market,
  lote: readonly VentaDeUna[],
  halladas: readonly ComisionHallada[],
  iva: string,
): Promise<number> {
  const dichas = lote.flatMap((una, n) => {
    const hallada = halladas[n];
    return hallada && 'comision' in hallada ? [{ ...una, dicha: hallada.comision }] : [];
  });
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into comision_estimada (market, sku, del_mercado, precio, envio, dicha, comision, dicha_en, pedir_en)
      select distinct on (d.sku, d.del_mercado, d.precio, d.envio)
        ${market}, d.sku, d.del_mercado, d.precio, d.envio, d.dicha, round(d.dicha * ${iva}::numeric, 2), now(), now() + make_interval(days => ${OTRA_VEZ_DIAS})
      from jsonb_to_recordset(${JSON.stringify(
        dichas.map(({ delMercado, ...una }) => ({ ...una, del_mercado: delMercado })),
      )}::jsonb) as d (sku text, del_mercado boolean, precio numeric, envio numeric, dicha numeric)
      on conflict (market, sku, del_mercado, precio, envio) do update set dicha = excluded.dicha, comision = excluded.comision, dicha_en = excluded.dicha_en,
        pedir_en = excluded.pedir_en, error = null, error_en = null, negada = 0`.execute(trx);
    for (const [n, una] of lote.entries()) {
      const hallada = halladas[n];
      if (hallada && 'negada' in hallada) await putOff(trx, market, [una], { error: hallada.negada, minutos: null });
    }
  });
  return dichas.length;
}

/** Writes down why prices were not told, and when they are asked for again; a refusal (`minutos` null) doubles the wait of the one before. */
async function putOff(
  db: Db | Trx,
  market: Market,
  lote: readonly VentaDeUna[],
  { error, minutos }: { error: string; minutos: number | null },
): Promise<void> {
  const filas = JSON.stringify(lote.map(({ delMercado, ...una }) => ({ ...una, del_mercado: delMercado })));
  await sql`
    insert into comision_estimada as e (market, sku, del_mercado, precio, envio, error, error_en, negada, pedir_en)
    select distinct on (d.sku, d.del_mercado, d.precio, d.envio)
      ${market}, d.sku, d.del_mercado, d.precio, d.envio, ${error}, now(), ${minutos === null ? 1 : 0}, now() + make_interval(mins => ${minutos ?? 60})
    from jsonb_to_recordset(${filas}::jsonb) as d (sku text, del_mercado boolean, precio numeric, envio numeric)
    on conflict (market, sku, del_mercado, precio, envio) do update set error = excluded.error, error_en = excluded.error_en,
      negada = least(e.negada + excluded.negada, 100),
      pedir_en = case when excluded.negada = 0 then excluded.pedir_en
        else now() + least(interval '1 hour' * 2 ^ least(e.negada, 16), make_interval(days => ${MAX_ESPERA_DIAS})) end`.execute(
    db,
  );
}

/**
 * Keeps the estimated commission of each sale all of whose lines were answered, once, and returns of how many. The database posts it to the ledger of the sale in
 * the same transaction (trigger `orden_comision_posted_added`).
 */
async function postVentas(db: Db, market: Market, iva: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with venta as (${sinComision(market)}),
    linea as (${LINEAS})
    insert into orden_comision (orden_id, dicha, comision, cobrado, dicha_en)
    select l.id, sum(e.dicha * l.cantidad), round(sum(e.dicha * l.cantidad) * ${iva}::numeric, 2), sum(l.importe) + max(l.envio_de_todas), min(e.dicha_en)
    from linea l left join comision_estimada e
      on e.market = ${market} and e.sku = l.sku and e.del_mercado = l.del_mercado and e.precio = l.precio and e.envio = l.envio
      and e.dicha_en > now() - make_interval(days => ${VALE_DIAS})
    group by l.id having bool_and(e.dicha is not null)
    order by l.id
    on conflict (orden_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Returns the factor by which estimates turn into what is charged: 1.16 where the newest sales were charged the VAT that their estimates left out, else 1. Nobody has
 * confirmed whether an estimate holds it. What was estimated before is worked out anew with it, and sales that still wait for their commission are posted again.
 */
async function learnIva(db: Db, market: Market): Promise<string> {
  const { rows } = await sql<{ fuera: boolean }>`
    select count(*) >= ${MIN_COMPARADAS} and coalesce(percentile_disc(0.5) within group (order by parte) between 1.12 and 1.20, false) as fuera
    from (
      select o.comision / c.dicha as parte from orden_comision c join orden o on o.id = c.orden_id
      where o.market = ${market} and o.comision > 0 and c.dicha > 0 and o.pagado >= c.cobrado
      order by c.orden_id desc limit ${COMPARADAS}
    ) s`.execute(db);
  const iva = rows[0]!.fuera ? '1.16' : '1';
  await sql`
    update comision_estimada set comision = round(dicha * ${iva}::numeric, 2)
    where market = ${market} and comision <> round(dicha * ${iva}::numeric, 2)`.execute(db);
  await sql`
    update orden_comision c set comision = round(c.dicha * ${iva}::numeric, 2)
    from orden o
    where o.id = c.orden_id and o.market = ${market} and o.comision is null and o.liquidado is null
      and c.comision <> round(c.dicha * ${iva}::numeric, 2)`.execute(db);
  return iva;
}
