import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { dayRange } from '~/core/time';
import { readEnvio } from '~/domain/envios/detalleEnvio.server';
import { cotizarList } from '~/domain/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/envios/listEnvios.server';
import { readPropioOfNumero } from '~/domain/envios/propios.server';
import { seedOrdenes } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';
import { readList, seqScansDuring, type ReadableList } from '../../support/plans';

const { db } = testDatabase();
const TABLES = ['orden', 'envio', 'articulo', 'factura', 'fiscal_claim', 'proveedor_factura', 'enlace', 'effect'];
const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
const YEAR = 'desde=2026-01-01&hasta=2026-12-31';

beforeAll(async () => {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedOrdenes(db, { count: 54_000, from: dayRange('2026-01-01').from, to: october.from, prefijo: '20000160' });
  await seedOrdenes(db, { count: 6_000, ...october });
  // As heavy as the marketplace's documents are.
  await sql`update envio set datos = jsonb_build_object('documento', (select string_agg(md5(market_id || n), '') from generate_series(1, 30) n))`.execute(db);
  // One in forty is sent by ourselves and half of those wait for it; numbers and costs as people write them.
  await sql`update orden set envio_propio = true, estatus = case when hashint4(right(num_orden, 6)::int) % 2 = 0 then 'enPreparacion' else estatus end where right(num_orden, 6)::int % 40 = 0`.execute(db);
  await sql`update envio set costo = 100 + abs(hashtext(market_id)) % 300, guia = '7946' || right(market_id, 8), nombre_receptor = 'María ' || right(market_id, 4), estatus = case when abs(hashtext(market_id)) % 20 = 0 then 'ready_to_ship' else estatus end`.execute(db);
  await sql`vacuum full analyze orden, envio`.execute(db);
  await sql`vacuum orden, envio`.execute(db);
}, 120_000);

const WINDOWS: [name: string, query: string, indice: number][] = [
  ['a month, first window', MONTH, 0], ['a month, last window', MONTH, -1], ['a year, first window', YEAR, 0], ['a year, last window', YEAR, -1], ['a year by cost', `${YEAR}&orden=-costo`, 0],
];
const SEARCHES: [name: string, query: string, indice: number][] = [
  ['a year, a receiver', `${YEAR}&q=${encodeURIComponent('maria 1234')}`, 0], ['a year, a number', `${YEAR}&q=794616000172`, 0], ['a year, an absent word', `${YEAR}&q=zzqqxx`, 0],
];
const CASES: [string, ReadableList, string, number][] = [
  ...[...WINDOWS, ...SEARCHES].map(([name, query, indice]): [string, ReadableList, string, number] => [`Envios: ${name}`, enviosList, query, indice]),
  ...[...WINDOWS, ...SEARCHES].map(([name, query, indice]): [string, ReadableList, string, number] => [`Envios pendientes: ${name}`, enviosPendientesList, query, indice]),
  ...WINDOWS.filter(([, query]) => !query.includes('costo')).map(([name, query, indice]): [string, ReadableList, string, number] => [`Cotizar envios: ${name}`, cotizarList, query, indice]),
  ['Cotizar envios: a year, a common word', cotizarList, `${YEAR}&q=camara`, 0],
  ['Cotizar envios: a year, an absent word', cotizarList, `${YEAR}&q=zzqqxx`, 0],
];

test.each(CASES)('%s is found without reading a whole table', async (_, list, query, indice) => {
  expect(await seqScansDuring(db, TABLES, (trx) => readList(trx, list, query, indice))).toEqual({});
});

test('a shipment and a sale of ours open without reading a whole table', async () => {
  const { envioId, numOrden } = await db.selectFrom('orden').select(['envioId', 'numOrden']).where('envioPropio', '=', true).limit(1).executeTakeFirstOrThrow();
  expect(await seqScansDuring(db, TABLES, async (trx) => {
    expect(await readEnvio(trx, envioId!)).toBeDefined();
    expect(await readPropioOfNumero(trx, numOrden)).toBeDefined();
  })).toEqual({});
});
