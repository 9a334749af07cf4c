import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { dayRange } from '~/core/time';
import { activasList, canceladasList, ordenesList } from '~/domain/ordenes/listOrdenes.server';
import { seedFacturas } from '../../support/builders/facturas';
import { seedOrdenes } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';
import { readList, type ReadableList, seqScansDuring } from '../../support/plans';

const { db } = testDatabase();

beforeAll(async () => {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedOrdenes(db, { count: 54_000, from: dayRange('2026-01-01').from, to: october.from, prefijo: '20000160' });
  await seedOrdenes(db, { count: 6_000, ...october });
  await seedFacturas(db, { count: 20_000, from: dayRange('2026-01-01').from, to: october.to });
  await sql`insert into factura_orden (factura_id, orden_id)
    select f.id, o.id from (select id, row_number() over (order by id) as n from factura) f join (select id, row_number() over (order by id) * 3 as n from orden) o on o.n = f.n * 3`.execute(db);
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id) select fo.orden_id, 'individual', f.effect_id, f.id from factura_orden fo join factura f on f.id = fo.factura_id`.execute(db);
  await sql`vacuum analyze factura_orden, fiscal_claim, orden`.execute(db);
}, 120_000);

const TABLES = ['orden', 'envio', 'factura', 'factura_orden', 'fiscal_claim'];

const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
const YEAR = 'desde=2026-01-01&hasta=2026-12-31';

const WINDOWS: [name: string, query: string, indice: number][] = [
  ['a month, first window', MONTH, 0], ['a month, last window', MONTH, -1], ['a month by amount', `${MONTH}&orden=-pagado`, 0], ['a year, first window', YEAR, 0], ['a year, last window', YEAR, -1],
];
const SEARCHES: [name: string, query: string, indice: number][] = [
  ['a month, a common word', `${MONTH}&q=camara`, 0], ['a year, a common word', `${YEAR}&q=camara`, 0], ['a year, two words', `${YEAR}&q=${encodeURIComponent('camara modelo')}`, 0],
  ['a year, a number', `${YEAR}&q=2000016000017321`, 0], ['a year, a folio', `${YEAR}&q=f-17321`, 0], ['a year, an RFC', `${YEAR}&q=MEGJ80`, 0], ['a year, an absent word', `${YEAR}&q=zzqqxx`, 0],
];

const CASES: [string, ReadableList, string, number][] = [
  ...[...WINDOWS, ...SEARCHES].map(([name, query, indice]): [string, ReadableList, string, number] => [`Ordenes: ${name}`, ordenesList, query, indice]),
  ...WINDOWS.map(([name, query, indice]): [string, ReadableList, string, number] => [`Ordenes canceladas: ${name}`, canceladasList, query, indice]),
  ...WINDOWS.map(([name, query, indice]): [string, ReadableList, string, number] => [`Ordenes activas: ${name}`, activasList, query, indice]),
];

test.each(CASES)('%s is found without reading a whole table', async (_, list, query, indice) => {
  expect(await seqScansDuring(db, TABLES, (trx) => readList(trx, list, query, indice))).toEqual({});
});

test('the measure itself sees a whole reading', async () => {
  expect(await seqScansDuring(db, TABLES, (trx) => sql`select count(titulo) from orden`.execute(trx))).toEqual({ orden: 1 });
});
