import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { log } from '~/core/log.server';
import { Money } from '~/core/money';
import type { DB } from './types';

/** A handle for queries; a transaction fits too. */
export type Db = Kysely<DB>;
/** A transaction of the caller. Functions that lock rows or enqueue jobs ask for this type. */
export type Trx = Transaction<DB>;

// Parsers of pg are global to a process, so this module sets them: web, worker and tests all import this module.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => Money.of(text));
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of the safe range: ${text}`);
  return value;
});

/** An open pool with kysely over the pool. */
export type Database = {
  db: Db;
  pool: pg.Pool;
  /** How long the oldest of those that wait for a connection has waited, in ms; 0 while none waits. */
  waitedMs(): number;
  close(): Promise<void>;
};

/**
 * Settings of the planner. Our tables fit in memory, so reading by an index costs little more than reading in order.
 * Our queries are too short for parallel workers or the JIT. Without these settings the planner reads a whole table to
 * sort a single month.
 */
export const PLANNER = { random_page_cost: '1.1', max_parallel_workers_per_gather: '0', jit: 'off' };
/** Time after which PostgreSQL cancels a query. */
export const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * How long a connection without work is kept. Work of each minute finds its connections open, with what PostgreSQL has cached in them; the default of ten
 * seconds opened them anew each minute.
 */
const IDLE_MS = 150_000;

/** How a pool is opened. `shared`: its address is a PgBouncer's, which refuses settings of a session; the account brings them (`keepSessionSettings`). */
export type PoolOptions = { max?: number; name?: string; statementTimeoutMs?: number; shared?: boolean };

/**
 * Opens a pool of at most `max` connections (default 10) and kysely over the pool. NUMERIC columns give Money, DATE
 * columns give text. A query is cancelled by PostgreSQL after `statementTimeoutMs` (default 30 s).
 */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'trastienda',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: IDLE_MS,
    ...(!options.shared && {
      statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
      options: Object.entries(PLANNER)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    }),
  });
  surviveLostConnections(pool);
  const waitedMs = watchWaits(pool);
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    // Keys inside jsonb stay as the outside API wrote them.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  let closing: Promise<void> | undefined;
  return { db, pool, waitedMs, close: () => (closing ??= closeBoth(db, pool)) };
}

/** How often a transaction is run in all. */
const MOST_RUNS = 3;
/** SQLSTATE of a transaction that PostgreSQL ended because it and another one waited for each other. */
const DEADLOCK = '40P01';

/**
 * Runs `work` in a transaction. One that met another that waited for it left nothing behind, and is run again from its start: so `work` changes nothing but the
 * database.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== DEADLOCK || run === MOST_RUNS) throw error;
      log.warn('dos transacciones se esperaban: se repite una', { vez: run });
    }
  }
}

/** Closes kysely, then the pool: kysely leaves a pool open that it never used. */
async function closeBoth(db: Db, pool: pg.Pool) {
  await db.destroy();
  if (!pool.ending) await pool.end();
}

/**
 * Keeps the process alive when PostgreSQL stops. Idle and busy clients both emit errors, and an error event without a
 * listener ends the process.
 */
export function surviveLostConnections(pool: pg.Pool) {
  const tell = (error: Error) => log.warn('conexión a la base perdida', { error: error.message });
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', tell));
  releaseOnce(pool);
}

/**
 * Makes a second release of the same client harmless. graphile-worker releases a client twice when the client breaks
 * while its lane stops, and pg-pool answers the second release with an error that nobody catches.
 */
function releaseOnce(pool: pg.Pool) {
  const connect = pool.connect.bind(pool) as (callback?: Connected) => unknown;
  pool.connect = ((callback?: Connected) => {
    if (!callback) return connect();
    return connect((error, client, release) => {
      let released = false;
      callback(error, client, (reason) => {
        if (released) return;
        released = true;
        release(reason);
      });
    });
  }) as typeof pool.connect;
}

/** Notes who waits for a connection of the pool, and returns how long the oldest of them has waited. */
function watchWaits(pool: pg.Pool): () => number {
  // In the order in which they came.
  const waits = new Set<{ since: number }>();
  const connect = pool.connect.bind(pool) as (callback?: Connected) => unknown;
  pool.connect = ((callback?: Connected) => {
    const wait = { since: performance.now() };
    const over = () => void waits.delete(wait);
    waits.add(wait);
    if (!callback) return (connect() as Promise<unknown>).finally(over);
    return connect((...connected) => {
      over();
      callback(...connected);
    });
  }) as typeof pool.connect;
  return () => {
    const [oldest] = waits;
    return oldest ? performance.now() - oldest.since : 0;
  };
}

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (reason?: Error | boolean) => void,
) => void;
