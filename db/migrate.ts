/**
 * Brings a database to this version of the product: our migrations, the migrations of the queue, the rights of the
 * application. bin/migrate.ts runs this module as a process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWorkerUtils } from 'graphile-worker';
import { type DatabaseIntrospector, Kysely, Migrator, type Migration as Step, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { surviveLostConnections } from './client.server';
import { createConcurrently, type Migrations } from './migration';
import { migrations } from './migrations/index';
import { queueLogger } from './queueLog.server';
import { prepareApplication, type Accounts } from './rights';

/** Result of a migration. `url` is the address for the application; the address passed in belongs to the owner. */
export type Migrated = Accounts & { applied: string[] };

/**
 * Migrates the database at the owner's `url`. Several callers at once are safe: the others wait and find nothing left
 * to do. `application` is an account that the operator chose for web and worker. Throws when PostgreSQL is older than
 * 18, or when a migration fails or waits for a job to carry the data: those before it stand then, with their rights.
 */
export async function migrateDatabase(
  url: string,
  application?: string,
  { lockMs, concurrentMs = 60_000, ...again }: Patience = PATIENCE,
  tree: Migrations = migrations,
): Promise<Migrated> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    lock_timeout: lockMs,
    application_name: 'trastienda-migrate',
    connectionTimeoutMillis: 10_000,
    // The account may bring a time-out of its own (`keepSessionSettings`).
    options: '-c statement_timeout=0',
  });
  surviveLostConnections(pool);
  try {
    await requireDirect(pool, lockMs);
    return await alone(pool, async () => {
      await requireVersion(pool);
      const { applied, waits } = await migrateOurs(pool, asStepsOf(tree, concurrentMs), again);
      await withoutHolding(async () => {
        const utils = await makeWorkerUtils({ pgPool: pool, logger: queueLogger() });
        await utils.migrate();
        await utils.release();
      }, again);
      const accounts = await prepareApplication(pool, url, application);
      if (waits) throw waits;
      return { applied, ...accounts };
    });
  } finally {
    await pool.end();
  }
}

/**
 * How long a migration waits for a table, since everybody who comes to the table after it waits as long, and how often it
 * tries, with a pause between. An index made concurrently waits `concurrentMs` for each transaction that began before it:
 * nobody waits behind it meanwhile, and a new try begins at the first row.
 */
type Patience = { lockMs: number; tries: number; pauseMs: number; concurrentMs?: number };
type Again = Pick<Patience, 'tries' | 'pauseMs'>;
/**
 * About two minutes. Half a second is what a person may wait, and it is shorter than PostgreSQL's own second (`deadlock_timeout`): where a migration and a request
 * wait for each other, the migration lets go first.
 */
const PATIENCE: Patience = { lockMs: 500, tries: 120, pauseMs: 500 };

/**
 * Runs the work again, from its start, while somebody else holds a table longer than `lock_timeout` allows, or waits for one of ours in turn. Each try
 * is a transaction that left nothing behind.
 */
async function withoutHolding<T>(work: () => Promise<T>, { tries, pauseMs }: Again): Promise<T> {
  for (let at = 1; ; at++) {
    try {
      return await work();
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: { code?: string } };
      if (!HELD.has(code ?? cause?.code ?? '') || at === tries) throw error;
      await sleep(pauseMs);
    }
  }
}
/** SQLSTATE of a table that somebody holds, and of two that wait for each other. */
const HELD: ReadonlySet<string> = new Set(['55P03', '40P01']);

/**
 * Runs the work while no other migrator works on the database. The lock ends with its connection. Another migrator may
 * take its time. Its turn is asked for and not waited for in the database: an index made concurrently would wait in turn for the statement that waits.
 */
async function alone<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const isOurs = async () => {
    const { rows } = await client.query<{ ours: boolean }>(
      `select pg_try_advisory_lock(hashtext('trastienda.migrate')) as ours`,
    );
    return rows[0]!.ours;
  };
  try {
    while (!(await isOurs())) await sleep(TURN_MS);
    const result = await work();
    await client.query(`select pg_advisory_unlock(hashtext('trastienda.migrate'))`);
    return result;
  } finally {
    client.release();
  }
}

const TURN_MS = 100;

/** Throws for the address of a PgBouncer: the lock of `alone` holds its session, and so do the waits for tables. */
async function requireDirect(pool: pg.Pool, lockMs: number) {
  const passes = await pool
    .query<{ ms: string }>(`select setting as ms from pg_settings where name = 'lock_timeout'`)
    .then(({ rows }) => Number(rows[0]!.ms) === lockMs)
    .catch((error: Error) => {
      if (error.message.includes('unsupported startup parameter')) return false;
      throw error;
    });
  if (!passes)
    throw new Error(
      'Se migra sin PgBouncer en medio: MIGRACION_URL es la dirección del PostgreSQL mismo (o DATABASE_URL_DIRECTA, si una sola cuenta hace todo).',
    );
}

