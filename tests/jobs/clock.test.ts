import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { pullBackDueTimes } from '~db/clock.server';
import { ask, startClock } from '~jobs/internal/clock';
import { SCHEDULE, type Scheduled } from '~jobs/schedule';
import { testDatabase } from '../support/db';

const { db } = testDatabase();

afterEach(async () => {
  vi.restoreAllMocks();
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await sql`delete from graphile_worker._private_known_crontabs`.execute(db);
});

const waiting = async () => {
  const { rows } = await sql<{ key: string; due: boolean }>`
    select key, run_at <= now() as due from graphile_worker._private_jobs order by key`.execute(db);
  return rows;
};

test('what a minute asks for is asked for once, however many workers ask, and may run at once', async () => {
  const minute = new Date('2026-11-22T09:20:00Z');
  // This process is six hours ahead of the database.
  const real = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 6 * 3_600_000);
  await Promise.all([ask(db, SCHEDULE, minute), ask(db, SCHEDULE, minute), ask(db, SCHEDULE, minute)]);
  expect(await waiting()).toEqual(
    [
      'avisos.colas:',
      'catalogo.vigilar:',
      'condiciones.watch:',
      'effect.sweep:',
      'enlaces.send:',
      'ganchos.barrer:',
      'inbox.sweep:',
      'libro.asentar:',
      'maintenance.clean:',
      'pedidos.seguir:',
      'plazos.avisar:',
      'publicaciones.seguir:',
      'respaldo.trasladar:wal',
      'ventas.sync:todos:sweep',
    ].map((key) => ({ key: expect.stringContaining(key) as string, due: true })),
  );
  await sql`delete from graphile_worker._private_jobs`.execute(db);
  await ask(db, SCHEDULE, minute);
  expect(await waiting()).toEqual([]);
  await ask(db, SCHEDULE, new Date('2026-11-22T09:21:00Z'));
  expect((await waiting()).map(({ key }) => key)).toContainEqual(expect.stringContaining('cfdi.followCancel'));
});

test('minutes that passed while the database was away are asked for when it is back, each once', async () => {
  const asked: string[] = [];
  const each: Scheduled = {
    identifier: 'prueba',
    second: 30,
    match: ({ min }) => (asked.push(`mira ${min}`), true),
    enqueue: () => Promise.resolve(void asked.push('pide')),
  };
  const at = (min: number) => new Date(Date.UTC(2026, 0, 1, 10, min, 30));
  const answers = [at(0), at(1), undefined, undefined, at(4), at(4)];
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  let over = () => {};
  const done = new Promise<void>((resolve) => (over = resolve));
  const clock = startClock(db, [each], {
    read: () => {
      if (answers.length === 0) over();
      const next = answers.length === 0 ? at(4) : answers.shift();
      return next ? Promise.resolve(next) : Promise.reject(new Error('sin base'));
    },
    tryAgainMs: 1,
    longestWaitMs: 1,
  });
  await done;
  await clock.stop();
  expect(said).toHaveBeenCalledTimes(2);
  said.mockRestore();
  expect(asked).toEqual([1, 2, 3, 4].flatMap((min) => [`mira ${min}`, 'pide']));
});

test('a job is asked for at its second of the minute, and no two jobs of each minute share one', async () => {
  const asked: string[] = [];
  const item = (identifier: string, second: number): Scheduled => ({
    identifier,
    second,
    match: () => true,
    enqueue: () => Promise.resolve(void asked.push(identifier)),
  });
  const times = ['10:00:00', '10:00:19', '10:00:20', '10:00:59', '10:01:10', '10:01:20'];
  const seen: string[][] = [];
  let over = () => {};
  const done = new Promise<void>((resolve) => (over = resolve));
  const clock = startClock(db, [item('prueba a los 20', 20), item('prueba a los 40', 40)], {
    read: () => {
      seen.push(asked.splice(0));
      if (times.length === 1) over();
      const time = times.length > 1 ? times.shift()! : times[0]!;
      return Promise.resolve(new Date(`2026-01-01T${time}.000Z`));
    },
    longestWaitMs: 1,
  });
  await done;
  await clock.stop();
  // What was asked for after each look; the minute that was under way at the first look is another worker's.
  expect(seen.slice(1, 6)).toEqual([[], [], ['prueba a los 20'], ['prueba a los 40'], []]);
  expect(asked).toEqual(['prueba a los 20']);

  const each = SCHEDULE.filter(({ match }) => match({ min: 1, hour: 1, date: 1, month: 1, dow: 1 }));
  expect(new Set(each.map(({ second }) => second)).size).toBe(each.length);
});

test('what a clock that ran ahead wrote down as asked for is asked for again after a start', async () => {
  await sql`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values (${SCHEDULE[0]!.identifier}, now(), now() + interval '2 days')`.execute(db);
  const soon = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 60_000);
  await ask(db, SCHEDULE.slice(0, 1), soon);
  expect(await waiting()).toEqual([]);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await pullBackDueTimes(db)).toEqual({ 'graphile_worker._private_known_crontabs.last_execution': 1 });
  await ask(db, SCHEDULE.slice(0, 1), soon);
  expect(await waiting()).toHaveLength(1);
});
