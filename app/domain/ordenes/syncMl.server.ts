import { setTimeout as wait } from 'node:timers/promises';
import { env } from '~/core/env.server';
import { Unavailable } from '~/integrations/errors';
import type { Mercadolibre, SearchWindow } from '~/integrations/mercadolibre/client.server';
import type { Db } from '~db/client.server';
import { findCredential } from '~/domain/cuentas/credentials.server';
import { isPaused } from '~/domain/effects/pause.server';
import { putBack, receiveNotice, TOPICS } from './inbox.server';
import { atOnce } from './internal/atOnce';
import { createVentasReader, knownVentas, type VentaRemota, type VentasReader } from './readVentas.server';
import { saveVentas } from './saveVentas.server';
import type { SyncKind } from './syncKinds';
import { MERCADOLIBRE, moveCursor, readCursor, startRun, type SyncRun } from './syncRuns.server';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How far the first sync goes back. */
const FIRST_DAYS = 120;
/** Each sweep looks again at what the one before saw last: the search is late by some seconds, and by the hour. */
const OVERLAP_MS = 2 * HOUR;
/** The cursor moves after each of these, so an interrupted first sync goes on where it was. */
const STEP_MS = 7 * DAY;
/** The search refuses offsets over 10,000: a fuller window is cut in two. */
const MAX_IN_WINDOW = 9_000;
/** Reads of orders at once. */
const READERS = 6;
/** How often one read is tried before its order is left for later. */
const TRIES = 4;
const REVIEWS_PER_RUN = 500;

export type SyncOptions = { kind: SyncKind; since?: Date; signal?: AbortSignal; now?: () => Date };

/**
 * Brings sales up to date from Mercado Libre and leaves a row that tells how it went. An order that cannot be read or written is counted,
 * said and left in the inbox to be tried again; it never stops the others. Without a link, or while people keep the connection paused, there is nothing to do.
 */
export async function syncOrdenesMl(db: Db, ml: Mercadolibre, { kind, since, signal, now = () => new Date() }: SyncOptions) {
  const link = await findCredential(db, 'mercadolibre');
  if (!link || link.status === 'broken' || (await isPaused(db, 'mercadolibre'))) return null;
  const run = await startRun(db, MERCADOLIBRE, kind);
  try {
    const context: Context = { db, ml, run, signal, now, sellerId: await ml.seller(), readVenta: createVentasReader(ml) };
    if (kind === 'missed') await takeMissed(context);
    else await sweep(context, kind, since);
    if (kind === 'sweep') await review(context);
    return await run.end();
  } catch (error) {
    const ended = await run.end(error);
    if (error instanceof Unavailable && error.details.account) return ended;
    throw error;
  }
}

type Context = {
  db: Db; ml: Mercadolibre; run: SyncRun; signal?: AbortSignal; now: () => Date; sellerId: string; readVenta: VentasReader;
};

/** Windows over the date of the last change, from where the last sweep got to until now. */
async function sweep(context: Context, kind: 'sweep' | 'cancelled', since?: Date) {
  const { db, now } = context;
  const cursor = `${MERCADOLIBRE}:${kind}`;
  const end = now();
  const reached = since ?? (await readCursor(db, cursor));
  let from = reached ? new Date(reached.getTime() - OVERLAP_MS) : new Date(end.getTime() - FIRST_DAYS * DAY);
  while (from < end) {
    const to = new Date(Math.min(from.getTime() + STEP_MS, end.getTime()));
    await sweepWindow(context, { from, to }, kind === 'cancelled' ? { status: 'cancelled' } : {});
    await moveCursor(db, cursor, to);
    from = to;
  }
}

