/**
 * The addresses of a database behind a PgBouncer in transaction mode: what each must carry, and what the PgBouncer does
 * not carry.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { directUrlOf, type Env } from '~/core/env.server';
import { log } from '~/core/log.server';
import { settingFault } from '~/core/settingFaults';
import { openDatabase, PLANNER, type PoolOptions } from './client.server';

/** What a process may count on. `prepared`: a statement prepared by name is found again on the next connection. */
export type Addresses = { prepared: boolean };

/**
 * Looks at the addresses of a process. Throws `InvalidSettings` when DATABASE_URL goes through a PgBouncer that nobody
 * told of, or when DATABASE_URL_DIRECTA does not lead straight to the same database; throws the error of `pg` while the
 * database is away. Settings that the account lacks are told in the log.
 */
export async function reviewAddresses(settings: Env): Promise<Addresses> {
  const direct = await look(directUrlOf(settings), {}, (pool) => readSession(pool));
  if (!direct.planner) throw refusedBy(settings);
  if (settings.DATABASE_URL_DIRECTA === '') return { prepared: true };
  const [shared, prepared] = await look(settings.DATABASE_URL, { shared: true }, async (pool) => [
    await readSession(pool),
    await keepsPrepared(pool),
  ]);
  if (shared.place !== direct.place)
    throw settingFault('DATABASE_URL_DIRECTA', 'no llega a la misma base de datos que DATABASE_URL');
  if (!shared.planner || shared.timeout === '0')
    log.warn('la cuenta no trae los ajustes de su sesión: los pone npm run migrate, y RECONNECT en PgBouncer', {
      cuenta: shared.account,
    });
  return { prepared };

  async function look<T>(url: string, options: PoolOptions, ask: (pool: pg.Pool) => Promise<T>): Promise<T> {
    const { pool, close } = openDatabase(url, { ...options, max: 1, name: 'trastienda-espera' });
    try {
      return await ask(pool);
    } catch (error) {
      // SQLSTATE 08P01, which PgBouncer has for every error of its own.
      if (error instanceof Error && error.message.includes('unsupported startup parameter')) throw refusedBy(settings);
      throw error;
    } finally {
      await close();
    }
  }
}

const refusedBy = ({ DATABASE_URL_DIRECTA: direct }: Env) =>
  direct === ''
    ? settingFault('DATABASE_URL_DIRECTA', 'falta: DATABASE_URL pasa por un PgBouncer')
    : settingFault('DATABASE_URL_DIRECTA', 'pasa por un PgBouncer: es la dirección del PostgreSQL mismo');

type Session = { planner: boolean; timeout: string; place: string; account: string };

async function readSession(pool: pg.Pool): Promise<Session> {
  // A PgBouncer told to ignore start-up parameters takes them and passes none on.
  const planner = Object.entries(PLANNER).map(([name, value]) => `current_setting('${name}') = '${value}'`);
  const { rows } = await pool.query<Session>(
    `select ${planner.join(' and ')} as planner, current_setting('statement_timeout') as timeout, current_user as account,
            current_database() || ' ' || pg_postmaster_start_time() as place`,
  );
  return rows[0]!;
}

/**
 * Returns whether a statement prepared by name outlives its transaction. PgBouncer from 1.21 on, with
 * `max_prepared_statements`, keeps such statements under names of its own; an older one passes the name on, and the
 * next transaction may meet a connection without the statement.
 */
async function keepsPrepared(pool: pg.Pool): Promise<boolean> {
  const name = `trastienda_${randomBytes(6).toString('hex')}`;
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ bare: boolean }>({
      name,
      text: 'select exists (select from pg_prepared_statements where name = $1) as bare',
      values: [name],
    });
    if (rows[0]!.bare) await client.query(`deallocate ${name}`);
    await client.query('commit');
    return !rows[0]!.bare;
  } finally {
    // The client believes that its statement is still there.
    client.release(true);
  }
}
