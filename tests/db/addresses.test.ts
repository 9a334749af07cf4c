/** The addresses of a database behind a pooler. What a process says of wrong ones is told in `tests/bin/detras.test.ts`. */
import { expect, test } from 'vitest';
import { env } from '~/core/env.server';
import { reviewAddresses } from '~db/addresses.server';
import { openDatabase } from '~db/client.server';
import { keepSessionSettings } from '~db/rights';
import { testDatabase } from '../support/db';
import { openReparto } from '../support/reparto';

const { url } = testDatabase();
const reviewed = (pooler: string, direct = url) =>
  reviewAddresses({ ...env(), DATABASE_URL: pooler, DATABASE_URL_DIRECTA: direct });

test('without a pooler statements are prepared, and a pool brings the settings of its sessions', async () => {
  expect(await reviewed(url, '')).toEqual({ prepared: true });
});

test('whether prepared statements are kept is asked of the pooler, and nothing is left behind', async () => {
  const [older, newer] = [await openReparto(url, 2), await openReparto(url, 2, { renames: true })];
  expect(await reviewed(older.url)).toEqual({ prepared: false });
  expect(await reviewed(newer.url)).toEqual({ prepared: true });
  const { pool, close } = openDatabase(older.url, { max: 1, shared: true });
  for (let at = 0; at < 2; at++)
    expect((await pool.query(`select name from pg_prepared_statements where name <> ''`)).rows).toEqual([]);
  await close();
  await Promise.all([older.close(), newer.close()]);
});

test('a pool behind a pooler that nobody told of is refused', async () => {
  const reparto = await openReparto(url, 2);
  await expect(reviewed(reparto.url, '')).rejects.toThrow(
    'DATABASE_URL_DIRECTA: falta: DATABASE_URL pasa por un PgBouncer',
  );
  await expect(reviewed(reparto.url, reparto.url)).rejects.toThrow('es la dirección del PostgreSQL mismo');
  await reparto.close();
});

/** Settings that a session behind a pooler begins with. */
async function sessionBehind() {
  const reparto = await openReparto(url, 1);
  const { pool, close } = openDatabase(reparto.url, { max: 1, shared: true });
  const { rows } = await pool.query(
    `select current_setting('random_page_cost') as cost, current_setting('statement_timeout') as timeout`,
  );
  await close();
  await reparto.close();
  return rows[0];
}

test('behind a pooler the account brings the settings that a session may not send', async () => {
  expect(await sessionBehind()).toEqual({ cost: '4', timeout: '0' });
  await keepSessionSettings(url);
  expect(await sessionBehind()).toEqual({ cost: '1.1', timeout: '30s' });
});
