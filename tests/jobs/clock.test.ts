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
      'maintenance.clean:',
      'pedidos.seguir:',
      'plazos.avisar:',
      'publicaciones.seguir:',
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
    match: ({ min }) => (asked.push(`mira ${min}`), true),
    enqueue: () => Promise.resolve(void asked.push('pide')),
  };
  const at = (min: number) => ({ minute: new Date(Date.UTC(2026, 0, 1, 10, min)), msLeft: 1 });
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
  });
  await done;
  await clock.stop();
  expect(said).toHaveBeenCalledTimes(2);
  said.mockRestore();
  expect(asked).toEqual([1, 2, 3, 4].flatMap((min) => [`mira ${min}`, 'pide']));
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
