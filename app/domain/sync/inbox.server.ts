import { sql } from 'kysely';
import { log } from '~/core/log.server';
import type { Aviso, Fuente, Mercado } from '~/domain/mercados/mercado';
import { findFuente } from '~/domain/mercados/registro.server';
import { bringVentas } from '~/domain/ordenes/bringVentas.server';
import { saveShipment } from '~/domain/ordenes/saveVentas.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue, enqueueAll } from '~db/queue/catalog.server';
import { reopenUnread } from './inboxUnread.server';

/** How a sale waits in the inbox when its marketplace has no notices of its own. */
const VENTA = 'venta';

/** The notice a sale has, or would have. */
export const avisoOfVenta = ({ avisos }: Mercado, marketId: string): Aviso =>
  avisos?.ofVenta(marketId) ?? { topic: VENTA, resource: marketId };

export function parseAviso({ avisos }: Mercado, topic: string, resource: string): Aviso | undefined {
  if (avisos) return avisos.parse(topic, resource);
  return topic === VENTA ? { topic, resource } : undefined;
}

const PATIENCE_S = [5, 15, 40, 120, 600, 1_800, 3_600, 10_800];
/** After so many noes an order that does not exist is believed not to exist: the marketplace needs some seconds to show a new one. */
const ABSENT_TRIES = 4;
/** What it says for so long that it does not exist was never a sale. */
const ABSENT_DAYS = 7;
const DAY = 86_400_000;
const SWEEP_ROWS = 200;

/**
 * Keeps a notice and asks for it to be worked on. One row per resource: a repetition while it waits only counts, one that comes after it
 * was worked on opens it again. A notice is a hint, so which of several came is all the same.
 * With `unlessReadSince`, a resource that was read after that moment is left alone; one that could not be read is not. Returns whether there is work to do.
 */
export async function receiveNotice(
  db: Db,
  source: string,
  { topic, resource }: Aviso,
  { unlessReadSince }: { unlessReadSince?: Date | null } = {},
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('inbox')
      .values({
        source,
        dedupeKey: `${topic}:${resource}`,
        topic,
        resource,
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
export async function putBack(db: Db, source: string, { topic, resource }: Aviso): Promise<void> {
  await db
    .insertInto('inbox')
    .values({
      source,
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
export async function processInbox(
  db: Db,
  inboxId: number,
  fuenteOf: (source: string) => Fuente | undefined = findFuente,
): Promise<void> {
  const notice = await db
    .selectFrom('inbox')
    .selectAll()
    .where('id', '=', inboxId)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  const fuente = notice && fuenteOf(notice.source);
  if (!fuente || (await fuente.isPaused(db))) return;
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
    const mercado = fuente.open(db);
    const aviso = parseAviso(mercado, notice.topic, notice.resource);
    if (!aviso) return await settle('ignored', 'No es un recurso que sigamos');
    if (await bring(db, fuente, mercado, aviso)) await settle('done');
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
async function bring(db: Db, fuente: Fuente, mercado: Mercado, aviso: Aviso): Promise<boolean> {
  const read = await mercado.avisos?.read(aviso);
  if (!read) return (await bringVentas(db, fuente, mercado, [aviso.resource])) > 0;
  const { envio, ventas } = read;
  if (envio && (await db.transaction().execute((trx) => saveShipment(trx, fuente.market, envio))) > 0) return true;
  return (await bringVentas(db, fuente, mercado, await ventas())) > 0;
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
