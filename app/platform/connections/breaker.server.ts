import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { enqueue } from '~db/queue/catalog.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { callsLeft, emptyBucket, fillOf } from './bucket.server';
import type { Call } from './definition';
import { EN_PAUSA, PAUSED_WAIT_MS } from './pause.server';
import { CONNECTIONS, type ConnectionKind } from './registry.server';

/** Failures of one kind of call, within the window and with no answer in between, that open its breaker. */
const FAILURES_TO_OPEN = 5;
const WINDOW_MS = 60_000;
/** Length of the first rest; each rest after it is twice as long. The longest lets a far side that recovered be known within a minute. */
const REST_MS = 15_000;
const REST_MAX_MS = 45_000;
/** The longest rest of an account that the far side does not accept. */
const ACCOUNT_REST_MAX_MS = 300_000;
/** How long a trial may stay silent: it hangs, or its process was killed. The next caller may try then. */
const TRIAL_MS = 20_000;
const ACCOUNT_TRIAL_MS = 90_000;
/** How long a caller leaves the trial to others for each try of its own, so that a request that always fails is never every trial. */
const YIELD_MS = 1_000;
const YIELD_MAX_MS = 20_000;
/** How long the other callers wait while one tries. */
const BEHIND_TRIAL_MS = 5_000;
/** How long a far side that asks for fewer calls is left alone: when it names no time, and at most. */
const HOLD_MS = 1_000;
const HOLD_MAX_MS = 60_000;
/** The longest wait at the bucket: the end of the process would wait for whoever stands there. */
const STAND_MS = 3_000;

const LLENO = 'se alcanzó el ritmo máximo';
const DESCANSA = 'la conexión descansa después de varias fallas';
const SE_PRUEBA = 'se prueba con una llamada si la conexión ya responde';
const CUENTA = 'la cuenta tiene un problema';

/** No leave: ask again after `waitMs`. `why` is for people. */
export type Wait = {
  given: false;
  waitMs: number;
  why: string;
  /** True when people paused the connection. */
  paused?: true;
  /** True when nothing but the empty bucket speaks against the call. */
  pace?: true;
};
/** Leave to call. A `trial` is the one call that is let through after a rest; a caller that makes no call after all gives it back with `endTrial`. */
export type Leave = { given: true; trial: boolean };

/** `pace` shortens every wait and the window, for tests that cannot wait minutes. */
type Pace = { pace?: number };
/** `tries` counts how often the caller called before: who tried less goes first when a rest is over. */
type Asks = Pace & { tries?: number };

const ms = (value: number) => sql`${value}::float8 * interval '1 ms'`;

/** SQL: the length of the rest after so many, in ms at a pace of 1. */
const restAfter = (rests: RawBuilder<unknown>, max = REST_MAX_MS) =>
  sql`least(${max}::float8, ${REST_MS}::float8 * power(2, least(20, ${rests})))`;

/**
 * Asks whether a call may go now. Returns leave, or how long to wait and why: the connection is paused, its breaker or its account rests, or its
 * bucket is empty. Leave takes one call of the bucket; an empty bucket gives nothing, since one that is asked faster than it fills would never hold a
 * call again.
 */
export async function askLeave(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  { pace = 1, tries = 0 }: Asks = {},
): Promise<Leave | Wait> {
  const { budget } = CONNECTIONS.of(kind);
  const { rows } = await sql<{
    tokens: number;
    paused: boolean;
    heldMs: number;
    accountMs: number | null;
    restMs: number | null;
    trial: boolean;
  }>`
    with side as (
      insert into connection as c (kind, tokens, refilled_at) values (${kind}, ${budget.burst - 1}, clock_timestamp())
      on conflict (kind, account) do update
        set tokens = ${callsLeft(budget)} - 1, refilled_at = greatest(c.refilled_at, clock_timestamp())
      returning tokens, refilled_at, paused_at, account_until, account_trial_at)
    select tokens, paused_at is not null as paused,
      greatest(0, extract(epoch from refilled_at - now()) * 1000)::float8 as "heldMs",
      (extract(epoch from account_until - now()) * 1000)::float8 as "accountMs",
      (extract(epoch from b.open_until - now()) * 1000)::float8 as "restMs",
      coalesce(account_trial_at, b.trial_at) is not null as trial
    from side left join connection_breaker b on b.kind = ${kind} and b.account = '' and b.call = ${call}`.execute(db);
  const { tokens, paused, heldMs, accountMs, restMs, trial } = rows[0]!;
  if (paused) return { given: false, waitMs: PAUSED_WAIT_MS, why: EN_PAUSA, paused: true };
  const rest = accountMs ?? restMs;
  if (rest !== null && rest > 0)
    return trial
      ? { given: false, waitMs: Math.min(rest, BEHIND_TRIAL_MS * pace), why: SE_PRUEBA }
      : { given: false, waitMs: rest, why: accountMs === null ? DESCANSA : CUENTA };
  if (tokens < 0)
    return { given: false, waitMs: Math.ceil((-tokens / fillOf(budget)) * 1000 + heldMs), why: LLENO, pace: true };
  if (rest === null) return { given: true, trial: false };
  const yieldMs = accountMs === null ? Math.min(YIELD_MAX_MS, tries * YIELD_MS) * pace + rest : 0;
  if (yieldMs > 0) return { given: false, waitMs: yieldMs, why: DESCANSA };
  const taken = await (accountMs === null ? takeTrial(db, kind, call, pace) : takeAccountTrial(db, kind, pace));
  return taken ? { given: true, trial: true } : { given: false, waitMs: BEHIND_TRIAL_MS * pace, why: SE_PRUEBA };
}

