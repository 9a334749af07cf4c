import { sql } from 'kysely';
import { NotAllowed } from '~/core/errors';
import { record } from '~/platform/bitacora.server';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';

/** Days in which what could not be read is tried again by itself. */
const REOPEN_DAYS = 30;
const REOPEN_EVERY_HOURS = 20;
/** Each minute so many of them, so that they never stand in the way of new sales. */
const REOPEN_ROWS = 20;
/** A reopened one has the last, long waits left. */
const REOPEN_ATTEMPTS = 5;

/** The condition of its index, word for word. Payments only hint at orders, which have notices of their own. */
export const UNREAD = sql<boolean>`topic <> 'payments' and (state = 'failed' or (state = 'pending' and attempts >= 4))`;

/** A sale or a shipment that was announced, or listed, and that we have not been able to read or write for some minutes at least. */
export type Unread = {
  id: number;
  topic: string;
  resource: string;
  receivedAt: Date;
  error: string | null;
  attempts: number;
  /** When it is asked for again by itself; null when only its daily turn or a person brings it back. */
  nextAt: Date | null;
};

/** Of one marketplace, or of all. */
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

/** The newest first. */
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

/** What failed is tried again every day, and once by each worker that starts (`began`): what it could not read, a newer one may. */
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

/** People ask for all of them to be tried now, with every try they have. Returns how many there are. */
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

/** Somebody looked at it: it is no sale of ours, and is counted no more. Another notice of it opens it again. */
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
