import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '~db/client.server';
import { Refused, Unavailable, Uncertain, UnexpectedShape } from '~/integrations/errors';
import { callsLeft, emptyBucket } from './bucket.server';
import type { Call } from './definition';
import { EN_PAUSA, PAUSED_WAIT_MS } from './pause.server';
import { CONNECTIONS, type ConnectionKind } from './registry.server';

/** So many failures of one kind of call within the window, none answered in between, open its breaker. */
const FAILURES_TO_OPEN = 5;
const WINDOW_MS = 60_000;
/** The first rest; each one after it is twice as long. */
const REST_MS = 15_000;
const REST_MAX_MS = 300_000;
/** One that was let through and never told how it went was killed; after this the next one may try. */
const TRIAL_MS = 90_000;
/** How long the others wait while one tries. */
const BEHIND_TRIAL_MS = 5_000;
/** How long a far side that asks to go slower is left alone when it does not say, and at most. */
const HOLD_MS = 1_000;
const HOLD_MAX_MS = 60_000;
/** Longer than this nobody stands at the bucket: a stop of the process would wait for them. */
const STAND_MS = 3_000;

const LLENO = 'se alcanzó el ritmo máximo';
const DESCANSA = 'la conexión descansa después de varias fallas';
const SE_PRUEBA = 'se prueba con una llamada si la conexión ya responde';
const CUENTA = 'la cuenta tiene un problema';

export type Wait = {
  given: false;
  waitMs: number;
  why: string;
  /** People stopped the connection. */ paused?: true;
  /** Only the bucket is empty. */ pace?: true;
};
/** `trial`: the one call that is let through after a rest. Who makes no call after all gives it back with `endTrial`. */
export type Leave = { given: true; trial: boolean };

/** `pace` shortens every wait and the window, for tests that cannot wait minutes. */
type Pace = { pace?: number };

const ms = (value: number) => sql`${value}::float8 * interval '1 ms'`;

/**
 * Leave to call now, or how long to wait and why. Takes one token of the bucket that all processes share, and nothing from an empty one: asked for faster than it
 * fills, it would never hold one again. Kept as what is left after the call that was asked for: below zero, that call was not given.
 */
export async function askLeave(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  { pace = 1 }: Pace = {},
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
    select tokens, paused_at is not null as paused, greatest(0, extract(epoch from refilled_at - now()) * 1000)::float8 as "heldMs",
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
    return { given: false, waitMs: Math.ceil((-tokens / budget.perSecond) * 1000 + heldMs), why: LLENO, pace: true };
  if (rest === null) return { given: true, trial: false };
  const taken = await (accountMs === null ? takeTrial(db, kind, call, pace) : takeAccountTrial(db, kind, pace));
  return taken ? { given: true, trial: true } : { given: false, waitMs: BEHIND_TRIAL_MS * pace, why: SE_PRUEBA };
}

/** As `askLeave`, and for the pace alone one waits here: to be called again by the queue costs more than the call that one waits for. */
export async function standForLeave(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  options: Pace = {},
): Promise<Leave | Wait> {
  for (const end = performance.now() + STAND_MS; ;) {
    const leave = await askLeave(db, kind, call, options);
    if (leave.given || !leave.pace || performance.now() + leave.waitMs > end) return leave;
    await sleep(leave.waitMs);
  }
}

/** The rest is over: whoever moves its end forward is the one who tries, and the others wait for what it learns. */
async function takeTrial(db: Db, kind: ConnectionKind, call: Call, pace: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update connection_breaker set trial_at = now(), open_until = now() + ${ms(TRIAL_MS * pace)}
    where kind = ${kind} and account = '' and call = ${call} and open_until <= now()`.execute(db);
  return numAffectedRows === 1n;
}

async function takeAccountTrial(db: Db, kind: ConnectionKind, pace: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update connection set account_trial_at = now(), account_until = now() + ${ms(TRIAL_MS * pace)}
    where kind = ${kind} and account = '' and account_until <= now()`.execute(db);
  return numAffectedRows === 1n;
}

/** Gives a trial back that taught nothing; the next to ask gets it. */
export async function endTrial(db: Db, kind: ConnectionKind, call: Call): Promise<void> {
  await sql`with account as (
      update connection set account_trial_at = null, account_until = now()
      where kind = ${kind} and account = '' and account_trial_at is not null)
    update connection_breaker set trial_at = null, open_until = now()
    where kind = ${kind} and account = '' and call = ${call} and trial_at is not null`.execute(db);
}

