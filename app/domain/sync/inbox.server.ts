import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { atOnce } from '~/core/atOnce';
import { groupBy } from '~/core/groupBy';
import { log } from '~/core/log.server';
import type { Aviso, AvisoLeido, Fuente, Mercado } from '~/domain/mercados/mercado';
import { findFuente } from '~/domain/mercados/registro.server';
import { Refused, Unavailable } from '~/integrations/errors';
import type { Db } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { reopenUnread } from './inboxUnread.server';
import { takers } from './takers.server';

/** Topic under which a sale waits in the inbox when its marketplace has no notices. */
const VENTA = 'venta';

/** Returns the notice that a sale has, or would have. */
export const avisoOfVenta = ({ avisos }: Mercado, marketId: string): Aviso =>
  avisos?.ofVenta(marketId) ?? { topic: VENTA, resource: marketId };

/** Returns what a notice is about; undefined for a topic that we do not follow. */
export function parseAviso({ avisos }: Mercado, topic: string, resource: string): AvisoLeido | undefined {
  if (avisos) return avisos.parse(topic, resource);
  return topic === VENTA ? { topic, resource, sobre: 'venta', id: resource } : undefined;
}

const PATIENCE_S = [5, 15, 40, 120, 600, 1_800, 3_600, 10_800];
/** After so many noes an order is believed not to exist: the marketplace needs some seconds to show a new order. */
const ABSENT_TRIES = 4;
/** A number that the marketplace denies for so long was never a sale. */
const ABSENT_DAYS = 7;
const DAY = 86_400_000;
/** Several notices tell one change within moments. A notice waits this long, so that all of them cost one question to the marketplace. */
const SETTLE_MS = 1_000;
/** Notices of one turn, and reads at once within a turn. */
const TURN_ROWS = 60;
const READERS = 8;
/** Sales and shipments that a drain remembers: those of the turns just before. */
const REMEMBERED = 1_000;
/** A process that took notices this long ago was killed, and others may take them. */
const TAKEN_SECONDS = 180;

/** A notice as it came in. `id` is the notice's own number, since the same notice may come twice. */
export type Recibido = { aviso: Aviso; id: string | null; account: string | null };

const soon = sql<Date>`now() + ${SETTLE_MS}::float8 * interval '1 ms'`;

/**
 * Keeps notices in one statement, since the sender waits for the answer. A resource has one row: a repetition that comes while the row waits is only
 * counted, and a repetition that comes later opens the row again, unless it is the very same notice. A notice is a hint, so it does not matter which of
 * several came. A notice about another account than the linked one is dropped.
 */
export async function receiveNotices(db: Db, source: string, recibidos: readonly Recibido[]): Promise<void> {
  const rows = [
    ...groupBy(recibidos, ({ aviso, account }) => `${aviso.topic}:${aviso.resource} ${account ?? ''}`).values(),
  ];
  await sql`insert into inbox as i (source, dedupe_key, topic, resource, times, notice_id, next_at)
    select ${source}, max(n.topic || ':' || n.resource), n.topic, n.resource, sum(n.times), max(n.notice_id), ${soon}
    from unnest(${rows.map(([first]) => first!.aviso.topic)}::text[], ${rows.map(([first]) => first!.aviso.resource)}::text[],
      ${rows.map((same) => same.length)}::int[], ${rows.map((same) => same.at(-1)!.id)}::text[], ${rows.map(([first]) => first!.account)}::text[])
      as n(topic, resource, times, notice_id, account)
    where n.account is null or not exists (select from credential c where c.connection = ${source} and c.account <> n.account)
    group by n.topic, n.resource
    on conflict (source, dedupe_key) do update set
      times = i.times + excluded.times, notice_id = excluded.notice_id, received_at = now(), state = 'pending', error = null,
      attempts = case when i.state = 'pending' then i.attempts else 0 end,
      next_at = case when i.state = 'pending' then least(i.next_at, excluded.next_at) else excluded.next_at end
    where i.state not in ('done', 'ignored') or i.notice_id is distinct from excluded.notice_id or excluded.notice_id is null`.execute(
    db,
  );
}

/**
 * Keeps a notice that was fetched. With `unlessReadSince`, a resource that was read after that moment is left alone; a resource that could not be read
 * is opened again. Returns whether there is work to do.
 */
export async function receiveNotice(
  db: Db,
  source: string,
  { topic, resource }: Aviso,
  { unlessReadSince }: { unlessReadSince?: Date | null } = {},
): Promise<boolean> {
  const row = await db
    .insertInto('inbox')
    .values({ source, dedupeKey: `${topic}:${resource}`, topic, resource })
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
  return row !== undefined;
}

/**
 * Puts a sale that could not be brought into the inbox, like a notice whose first try failed. `cambio` is the date of the sale's row in the listing: a
 * sale met again with the same change goes on waiting, and another change begins anew.
 */
