/** What is estimated or unknown for too long is work: the number on Hoy is that of the list behind it. */
import { expect, test } from 'vitest';
import { faltaSaber } from '~/domain/cierre/reportes/internal/colaFaltaSaber.server';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { buildOrden } from '../../../support/builders/ordenes';
import { buildTomado } from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const venta = (dias: number, proveedor: string) =>
  buildOrden(db, {
    pagado: '1160.00',
    envio: null,
    sku: `AMS|1|${proveedor}|X`,
    fechaCreacion: new Date(Date.now() - dias * 86_400_000),
  });
const mira = () => faltaSaber.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien: { id: '', rol: 'sa' } });

test('a sale of ten days whose cost nobody told is asked for, by supplier, until its invoice is here', async () => {
  const [una, otra] = [await venta(20, 'syscom'), await venta(15, 'syscom')];
  await venta(12, 'ct');
  // A SKU that names nobody.
  await buildOrden(db, {
    pagado: '500.00',
    envio: null,
    sku: 'SUELTO',
    fechaCreacion: new Date(Date.now() - 14 * 86_400_000),
  });
  await venta(3, 'syscom');
  await venta(120, 'syscom');
  const { total, cosas } = await mira();
  expect([total, cosas.map(({ titulo }) => titulo)]).toEqual([
    3,
    ['Syscom: 2 ventas', 'Sin proveedor: 1 venta', 'CT: 1 venta'],
  ]);
  expect(cosas[1]!.detalle).toBe('1 sin costo: escríbelo en su producto');
  expect(cosas[0]!.detalle).toBe('2 sin factura de proveedor');
  for (const { titulo, a } of cosas) {
    const [screen, query] = a.split('?');
    expect(screen).toBe('llenarReporte');
    const { registros } = await llenarReporteList.totals(db, llenarReporteList.parse(new URLSearchParams(query)));
    expect(titulo).toContain(`: ${registros} venta`);
  }
  // An order tells a cost, and its invoice is still what lacks.
  await buildTomado(db, { ordenId: una.id, numOrden: una.numOrden, precio: '10.00' });
  expect((await mira()).cosas[0]!.detalle).toBe('2 sin factura de proveedor');
  for (const { id } of [una, otra])
    await db
      .insertInto('proveedorFactura')
      .values({ ordenId: id, proveedor: 'syscom', folio: `F-${id}`, monto: '500.00' })
      .execute();
  expect((await mira()).cosas.map(({ titulo }) => titulo)).toEqual(['Sin proveedor: 1 venta', 'CT: 1 venta']);
});
