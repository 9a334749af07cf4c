/** What an hour in which nothing happens asks of Mercado Libre: every job of the schedule is run once by the worker, and counted as often as its minute comes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { SCHEDULE } from '~jobs/schedule';
import type { Db } from '~db/client.server';
import { type Figure } from '../figures';
import { linkSeller, sweepEnded } from '../sync';
import type { Bench } from './parts';

const AIM = 40;
/** An hour of the day at which nothing of the night is done. */
const HOUR = 18;

const timesAnHour = ({ match }: (typeof SCHEDULE)[number]): number =>
  Array.from({ length: 60 }, (_, min) => match({ min, hour: HOUR, date: 2, month: 2, dow: 1 })).filter(Boolean).length;

export async function benchIdleHour({ db, owner, person, sandbox }: Bench): Promise<Figure[]> {
  await linkSeller(db, person, sandbox);
  await sweepEnded(db);
  const settle = async () => {
    for (const { enqueue } of SCHEDULE) await enqueue(db);
    await quiet(owner);
  };
  // The second round meets what the first one left.
  await settle();
  await settle();
  const askedSince = async (start: string) =>
    (await sandbox.requests('mercadolibre', 6_000)).filter(({ at, path }) => at >= start && !path.includes('/control'))
      .length;
  let total = 0;
  const notes: string[] = [];
  for (const job of SCHEDULE) {
    const times = timesAnHour(job);
    if (times === 0) continue;
    const start = new Date().toISOString();
    await job.enqueue(db);
    await quiet(owner);
    const each = await askedSince(start);
    if (each > 0) notes.push(`${job.identifier} ${times} × ${each}`);
    total += times * each;
  }
  return [
    {
      name: 'mercados: an hour in which nothing happens, asked of Mercado Libre',
      value: total,
      unit: 'requests',
      aim: AIM,
      note: notes.join(', '),
    },
  ];
}

/** No job is due or under way. Tables of the queue are the owner's. */
async function quiet(owner: Db): Promise<void> {
  for (const end = Date.now() + 300_000; Date.now() < end; await sleep(100)) {
    const { rows } = await sql`select from graphile_worker.jobs
      where locked_at is not null or (run_at <= now() and attempts < max_attempts) limit 1`.execute(owner);
    if (rows.length === 0) return;
  }
  throw new Error('the worker did not come to rest');
}
