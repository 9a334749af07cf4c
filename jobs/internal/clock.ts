import { sql } from 'kysely';
import { groupBy } from '~/core/groupBy';
import { log } from '~/core/log.server';
import type { Db } from '~db/client.server';
import type { Scheduled } from '../schedule';

const MINUTE_MS = 60_000;
/** Most minutes to catch up after the database was away. */
const CATCH_UP = 60;
const TRY_AGAIN_MS = 5_000;

/** A running clock; `stop` waits for the minute under way. */
export type Clock = { stop(): Promise<void> };

/**
 * Enqueues the due jobs at their second of each minute, by the database's clock. The crons of the queue go by the clock of this process,
 * also for the start of their jobs. With a process a minute ahead, the job of each minute would replace the job before
 * its time, and no job would ever run.
 */
export function startClock(
  db: Db,
  items: readonly Scheduled[],
  { read = readClock, tryAgainMs = TRY_AGAIN_MS, longestWaitMs = MINUTE_MS } = {},
): Clock {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let ticking: Promise<void> = Promise.resolve();
  const slots = slotsOf(items);

  const tick = async () => {
    const now = await read(db);
    for (const slot of slots) await catchUp(db, slot, minuteOf(slot, now));
    return Math.min(...slots.map((slot) => msUntil(slot, now)));
  };
  const go = () => {
    ticking = tick().then(
      (ms) => wait(Math.min(ms, longestWaitMs) + 1),
      (error: unknown) => {
        log.warn('el reloj de la cola no pudo preguntar', {
          error: error instanceof Error ? error.message : String(error),
        });
        wait(tryAgainMs);
      },
    );
  };
  const wait = (ms: number) => {
    if (!stopped) timer = setTimeout(go, ms);
  };
  go();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await ticking;
    },
  };
}

/** Jobs of the same second of their minutes. `last` is the minute that was asked for last; undefined before the first look. */
type Slot = { second: number; items: Scheduled[]; last?: Date };

function slotsOf(items: readonly Scheduled[]): Slot[] {
  return [...groupBy(items, ({ second }) => String(second)).values()].map((own) => ({
    second: own[0]!.second,
    items: own,
  }));
}

/** The last minute whose second of the slot has passed. */
const minuteOf = ({ second }: Slot, now: Date) =>
  new Date(Math.floor((now.getTime() - second * 1000) / MINUTE_MS) * MINUTE_MS);

const msUntil = (slot: Slot, now: Date) =>
  minuteOf(slot, now).getTime() + MINUTE_MS + slot.second * 1000 - now.getTime();

/** Asks for each minute since the last one, and moves on only past minutes with success: the others are tried again. */
async function catchUp(db: Db, slot: Slot, minute: Date): Promise<void> {
  const passed = slot.last ? Math.round((minute.getTime() - slot.last.getTime()) / MINUTE_MS) : 0;
  for (let back = Math.min(CATCH_UP, Math.max(0, passed)); ; back--) {
    slot.last = new Date(minute.getTime() - back * MINUTE_MS);
    if (back === 0) return;
    await ask(db, slot.items, new Date(slot.last.getTime() + MINUTE_MS));
  }
}

async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]!.now;
}

/** Enqueues the jobs due in a minute, once, however many workers do so. */
export async function ask(db: Db, items: readonly Scheduled[], minute: Date): Promise<void> {
  const digest = {
    min: minute.getUTCMinutes(),
    hour: minute.getUTCHours(),
    date: minute.getUTCDate(),
    month: minute.getUTCMonth() + 1,
    dow: minute.getUTCDay(),
  };
  const due = items.filter(({ match }) => match(digest));
  if (due.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ identifier: string }>`
      insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution)
      select identifier, ${minute}, ${minute} from unnest(${due.map(({ identifier }) => identifier)}::text[]) identifier order by identifier
      on conflict (identifier) do update set last_execution = excluded.last_execution
      where known.last_execution is null or known.last_execution < excluded.last_execution
      returning identifier`.execute(trx);
    const ours = new Set(rows.map(({ identifier }) => identifier));
    for (const item of due) if (ours.has(item.identifier)) await item.enqueue(trx);
  });
}
