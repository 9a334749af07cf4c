import { beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { dayRange } from '~/core/time';
import { facturasList } from '~/domain/facturas/listFacturas.server';
import { seedFacturas } from '../../support/builders/facturas';
import { testDatabase } from '../../support/db';
import { readList, seqScansDuring } from '../../support/plans';

const { db } = testDatabase();

beforeAll(async () => {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedFacturas(db, { count: 24_000, from: dayRange('2026-01-01').from, to: october.from });
  await seedFacturas(db, { count: 4_000, ...october });
}, 60_000);

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
  expect(await seqScansDuring(db, ['factura'], (trx) => readList(trx, facturasList, query, indice))).toEqual({});
});

test('the measure itself sees a whole reading', async () => {
  expect(await seqScansDuring(db, ['factura'], (trx) => sql`select count(busqueda) from factura`.execute(trx))).toEqual({ factura: 1 });
});
