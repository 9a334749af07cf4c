import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Money } from '~/core/money';
import { periodosOf, readGrafica } from '~/domain/cierre/reportes/grafica.server';
import { llenarReporteList, mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();

type Sketch = {
  clase?: 'normal' | 'cancelada' | 'devuelta' | 'invalida';
  pagado?: string;
  comision?: string;
  retencion?: string | null;
  envio?: { id: string } | null;
  facturas?: string[];
  proveedor?: string;
  fecha?: string;
};
let count = 0;

async function shipment(costo: string | null) {
  return db
    .insertInto('envio')
    .values({
      market: 'ml',
      marketId: `e${++count}`,
      estatus: 'shipped',
      costo,
      fechaCreacion: new Date(),
      actualizadoEn: new Date(),
      datos: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

async function sale({
  clase = 'normal',
  pagado = '1000.00',
  comision = '100.00',
  retencion = null,
  envio = null,
  facturas = [],
  proveedor = 'syscom',
  fecha = '2026-10-15T18:00:00Z',
}: Sketch) {
  const marketId = String(2_000_000_000_000_000 + ++count);
  const { id } = await db
    .insertInto('orden')
    .values({
      market: 'ml',
      marketId,
      numOrden: marketId,
      fechaCreacion: new Date(fecha),
      actualizadaEn: new Date(fecha),
      estatus: 'enPreparacion',
      marketStatus: 'paid',
      situacion: 'pagada',
      clase,
      titulo: 'Cámara',
      total: pagado,
      pagadoAbs: pagado,
      comision,
      retencion,
      envioId: envio?.id ?? null,
      datos: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('articulo')
    .values({
      ordenId: id,
      posicion: 0,
      nombre: 'Cámara',
      sku: `AMS|1|${proveedor}|X`,
      cantidad: 1,
      importe: pagado,
      precioUnitario: pagado,
    })
    .execute();
  for (const monto of facturas)
    await db
      .insertInto('proveedorFactura')
      .values({ ordenId: id, proveedor: 'syscom', folio: `A-${++count}`, monto })
      .execute();
  return id;
}

const utilidad = async (id: string) =>
  (
    await db.selectFrom('libroVenta').select('queda').where('ordenId', '=', id).executeTakeFirstOrThrow()
  ).queda?.toString() ?? null;

test('a sale earns what was paid minus shipping, commission, supplier invoices and withholding', async () => {
  const envio = await shipment('150.00');
  expect(await utilidad(await sale({ retencion: '94.83', envio, facturas: ['300.00', '55.17'] }))).toBe('300.00');
});

test('without a supplier invoice nobody knows what it earned', async () => {
  const id = await sale({ retencion: '0.00' });
  expect(await utilidad(id)).toBeNull();
  await db
    .insertInto('proveedorFactura')
    .values({ ordenId: id, proveedor: 'ct', folio: 'C-1', monto: '400.00' })
    .execute();
  expect(await utilidad(id)).toBe('500.00');
  await db.updateTable('proveedorFactura').set({ monto: '450.00' }).where('ordenId', '=', id).execute();
  expect(await utilidad(id)).toBe('450.00');
  await db.deleteFrom('proveedorFactura').where('ordenId', '=', id).execute();
  expect(await utilidad(id)).toBeNull();
});

test('a cancelled or returned sale was paid 0 and its shipping costs 0', async () => {
  const envio = await shipment('150.00');
  expect(await utilidad(await sale({ clase: 'cancelada', retencion: '0.00', envio, facturas: ['300.00'] }))).toBe(
    '-400.00',
  );
  expect(await utilidad(await sale({ clase: 'devuelta', facturas: ['300.00'] }))).toBe('-400.00');
});

test('a shipment is paid once, by its first sale that was not cancelled, whenever its cost is known', async () => {
  const envio = await shipment(null);
  const ids = [await sale({ envio, facturas: ['1.00'] }), await sale({ envio, facturas: ['1.00'] })];
  await db.updateTable('envio').set({ costo: '150.00' }).where('id', '=', envio.id).execute();
  const costs = async () =>
    (await db.selectFrom('orden').select('costoEnvio').where('id', 'in', ids).orderBy('marketId').execute()).map(
      ({ costoEnvio }) => costoEnvio.toString(),
    );
  expect(await costs()).toEqual(['150.00', '0.00']);
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', ids[0]!).execute();
  expect(await costs()).toEqual(['0.00', '150.00']);
  await db.updateTable('orden').set({ envioId: null }).where('id', '=', ids[1]!).execute();
  expect(await costs()).toEqual(['0.00', '0.00']);
});

test('the column, the totals and the graph agree with a slow reference on generated sales', async () => {
  const clases = ['normal', 'normal', 'normal', 'cancelada', 'devuelta', 'invalida'] as const;
  for (let at = 0; at < 60; at++) {
    const cents = (n: number) => `${(at * 37 + n * 101) % 900}.${String((at * 13 + n * 7) % 100).padStart(2, '0')}`;
    const envio = at % 3 === 0 ? null : await shipment(cents(2));
    await sale({
      clase: clases[at % 6],
      pagado: cents(9),
      comision: cents(1),
      retencion: at % 4 === 0 ? null : cents(3),
      envio,
      facturas: at % 2 === 0 ? [cents(4)] : at % 5 === 0 ? [cents(4), cents(5)] : [],
      proveedor: ['syscom', 'ct', 'tvc'][at % 3],
      fecha: `2026-09-${String(1 + (at % 30)).padStart(2, '0')}T${String(at % 24).padStart(2, '0')}:30:00Z`,
    });
  }
  const ordenes = await db.selectFrom('orden').selectAll().execute();
  const envios = new Map(
    (await db.selectFrom('envio').select(['id', 'costo']).execute()).map((envio) => [envio.id, envio.costo]),
  );
  const facturas = await db.selectFrom('proveedorFactura').select(['ordenId', 'monto']).execute();
  const off = (clase: string) => clase === 'cancelada' || clase === 'devuelta';
  const slow = (orden: (typeof ordenes)[number]) => {
    const own = facturas.filter(({ ordenId }) => ordenId === orden.id);
    // Nothing was bought for a sale that was cancelled; of any other nobody knows it.
    if (own.length === 0 && orden.clase !== 'cancelada') return null;
    const first = ordenes
      .filter(({ envioId, clase }) => envioId === orden.envioId && !off(clase))
      .sort((a, b) => (a.marketId < b.marketId ? -1 : 1))[0];
    const envio = orden.envioId && first?.id === orden.id ? (envios.get(orden.envioId) ?? Money.zero) : Money.zero;
    const pagado = off(orden.clase) ? Money.zero : orden.pagadoAbs;
    return pagado
      .minus(envio)
      .minus(orden.comision!)
      .minus(Money.sum(own.map(({ monto }) => monto)))
      .minus(orden.retencion ?? Money.ofMicros((pagado.micros * 105n) / 1_160n).cents());
  };
  const libros = new Map((await db.selectFrom('libroVenta').selectAll().execute()).map((one) => [one.ordenId, one]));
  const wrong = ordenes.filter(({ id }, at) => libros.get(id)!.queda?.toString() !== slow(ordenes[at]!)?.toString());
  expect(wrong.map(({ id }) => id)).toEqual([]);

  const september = llenarReporteList.parse(new URLSearchParams('desde=2026-09-01&hasta=2026-09-30'));
  const inMonth = ordenes.filter(
    ({ fechaCreacion }) =>
      fechaCreacion >= new Date('2026-09-01T06:00:00Z') && fechaCreacion < new Date('2026-10-01T06:00:00Z'),
  );
  const totals = await llenarReporteList.totals(db, september);
  const ofCerteza = (certeza: string) => inMonth.filter(({ id }) => libros.get(id)!.certeza === certeza);
  const sumOf = (some: typeof inMonth) => Money.sum(some.map((orden) => slow(orden)!)).toString();
  const [conocidas, estimadas] = [ofCerteza('conocida'), ofCerteza('estimada')];
  expect([conocidas.length, estimadas.length].every((n) => n > 3)).toBe(true);
  expect([String(totals.utilidad), String(totals.estimada)]).toEqual([sumOf(conocidas), sumOf(estimadas)]);
  expect(totals).toMatchObject({
    registros: inMonth.length,
    conUtilidad: conocidas.length,
    conEstimada: estimadas.length,
  });
  expect(await mensualList.totals(db, mensualList.parse(new URLSearchParams('mes=2026-09')))).toMatchObject({
    registros: inMonth.length,
    utilidad: totals.utilidad,
  });

  const grafica = await readGrafica(db, { desde: '2026-09-01', hasta: '2026-09-30' }, 'dia');
  const sold = inMonth.filter(({ clase }) => !off(clase));
  expect([grafica.ordenes, grafica.monto.toString()]).toEqual([
    sold.length,
    Money.sum(sold.map(({ pagadoAbs }) => pagadoAbs)).toString(),
  ]);
  expect(grafica.puntos).toHaveLength(30);
  expect(Money.sum(grafica.puntos.map(({ monto }) => monto)).equals(grafica.monto)).toBe(true);
  expect(Money.sum(grafica.proveedores.map(({ monto }) => monto)).equals(grafica.monto)).toBe(true);
  // What was left is one number on both screens: the report tells what is known and what is estimated apart.
  const { registros, utilidad, conUtilidad, estimada, conEstimada } = await mensualList.totals(
    db,
    mensualList.parse(new URLSearchParams('mes=2026-09')),
  );
  expect(grafica.utilidad).toEqual({
    ventas: registros,
    conUtilidad: conUtilidad + conEstimada,
    estimadas: conEstimada,
    queda: Money.of(utilidad).plus(Money.of(estimada)),
  });
  expect(Money.sum(grafica.puntos.flatMap(({ queda }) => queda ?? [])).equals(grafica.utilidad.queda!)).toBe(true);
  expect(grafica.puntos.every(({ ventas, queda }) => ventas > 0 || queda === null)).toBe(true);
  expect(
    (await readGrafica(db, { desde: '2026-09-01', hasta: '2026-10-31' }, 'mes')).puntos.map(({ periodo }) => periodo),
  ).toEqual(['2026-09', '2026-10']);
});

test('reports call a supplier by its name, show one alone when asked, and keep a code that the catalogue does not have', async () => {
  const [propia, lejana] = [
    await sale({ proveedor: 'TS', fecha: '2026-07-10T18:00:00Z' }),
    await sale({ proveedor: 'xyz', fecha: '2026-07-11T18:00:00Z' }),
  ];
  await sale({ proveedor: 'ct', fecha: '2026-07-12T18:00:00Z' });
  const found = async (search: string) => {
    const filtro = mensualList.parse(new URLSearchParams(search));
    const filas = await mensualList.window(db, filtro, {
      indice: 0,
      total: (await mensualList.totals(db, filtro)).registros,
      corte: null,
    });
    return filas.map(({ id, proveedor }) => [id, proveedor]);
  };
  expect(await found('mes=2026-07&proveedor=ts')).toEqual([[propia, 'TecnoSinergia']]);
  expect(await found('mes=2026-07&proveedor=xyz')).toEqual([[lejana, 'xyz']]);
  expect(await found("mes=2026-07&proveedor=nada' or 1=1")).toHaveLength(3);
});

test('a year has its days and its months', () => {
  expect(periodosOf('2024-02-28', '2024-03-01', 'dia')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
  expect(periodosOf('2025-12-15', '2026-02-01', 'mes')).toEqual(['2025-12', '2026-01', '2026-02']);
});

test('the Excel is called after its month and has the agreed sheet', () => {
  expect(mensualList.excel.hoja).toBe('Reporte Mensual');
  expect(mensualList.excel.nombre(mensualList.parse(new URLSearchParams('mes=2026-09')))).toBe(
    'Mensual septiembre de 2026',
  );
  expect(
    llenarReporteList.excel.nombre(llenarReporteList.parse(new URLSearchParams('desde=2026-09-01&hasta=2026-09-30'))),
  ).toBe('Llenar reporte septiembre de 2026');
});

test('a graph from a minute to another counts what was sold between them', async () => {
  const [antes, dentro, ultimo, despues] = ['15:59:59', '16:00:00', '18:30:59', '18:31:00'];
  for (const hora of [antes, dentro, ultimo, despues])
    await sale({ pagado: '10.00', fecha: `2026-07-14T${hora}Z`, proveedor: 'cva' });
  // Ten in the morning and half past twelve in Mexico City.
  const { ordenes, puntos } = await readGrafica(db, { desde: '2026-07-14T10:00', hasta: '2026-07-14T12:30' }, 'dia');
  expect(ordenes).toBe(2);
  expect(puntos.map(({ periodo, ordenes }) => [periodo, ordenes])).toEqual([['2026-07-14', 2]]);
  expect((await readGrafica(db, { desde: '2026-07-13T23:00', hasta: '2026-07-14T23:59' }, 'dia')).puntos).toHaveLength(
    2,
  );
});

test('a whole number is reported whatever the range; the report of a month stays the report of its month', async () => {
  const id = await sale({ fecha: '2026-06-15T18:00:00Z', facturas: ['1.00'] });
  const { numOrden } = await db.selectFrom('orden').select('numOrden').where('id', '=', id).executeTakeFirstOrThrow();
  const asked = async (list: typeof llenarReporteList | typeof mensualList, query: string) =>
    (await list.totals(db, list.parse(new URLSearchParams(`${query}&q=${numOrden}`)) as never)).registros;
  expect(await asked(llenarReporteList, 'desde=2026-10-01&hasta=2026-10-31')).toBe(1);
  expect(await asked(llenarReporteList, 'desde=2026-10-01&hasta=2026-10-31&proveedor=ct')).toBe(0);
  expect(await asked(mensualList, 'mes=2026-10')).toBe(0);
  expect(await asked(mensualList, 'mes=2026-06')).toBe(1);
});

test('a sale that is born after a report was opened is in no sum of it', async () => {
  const id = await sale({ retencion: '0.00', facturas: ['300.00'], fecha: '2025-03-10T18:00:00Z' });
  const filtro = mensualList.parse(new URLSearchParams('mes=2025-03'));
  // The id is the greatest there is, so it is younger than any list.
  await sql`insert into orden (id, market, market_id, num_orden, fecha_creacion, actualizada_en, estatus, market_status, situacion, clase, titulo, total,
      pagado_abs, comision, retencion, datos)
    select 'ffffffff-ffff-7fff-bfff-ffffffffffff', market, 'después', 'después', fecha_creacion, actualizada_en, estatus, market_status, situacion, 'cancelada',
      titulo, total, pagado_abs, 0, 0, datos
    from orden where id = ${id}`.execute(db);
  const { totales } = await mensualList.whole(db, filtro, null);
  expect([totales!.registros, String(totales!.pagado), String(totales!.utilidad), totales!.conUtilidad]).toEqual([
    1,
    '1000.00',
    '600.00',
    1,
  ]);
  await db.deleteFrom('orden').where('marketId', '=', 'después').execute();
});
