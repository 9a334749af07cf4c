import { sql } from 'kysely';
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
 * Enqueues the due jobs each minute, by the database's clock. The crons of the queue go by the clock of this process,
 * also for the start of their jobs. With a process a minute ahead, the job of each minute would replace the job before
 * its time, and no job would ever run.
 */
export function startClock(
  db: Db,
  items: readonly Scheduled[],
  { read = readMinute, tryAgainMs = TRY_AGAIN_MS } = {},
): Clock {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let last: Date | undefined;
  let ticking: Promise<void> = Promise.resolve();

  const tick = async () => {
    const { minute, msLeft } = await read(db);
    const from = last ?? minute;
    last = minute;
    const passed = Math.min(CATCH_UP, Math.round((minute.getTime() - from.getTime()) / MINUTE_MS));
    for (let back = passed - 1; back >= 0; back--)
      await ask(db, items, new Date(minute.getTime() - back * MINUTE_MS)).catch((error: unknown) => {
        // Minutes without success are tried again with the next minute.
        last = new Date(minute.getTime() - (back + 1) * MINUTE_MS);
        throw error;
      });
    return msLeft;
  };
  const go = () => {
    ticking = tick().then(
      (msLeft) => wait(msLeft + 1),
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

async function readMinute(db: Db): Promise<{ minute: Date; msLeft: number }> {
  const { rows } = await sql<{ minute: Date; msLeft: number }>`
    select date_trunc('minute', now) as minute, ceil(60000 - extract(epoch from now - date_trunc('minute', now)) * 1000)::int as ms_left
    from (select clock_timestamp() as now) clock`.execute(db);
  return rows[0]!;
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