async function sweepWindow(context: Context, window: SearchWindow, filter: { status?: string }) {
  const { ml, run, signal } = context;
  for (let offset = 0; ; ) {
    signal?.throwIfAborted();
    const { total, orders } = await patiently(context, () => ml.searchOrders(window, filter, offset));
    if (offset === 0 && total > MAX_IN_WINDOW && window.to.getTime() - window.from.getTime() > HOUR) {
      const middle = new Date(Math.floor((window.from.getTime() + window.to.getTime()) / 2 / HOUR) * HOUR);
      const half = middle > window.from ? middle : new Date(window.from.getTime() + HOUR);
      await sweepWindow(context, { from: window.from, to: half }, filter);
      await sweepWindow(context, { from: half, to: window.to }, filter);
      return;
    }
    // The total is known to be wrong at times: only an empty page surely ends, and a short one when the total agrees.
    if (orders.length === 0) return;
    run.counts.seen += orders.length;
    const known = await knownVersions(context, orders.map(({ id }) => id));
    await bring(context, orders.filter(({ id, version }) => !known.has(id) || known.get(id)! < version.getTime()).map(({ id }) => id));
    await run.progress();
    offset += orders.length;
    if (orders.length < 50 && offset >= total) return;
  }
}

async function knownVersions({ db }: Context, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.selectFrom('orden').select(['marketId', 'actualizadaEn']).where('market', '=', 'ml').where('marketId', 'in', ids).execute();
  return new Map(rows.map(({ marketId, actualizadaEn }) => [marketId, actualizadaEn.getTime()]));
}

/** Reads these orders and writes what came, all in one go when nothing is wrong with any of them. */
async function bring(context: Context, ids: string[]) {
  if (ids.length === 0) return;
  const { db, run, readVenta } = context;
  const known = await knownVentas(db, ids);
  const read = await atOnce(READERS, ids, async (id): Promise<VentaRemota | null> => {
    try {
      return await patiently(context, () => readVenta(id, known.get(id)));
    } catch (error) {
      if (error instanceof Unavailable && error.details.account) throw error;
      await leaveForLater(context, id, error);
      return null;
    }
  });
  const ventas = read.filter((venta) => venta !== null);
  try {
    run.counts.written += await write(context, ventas);
  } catch {
    for (const venta of ventas) {
      try {
        run.counts.written += await write(context, [venta]);
      } catch (error) {
        await leaveForLater(context, venta.order.doc.id, error);
      }
    }
  }
}

async function write({ db, sellerId, now }: Context, ventas: VentaRemota[]): Promise<number> {
  if (ventas.length === 0) return 0;
  const { written } = await db.transaction().execute((trx) => saveVentas(trx, ventas, sellerId, now()));
  return written.length;
}

async function leaveForLater({ db, run }: Context, id: string, error: unknown) {
  run.fail(`Orden ${id}`, error);
  await putBack(db, 'orders_v2', `/orders/${id}`);
}

/** Orders whose last reading lacked something: a shipment not born yet, withholding not charged yet. One that cannot be read waits an hour. */
async function review(context: Context) {
  const { db, now } = context;
  const due = await db
    .updateTable('orden')
    .set({ revisarEn: new Date(now().getTime() + HOUR) })
    .where('id', 'in', (is) => is.selectFrom('orden').select('id').where('market', '=', 'ml').where('revisarEn', '<=', now()).orderBy('revisarEn').limit(REVIEWS_PER_RUN).forUpdate().skipLocked())
    .returning('marketId')
    .execute();
  for (let n = 0; n < due.length; n += 50) {
    context.signal?.throwIfAborted();
    await bring(context, due.slice(n, n + 50).map(({ marketId }) => marketId));
  }
}

/** Notices that found our door closed go through the same inbox as those that came in. */
async function takeMissed({ db, ml, run }: Context) {
  const appId = env().MERCADOLIBRE_CLIENT_ID;
  for (const topic of TOPICS) {
    for (let offset = 0; ; ) {
      const missed = await ml.missedFeeds(appId, topic, offset);
      if (missed.length === 0) break;
      run.counts.seen += missed.length;
      for (const { resource, sent } of missed) {
        if (await receiveNotice(db, { topic, resource }, { unlessReadSince: sent })) run.counts.written += 1;
      }
      offset += missed.length;
    }
  }
}

/** Repeats what failed for reasons that pass, as late as the far side asked or a little later each time. */
async function patiently<T>({ signal }: Context, work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Unavailable) || error.details.account || n >= TRIES) throw error;
      await wait(error.details.retryAfterMs ?? 400 * 2 ** (n - 1) * (0.75 + Math.random() / 2), undefined, { signal });
    }
  }
}
