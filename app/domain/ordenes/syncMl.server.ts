import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { env } from '~/core/env.server';
import { Unavailable } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import type { Db } from '~db/client.server';
import { findCredential } from '~/domain/connections/credentials.server';
import { isPaused } from '~/domain/connections/pause.server';
import { putBack, receiveNotice, type Topic, TOPICS } from './inbox.server';
import { atOnce } from './internal/atOnce';
import { cutInTwo, type Listed, listSlice, type Slice } from './internal/listing';
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
/** How often a run cuts what is too full; a total that lies would have it cut for ever. */
const MAX_CUTS = 500;
/** Pages of missed notices of one subject. */
const MISSED_PAGES = 200;
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
export async function syncOrdenesMl(
  db: Db,
  ml: Mercadolibre,
  { kind, since, signal, now = () => new Date() }: SyncOptions,
) {
  const link = await findCredential(db, 'mercadolibre');
  if (!link || link.status === 'broken' || (await isPaused(db, 'mercadolibre'))) return null;
  const run = await startRun(db, MERCADOLIBRE, kind);
  try {
    const context: Context = {
      db,
      ml,
      run,
      signal,
      now,
      sellerId: await ml.seller(),
      readVenta: createVentasReader(ml),
    };
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
  db: Db;
  ml: Mercadolibre;
  run: SyncRun;
  signal?: AbortSignal;
  now: () => Date;
  sellerId: string;
  readVenta: VentasReader;
};

/**
 * Windows over the date of the last change, from where the last sweep got to until now. One that could not be listed whole does not hold
 * the later ones back, but the cursor stays before it, so that the next run comes back to it.
 */
async function sweep(context: Context, kind: 'sweep' | 'cancelled', since?: Date) {
  const { db, now } = context;
  const cursor = `${MERCADOLIBRE}:${kind}`;
  const end = now();
  let from = startOf(since ?? (await readCursor(db, cursor)), end);
  let whole = true;
  const search: Search = { filter: kind === 'cancelled' ? { status: 'cancelled' } : {}, cutsLeft: MAX_CUTS };
  while (from < end) {
    const to = new Date(Math.min(from.getTime() + STEP_MS, end.getTime()));
    whole = (await sweepSlice(context, { from, to }, search)) && whole;
    if (whole) await moveCursor(db, cursor, to, end);
    from = to;
  }
}

/** A cursor far ahead of now was written by a clock that ran ahead, and says nothing of how far was read: everything is looked at again. */
function startOf(reached: Date | null, end: Date): Date {
  if (!reached || reached.getTime() - end.getTime() > OVERLAP_MS) return new Date(end.getTime() - FIRST_DAYS * DAY);
  return new Date(Math.min(reached.getTime(), end.getTime()) - OVERLAP_MS);
}

type Search = { filter: { status?: string }; cutsLeft: number };

/** Whether every order of the slice was seen. */
async function sweepSlice(context: Context, slice: Slice, search: Search): Promise<boolean> {
  const { ml, run, signal } = context;
  const halves = search.cutsLeft > 0 ? cutInTwo(slice) : null;
  const page = (offset: number) => {
    signal?.throwIfAborted();
    return patiently(context, () => ml.searchOrders(slice, { ...search.filter, created: slice.created }, offset));
  };
  const take = async (orders: Listed[]) => {
    run.counts.seen += orders.length;
    const known = await knownVersions(
      context,
      orders.map(({ id }) => id),
    );
    await bring(
      context,
      orders.filter(({ id, version }) => !known.has(id) || known.get(id)! < version.getTime()).map(({ id }) => id),
    );
    await run.progress();
  };
  const listing = await listSlice(page, take, { until: slice.to, evenFull: halves === null });
  if (listing === 'full' && halves) {
    search.cutsLeft -= 1;
    const first = await sweepSlice(context, halves[0], search);
    return (await sweepSlice(context, halves[1], search)) && first;
  }
  if (listing !== 'whole') {
    const why =
      listing === 'full'
        ? 'son más de las que Mercado Libre deja ver'
        : 'cambiaron mientras se leían y se vuelven a leer';
    run.gap(`Ventas con cambios entre ${slice.from.toISOString()} y ${slice.to.toISOString()}: ${why}`);
  }
  return listing === 'whole';
}

async function knownVersions({ db }: Context, ids: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orden')
    .select(['marketId', 'actualizadaEn'])
    .where('market', '=', 'ml')
    .where('marketId', 'in', ids)
    .execute();
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
  const { db } = context;
  const due = await db
    .updateTable('orden')
    .set({ revisarEn: sql<Date>`now() + interval '1 hour'` })
    .where('id', 'in', (is) =>
      is
        .selectFrom('orden')
        .select('id')
        .where('market', '=', 'ml')
        .where('revisarEn', '<=', sql<Date>`now()`)
        .orderBy('revisarEn')
        .limit(REVIEWS_PER_RUN)
        .forUpdate()
        .skipLocked(),
    )
    .returning('marketId')
    .execute();
  for (let n = 0; n < due.length; n += 50) {
    context.signal?.throwIfAborted();
    await bring(
      context,
      due.slice(n, n + 50).map(({ marketId }) => marketId),
    );
  }
}

/** Notices that found our door closed go through the same inbox as those that came in. */
async function takeMissed(context: Context) {
  for (const topic of TOPICS) {
    if (!(await takeMissedOf(context, topic)))
      context.run.gap(`Avisos perdidos (${topic}): son más de los que se leen en una vez`);
  }
}

/** Whether the marketplace had no more of this subject. What was taken is worked on, so the next run meets the rest. */
async function takeMissedOf(context: Context, topic: Topic): Promise<boolean> {
  const { db, ml, run, signal } = context;
  const seen = new Set<string>();
  for (let page = 0, offset = 0; page < MISSED_PAGES; page++) {
    signal?.throwIfAborted();
    const missed = await patiently(context, () => ml.missedFeeds(env().MERCADOLIBRE_CLIENT_ID, topic, offset));
    const fresh = missed.filter(({ resource, sent }) => !seen.has(`${resource} ${sent?.toISOString()}`));
    // A page that says again what others said would be said for ever.
    if (fresh.length === 0) return true;
    run.counts.seen += fresh.length;
    for (const { resource, sent } of fresh) {
      seen.add(`${resource} ${sent?.toISOString()}`);
      if (await receiveNotice(db, { topic, resource }, { unlessReadSince: sent })) run.counts.written += 1;
    }
    offset += missed.length;
  }
  return false;
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
