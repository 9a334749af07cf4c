import { sql } from 'kysely';
import { log } from '~/core/log.server';
import { isPaused } from '~/domain/connections/pause.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import type { Db } from '~db/client.server';
import { enqueue, enqueueAll } from '~db/queue/catalog.server';
import { createVentasReader, detail, knownVentas } from './readVentas.server';
import { reopenUnread } from './inboxUnread.server';
import { saveShipment, saveVentas } from './saveVentas.server';
import { MERCADOLIBRE } from './syncRuns.server';

/** Subjects of Mercado Libre's notices that concern sales. */
export const TOPICS = ['orders_v2', 'shipments', 'payments'] as const;
export type Topic = (typeof TOPICS)[number];

/** What a notice may point at. A resource is never an address to visit: only the id inside it is believed. */
const RESOURCES: Record<Topic, RegExp> = {
  orders_v2: /^\/?orders\/(\d{1,20})$/,
  shipments: /^\/?shipments\/(\d{1,20})$/,
  payments: /^\/?collections\/(\d{1,20})$/,
};

const PATIENCE_S = [5, 15, 40, 120, 600, 1_800, 3_600, 10_800];
/** After so many noes an order that does not exist is believed not to exist: the marketplace needs some seconds to show a new one. */
const ABSENT_TRIES = 4;
/** What it says for so long that it does not exist was never a sale. */
const ABSENT_DAYS = 7;
const DAY = 86_400_000;
const SWEEP_ROWS = 200;

/** The resource in one spelling, or undefined when the notice is none of ours. */
export function parseNotice(topic: string, resource: string): { topic: Topic; resource: string } | undefined {
  const known = TOPICS.find((one) => one === topic);
  const id = known && RESOURCES[known].exec(resource)?.[1];
  return known && id ? { topic: known, resource: `/${resource.replace(/^\//, '').split('/')[0]}/${id}` } : undefined;
}

/**
 * Keeps a notice and asks for it to be worked on. One row per resource: a repetition while it waits only counts, one that comes after it
 * was worked on opens it again. A notice is a hint, so which of several came is all the same.
 * With `unlessReadSince`, a resource that was read after that moment is left alone; one that could not be read is not. Returns whether there is work to do.
 */
export async function receiveNotice(
  db: Db,
  { topic, resource }: { topic: Topic; resource: string },
  { unlessReadSince }: { unlessReadSince?: Date | null } = {},
): Promise<boolean> {
  const notice = parseNotice(topic, resource);
  if (!notice) return false;
  return await db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('inbox')
      .values({
        source: MERCADOLIBRE,
        dedupeKey: `${notice.topic}:${notice.resource}`,
        topic: notice.topic,
        resource: notice.resource,
      })
      .onConflict((on) =>
        on
          .columns(['source', 'dedupeKey'])
          .doUpdateSet({
            times: sql`inbox.times + 1`,
            receivedAt: sql`now()`,
            state: 'pending',
            error: null,
            attempts: sql`case when inbox.state = 'pending' then inbox.attempts else 0 end`,
            nextAt: sql`now()`,
          })
          .where(
            unlessReadSince
              ? sql<boolean>`inbox.state not in ('done', 'ignored') or inbox.processed_at < ${unlessReadSince}`
              : sql<boolean>`true`,
          ),
      )
      .returning('id')
      .executeTakeFirst();
    if (!row) return false;
    await enqueue(trx, 'inbox.process', { inboxId: row.id });
    return true;
  });
}

/** A resource that could not be brought now: it waits in the inbox like a notice whose first try failed. */
export async function putBack(db: Db, topic: Topic, resource: string): Promise<void> {
  await db
    .insertInto('inbox')
    .values({
      source: MERCADOLIBRE,
      dedupeKey: `${topic}:${resource}`,
      topic,
      resource,
      attempts: 1,
      nextAt: waitUntil(1),
    })
    .onConflict((on) =>
      on
        .columns(['source', 'dedupeKey'])
        .doUpdateSet({ state: 'pending', times: sql`inbox.times + 1`, attempts: 1, nextAt: waitUntil(1) }),
    )
    .execute();
}

