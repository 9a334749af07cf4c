import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import {
  askLeave,
  endTrial,
  forgetFailures,
  type Leave,
  noteOutcome,
  noteSuccess,
  type Wait,
} from '~/platform/connections/breaker.server';
import type { Call } from '~/platform/connections/definition';
import { isPaused, pauseConnection, resumeConnection } from '~/platform/connections/pause.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();
const KIND = 'facturacom';
const LEAVE = { given: true, trial: false };
const TRIAL = { given: true, trial: true };

beforeEach(async () => {
  await sql`delete from connection`.execute(db);
});

const ask = (call: Call) => askLeave(db, KIND, call);
const note = (call: Call, error?: unknown) => noteOutcome(db, KIND, call, error);
const down = () => new Unavailable('no contesta');
async function fail(call: Call, times: number) {
  for (let n = 0; n < times; n++) await note(call, n % 2 ? new Uncertain('se cortó') : down());
}
/** Time passes: what was written is as old as if it had been written so many seconds earlier. */
const pass = async (seconds: number) => {
  await sql`update connection_breaker set open_until = open_until - make_interval(secs => ${seconds}),
    failed_at = array(select at - make_interval(secs => ${seconds}) from unnest(failed_at) at)`.execute(db);
  await sql`update connection set account_until = account_until - make_interval(secs => ${seconds})`.execute(db);
};
const restOf = (asked: Leave | Wait) => (asked.given ? 0 : Math.round(asked.waitMs / 1000));

test('five failures within a minute open it; four do not', async () => {
  await fail('send', 4);
  expect(await ask('send')).toEqual(LEAVE);
  await fail('send', 1);
  expect(await ask('send')).toMatchObject({ given: false, why: 'la conexión descansa después de varias fallas' });
});

test('five failures over more than a minute do not open it: each is forgotten when it is a minute old', async () => {
  await fail('send', 2);
  await pass(50);
  await fail('send', 2);
  await pass(11);
  await fail('send', 2);
  expect(await ask('send')).toEqual(LEAVE);
  await fail('send', 1);
  expect((await ask('send')).given).toBe(false);
});

test('an answer in between begins the count again: a far side that answers most calls is not stopped', async () => {
  await fail('send', 4);
  await note('send');
  await fail('send', 4);
  expect(await ask('send')).toEqual(LEAVE);
});

test('each kind of call has its own: searches that fail stop no stamp', async () => {
  await fail('look', 5);
  expect((await ask('look')).given).toBe(false);
  expect(await ask('send')).toEqual(LEAVE);
  expect(await ask('read')).toEqual(LEAVE);
  expect(await askLeave(db, 'mercadolibre', 'look')).toEqual(LEAVE);
});

test('it rests longer each time, to a ceiling, and what was under way when it opened adds nothing', async () => {
  const rests: number[] = [];
  await fail('send', 5);
  for (let n = 0; n < 7; n++) {
    await fail('send', 3);
    const rest = restOf(await ask('send'));
    rests.push(rest);
    await pass(rest + 1);
    expect(await ask('send')).toEqual(TRIAL);
    await note('send', down());
  }
  expect(rests).toEqual([15, 30, 45, 45, 45, 45, 45]);
});

test('after the rest one call is let through, however many ask at once; its answer lets all through', async () => {
  await fail('send', 5);
  await pass(16);
  const asked = await Promise.all(Array.from({ length: 8 }, () => ask('send')));
  expect(asked.filter(({ given }) => given)).toEqual([TRIAL]);
  expect(await ask('send')).toMatchObject({ given: false, waitMs: 5_000 });
  await note('send');
  expect(await Promise.all([ask('send'), ask('send')])).toEqual([LEAVE, LEAVE]);
  // And it begins from nothing.
  await fail('send', 4);
  expect(await ask('send')).toEqual(LEAVE);
  await fail('send', 1);
  expect(restOf(await ask('send'))).toBe(15);
});

test('a trial that made no call, or whose process was killed, is the next one’s', async () => {
  await fail('send', 5);
  await pass(16);
  expect(await ask('send')).toEqual(TRIAL);
  await endTrial(db, KIND, 'send');
  expect(await ask('send')).toEqual(TRIAL);
  await pass(21);
  expect(await ask('send')).toEqual(TRIAL);
});

test('who tried more leaves the trial to the others: a request that always fails is never every trial', async () => {
  await fail('send', 5);
  await pass(16);
  const poisoned = () => askLeave(db, KIND, 'send', { tries: 3 });
  const waits = await poisoned();
  expect(waits.given ? 0 : waits.waitMs).toBeGreaterThan(0);
  expect(waits.given ? 0 : waits.waitMs).toBeLessThanOrEqual(3_000);
  // Alone it gets its turn all the same.
  await pass(3);
  expect(await poisoned()).toEqual(TRIAL);
  await note('send', down());
  await pass(31);
  expect((await poisoned()).given, 'a fresh one may go first again').toBe(false);
  expect(await ask('send')).toEqual(TRIAL);
});

