import pg from 'pg';
import { surviveLostConnections } from '~db/client.server';
import { migrateDatabase } from '~db/migrate';
import { makeRole } from '~db/rights';
import type { Negocio } from './negocio';

/** Connections that web, worker and commands of a business may have together; what one asks beyond it is refused to that one alone. */
const MOST_CONNECTIONS = 90;

/**
 * Makes database and accounts of a business with the account of `admin`, which may create both, and brings the tables
 * to this version. What is there already stays, so a second time changes nothing. Returns how many migrations ran.
 */
export async function createBase({ duena, ajustes }: Negocio, admin: string): Promise<number> {
  const [owner, application] = [new URL(duena), new URL(ajustes.DATABASE_URL!)];
  const database = pg.escapeIdentifier(owner.pathname.slice(1));
  await withPool(admin, async (pool) => {
    for (const { username, password } of [owner, application]) await makeRole(pool, username, password);
    await pool.query(`alter role ${pg.escapeIdentifier(application.username)} connection limit ${MOST_CONNECTIONS}`);
    const { rowCount } = await pool.query('select 1 from pg_database where datname = $1', [owner.pathname.slice(1)]);
    if (rowCount) return;
    const role = pg.escapeIdentifier(owner.username);
    // An account that is no superuser gives a database away only to a role that it is a member of.
    await pool.query(`grant ${role} to current_user`);
    await pool.query(
      `create database ${database} owner ${role} template template0 encoding 'UTF8'
         locale_provider icu icu_locale 'es-MX' locale 'C.UTF-8'`,
    );
    await pool.query(`revoke ${role} from current_user`);
  });
  await withPool(duena, async (pool) => {
    // Each account enters its own database and no other.
    await pool.query(`revoke connect, temporary on database ${database} from public`);
    await pool.query(
      `grant connect, temporary on database ${database} to ${pg.escapeIdentifier(application.username)}`,
    );
  });
  const { applied } = await migrateDatabase(duena, ajustes.DATABASE_URL);
  return applied.length;
}

async function withPool(url: string, work: (pool: pg.Pool) => Promise<void>) {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'trastienda-negocios' });
  surviveLostConnections(pool);
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}
