import { atOnce } from '~/core/atOnce';
import type { SyncKind } from '~/core/market';
import { toInstant } from '~/core/time';
import type { Asking, Cambio, Fuente, Mercado, Perdido, Ventana } from '~/domain/mercados/mercado';
import { listFuentes } from '~/domain/mercados/registro.server';
import type { VentaLeida } from '~/domain/mercados/venta';
import { Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { avisoOfVenta, putBack, receiveNotice, waitingVentas } from './inbox.server';
import { takers } from './takers.server';
import { patiently } from '~/domain/mercados/paciencia.server';
import { moveCursor, readCursor, startRun, type SyncRun } from '~/platform/syncRuns.server';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Days that the first sync goes back. */
const FIRST_DAYS = 120;
/** Each sweep looks again at the end of the sweep before: the search of a marketplace is late by seconds, and now and then by an hour. */
const OVERLAP_MS = 2 * HOUR;
/** The cursor moves after each of these, so an interrupted first sync goes on where it was. */
const STEP_MS = 7 * DAY;
/** First and least window of a marketplace whose pages are slow. */
const FIRST_STEP_MS = DAY;
const LEAST_STEP_MS = HOUR;
/** Most pages of missed notices that are read of one topic. */
const MISSED_PAGES = 200;
/** Sales that are read at once. */
const READERS = 6;
const REVIEWS_PER_RUN = 500;
/** A run ends between two windows after so long. The next run goes on from the cursor within minutes, so no job is held for hours. */
const RUN_MS = 30 * 60_000;

/** Options of a run. `since` is an instant, or its ISO text as the payload of a job has it; it outranks the cursor of a sweep, and `runMs` is the time after which a run ends between two windows. */
export type SyncOptions = {
  kind: SyncKind;
  since?: Date | string | undefined;
  signal?: AbortSignal;
  now?: () => Date;
  runMs?: number;
};

/**
 * Brings sales up to date from a marketplace and leaves a row that tells how the run went. A sale that cannot be read or written is counted, told and
 * left in the inbox; it never stops the others. Returns null without a link, and while the connection is paused. A failure of the account ends the run
 * and is told in its row; any other failure is thrown.
 */
export async function syncVentas(
  db: Db,
  fuente: Fuente,
  { kind, since, signal, now = () => new Date(), runMs = RUN_MS }: SyncOptions,
): Promise<Awaited<ReturnType<SyncRun['end']>> | null> {
  const link = await fuente.link(db);
  if (!fuente.kinds.includes(kind) || !link || link.status === 'broken' || (await fuente.isPaused(db))) return null;
  const run = await startRun(db, fuente.source, kind);
  try {
    const asking: Asking = { signal, patiently: (ask) => patiently(ask, signal) };
    const context: Context = {
      db,
      fuente,
      mercado: fuente.open(db),
      run,
      asking,
      now,
      until: performance.now() + runMs,
    };
    if (kind === 'missed') await takeMissed(context);
    else if (kind === 'atencion') await syncAtencion(context);
    else await sweep(context, kind, since === undefined ? since : toInstant(since));
    if (kind === 'sweep') await review(context);
    if (run.counts.written > 0) {
      await enqueue(db, 'costos.ver', { llegadas: true });
      if (fuente.comisiones) await enqueue(db, 'comisiones.preguntar', { market: fuente.market });
    }
    return await run.end();
  } catch (error) {
    const ended = await run.end(error);
    if (error instanceof Unavailable && error.details.account) return ended;
    throw error;
  }
}

/** Brings questions and claims, where the marketplace has them. */
async function syncAtencion(context: Context) {
  const { atencion } = context.mercado;
  if (!atencion) return;
  await takers().preguntas.sync({ ...context, atencion });
  await takers().reclamos.sync({ ...context, atencion });
}

/** Asks for a run of this kind at every marketplace that is linked. */
export async function enqueueSyncs(db: Db, kind: SyncKind, since?: string): Promise<void> {
  for (const fuente of listFuentes()) {
    if (fuente.kinds.includes(kind) && (await fuente.link(db)))
      await enqueue(db, 'ventas.sync', { market: fuente.market, kind, since });
  }
}

/** Asks for a run of each kind at one marketplace, or at every one that is linked; those already waiting stay one. */
export async function enqueueSyncsOf(db: Db, source?: string): Promise<void> {
  for (const fuente of listFuentes()) {
    if (source === undefined ? !(await fuente.link(db)) : fuente.source !== source) continue;
    for (const kind of fuente.kinds) await enqueue(db, 'ventas.sync', { market: fuente.market, kind });
  }
}

type Context = {
  db: Db;
  fuente: Fuente;
  mercado: Mercado;
  run: SyncRun;
  asking: Asking;
  now: () => Date;
  /** End of the run, by the clock of this process. */
  until: number;
};

/**
 * Goes through windows of the date of the last change, from the cursor until now. A window that could not be listed whole does not hold back the later
 * ones, but the cursor stays before it, so that the next run comes back.
 */
async function sweep(context: Context, kind: SyncKind, since?: Date) {
  const { db, fuente, run, now, until } = context;
  const cursor = `${fuente.source}:${kind}`;
  const aim = fuente.ritmo?.porVentana;
  let step = aim === undefined ? STEP_MS : FIRST_STEP_MS;
  const end = now();
  let from = startOf(since ?? (await readCursor(db, cursor)), end, fuente.ritmo?.solapeMs ?? OVERLAP_MS);
  let whole = true;
  for (let first = true; from < end && (first || since !== undefined || performance.now() < until); first = false) {
    const to = new Date(Math.min(from.getTime() + step, end.getTime()));
    const before = run.counts.seen;
    whole = (await sweepWindow(context, { from, to }, kind)) && whole;
    if (whole) await moveCursor(db, cursor, to, end);
    from = to;
    if (aim !== undefined) step = nextStep(step, run.counts.seen - before, aim);
  }
}

/** Returns the length of the next window: twice as long after a window that held little, half as long after one that held too much. */
function nextStep(step: number, seen: number, aim: number): number {
  if (seen > aim) return Math.max(LEAST_STEP_MS, step / 2);
  return seen * 2 < aim ? Math.min(STEP_MS, step * 2) : step;
}

/** Returns where a sweep begins. A cursor far ahead of now was written by a clock that ran ahead, so everything is looked at again. */
function startOf(reached: Date | null, end: Date, solapeMs: number): Date {
  if (!reached || reached.getTime() - end.getTime() > OVERLAP_MS) return new Date(end.getTime() - FIRST_DAYS * DAY);
  return new Date(Math.min(reached.getTime(), end.getTime()) - solapeMs);
}

/** Brings the sales of a window, page by page. Returns whether every sale of the window was seen. */
async function sweepWindow(context: Context, window: Ventana, kind: SyncKind): Promise<boolean> {
  const { mercado, run, asking } = context;
  const pages = mercado.changed(window, kind, asking);
  let page = await pages.next();
  for (; !page.done; page = await pages.next()) {
    asking.signal?.throwIfAborted();
    await takePage(context, page.value);
  }
  for (const gap of page.value) run.gap(gap);
  return page.value.length === 0;
}

async function takePage(context: Context, cambios: Cambio[]) {
  if (cambios.length === 0) return;
  const { db, fuente, mercado, run } = context;
  run.counts.seen += cambios.length;
  const ids = cambios.map(({ marketId }) => marketId);
  const known = await takers().ventas.knownVersions(db, fuente.market, ids);
  const waiting = await waitingVentas(db, fuente.source, mercado, ids);
  // A row is compared with the row that announced its sale before. A row without the date of its change is always news. A change that could not be
  // brought waits in the inbox, which asks at its own pace.
  const news = cambios.filter(({ marketId, version }) => {
    const at = version?.getTime() ?? null;
    return (at === null || known.get(marketId) !== at) && waiting.get(marketId) !== at;
  });
  await bring(
    context,
    news.map(({ marketId }) => marketId),
    new Map(news.flatMap(({ marketId, version }) => (version ? [[marketId, version]] : []))),
  );
  await run.progress();
}

/** Reads these sales and writes what came: all at once, or one by one when something is wrong with any of them. */
async function bring(context: Context, ids: string[], cambios?: ReadonlyMap<string, Date>) {
  if (ids.length === 0) return;
  const { db, fuente, mercado, run, asking, now } = context;
  const known = await takers().ventas.known(db, fuente.market, ids);
  const read = await atOnce(READERS, ids, async (id): Promise<VentaLeida | null> => {
    try {
      return await asking.patiently(() => mercado.readVenta(id, known.get(id), now()));
    } catch (error) {
      if (error instanceof Unavailable && error.details.account) throw error;
      await leaveForLater(context, id, error, cambios);
      return null;
    }
  });
  const ventas = read.filter((venta) => venta !== null);
  for (const { marketId, sinLeer } of ventas) if (sinLeer.length > 0) run.fail(`Orden ${marketId}`, sinLeer.join('; '));
  try {
    run.counts.written += await write(context, ventas, cambios);
  } catch {
    for (const venta of ventas) {
      try {
        run.counts.written += await write(context, [venta], cambios);
      } catch (error) {
        await leaveForLater(context, venta.marketId, error, cambios);
      }
    }
  }
}

async function write(
  { db, fuente, now }: Context,
  ventas: VentaLeida[],
  cambios?: ReadonlyMap<string, Date>,
): Promise<number> {
  if (ventas.length === 0) return 0;
  const { written } = await db
    .transaction()
    .execute((trx) => takers().ventas.save(trx, fuente.market, ventas, now(), cambios));
  return written.length;
}

async function leaveForLater(
  { db, fuente, mercado, run }: Context,
  id: string,
  error: unknown,
  cambios: ReadonlyMap<string, Date> | undefined,
) {
  run.fail(`Orden ${id}`, error);
  await putBack(db, fuente.source, avisoOfVenta(mercado, id), {
    cambio: cambios?.get(id) ?? null,
    error: error instanceof Error ? error.message : String(error),
  });
}

/** Reads again the sales whose last reading lacked something and whose time has come. */
async function review(context: Context) {
  const { db, fuente } = context;
  const due = await takers().ventas.takeDue(db, fuente.market, fuente.ritmo?.repasos ?? REVIEWS_PER_RUN);
  for (let n = 0; n < due.length; n += 50) {
    context.asking.signal?.throwIfAborted();
    await bring(context, due.slice(n, n + 50));
  }
}

/** Puts the notices that found our door closed into the inbox, like those that came in. */
async function takeMissed(context: Context) {
  const { perdidos } = context.mercado;
  for (const topic of perdidos?.topics ?? []) {
    if (!(await takeMissedOf(context, (offset) => perdidos!.list(topic, offset))))
      context.run.gap(`Avisos perdidos (${topic}): son más de los que se leen en una vez`);
  }
  if (context.run.counts.written > 0) await enqueue(context.db, 'inbox.drain', {});
}

/** Takes the missed notices of one topic. Returns whether the marketplace had no more; else the next run meets the rest. */
async function takeMissedOf(
  { db, fuente, run, asking }: Context,
  list: (offset: number) => Promise<Perdido[]>,
): Promise<boolean> {
  const seen = new Set<string>();
  for (let page = 0, offset = 0; page < MISSED_PAGES; page++) {
    asking.signal?.throwIfAborted();
    const missed = await asking.patiently(() => list(offset));
    const fresh = missed.filter(({ clave }) => !seen.has(clave));
    // A page that brings nothing new would come for ever.
    if (fresh.length === 0) return true;
    run.counts.seen += fresh.length;
    for (const { clave, aviso, sent } of fresh) {
      seen.add(clave);
      if (aviso && (await receiveNotice(db, fuente.source, aviso, { unlessReadSince: sent }))) run.counts.written += 1;
    }
    offset += missed.length;
  }
  return false;
}
