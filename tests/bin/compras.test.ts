/** What the demo bought: invoices at the price of the catalogues, terms, and transfers for what is old, all by the commands of people. */
import { expect, test } from 'vitest';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { seedCompras } from '../../bin/seed/compras';
import { buildOrden } from '../support/builders/ordenes';
import { buildProductoDeStock } from '../support/builders/stock';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('the demo shows what its sales cost and left, what is owed and what was paid of it, once', async () => {
  await db
    .insertInto('usuario')
    .values({
      usuario: 'admin',
      nombre: 'A',
      apellidos: 'B',
      email: 'a@b.mx',
      rol: 'admin',
      activo: true,
      passwordHash: '-',
    })
    .execute();
  const producto = await buildProductoDeStock(db, '201334');
  await db
    .insertInto('oferta')
    .values({
      productoId: producto.id,
      precio: '500.00',
      moneda: 'MXN',
      almacenes: '[]',
      promociones: '[]',
      raw: '{}',
      huella: '-',
      leidaEn: new Date(),
      tope: false,
    })
    .execute();
  await db
    .insertInto('lecturaCatalogo')
    .values({ proveedor: 'syscom', tipo: 'completa', completa: true, terminoEn: new Date() })
    .execute();
  const venta = (dias: number, estatus: 'entregado' | 'enPreparacion') =>
    buildOrden(db, {
      pagado: '1160.00',
      envio: null,
      estatus,
      sku: 'AMS|201334|syscom|X',
      fechaCreacion: daysAgo(dias),
    });
  const [vieja, otra] = [await venta(60, 'entregado'), await venta(10, 'entregado')];
  await venta(5, 'enPreparacion');
  await venta(1, 'entregado');

  expect(await seedCompras(db)).toBe(2);
  const facturas = await db
    .selectFrom('proveedorFactura')
    .select(['ordenId', 'monto', 'pagada'])
    .orderBy('emitida')
    .execute();
  expect(facturas.map(({ ordenId, monto, pagada }) => [ordenId, monto.toFixed(2), pagada.toFixed(2)])).toEqual([
    [vieja.id, '580.00', '580.00'],
    [otra.id, '580.00', '0.00'],
  ]);
  const { filas } = await llenarReporteList.first(
    db,
    llenarReporteList.parse(new URLSearchParams({ q: otra.numOrden })),
  );
  expect(filas[0]!.utilidad?.toFixed(2)).toBe('480.00');
  expect(await seedCompras(db), 'a second start').toBe(0);
});
