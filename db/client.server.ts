import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { log } from '~/core/log.server';
import { Money } from '~/core/money';
import type { DB } from './types';

export type Db = Kysely<DB>;
/** Asked for by what locks or enqueues: it must be part of its caller's transaction. */
export type Trx = Transaction<DB>;

// Parsers are global to a process, so they live here, in the one module web, worker and tests import.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => Money.of(text));
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 out of the safe range: ${text}`);
  return value;
});

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/**
 * Tables of this size sit in memory, so reading by an index costs little more than reading in order. Our queries are
 * too short to be worth parallel workers or the JIT. Without these settings the planner reads a whole table to sort
 * one month of it.
 */
const PLANNER = '-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0 -c jit=off';

export function openDatabase(
  url: string,
  options: { max?: number; name?: string; statementTimeoutMs?: number } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    application_name: options.name ?? 'trastienda',
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    connectionTimeoutMillis: 10_000,
    options: PLANNER,
  });
  surviveLostConnections(pool);
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    // Keys inside jsonb stay as the outside API wrote them.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  let closing: Promise<void> | undefined;
  return { db, pool, close: () => (closing ??= closeBoth(db, pool)) };
}

/** Kysely ends the pool only when a query of its own went through it. */
async function closeBoth(db: Db, pool: pg.Pool) {
  await db.destroy();
  if (!pool.ending) await pool.end();
}

/** Without listeners, on idle clients and on those in use, a stopped PostgreSQL takes the process down with it. */
export function surviveLostConnections(pool: pg.Pool) {
  const tell = (error: Error) => log.warn('conexión a la base perdida', { error: error.message });
  pool.on('error', tell);
  pool.on('connect', (client) => client.on('error', tell));
  releaseOnce(pool);
}

/** graphile-worker lets go twice of a client that breaks while its lane stops. pg-pool answers the second time with an error that nobody catches. */
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

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (reason?: Error | boolean) => void,
) => void;