/**
 * Asks for leave as `askLeave` does, and waits here while nothing but the bucket is empty: another job of the queue would cost more than that wait.
 */
export async function standForLeave(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  options: Asks = {},
): Promise<Leave | Wait> {
  for (const end = performance.now() + STAND_MS; ;) {
    const leave = await askLeave(db, kind, call, options);
    if (leave.given || !leave.pace || performance.now() + leave.waitMs > end) return leave;
    await sleep(leave.waitMs);
  }
}

/**
 * Takes the trial of a rest that is over. The caller that moves the end of the rest forward is the one who tries, and the others wait for what it
 * learns.
 */
async function takeTrial(db: Db, kind: ConnectionKind, call: Call, pace: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update connection_breaker set trial_at = now(), open_until = now() + ${ms(TRIAL_MS * pace)}
    where kind = ${kind} and account = '' and call = ${call} and open_until <= now()`.execute(db);
  return numAffectedRows === 1n;
}

async function takeAccountTrial(db: Db, kind: ConnectionKind, pace: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update connection set account_trial_at = now(), account_until = now() + ${ms(ACCOUNT_TRIAL_MS * pace)}
    where kind = ${kind} and account = '' and account_until <= now()`.execute(db);
  return numAffectedRows === 1n;
}

/** Gives a trial back that taught nothing; the next caller gets it. */
export async function endTrial(db: Db, kind: ConnectionKind, call: Call): Promise<void> {
  await sql`
    with account as (
      update connection set account_trial_at = null, account_until = now()
      where kind = ${kind} and account = '' and account_trial_at is not null)
    update connection_breaker set trial_at = null, open_until = now()
    where kind = ${kind} and account = '' and call = ${call} and trial_at is not null`.execute(db);
}

/**
 * Notes what the outcome of a call says about its far side. A refusal of the business is an answer: the connection works. Nothing else than calls
 * that failed opens a breaker: no answer of a shape we do not understand, no error of our own, and no request for fewer calls. Bad or missing keys
 * are a problem of the account, for every kind of call.
 */
export async function noteOutcome(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  error?: unknown,
  options: Pace = {},
): Promise<void> {
  if (error === undefined) return noteSuccess(db, kind, call);
  if ((error instanceof Refused || error instanceof Unavailable) && error.details.account)
    return noteAccountProblem(db, kind, error.message, options);
  if (error instanceof Refused) return noteSuccess(db, kind, call);
  if (error instanceof Unavailable && (error.details.status === 429 || error.details.ownPace))
    return noteSlower(db, kind, call, error, options);
  if (error instanceof Unavailable || error instanceof Uncertain)
    return noteFailure(db, kind, call, error.message, options);
  if (error instanceof UnexpectedShape) await noteOddAnswer(db, kind, call, error.message);
}

/**
 * Notes an answered call: the breaker of its kind closes, and the account works. What waited to be sent goes at once. Written every ten seconds at
 * most while all is well.
 */
export async function noteSuccess(db: Db, kind: ConnectionKind, call: Call): Promise<void> {
  const { rows } = await sql<{ closed: boolean | null }>`
    with was as (
      select b.openings > 0 or c.account_problem is not null as closed
      from connection c left join connection_breaker b on b.kind = c.kind and b.account = c.account and b.call = ${call}
      where c.kind = ${kind} and c.account = ''),
    side as (
      insert into connection as c (kind) values (${kind})
      on conflict (kind, account) do update
        set account_problem = null, account_since = null, account_tries = 0, account_until = null,
          account_trial_at = null
        where c.account_problem is not null)
    insert into connection_breaker as b (kind, call, last_ok_at) values (${kind}, ${call}, now())
    on conflict (kind, account, call) do update
      set failed_at = '{}', openings = 0, open_until = null, trial_at = null, last_ok_at = now()
    where b.openings > 0 or b.failed_at <> '{}'
      or b.last_ok_at is null or b.last_ok_at < now() - interval '10 seconds'
    returning (select closed from was)`.execute(db);
  if (call !== 'send' || !rows[0]?.closed) return;
  await db
    .updateTable('effect')
    .set({ nextAt: sql<Date>`now()` })
    .where('connection', '=', kind)
    .where('state', '=', 'queued')
    .where('nextAt', '>', sql<Date>`now()`)
    .execute();
  await enqueue(db, 'effect.sweep', {});
}

