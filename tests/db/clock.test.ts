import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { SKEW_TOLD_MS, clockSkewMs, pullBackDueTimes, watchClock } from '~db/clock.server';
import { enqueue } from '~db/queue/catalog.server';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const HOUR = 3_600_000;

afterEach(() => vi.restoreAllMocks());

/** The clock of this process, and nobody else's. */
function runAhead(ms: number) {
  const real = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => real() + ms);
}

const dueIn = async (key: string) => {
  const { rows } = await sql<{
    s: number;
  }>`select extract(epoch from run_at - now())::float8 as s from graphile_worker._private_jobs where key = ${key}`.execute(
    db,
  );
  return rows[0]!.s;
};

test('a job waits by the clock of the database, however far ahead that of the process is', async () => {
  runAhead(6 * HOUR);
  await enqueue(db, 'effect.correo', { effectId: 'uno' }, { waitMs: 60_000 });
  expect(await dueIn('effect.correo:uno')).toBeGreaterThan(50);
  expect(await dueIn('effect.correo:uno')).toBeLessThan(61);
});

test('what a clock that ran ahead wrote is pulled back to the longest wait at start, and what is within it stays', async () => {
  await sql`insert into effect (type, key, ref, connection, request, request_hash, state, next_at, lease_until) values
    ('x', 'lejos', 'lejos', 'correo', '{}', '', 'queued', now() + interval '3 days', null),
    ('x', 'cerca', 'cerca', 'correo', '{}', '', 'queued', now() + interval '10 minutes', null),
    ('x', 'prestado', 'prestado', 'correo', '{}', '', 'sending', now(), now() + interval '5 hours')`.execute(db);
  await sql`insert into inbox (source, dedupe_key, topic, resource, next_at) values ('ml', 'lejos', 't', 'r', now() + interval '2 days')`.execute(
    db,
  );
  await enqueue(db, 'effect.correo', { effectId: 'lejos' }, { waitMs: 72 * HOUR });
  expect(await pullBackDueTimes(db)).toEqual({
    'effect.next_at': 1,
    'effect.lease_until': 1,
    'inbox.next_at': 1,
    'graphile_worker._private_jobs.run_at': 1,
  });
  const { rows } = await sql<{ key: string; s: number; lease: number | null }>`
    select key, ceil(extract(epoch from next_at - now()) / 30)::float8 * 30 as s, ceil(extract(epoch from lease_until - now()) / 30)::float8 * 30 as lease from effect order by key`.execute(
    db,
  );
  expect(rows).toEqual([
    { key: 'cerca', s: 600, lease: null },
    { key: 'lejos', s: 3_600, lease: null },
    { key: 'prestado', s: expect.any(Number) as number, lease: 90 },
  ]);
  expect(await dueIn('effect.correo:lejos')).toBeLessThan(10_801);
  expect(await pullBackDueTimes(db)).toEqual({});
});

test('a clock that differs is told once, with by how much, and once more when it agrees', async () => {
  expect(Math.abs(await clockSkewMs(db))).toBeLessThan(SKEW_TOLD_MS);
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => (lines.push(String(line)), true));
  runAhead(20_000);
  const watch = watchClock(db, 10);
  await expect.poll(() => lines.some((line) => line.includes('no es el de la base'))).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 60));
  vi.mocked(Date.now).mockRestore();
  await expect.poll(() => lines.some((line) => line.includes('otra vez'))).toBe(true);
  watch.stop();
  const told = lines.filter((line) => line.includes('reloj'));
  expect(told).toHaveLength(2);
  expect((JSON.parse(told[0]!) as { adelantoMs: number }).adelantoMs).toBeGreaterThan(19_000);
});

test('a look that ends late does not tell again what is over', async () => {
  let looks = 0;
  const slow = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (++looks === 2) await new Promise((resolve) => setTimeout(resolve, 300));
      return result;
    },
  });
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => (lines.push(String(line)), true));
  runAhead(20_000);
  const watch = watchClock(slow, 10);
  await expect.poll(() => looks).toBeGreaterThanOrEqual(2);
  vi.mocked(Date.now).mockRestore();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await expect.poll(() => lines.some((line) => line.includes('otra vez'))).toBe(true);
  watch.stop();
  expect(lines.filter((line) => line.includes('reloj'))).toHaveLength(2);
});
