import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';

/** Days in which a notice that could not be read is tried again by itself. */
const REOPEN_DAYS = 30;
const REOPEN_EVERY_HOURS = 20;
/** Notices that are opened again in one minute: few, so that new sales never wait behind them. */
const REOPEN_ROWS = 20;
/** Attempts that a reopened notice starts with: the last, long waits are left. */
const REOPEN_ATTEMPTS = 5;

/**
 * Condition of an unread notice, word for word that of its index. Notices of payments are left out: they only hint at orders, which have notices of
 * their own.
 */
export const UNREAD = sql<boolean>`topic <> 'payments' and (state = 'failed' or (state = 'pending' and attempts >= 4))`;

/** A sale or a shipment that was announced or listed, and that could not be read or written for some minutes at least. */
export type Unread = {
  id: number;
  topic: string;
  resource: string;
  receivedAt: Date;
  error: string | null;
  attempts: number;
  /** Instant of the next try; null when only the daily turn or a person asks again. */
  nextAt: Date | null;
};

/** Counts the unread notices of one source, or of all, and tells the error of the newest. */
export async function countUnread(db: Db | Trx, source?: string): Promise<{ sinLeer: number; motivo: string | null }> {
  const { n, motivo } = await db
    .selectFrom('inbox')
    .select([
      sql<number>`count(*)`.as('n'),
      sql<string | null>`(array_agg(error order by received_at desc) filter (where error is not null))[1]`.as('motivo'),
    ])
    .$if(source !== undefined, (unread) => unread.where('source', '=', source!))
    .where(UNREAD)
    .executeTakeFirstOrThrow();
  return { sinLeer: n, motivo };
}

/** Lists at most `limit` unread notices of one source, or of all, the newest first. */
export async function listUnread(db: Db | Trx, limit: number, source?: string): Promise<Unread[]> {
  return await db
    .selectFrom('inbox')
    .select(['id', 'topic', 'resource', 'receivedAt', 'error', 'attempts'])
    .select(sql<Date | null>`case when state = 'pending' then next_at end`.as('nextAt'))
    .where(UNREAD)
    .$if(source !== undefined, (unread) => unread.where('source', '=', source!))
    .orderBy('receivedAt', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Opens again at most twenty of the notices that failed, the longest untried first. A notice is opened once a day for thirty days, and once for each
 * worker that starts (`began`), since a newer version may read what an older one could not.
 */
export async function reopenUnread(db: Db, began = new Date(0)): Promise<void> {
  await db
    .updateTable('inbox')
    .set({ state: 'pending', attempts: REOPEN_ATTEMPTS, nextAt: sql<Date>`now()` })
    .where('id', 'in', (is) =>
      is
        .selectFrom('inbox')
        .select('id')
        .where(UNREAD)
        .where('state', '=', 'failed')
        .where('receivedAt', '>', sql<Date>`now() - make_interval(days => ${REOPEN_DAYS})`)
        .where(
          sql<boolean>`(processed_at is null or processed_at < ${began} or processed_at < now() - make_interval(hours => ${REOPEN_EVERY_HOURS}))`,
        )
        .orderBy('processedAt')
        .limit(REOPEN_ROWS)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** Opens every unread notice at once, with all its tries, because a person asked, with a line of the audit trail for each source. Returns how many there are. */
export async function retryUnread(db: Db, usuarioId: string): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const opened = await trx
      .updateTable('inbox')
      .set({ state: 'pending', attempts: 0, nextAt: sql<Date>`now()` })
      .where(UNREAD)
      .returning('source')
      .execute();
    if (opened.length === 0) return 0;
    for (const source of new Set(opened.map((row) => row.source))) {
      const avisos = opened.filter((row) => row.source === source).length;
      await record(trx, { usuarioId, entidad: 'inbox', entidadId: source, accion: 'reintentar', datos: { avisos } });
    }
    await enqueue(trx, 'inbox.sweep', {});
    return opened.length;
  });
}

/**
 * Ends a notice that a person found to be no sale of ours; another notice of the same resource opens it again. Throws NotAllowed when the notice is no
 * longer unread.
 */
export async function dismissUnread(db: Db, id: number, usuarioId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('inbox')
      .set({ state: 'ignored', processedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .where(UNREAD)
      .returning(['resource', 'error'])
      .executeTakeFirst();
    if (!row) throw new NotAllowed('Avisos sin leer', 'El aviso ya no está en la lista.');
    await record(trx, {
      usuarioId,
      entidad: 'inbox',
      entidadId: String(id),
      accion: 'descartar',
      datos: { recurso: row.resource, motivo: row.error },
    });
  });
}