async function requireVersion(pool: pg.Pool) {
  const { rows } = await pool.query<{ number: number; text: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  );
  if (rows[0]!.number < 180_000) {
    throw new Error(`Trastienda necesita PostgreSQL 18 o posterior y DATABASE_URL apunta a uno ${rows[0]!.text}.`);
  }
}

/** A migration that takes away what a job still has to carry. Nothing of it was done. */
class StillCarrying extends Error {
  constructor(name: string, what: string) {
    super(
      `La migración ${name} espera y no cambió nada: ${what}. Deja trabajar al worker de la versión anterior hasta que termine y repite la orden.`,
    );
    this.name = 'StillCarrying';
  }
}

/** How often an index made concurrently is tried: each try reads the whole table. */
const CONCURRENT_TRIES = 10;

/** Migrations as Kysely runs them, and the names of those that run outside a transaction. */
type Steps = { steps: Record<string, Step>; outside: ReadonlySet<string> };

/**
 * Runs each pending migration, in a transaction of its own where it is not made of indexes alone, and returns their names. Together they would hold the tables of all of them until the last
 * one ended, in an order that no request keeps. `waits` is the migration that ended the run because a job has not carried its data.
 */
async function migrateOurs(
  pool: pg.Pool,
  { steps, outside }: Steps,
  again: Again,
): Promise<{ applied: string[]; waits?: StillCarrying }> {
  // This kysely is not destroyed: destroying ends the pool, and the migrations of the queue still need the pool.
  const db = new Kysely<unknown>({ dialect: new MigratorDialect({ pool }) });
  const provider = { getMigrations: () => Promise.resolve(steps) };
  const within = new Migrator({ db, provider });
  const without = new Migrator({ db, provider, disableTransactions: true });
  const applied: string[] = [];
  for (;;) {
    const all = await withoutHolding(() => within.getMigrations(), again);
    const pending = all.find(({ executedAt }) => !executedAt)?.name;
    const next = await (pending !== undefined && outside.has(pending)
      ? withoutHolding(() => migrateNext(without), { ...again, tries: Math.min(again.tries, CONCURRENT_TRIES) })
      : withoutHolding(() => migrateNext(within), again));
    if (next instanceof StillCarrying) return { applied, waits: next };
    if (next === undefined) return { applied };
    applied.push(next);
  }
}

/**
 * The migrator asks twice before each migration whether its own tables are there. Kysely reads every column of the database for that answer, which took most
 * of the time of a first migration.
 */
class MigratorDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    const all = super.createIntrospector(db);
    return {
      getSchemas: () => all.getSchemas(),
      getMetadata: (options) => all.getMetadata(options),
      async getTables() {
        const { rows } = await sql<{ name: string }>`
          select tablename as name from pg_tables where tablename in ('kysely_migration', 'kysely_migration_lock')`.execute(
          db,
        );
        return rows.map(({ name }) => ({ name, isView: false, columns: [] }));
      },
    };
  }
}

/** Returns the migrations such that each asks, where its change is made, whether its data are carried. */
function asStepsOf(tree: Migrations, concurrentMs: number): Steps {
  const stepOf = (name: string): Step => ({
    async up(db: Kysely<unknown>) {
      const migration = tree[name]!;
      const what = (await migration.requires?.(db)) ?? null;
      if (what !== null) throw new StillCarrying(name, what);
      if ('up' in migration) return migration.up(db);
      await sql`set lock_timeout = ${sql.lit(concurrentMs)}`.execute(db);
      try {
        await createConcurrently(db, migration.concurrently);
      } finally {
        await sql`reset lock_timeout`.execute(db);
      }
    },
  });
  const names = Object.keys(tree);
  return {
    steps: Object.fromEntries(names.map((name) => [name, stepOf(name)])),
    outside: new Set(names.filter((name) => 'concurrently' in tree[name]!)),
  };
}

/** Runs the next pending migration and returns its name; undefined where none is left. A migration that waits for a job is returned as its error. */
async function migrateNext(migrator: Migrator): Promise<string | StillCarrying | undefined> {
  const { error, results: [one] = [] } = await migrator.migrateUp();
  if (error instanceof StillCarrying) return error;
  if (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(one ? `la migración ${one.migrationName} falló: ${why}` : `no se pudo migrar: ${why}`, {
      cause: error,
    });
  }
  return one?.migrationName;
}
