import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '~db/client.server';
import type { ConnectionName } from './definition';
import { EN_PAUSA, PAUSED_WAIT_MS } from './pause.server';

/** What each far side takes: calls at once per process, calls per second and burst over all processes. */
export const CONNECTIONS: Record<ConnectionName, { label: string; atOnce: number; perSecond: number; burst: number }> =
  {
    facturacom: { label: 'factura.com', atOnce: 5, perSecond: 50, burst: 100 },
    mercadolibre: { label: 'Mercado Libre', atOnce: 4, perSecond: 8, burst: 16 },
    correo: { label: 'Correo', atOnce: 4, perSecond: 20, burst: 40 },
  };

/** The job that runs an effect of this far side. */
export const taskOf = (connection: ConnectionName) => `effect.${connection}` as const;

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 15_000;
const OPEN_MAX_MS = 300_000;

export type Wait = {
  waitMs: number;
  why: string;
  /** People stopped the connection. */ paused?: true;
  /** Only the bucket is empty. */ pace?: true;
};

/**
 * Leave to call now, or how long to wait and why. Takes one token of the bucket that all processes share, and nothing from an empty one: asked for faster than it
 * fills, it would never hold one again. Kept as what is left after the call that was asked for: below zero, that call was not given.
 */
export async function askLeave(db: Db, connection: ConnectionName): Promise<Wait | null> {
  const { perSecond, burst } = CONNECTIONS[connection];
  const { rows } = await sql<{ tokens: number; openMs: number | null; paused: boolean }>`
    insert into connection_state as c (connection, tokens, refilled_at) values (${connection}, ${burst - 1}, now())
    on conflict (connection) do update set
      tokens = least(${burst}, case when c.tokens < 0 then c.tokens + 1 else c.tokens end + greatest(0, extract(epoch from now() - c.refilled_at)::float8) * ${perSecond}::float8) - 1,
      refilled_at = now()
    returning tokens, (extract(epoch from open_until - now()) * 1000)::float8 as "openMs", paused_at is not null as paused`.execute(
    db,
  );
  const state = rows[0]!;
  if (state.paused) return { waitMs: PAUSED_WAIT_MS, why: EN_PAUSA, paused: true };
  if (state.openMs !== null && state.openMs > 0)
    return { waitMs: state.openMs, why: 'la conexión descansa después de varias fallas' };
  if (state.tokens < 0)
    return { waitMs: Math.ceil((-state.tokens / perSecond) * 1000), why: 'se alcanzó el ritmo máximo', pace: true };
  return null;
}

/** Longer than this nobody stands at the bucket: a stop of the process would wait for them. */
const STAND_MS = 3_000;

/** As `askLeave`, and for the pace alone one waits here: to be called again by the queue costs more than the call that one waits for. */
export async function standForLeave(db: Db, connection: ConnectionName): Promise<Wait | null> {
  for (const end = performance.now() + STAND_MS; ;) {
    const leave = await askLeave(db, connection);
    if (!leave?.pace || performance.now() + leave.waitMs > end) return leave;
    await sleep(leave.waitMs);
  }
}

export async function noteSuccess(db: Db, connection: ConnectionName): Promise<void> {
  await sql`update connection_state set failures = 0, open_until = null, account_problem = null, last_ok_at = now()
    where connection = ${connection} and (failures > 0 or account_problem is not null or last_ok_at is null or last_ok_at < now() - interval '10 seconds')`.execute(
    db,
  );
}

/** Counts a failure of the connection; from the fifth in a row on it rests, longer each time. */
export async function noteFailure(
  db: Db,
  connection: ConnectionName,
  message: string,
  options: { account?: boolean; pace?: number } = {},
): Promise<void> {
  const pace = options.pace ?? 1;
  await sql`
    insert into connection_state as c (connection, failures, last_error_at, last_error, account_problem, open_until)
    values (${connection}, 1, now(), ${message}, ${options.account ? message : null}, ${options.account ? sql`now() + ${OPEN_MS * pace} * interval '1 ms'` : null})
    on conflict (connection) do update set
      failures = c.failures + 1, last_error_at = now(), last_error = excluded.last_error,
      account_problem = coalesce(excluded.account_problem, c.account_problem),
      open_until = case when ${options.account ?? false} or c.failures + 1 >= ${FAILURES_TO_OPEN}
        then now() + least(${OPEN_MAX_MS}::float8, ${OPEN_MS}::float8 * power(2, least(20, greatest(0, c.failures + 1 - ${FAILURES_TO_OPEN})))) * ${pace}::float8 * interval '1 ms'
        else c.open_until end`.execute(db);
}

/** New credentials: what waited for them may go on at once. */
export async function forgetFailures(db: Db, connection: ConnectionName): Promise<void> {
  await sql`update connection_state set failures = 0, open_until = null, account_problem = null where connection = ${connection}`.execute(
    db,
  );
}

/** How many more may have taken their effect and stand ready, so that the far side is not idle while the next one is written down. */
const AHEAD = 2;

/**
 * At most `atOnce` calls of a connection in this process. The rest wait before they take a lease, but for those few that stand ready;
 * one that stood too long finds its lease too old to send.
 */
export class Turns {
  readonly #ready = new Places((connection) => CONNECTIONS[connection].atOnce + AHEAD);
  readonly #calling = new Places((connection) => CONNECTIONS[connection].atOnce);

  /** Leave to prepare a call. */
  readonly prepare = (connection: ConnectionName) => this.#ready.take(connection);
  /** Leave to make it. */
  readonly call = (connection: ConnectionName) => this.#calling.take(connection);
}

class Places {
  readonly #waiting = new Map<ConnectionName, (() => void)[]>();
  readonly #inUse = new Map<ConnectionName, number>();

  constructor(readonly limit: (connection: ConnectionName) => number) {}

  async take(connection: ConnectionName): Promise<() => void> {
    const inUse = this.#inUse.get(connection) ?? 0;
    if (inUse < this.limit(connection)) this.#inUse.set(connection, inUse + 1);
    else {
      await new Promise<void>((resolve) => {
        const queue = this.#waiting.get(connection) ?? [];
        queue.push(resolve);
        this.#waiting.set(connection, queue);
      });
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.get(connection)?.shift();
      if (next) next();
      else this.#inUse.set(connection, this.#inUse.get(connection)! - 1);
    };
  }
}