export async function putBack(
  db: Db,
  source: string,
  { topic, resource }: Aviso,
  { cambio, error }: { cambio: Date | null; error: string },
): Promise<void> {
  await sql`insert into inbox as i (source, dedupe_key, topic, resource, attempts, next_at, cambio_en, error)
    values (${source}, ${`${topic}:${resource}`}, ${topic}, ${resource}, 1, ${waitUntil(1)}, ${cambio}, ${error})
    on conflict (source, dedupe_key) do update set state = 'pending', times = i.times + 1, attempts = 1, next_at = excluded.next_at, cambio_en = coalesce(excluded.cambio_en, i.cambio_en), error = excluded.error
    where i.state not in ('pending', 'failed') or i.attempts = 0 or (excluded.cambio_en is not null and i.cambio_en is distinct from excluded.cambio_en)`.execute(
    db,
  );
}

/** Returns which of these sales wait here for another try, each with the instant in ms of the change that could not be brought; null for an unknown one. */
export async function waitingVentas(
  db: Db,
  source: string,
  mercado: Mercado,
  marketIds: readonly string[],
): Promise<Map<string, number | null>> {
  const idOf = new Map(
    marketIds.map((id) => {
      const { topic, resource } = avisoOfVenta(mercado, id);
      return [`${topic}:${resource}`, id];
    }),
  );
  const rows = await db
    .selectFrom('inbox')
    .select(['dedupeKey', 'cambioEn'])
    .where('source', '=', source)
    .where('dedupeKey', 'in', [...idOf.keys()])
    .where('state', 'in', ['pending', 'failed'])
    .where('attempts', '>', 0)
    .execute();
  return new Map(rows.map(({ dedupeKey, cambioEn }) => [idOf.get(dedupeKey)!, cambioEn?.getTime() ?? null]));
}

type Taken = {
  id: number;
  source: string;
  topic: string;
  resource: string;
  times: number;
  attempts: number;
  receivedAt: Date;
  takenAt: Date;
};
type FuenteOf = (source: string) => Fuente | undefined;

/**
 * Takes the notices that are due, so that no other process works on them meanwhile. A notice that comes in from here on is counted in `times`, and its
 * resource is worked on again.
 */
async function take(
  db: Db,
  source: string,
  { id, rows = TURN_ROWS }: { id?: number; rows?: number },
): Promise<Taken[]> {
  const taken = await db
    .updateTable('inbox')
    .set({ takenUntil: sql<Date>`now() + make_interval(secs => ${TAKEN_SECONDS})` })
    .where('id', 'in', (is) =>
      is
        .selectFrom('inbox')
        .select('id')
        .where('state', '=', 'pending')
        .where('source', '=', source)
        .where(sql<boolean>`(taken_until is null or taken_until <= now())`)
        .$if(id === undefined, (due) => due.where('nextAt', '<=', sql<Date>`now()`))
        .$if(id !== undefined, (one) => one.where('id', '=', id!))
        .orderBy('nextAt')
        .limit(rows)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'source', 'topic', 'resource', 'times', 'attempts', 'receivedAt'])
    .returning(sql<Date>`clock_timestamp()`.as('takenAt'))
    .execute();
  return taken.sort((a, b) => a.id - b.id);
}

/** Works on one notice, due or not. While its connection is paused, the notice waits. */
export async function processInbox(db: Db, inboxId: number, fuenteOf: FuenteOf = findFuente): Promise<void> {
  const notice = await db.selectFrom('inbox').select('source').where('id', '=', inboxId).executeTakeFirst();
  const fuente = notice && fuenteOf(notice.source);
  if (!fuente || (await fuente.isPaused(db))) return;
  await work(db, fuente, await take(db, notice.source, { id: inboxId }));
}

/**
 * Works on the notices that are due until none is left, a turn of many at a time. Each sale is read once for all its notices, and a page of sales is
 * written at once. While a connection is paused, its notices wait. Returns how many notices were worked on.
 */
export async function drainInbox(
  db: Db,
  { signal, fuenteOf = findFuente }: { signal?: AbortSignal; fuenteOf?: FuenteOf } = {},
): Promise<number> {
  const leido = new Leido();
  for (let worked = 0; ;) {
    if (signal?.aborted) return worked;
    const { rows } = await sql<{ source: string; waitMs: number }>`
      select source, greatest(0, extract(epoch from min(next_at) - now()) * 1000)::float8 as "waitMs" from inbox
      where state = 'pending' and (taken_until is null or taken_until <= now()) and next_at <= ${soon} group by source`.execute(
      db,
    );
    let due: number | undefined;
    for (const { source, waitMs } of rows) {
      const fuente = fuenteOf(source);
      if (!fuente || (await fuente.isPaused(db))) continue;
      due = Math.min(due ?? Infinity, waitMs);
      if (waitMs > 0) continue;
      const taken = await take(db, source, {});
      await work(db, fuente, taken, leido);
      worked += taken.length;
    }
    if (due === undefined) return worked;
    // A notice that came in the last moment is due in the next.
    if (due > 0) await wait(due + 20, undefined, { signal }).catch(() => undefined);
  }
}

