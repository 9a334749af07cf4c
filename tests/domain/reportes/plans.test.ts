import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { dayRange } from '~/core/time';
import { proveedorFacturasList } from '~/domain/proveedores/listProveedorFacturas.server';
import { sinFacturaList } from '~/domain/proveedores/listSinFactura.server';
import { readGrafica } from '~/domain/reportes/grafica.server';
import { llenarReporteList, mensualList } from '~/domain/reportes/utilidadLists.server';
import { seedOrdenes } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';
import { readList, type ReadableList, seqScansDuring } from '../../support/plans';

const { db } = testDatabase();

beforeAll(async () => {
  const october = dayRange('2026-10-01', '2026-10-31');
  await seedOrdenes(db, { count: 54_000, from: dayRange('2026-01-01').from, to: october.from, prefijo: '20000160' });
  await seedOrdenes(db, { count: 6_000, ...october });
  await db.transaction().execute(async (trx) => {
    // Added by hand what the triggers would add: 45,000 times they would take a while.
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`insert into proveedor_factura (orden_id, proveedor, folio, monto, fecha_creacion)
      select id, 'syscom', 'FA/' || row_number() over (order by fecha_creacion), round(pagado_abs * 0.7, 2), fecha_creacion from orden where abs(hashtext(num_orden)) % 4 > 0`.execute(trx);
    await sql`update orden set facturado = f.monto, facturas_proveedor = 1 from proveedor_factura f where f.orden_id = orden.id`.execute(trx);
    await sql`update orden set proveedor = (array['syscom', 'tvc', 'ct', 'ts'])[1 + abs(hashtext(num_orden)) % 4]`.execute(trx);
  });
  await sql`vacuum analyze orden`.execute(db);
  await sql`vacuum analyze proveedor_factura`.execute(db);
}, 180_000);

/** The catalogue of suppliers is a page of six rows: it is read whole, and may be. */
const TABLES = ['orden', 'proveedor_factura', 'envio', 'articulo'];

const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
const YEAR = 'desde=2026-01-01&hasta=2026-12-31';
const number = '2000016000017321';

const CASES: [string, ReadableList, string, number][] = [
  ['Facturas de proveedores: a month, first window', proveedorFacturasList, MONTH, 0],
  ['Facturas de proveedores: a month, last window', proveedorFacturasList, MONTH, -1],
  ['Facturas de proveedores: a month by amount', proveedorFacturasList, `${MONTH}&orden=-monto`, 0],
  ['Facturas de proveedores: four months, first window', proveedorFacturasList, 'desde=2026-03-01&hasta=2026-06-30', 0],
  ['Facturas de proveedores: a year, a folio', proveedorFacturasList, `${YEAR}&q=fa/17321`, 0],
  ['Facturas de proveedores: a year, the number of a sale', proveedorFacturasList, `${YEAR}&q=${number}`, 0],
  ['Facturas de proveedores: a year, an absent word', proveedorFacturasList, `${YEAR}&q=zzqqxx`, 0],
  ['Sin factura: a month, first window', sinFacturaList, 'mes=2026-10', 0],
  ['Sin factura: a month, last window', sinFacturaList, 'mes=2026-10', -1],
  ['Sin factura: a month with the cancelled, by amount', sinFacturaList, 'mes=2026-10&canceladas=1&orden=-pagado', 0],
  ['Sin factura: a month, a word', sinFacturaList, 'mes=2026-10&q=camara', 0],
  ['Sin factura: no month yet', sinFacturaList, '', 0],
  ['Llenar reporte: a month, first window', llenarReporteList, MONTH, 0],
  ['Llenar reporte: a month by profit', llenarReporteList, `${MONTH}&orden=-utilidad`, 0],
  ['Llenar reporte: a year, first window', llenarReporteList, YEAR, 0],
  ['Llenar reporte: a year, last window', llenarReporteList, YEAR, -1],
  ['Llenar reporte: a year, a number', llenarReporteList, `${YEAR}&q=${number}`, 0],
  ['Llenar reporte: a year, an absent word', llenarReporteList, `${YEAR}&q=zzqqxx`, 0],
  ['Mensual: a month, first window', mensualList, 'mes=2026-10', 0],
  ['Mensual: a month, last window', mensualList, 'mes=2026-10', -1],
  ['Mensual: a month, a common word', mensualList, 'mes=2026-10&q=camara', 0],
];

test.each(CASES)('%s is found without reading a whole table', async (_, list, query, indice) => {
  expect(await seqScansDuring(db, TABLES, (trx) => readList(trx, list, query, indice))).toEqual({});
});

test.each([['a month by day', '2026-10-01', '2026-10-31', 'dia'], ['a year by month', '2026-01-01', '2026-12-31', 'mes'], ['a year by day', '2026-01-01', '2026-12-31', 'dia']] as const)(
  'the graph of %s is read from one index', async (_, desde, hasta, paso) => {
    expect(await seqScansDuring(db, TABLES, (trx) => readGrafica(trx, { desde, hasta }, paso))).toEqual({});
  });

test('the measure itself sees a whole reading', async () => {
  expect(await seqScansDuring(db, TABLES, (trx) => sql`select count(titulo) from orden`.execute(trx))).toEqual({ orden: 1 });
});
