import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Trx } from '~db/client.server';
import { lockName, lockNames, lockShelves } from '~db/locks.server';
import { testDatabase } from '../support/db';
import { readSources } from '../support/sources';

const { db } = testDatabase();

/** Whether somebody else could have the lock of this number while the transaction of `take` stands. */
async function isFree(take: (trx: Trx) => Promise<void>, number: RawBuilder<unknown>): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await take(trx);
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${number}) as free`.execute(db);
    return rows[0]!.free;
  });
}

test('each name has the number it always had, so that an old process and a new one wait for each other', async () => {
  const ids = (key: string) => sql`hashtextextended(${key}, 0)`;
  const numbers: [(trx: Trx) => Promise<void>, RawBuilder<unknown>][] = [
    [(trx) => lockName(trx, 'batch', 'cfdi.global', '2026-01'), ids('batch:cfdi.global:2026-01')],
    [(trx) => lockName(trx, 'archivo', 'ab12'), ids('archivo:ab12')],
    [(trx) => lockName(trx, 'catalogo', 'ct'), ids('catalogo:ct')],
    [(trx) => lockName(trx, 'ganchos'), ids('ganchos')],
    [(trx) => lockName(trx, 'aplicacion'), ids('aplicacion')],
    [(trx) => lockName(trx, 'ajustes'), sql`hashtext('ajustes')`],
    [(trx) => lockName(trx, 'tarifas'), sql`hashtext('tarifas')`],
    [(trx) => lockNames(trx, 'ordenes', ['orden:ml:1', 'envio:ml:2']), ids('ordenes:envio:ml:2')],
    [
      (trx) => lockShelves(trx, 'receptor', ['XAXX010101000'], { shelves: 64, shared: false }),
      sql`hashtext('receptor'), hashtext('XAXX010101000') & 63`,
    ],
  ];
  for (const [take, number] of numbers) expect(await isFree(take, number)).toBe(false);
});

test('a shelf that is shared can be shared by another, and not be had alone', async () => {
  const shelf = sql`hashtext('receptor'), hashtext('XAXX010101000') & 63`;
  await db.transaction().execute(async (trx) => {
    await lockShelves(trx, 'receptor', ['XAXX010101000'], { shelves: 64, shared: true });
    const { rows } = await sql<{ alone: boolean; shared: boolean }>`
      select pg_try_advisory_xact_lock(${shelf}) as alone, pg_try_advisory_xact_lock_shared(${shelf}) as shared`.execute(
      db,
    );
    expect(rows[0]).toEqual({ alone: false, shared: true });
  });
});

test('nobody takes a lock on a name by hand', () => {
  const byHand = readSources(['app', 'jobs', 'db', 'bin'])
    .filter(
      ({ path, text }) => /pg_\w*advisory/.test(text) && !/^db\/(locks\.server|migrate|migrations\/.*)\.ts$/.test(path),
    )
    .map(({ path }) => path);
  expect(byHand).toEqual([]);
});
