import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { dayRange } from '~/core/time';
import type { List } from '~/domain/lists/list.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ordenes/listOrdenes.server';
import type { Trx } from '~db/client.server';
import { seedFacturas } from '../../support/builders/facturas';
import { seedOrdenes } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';

const { db } = testDatabase();

beforeAll(async () => {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedOrdenes(db, { count: 54_000, from: dayRange('2026-01-01').from, to: october.from, prefijo: '20000160' });
  await seedOrdenes(db, { count: 6_000, ...october });
  await seedFacturas(db, { count: 20_000, from: dayRange('2026-01-01').from, to: october.to });
  await sql`insert into factura_orden (factura_id, orden_id)
    select f.id, o.id from (select id, row_number() over (order by id) as n from factura) f join (select id, row_number() over (order by id) * 3 as n from orden) o on o.n = f.n * 3`.execute(db);
  await sql`insert into fiscal_claim (orden_id, kind, effect_id, factura_id) select fo.orden_id, 'individual', f.effect_id, f.id from factura_orden fo join factura f on f.id = fo.factura_id`.execute(db);
  await sql`vacuum analyze factura_orden, fiscal_claim`.execute(db);
}, 120_000);

/** How often PostgreSQL read a whole table of sales or facturas while `work` ran. */
async function seqScansDuring(work: (trx: Trx) => Promise<unknown>): Promise<Record<string, number>> {
  return db.transaction().execute(async (trx) => {
    await work(trx);
    const { rows } = await sql<{ name: string; scans: number }>`select relname as name, seq_scan as scans from pg_stat_xact_user_tables
      where relname in ('orden', 'envio', 'factura', 'factura_orden', 'fiscal_claim') and seq_scan > 0`.execute(trx);
    return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
  });
}

const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
const YEAR = 'desde=2026-01-01&hasta=2026-12-31';

const WINDOWS: [name: string, query: string, indice: number][] = [
  ['a month, first window', MONTH, 0], ['a month, last window', MONTH, -1], ['a month by amount', `${MONTH}&orden=-pagado`, 0], ['a year, first window', YEAR, 0], ['a year, last window', YEAR, -1],
];
const SEARCHES: [name: string, query: string, indice: number][] = [
  ['a month, a common word', `${MONTH}&q=camara`, 0], ['a year, a common word', `${YEAR}&q=camara`, 0], ['a year, two words', `${YEAR}&q=${encodeURIComponent('camara modelo')}`, 0],
  ['a year, a number', `${YEAR}&q=2000016000017321`, 0], ['a year, a folio', `${YEAR}&q=f-17321`, 0], ['a year, an RFC', `${YEAR}&q=MEGJ80`, 0], ['a year, an absent word', `${YEAR}&q=zzqqxx`, 0],
];

const CASES: [string, List, string, number][] = [
  ...[...WINDOWS, ...SEARCHES].map(([name, query, indice]): [string, List, string, number] => [`Ordenes: ${name}`, ordenesList as unknown as List, query, indice]),
  ...WINDOWS.map(([name, query, indice]): [string, List, string, number] => [`Ordenes canceladas: ${name}`, canceladasList as unknown as List, query, indice]),
  ...WINDOWS.map(([name, query, indice]): [string, List, string, number] => [`Ordenes activas: ${name}`, activasList as unknown as List, query, indice]),
];

test.each(CASES)('%s is found without reading a whole table', async (_, list, query, indice) => {
  const scans = await seqScansDuring(async (trx) => {
    const filtro = list.parse(new URLSearchParams(query));
    const { registros: total, corte } = (await list.totals(trx, filtro)) as { registros: number; corte: string };
    await list.window(trx, filtro, { indice: indice < 0 ? Math.max(0, Math.ceil(total / 100) - 1) : indice, total, corte });
  });
  expect(scans).toEqual({});
});

test('the measure itself sees a whole reading', async () => {
  expect(await seqScansDuring((trx) => sql`select count(titulo) from orden`.execute(trx))).toEqual({ orden: 1 });
});