test('once the far side answers again, all that waited to be sent goes at once, whatever waits it had', async () => {
  const waiting = (state: string) =>
    sql`insert into effect (type, key, ref, connection, request, request_hash, state, next_at)
      select 'prueba', ${state} || n, ${state} || n, ${KIND}, '{}', ''::bytea, ${state}, now() + interval '300 seconds' from generate_series(1, 20) n`.execute(
      db,
    );
  await waiting('queued');
  await waiting('unknown');
  const due = async () =>
    (
      await sql<{ state: string }>`select state from effect where type = 'prueba' and next_at <= now()`.execute(db)
    ).rows.map(({ state }) => state);
  await note('send');
  expect(await due(), 'it was well').toEqual([]);
  await fail('send', 5);
  await pass(16);
  expect(await ask('send')).toEqual(TRIAL);
  await note('send');
  expect(await due()).toEqual(Array.from({ length: 20 }, () => 'queued'));
  const jobs = await sql<{ n: number }>`
    select count(*)::int as n from graphile_worker.jobs where task_identifier = 'effect.sweep'`.execute(db);
  expect(jobs.rows[0]!.n).toBeGreaterThan(0);
  await sql`delete from effect where type = 'prueba'`.execute(db);
});

test('a shape we do not understand never opens it, and is kept for people to see', async () => {
  for (let n = 0; n < 20; n++) await note('look', new UnexpectedShape('la respuesta no es una lista'));
  expect(await ask('look')).toEqual(LEAVE);
  const row = await db.selectFrom('connectionBreaker').selectAll().where('call', '=', 'look').executeTakeFirstOrThrow();
  expect(row).toMatchObject({ lastError: 'la respuesta no es una lista', openings: 0 });
});

test('asked to go slower we do, whatever kind of call was told so, and the breaker never opens', async () => {
  for (let n = 0; n < 20; n++)
    await note('read', new Unavailable('más despacio', { status: 429, retryAfterMs: 8_000 }));
  const asked = await ask('send');
  expect(asked).toMatchObject({ given: false, why: 'se alcanzó el ritmo máximo', pace: true });
  expect(restOf(asked)).toBe(8);
  const row = await db.selectFrom('connectionBreaker').selectAll().where('call', '=', 'read').executeTakeFirstOrThrow();
  expect(row).toMatchObject({ lastError: 'más despacio', openings: 0, failedAt: [], openUntil: null });
  await sql`update connection set refilled_at = now() - interval '5 seconds'`.execute(db);
  expect(await ask('send')).toEqual(LEAVE);
  // One operation that has a bucket of its own holds back none of the others.
  await note('send', new Unavailable('más despacio', { status: 429, retryAfterMs: 179_000, ownPace: true }));
  expect(await ask('send')).toEqual(LEAVE);
});

test('a trial that was told to go slower is the next one’s', async () => {
  await fail('send', 5);
  await pass(16);
  expect(await ask('send')).toEqual(TRIAL);
  await note('send', new Unavailable('más despacio', { status: 429, ownPace: true }));
  expect(await ask('send')).toEqual(TRIAL);
});

test('an error of our own says nothing about the far side', async () => {
  for (let n = 0; n < 20; n++) await note('send', new TypeError('x is not a function'));
  expect(await ask('send')).toEqual(LEAVE);
  expect(await db.selectFrom('connectionBreaker').selectAll().execute()).toEqual([]);
});

test('a business refusal is an answer: it closes what five failures opened', async () => {
  await fail('send', 5);
  await note('send', new Refused('el RFC no existe'));
  expect(await ask('send')).toEqual(LEAVE);
});

test('bad keys are a state of their own: every kind of call waits, one tries at a time, an answer ends it', async () => {
  await note('send', new Refused('llaves no reconocidas', { account: true }));
  for (const call of ['send', 'look', 'read'] as const)
    expect(await ask(call)).toMatchObject({ given: false, why: 'la cuenta tiene un problema' });
  const side = await db.selectFrom('connection').selectAll().executeTakeFirstOrThrow();
  expect(side).toMatchObject({ accountProblem: 'llaves no reconocidas', accountSince: expect.any(Date) });
  expect(await db.selectFrom('connectionBreaker').selectAll().execute()).toEqual([]);
  await pass(16);
  expect(await ask('look')).toEqual(TRIAL);
  expect(await ask('send')).toMatchObject({ given: false, waitMs: 5_000 });
  await note('look', new Unavailable('no está vinculada', { account: true }));
  expect(restOf(await ask('send'))).toBe(30);
  await pass(31);
  expect(await ask('send')).toEqual(TRIAL);
  await note('send');
  expect(await Promise.all([ask('send'), ask('look')])).toEqual([LEAVE, LEAVE]);
  expect((await db.selectFrom('connection').selectAll().executeTakeFirstOrThrow()).accountProblem).toBeNull();
});

test('keys that are tried while nobody answers rest as well', async () => {
  await note('send', new Refused('llaves no reconocidas', { account: true }));
  await pass(16);
  expect(await ask('send')).toEqual(TRIAL);
  await note('send', down());
  await endTrial(db, KIND, 'send');
  expect(restOf(await ask('send'))).toBe(15);
});

test('an account linked again goes on at once', async () => {
  await note('send', new Refused('llaves no reconocidas', { account: true }));
  await fail('look', 5);
  await forgetFailures(db, KIND);
  expect(await Promise.all([ask('send'), ask('look')])).toEqual([LEAVE, LEAVE]);
});

test('a pause outranks the rest, and ends neither rest nor problem', async () => {
  await fail('send', 5);
  await db.transaction().execute((trx) => pauseConnection(trx, KIND));
  expect(await isPaused(db, KIND)).toBe(true);
  expect(await ask('send')).toMatchObject({ given: false, paused: true });
  await noteSuccess(db, KIND, 'look');
  await db.transaction().execute((trx) => resumeConnection(trx, KIND));
  expect(await isPaused(db, KIND)).toBe(false);
  expect(await ask('send')).toMatchObject({ given: false, why: 'la conexión descansa después de varias fallas' });
});