/** Works on one notice: reads the truth from the marketplace and writes it. What fails waits, longer each time; while the connection is paused, all wait. */
export async function processInbox(db: Db, ml: Mercadolibre, inboxId: number): Promise<void> {
  const notice = await db
    .selectFrom('inbox')
    .selectAll()
    .where('id', '=', inboxId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  if (!notice || (await isPaused(db, 'mercadolibre'))) return;
  // Read before the marketplace is asked: what comes in from here on must be worked on again.
  const { times, attempts } = notice;
  const settle = async (state: 'done' | 'ignored' | 'failed', error: string | null = null) => {
    const { numUpdatedRows } = await db
      .updateTable('inbox')
      .set({ state, error, processedAt: sql`now()` })
      .where('id', '=', inboxId)
      .where('times', '=', times)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      await db
        .updateTable('inbox')
        .set({ attempts: 0, nextAt: sql`now()`, processedAt: sql`now()` })
        .where('id', '=', inboxId)
        .execute();
  };
  try {
    const work = parseNotice(notice.topic, notice.resource);
    if (!work) return await settle('ignored', 'No es un recurso que sigamos');
    if (await bring(db, ml, work.topic, work.resource.split('/')[2]!)) await settle('done');
    else await settle('ignored', 'No es una venta nuestra');
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const absent = error instanceof Refused && error.details.status === 404;
    if (attempts + 1 >= (absent ? ABSENT_TRIES : PATIENCE_S.length + 1)) {
      if (absent && Date.now() - notice.receivedAt.getTime() > ABSENT_DAYS * DAY)
        return await settle('ignored', message);
      log.warn('aviso sin resolver', { inbox: inboxId, topic: notice.topic, attempts: attempts + 1, error: message });
      return await settle('failed', message);
    }
    const asked = error instanceof Unavailable ? error.details.retryAfterMs : undefined;
    await later(db, inboxId, attempts + 1, message, asked);
  }
}

async function later(db: Db, inboxId: number, attempts: number, error: string, askedMs?: number) {
  const seconds = Math.max(PATIENCE_S[attempts - 1]!, (askedMs ?? 0) / 1000);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('inbox')
      .set({ attempts, error, nextAt: sql`now() + make_interval(secs => ${seconds})` })
      .where('id', '=', inboxId)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (row) await enqueue(trx, 'inbox.process', { inboxId }, { waitMs: seconds * 1000 });
  });
}

const waitUntil = (attempts: number) => sql<Date>`now() + make_interval(secs => ${PATIENCE_S[attempts - 1]!})`;

/** Whether the notice concerned a sale. */
async function bring(db: Db, ml: Mercadolibre, topic: Topic, id: string): Promise<boolean> {
  switch (topic) {
    case 'orders_v2':
      return (await bringOrdenes(db, ml, [id])) > 0;
    case 'shipments': {
      const shipment = await ml.getShipment(id);
      const costs = await detail(() => ml.getShipmentCosts(id));
      const sellerId = await ml.seller();
      if ((await db.transaction().execute((trx) => saveShipment(trx, { ...shipment, costs }, sellerId))) > 0)
        return true;
      return (await bringOrdenes(db, ml, await ml.getShipmentOrders(id))) > 0;
    }
    case 'payments': {
      const { order } = await ml.getPayment(id);
      if (!order?.id || order.type !== 'mercadolibre') return false;
      return (await bringOrdenes(db, ml, [order.id])) > 0;
    }
  }
}

/** Reads sales by their id and writes them, whatever is known of them. Returns how many are ours. */
export async function bringOrdenes(db: Db, ml: Mercadolibre, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const known = await knownVentas(db, ids);
  const readVenta = createVentasReader(ml);
  const ventas = await Promise.all(ids.map((id) => readVenta(id, known.get(id))));
  const sellerId = await ml.seller();
  const { compras } = await db.transaction().execute((trx) => saveVentas(trx, ventas, sellerId));
  return ids.length - compras.length;
}

/** Notices whose job got lost, or whose time came, and those that could not be read: the table decides, the queue only makes it fast. */
export async function sweepInbox(db: Db, began?: Date): Promise<number> {
  await reopenUnread(db, began);
  const due = await db
    .selectFrom('inbox')
    .select('id')
    .where('state', '=', 'pending')
    .where('nextAt', '<=', sql<Date>`now()`)
    .orderBy('nextAt')
    .limit(SWEEP_ROWS)
    .execute();
  await db.transaction().execute((trx) =>
    enqueueAll(
      trx,
      'inbox.process',
      due.map(({ id }) => ({ inboxId: id })),
    ),
  );
  return due.length;
}