/**
 * What a call taught about its far side. A business refusal is an answer: the connection works. An answer whose shape we do not understand is one too, so it never
 * opens the breaker; nor does an error of our own, nor being asked to go slower. Bad keys, or none, are a problem of the account and of every kind of call.
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

/** The breaker of this kind of call closes and the account works. Written every ten seconds at most while all is well. */
export async function noteSuccess(db: Db, kind: ConnectionKind, call: Call): Promise<void> {
  await sql`with side as (
      insert into connection as c (kind) values (${kind}) on conflict (kind, account) do update set
        account_problem = null, account_since = null, account_tries = 0, account_until = null, account_trial_at = null
      where c.account_problem is not null)
    insert into connection_breaker as b (kind, call, last_ok_at) values (${kind}, ${call}, now())
    on conflict (kind, account, call) do update set failed_at = '{}', openings = 0, open_until = null, trial_at = null, last_ok_at = now()
    where b.openings > 0 or b.failed_at <> '{}' or b.last_ok_at is null or b.last_ok_at < now() - interval '10 seconds'`.execute(
    db,
  );
}

/** The failure that opens a breaker, and each trial that fails, begins a rest. A call that was under way when it opened adds nothing. */
export async function noteFailure(
  db: Db,
  kind: ConnectionKind,
  call: Call,
  message: string,
  { pace = 1 }: Pace = {},
): Promise<void> {
  await sql`with side as (
      insert into connection as c (kind) values (${kind}) on conflict (kind, account) do update set
        account_until = now() + ${ms(REST_MS * pace)}, account_trial_at = null
      where c.account_trial_at is not null)
    insert into connection_breaker as b (kind, call, failed_at, last_error, last_error_at) values (${kind}, ${call}, array[now()], ${message.slice(0, 500)}, now())
    on conflict (kind, account, call) do update set
      last_error = excluded.last_error, last_error_at = now(),
      (failed_at, openings, open_until, trial_at) = (
        select case when opens or b.openings > 0 then '{}' else recent end,
          b.openings + opens::int,
          case when opens then now() + least(${REST_MAX_MS}::float8, ${REST_MS}::float8 * power(2, least(20, b.openings))) * ${ms(pace)} else b.open_until end,
          case when not opens then b.trial_at end
        from (select recent, case when b.openings = 0 then cardinality(recent) >= ${FAILURES_TO_OPEN} else b.trial_at is not null or b.open_until <= now() end as opens
          from (select array_append(array(select at from unnest(b.failed_at) at where at > now() - ${ms(WINDOW_MS * pace)}), now()) as recent) failures) so)`.execute(
    db,
  );
}

/**
 * The far side works and wants fewer calls: nothing is counted against it, what tried it after a rest learnt nothing, and its bucket stands empty until the time it
 * asked for. Who keeps a bucket of their own for that call has emptied that one.
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

/** The far side knows us no more: every kind of call waits, longer each time it is tried, until one is answered or the account is linked again. */
export async function noteAccountProblem(
  db: Db,
  kind: ConnectionKind,
  message: string,
  { pace = 1 }: Pace = {},
): Promise<void> {
  await sql`insert into connection as c (kind, account_problem, account_since, account_tries, account_until)
    values (${kind}, ${message.slice(0, 500)}, now(), 1, now() + ${ms(REST_MS * pace)})
    on conflict (kind, account) do update set
      account_problem = excluded.account_problem, account_since = coalesce(c.account_since, now()),
      (account_tries, account_until, account_trial_at) = (
        select c.account_tries + tried::int,
          case when tried then now() + least(${REST_MAX_MS}::float8, ${REST_MS}::float8 * power(2, least(20, c.account_tries))) * ${ms(pace)} else c.account_until end,
          case when not tried then c.account_trial_at end
        from (select c.account_until is null or c.account_trial_at is not null or c.account_until <= now() as tried) so)`.execute(
    db,
  );
}

/** Kept for people to see. It counts for nothing. */
async function noteOddAnswer(db: Db, kind: ConnectionKind, call: Call, message: string): Promise<void> {
  await sql`with side as (insert into connection (kind) values (${kind}) on conflict do nothing)
    insert into connection_breaker (kind, call, last_error, last_error_at) values (${kind}, ${call}, ${message.slice(0, 500)}, now())
    on conflict (kind, account, call) do update set last_error = excluded.last_error, last_error_at = now()`.execute(
    db,
  );
}

/** The account was linked again: what waited for it may go on at once. */
export async function forgetFailures(db: Db | Trx, kind: ConnectionKind): Promise<void> {
  await sql`with side as (
      update connection set account_problem = null, account_since = null, account_tries = 0, account_until = null, account_trial_at = null
      where kind = ${kind})
    update connection_breaker set failed_at = '{}', openings = 0, open_until = null, trial_at = null where kind = ${kind}`.execute(
    db,
  );
}
