import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { transact, type Trx } from '~db/client.server';
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

test('of two transactions that wait for each other both are done: the one that PostgreSQL ends is run again', async () => {
  for (const clave of ['una', 'otra']) await db.insertInto('ajuste').values({ clave, valor: '0' }).execute();
  let ambas: () => void = () => {};
  const both = new Promise<void>((done) => (ambas = done));
  let first = 0;
  let runs = 0;
  const add = (order: readonly [string, string]) =>
    transact(db, async (trx) => {
      runs += 1;
      const [una, otra] = order.map((clave) =>
        trx
          .updateTable('ajuste')
          .set({ valor: sql`to_jsonb(valor::int + 1)` })
          .where('clave', '=', clave),
      );
      await una!.execute();
      // Each holds its first before either asks for its second.
      if (++first === 2) ambas();
      await both;
      await otra!.execute();
    });
  await Promise.all([add(['una', 'otra']), add(['otra', 'una'])]);
  expect(runs).toBe(3);
  const { rows } = await sql<{ valor: number }>`select valor from ajuste where clave in ('una', 'otra')`.execute(db);
  expect(rows).toEqual([{ valor: 2 }, { valor: 2 }]);

  const other = new Error('una regla');
  let tries = 0;
  await expect(
    transact(db, async () => {
      tries += 1;
      throw other;
    }),
  ).rejects.toBe(other);
  expect(tries).toBe(1);
});