type Outcome = { state: 'done' | 'ignored' | 'failed'; error: string | null } | { wait: unknown };
const DONE: Outcome = { state: 'done', error: null };
const NOT_OURS: Outcome = { state: 'ignored', error: 'No es una venta nuestra' };
const SIN_PUBLICACION: Outcome = { state: 'ignored', error: 'No es de una publicación nuestra' };

/**
 * The sales and shipments that a drain has read, each with the beginning of its turn. The notices of one change may fall into two turns: a notice that
 * had come well before that reading is answered by it.
 */
class Leido {
  readonly #at = new Map<string, number>();

  note(source: string, what: 'venta' | 'envio', id: string, turn: Date) {
    this.#at.set(`${source} ${what} ${id}`, turn.getTime());
    if (this.#at.size > REMEMBERED) this.#at.delete(this.#at.keys().next().value!);
  }

  answers({ source, attempts, receivedAt }: Taken, what: 'venta' | 'envio', id: string): boolean {
    const turn = this.#at.get(`${source} ${what} ${id}`);
    // A resource that was put back after a failed try may have changed since that reading.
    return attempts === 0 && turn !== undefined && receivedAt.getTime() <= turn - SETTLE_MS / 2;
  }
}

/**
 * Reads what these notices are about from the marketplace and hands it to the takers. A resource that fails waits, longer each time, and holds back none
 * of the others.
 */
async function work(db: Db, fuente: Fuente, notices: Taken[], leido = new Leido()): Promise<void> {
  if (notices.length === 0) return;
  const { source, takenAt } = notices[0]!;
  const mercado = fuente.open(db);
  const outcomes = new Map<Taken, Outcome>();
  const rest: { notice: Taken; aviso: AvisoLeido }[] = [];
  const ofVenta = new Map<string, Taken>();
  const ofPublicacion = new Map<string, Taken[]>();
  for (const notice of notices) {
    const aviso = parseAviso(mercado, notice.topic, notice.resource);
    if (!aviso) outcomes.set(notice, { state: 'ignored', error: 'No es un recurso que sigamos' });
    else if (aviso.sobre === 'publicacion')
      ofPublicacion.set(aviso.id, [...(ofPublicacion.get(aviso.id) ?? []), notice]);
    else if (aviso.sobre !== 'venta') rest.push({ notice, aviso });
    else if (leido.answers(notice, 'venta', aviso.id)) outcomes.set(notice, DONE);
    else ofVenta.set(aviso.id, notice);
  }
  const brought = await takers().ventas.bringEach(db, fuente, mercado, [...ofVenta.keys()], READERS);
  for (const [venta, notice] of ofVenta) {
    const { error, venta: read } = brought.get(venta)!;
    outcomes.set(notice, error === undefined ? (read ? DONE : NOT_OURS) : { wait: error });
  }
  // A shipment that was read with its sale is not read again for its own notice.
  const seen = new Set<string>();
  for (const { venta } of brought.values()) {
    if (!venta) continue;
    leido.note(source, 'venta', venta.marketId, takenAt);
    for (const { marketId } of venta.envios) {
      seen.add(marketId);
      leido.note(source, 'envio', marketId, takenAt);
    }
  }
  await atOnce(READERS, rest, async ({ notice, aviso }) => {
    const { sobre, id } = aviso;
    const outcome =
      sobre === 'envio' && (seen.has(id) || leido.answers(notice, 'envio', id))
        ? DONE
        : await bring(db, fuente, mercado, aviso, brought).then(
            (ours) => (ours ? DONE : sobre === 'piezas' ? SIN_PUBLICACION : NOT_OURS),
            (error: unknown): Outcome => ({ wait: error }),
          );
    outcomes.set(notice, outcome);
  });
  await bringPublicaciones(db, fuente, ofPublicacion, outcomes);
  await settle(db, outcomes);
  if (ofVenta.size > 0) {
    await enqueue(db, 'costos.ver', { llegadas: true });
    if (fuente.comisiones) await enqueue(db, 'comisiones.preguntar', { market: fuente.market });
  }
}

/**
 * Reads the listings of these notices, twenty in one question, so that notices of our own changes cost little. A listing that is not understood holds
 * back no other.
 */
async function bringPublicaciones(
  db: Db,
  fuente: Fuente,
  notices: ReadonlyMap<string, readonly Taken[]>,
  outcomes: Map<Taken, Outcome>,
): Promise<void> {
  try {
    const halladas = new Map(
      (await takers().publicaciones.readNow(db, fuente, [...notices.keys()])).map((one) => [one.clave, one]),
    );
    for (const [clave, suyos] of notices) {
      const hallada = halladas.get(clave);
      for (const notice of suyos)
        outcomes.set(notice, hallada && 'ilegible' in hallada ? { wait: new Refused(hallada.ilegible) } : DONE);
    }
  } catch (error) {
    for (const notice of [...notices.values()].flat()) outcomes.set(notice, { wait: error });
  }
}

/** Brings what a notice is about. Returns whether the thing was ours. */
async function bring(
  db: Db,
  fuente: Fuente,
  mercado: Mercado,
  { sobre, id }: AvisoLeido,
  brought: ReadonlyMap<string, { venta?: unknown }>,
): Promise<boolean> {
  const { avisos, atencion } = mercado;
  const { ventas: ordenes } = takers();
  if (sobre === 'pregunta' || sobre === 'reclamo') {
    if (atencion)
      await takers()[sobre === 'pregunta' ? 'preguntas' : 'reclamos'].bring(db, fuente.market, atencion, id);
    return atencion !== undefined;
  }
  if (sobre === 'piezas') return await takers().publicaciones.bringPiezas(db, fuente, id);
  let ids: string[];
  if (sobre === 'envio') {
    const { envio, ventas } = await avisos!.readEnvio(id);
    if ((await db.transaction().execute((trx) => ordenes.saveShipment(trx, fuente.market, envio))) > 0) return true;
    ids = await ventas();
  } else ids = await avisos!.ventasOfPago(id);
  const left = ids.filter((id) => !brought.get(id)?.venta);
  return left.length < ids.length || (await ordenes.bring(db, fuente, mercado, left)) > 0;
}

/** Writes the outcomes. A resource whose notice came again meanwhile is opened at once; the others end, or wait. */
async function settle(db: Db, outcomes: ReadonlyMap<Taken, Outcome>): Promise<void> {
  const ended: { notice: Taken; state: string; error: string | null }[] = [];
  for (const [notice, outcome] of outcomes) {
    const end = 'wait' in outcome ? await waitOrEnd(db, notice, outcome.wait) : outcome;
    if (end) ended.push({ notice, ...end });
  }
  if (ended.length === 0) return;
  await sql`update inbox as i set
      state = case when i.times = e.times then e.state else 'pending' end, error = case when i.times = e.times then e.error end,
      attempts = case when i.times = e.times then i.attempts else 0 end, next_at = case when i.times = e.times then i.next_at else ${soon} end,
      processed_at = now(), taken_until = null
    from unnest(${ended.map(({ notice }) => notice.id)}::bigint[], ${ended.map(({ notice }) => notice.times)}::int[],
      ${ended.map(({ state }) => state)}::text[], ${ended.map(({ error }) => error)}::text[]) as e(id, times, state, error)
    where i.id = e.id`.execute(db);
}

async function waitOrEnd(db: Db, { id, topic, attempts, receivedAt }: Taken, error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const absent = error instanceof Refused && error.details.status === 404;
  if (attempts + 1 >= (absent ? ABSENT_TRIES : PATIENCE_S.length + 1)) {
    if (absent && Date.now() - receivedAt.getTime() > ABSENT_DAYS * DAY)
      return { state: 'ignored' as const, error: message };
    log.warn('aviso sin resolver', { inbox: id, topic, attempts: attempts + 1, error: message });
    return { state: 'failed' as const, error: message };
  }
  await later(db, id, attempts + 1, message, error instanceof Unavailable ? error.details.retryAfterMs : undefined);
  return undefined;
}

async function later(db: Db, inboxId: number, attempts: number, error: string, askedMs?: number) {
  const seconds = Math.max(PATIENCE_S[attempts - 1]!, (askedMs ?? 0) / 1000);
  await db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('inbox')
      .set({ attempts, error, takenUntil: null, nextAt: sql`now() + make_interval(secs => ${seconds})` })
      .where('id', '=', inboxId)
      .where('state', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (row) await enqueue(trx, 'inbox.process', { inboxId }, { waitMs: seconds * 1000 });
  });
}

const waitUntil = (attempts: number) => sql<Date>`now() + make_interval(secs => ${PATIENCE_S[attempts - 1]!})`;

/**
 * Asks for work on every notice that is due, however its job was lost, and opens again those that could not be read. The table decides; the queue only
 * makes the work fast. Returns how many notices are due.
 */
export async function sweepInbox(db: Db, began?: Date): Promise<number> {
  await reopenUnread(db, began);
  const { n } = await db
    .selectFrom('inbox')
    .select(sql<number>`count(*)`.as('n'))
    .where('state', '=', 'pending')
    .where('nextAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  if (n > 0) await enqueue(db, 'inbox.drain', {});
  return n;
}