/**
 * Notes a failed call. The failure that opens a breaker, and each trial that fails, begins a rest; a call that was under way when the breaker opened
 * adds nothing.
 */
export async function noteFailure(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  message: string,
  { pace = 1 }: Pace = {},
): Promise<void> {
  await sql`
    with side as (
      insert into connection as c (kind) values (${kind})
      on conflict (kind, account) do update
        set account_until = now() + ${ms(REST_MS * pace)}, account_trial_at = null
        where c.account_trial_at is not null)
    insert into connection_breaker as b (kind, call, failed_at, last_error, last_error_at)
    values (${kind}, ${call}, array[now()], ${message.slice(0, 500)}, now())
    on conflict (kind, account, call) do update set
      last_error = excluded.last_error, last_error_at = now(),
      (failed_at, openings, open_until, trial_at) = (
        with failures as (
          select array_append(
            array(select at from unnest(b.failed_at) at where at > now() - ${ms(WINDOW_MS * pace)}), now()) as recent),
        judged as (
          select recent,
            case when b.openings = 0 then cardinality(recent) >= ${FAILURES_TO_OPEN}
              else b.trial_at is not null or b.open_until <= now() end as opens
          from failures)
        select case when opens or b.openings > 0 then '{}' else recent end,
          b.openings + opens::int,
          case when opens then now() + ${restAfter(sql`b.openings`)} * ${ms(pace)} else b.open_until end,
          case when not opens then b.trial_at end
        from judged)`.execute(db);
}

/**
 * Notes that the far side works and wants fewer calls. Nothing is counted against the far side, a trial learnt nothing, and the bucket stands empty
 * until the time that was asked for. A caller with a bucket of its own (`ownPace`) has emptied that one.
 */
async function noteSlower(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  { message, details: { retryAfterMs = HOLD_MS, ownPace } }: Unavailable,
  { pace = 1 }: Pace = {},
): Promise<void> {
  await endTrial(db, kind, call);
  if (ownPace) return;
  await emptyBucket(db, kind, Math.min(HOLD_MAX_MS, retryAfterMs) * pace);
  await noteOddAnswer(db, kind, call, message);
}

/**
 * Notes that the far side does not accept our account. Every kind of call waits, longer after each trial, until one is answered or the account is
 * linked again.
 */
export async function noteAccountProblem(
  db: Db,
  kind: ConnectionKind,
  message: string,
  { pace = 1 }: Pace = {},
): Promise<void> {
  await sql`
    insert into connection as c (kind, account_problem, account_since, account_tries, account_until)
    values (${kind}, ${message.slice(0, 500)}, now(), 1, now() + ${ms(REST_MS * pace)})
    on conflict (kind, account) do update set
      account_problem = excluded.account_problem, account_since = coalesce(c.account_since, now()),
      (account_tries, account_until, account_trial_at) = (
        with judged as (
          select c.account_until is null or c.account_trial_at is not null or c.account_until <= now() as tried)
        select c.account_tries + tried::int,
          case when tried then now() + ${restAfter(sql`c.account_tries`, ACCOUNT_REST_MAX_MS)} * ${ms(pace)} else c.account_until end,
          case when not tried then c.account_trial_at end
        from judged)`.execute(db);
}

/** Keeps the message of an odd answer for people to see. The answer counts for nothing. */
async function noteOddAnswer(db: Db, kind: ConnectionKind, call: Call, message: string): Promise<void> {
  await sql`
    with side as (insert into connection (kind) values (${kind}) on conflict do nothing)
    insert into connection_breaker (kind, call, last_error, last_error_at)
    values (${kind}, ${call}, ${message.slice(0, 500)}, now())
    on conflict (kind, account, call) do update
      set last_error = excluded.last_error, last_error_at = now()`.execute(db);
}

/** Forgets every failure of a far side, since its account was linked again: the calls that waited may go on at once. */
export async function forgetFailures(db: Db | Trx, kind: ConnectionKind): Promise<void> {
  await sql`
    with side as (
      update connection
      set account_problem = null, account_since = null, account_tries = 0, account_until = null, account_trial_at = null
      where kind = ${kind})
    update connection_breaker
    set failed_at = '{}', openings = 0, open_until = null, trial_at = null
    where kind = ${kind}`.execute(db);
}
