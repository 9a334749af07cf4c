import { beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Trx } from '~db/client.server';
import { dayRange } from '~/core/time';
import { facturasList } from '~/domain/facturas/listFacturas.server';
import { seedFacturas } from '../../support/builders/facturas';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();

beforeAll(async () => {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedFacturas(db, { count: 24_000, from: dayRange('2026-01-01').from, to: october.from });
  await seedFacturas(db, { count: 4_000, ...october });
}, 60_000);

/** How often PostgreSQL read the whole table while `work` ran. */
async function seqScansDuring(work: (trx: Trx) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await work(trx);
    const { rows } = await sql<{ scans: number }>`select seq_scan as scans from pg_stat_xact_user_tables where relname = 'factura'`.execute(trx);
    return rows[0]!.scans;
  });
}

const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
const YEAR = 'desde=2026-01-01&hasta=2026-12-31';

test.each([
  ['a month, first window', MONTH, 0],
  ['a month, from its middle', MONTH, 20],
  ['a month, its last window', MONTH, 39],
  ['a month sorted by name', `${MONTH}&orden=razonSocial`, 3],
  ['a month, a common word', `${MONTH}&q=garcia`, 0],
  ['a month, one letter', `${MONTH}&q=a`, 0],
  ['a year, a common word', `${YEAR}&q=garcia`, 0],
  ['a year, a folio', `${YEAR}&q=f-17321`, 0],
  ['a year, part of an order number', `${YEAR}&q=20000011`, 0],
  ['a year, an absent word', `${YEAR}&q=zzqqxx`, 0],
])('%s is found without reading the whole table', async (_, query, indice) => {
  const scans = await seqScansDuring(async (trx) => {
    const filtro = facturasList.parse(new URLSearchParams(query));
    const { registros: total, corte } = await facturasList.totals(trx, filtro);
    await facturasList.window(trx, filtro, { indice, total, corte });
  });
  expect(scans).toBe(0);
});

test('the measure itself sees a whole reading', async () => {
  expect(await seqScansDuring((trx) => sql`select count(busqueda) from factura`.execute(trx))).toBe(1);
});
