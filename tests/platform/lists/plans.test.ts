import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { preguntasList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { conciliadasList } from '~/domain/cierre/conciliacion/listConciliacion.server';
import { publicacionesList } from '~/domain/publicaciones/publicaciones/listPublicaciones.server';
import { readEnvio } from '~/domain/ventas/envios/detalleEnvio.server';
import { cotizarList } from '~/domain/ventas/envios/listCotizar.server';
import { enviosList, enviosPendientesList } from '~/domain/ventas/envios/listEnvios.server';
import { readPropioOfNumero } from '~/domain/ventas/envios/propios.server';
import { LISTS } from '~/domain/operacion/exports/lists.server';
import { datosFiscalesList } from '~/domain/facturacion/receptores/datosFiscales.server';
import { facturasList, notasCreditoList } from '~/domain/facturacion/emision/listFacturas.server';
import { balanceList } from '~/domain/facturacion/mes/balance.server';
import { listasDelMes, loteList } from '~/domain/facturacion/mes/mesLists.server';
import { notasList } from '~/domain/facturacion/notaSencilla/listNotas.server';
import { activasList, canceladasList, ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { cotizacionesList, ordenesDePagosList } from '~/domain/compras/pagos/cotizaciones.server';
import { pagosList } from '~/domain/compras/pagos/listPagos.server';
import { porPagarList } from '~/domain/compras/pagos/porPagar.server';
import { productosOfSkus } from '~/domain/compras/catalogo/delArticulo.server';
import { productosList } from '~/domain/compras/catalogo/listProductos.server';
import { ladosOf } from '~/domain/compras/catalogo/retratos.server';
import { ordenesCtList } from '~/domain/compras/pedidos/listPedidos.server';
import { proveedorFacturasList, sinFacturaList } from '~/domain/compras/facturas/lists.server';
import { look } from '~/domain/cierre/reportes/cifrasDelDia.server';
import { readCambio } from '~/domain/cierre/reportes/cambio.server';
import { PedidoDeUtilidad, readUtilidadPor } from '~/domain/cierre/reportes/utilidadPor.server';
import { readGrafica } from '~/domain/cierre/reportes/grafica.server';
import { stockInternoList } from '~/domain/compras/stock/listStock.server';
import { llenarReporteList, mensualList } from '~/domain/cierre/reportes/utilidadLists.server';
import { seedStock } from '../../support/builders/stock';
import { seedAtencion } from '../../support/builders/atencion';
import { seedConciliacion } from '../../support/builders/conciliacion';
import { seedPublicaciones } from '../../support/builders/publicaciones';
import { seedCatalogo } from '../../support/builders/catalogo';
import { seedAnio } from '../../support/builders/anio';
import type { Db } from '~db/client.server';
import { ownerDatabase, testDatabase } from '../../support/db';
import { readList, type ReadableList, seqScansDuring, vacuumAnalyze } from '../../support/plans';

const { db } = testDatabase();

/**
 * What grows with the sales. The catalogues beside them fill a page or two: they are read whole, and may be. So may `refacturacion`, the few sales of all
 * months whose customer came after the global: a month's are among them, or among the sales of the month, whichever are fewer. And so may `libro_venta`,
 * a narrow row for each sale, by sums over a year that is all there is.
 */
const TABLES = [
  'orden',
  'envio',
  'articulo',
  'factura',
  'factura_orden',
  'fiscal_claim',
  'proveedor_factura',
  'enlace',
  'effect',
  'effect_subject',
  'nota_credito_orden',
  'nota_sencilla',
  'cliente_fiscal',
  'producto',
  'oferta',
  'stock_interno',
  'pregunta',
  'publicacion',
  'conciliacion',
  'asiento',
];

/** Lists of a handful of rows, which no year makes longer. */
const SMALL = {
  usuarios: 'the people of one company',
  empresas: 'the companies of one owner',
  agentesVentas: 'some agents of six suppliers',
  responderPreguntas: 'what waits for an answer now',
  reclamos: 'the few sales that were claimed',
  conciliacion: 'a deposit of each marketplace every few days',
  'conciliacion.porLiberar': 'what was sold in the weeks before its payout',
  'conciliacion.sueltos': 'what a settlement charges or pays beside its sales: some each week',
  'conciliacion.ajustes': 'profits of months that had ended, and moved',
  costosPropios: 'costs that people typed, some for each product of their own',
  ordenesPorConfirmar: 'what was sold today and is not bought yet',
};

/** What is told by reading the catalogue once: what is not in another table stands in no index. */
const WHOLE = {
  publicadorML: 'products that no listing sells',
  'publicadorML.amz': 'the same at another marketplace',
};

/** `:numero`, `:folio`, `:rfc`, `:guia` and `:lote` stand for one that exists. An index of -1 is the last window. */
type Case = [what: string, query: string, indice?: number];

const MONTH = 'desde=2026-10-01&hasta=2026-10-31';
const YEAR = 'desde=2025-11-01&hasta=2026-10-31';
const WINDOWS: Case[] = [
  ['a month, first window', MONTH],
  ['a month, last window', MONTH, -1],
  ['a year, first window', YEAR],
  ['a year, last window', YEAR, -1],
];
const ABSENT: Case = ['a year, an absent word', `${YEAR}&q=zzqqxx`];
const mesOf = (mes: string): Case[] => [
  ['a month, first window', `mes=${mes}`],
  ['a month, last window', `mes=${mes}`, -1],
  ['a month by amount', `mes=${mes}&orden=-importe`],
  ['a month, a word', `mes=${mes}&q=camara`],
  ['no month yet', ''],
];

const CASES: [ReadableList, Case[]][] = [
  [
    ordenesList,
    [
      ...WINDOWS,
      ABSENT,
      ['a month by amount', `${MONTH}&orden=-pagado`],
      ['a month, a common word', `${MONTH}&q=camara`],
      ['a year, a common word', `${YEAR}&q=camara`],
      ['a year, two words', `${YEAR}&q=camara+domo`],
      ['a year, a number', `${YEAR}&q=:numero`],
      ['a year, a folio', `${YEAR}&q=:folio`],
      ['a year, an RFC', `${YEAR}&q=:rfc`],
      ['a year, a nickname', `${YEAR}&q=comprador31999`],
      ['a year, a receiver', `${YEAR}&q=begona+nunez`],
      ['a year, a telephone', `${YEAR}&q=55+5512+3456`],
      ['another month, a folio by amount', `desde=2025-12-01&hasta=2025-12-31&q=:folio&orden=-pagado`],
      ["a month, a supplier's folio", `${MONTH}&q=S517321`],
    ],
  ],
  [
    cotizacionesList,
    [
      ...WINDOWS,
      ABSENT,
      ['a month, both', `${MONTH}&pago=todos&canceladas=1`],
      ['a year, what is paid', `${YEAR}&pago=pagado`],
      ['a year, a common word', `${YEAR}&q=camara`],
      ['a year, a number', `${YEAR}&q=:numero`],
      ["a month, a supplier's folio", `${MONTH}&q=S517321`],
    ],
  ],
  // Told by the statement of `cotizacionesList`.
  [ordenesDePagosList, [['a month, first window', MONTH]]],
  [
    porPagarList,
    [
      ['all, first window', ''],
      ['the late ones of a supplier', 'proveedor=syscom&cuales=vencidas'],
      ['a word', 'q=camara'],
    ],
  ],
  [pagosList, [...WINDOWS, ABSENT, ['a year, the number of a sale', `${YEAR}&q=:numero`]]],
  [canceladasList, [...WINDOWS, ['a month by amount', `${MONTH}&orden=-pagado`]]],
  [activasList, [...WINDOWS, ['a month by amount', `${MONTH}&orden=-pagado`]]],
  ...[enviosList, enviosPendientesList].map((list): [ReadableList, Case[]] => [
    list,
    [
      ...WINDOWS,
      ABSENT,
      ['a year by cost', `${YEAR}&orden=-costo`],
      ['a year, a receiver', `${YEAR}&q=begona+nunez`],
      ['a year, a tracking number', `${YEAR}&q=:guia`],
      ['a month, the number of a sale', `${MONTH}&q=:numero`],
    ],
  ]),
  [ordenesCtList, [...WINDOWS, ABSENT]],
  [preguntasList, [...WINDOWS, ABSENT, ['a month, a common word', `${MONTH}&q=disponible`]]],
  [cotizarList, [...WINDOWS, ABSENT, ['a year, a common word', `${YEAR}&q=camara`]]],
  [
    proveedorFacturasList,
    [
      ...WINDOWS.slice(0, 2),
      ABSENT,
      ['a month by amount', `${MONTH}&orden=-monto`],
      ['four months, first window', 'desde=2026-03-01&hasta=2026-06-30'],
      ['a year, a folio', `${YEAR}&q=s517321`],
      ['a year, the number of a sale', `${YEAR}&q=:numero`],
    ],
  ],
  [
    sinFacturaList,
    [
      ['a month, first window', 'mes=2026-10'],
      ['a month, last window', 'mes=2026-10', -1],
      ['a month with the cancelled, by amount', 'mes=2026-10&canceladas=1&orden=-pagado'],
      ['a month, a word', 'mes=2026-10&q=camara'],
      ['no month yet', ''],
    ],
  ],
  [
    llenarReporteList,
    [
      ['a month, first window', MONTH],
      ['a month by profit', `${MONTH}&orden=-utilidad`],
      ['a year, first window', YEAR],
      ['a year, last window', YEAR, -1],
      ['a year, a number', `${YEAR}&q=:numero`],
      ['a month, a folio', `${MONTH}&q=:folio`],
      ABSENT,
    ],
  ],
  [
    mensualList,
    [
      ['a month, first window', 'mes=2026-10'],
      ['a month, last window', 'mes=2026-10', -1],
      ['a month, a common word', 'mes=2026-10&q=camara'],
    ],
  ],
  [
    facturasList,
    [
      ...WINDOWS,
      ABSENT,
      ['a month, from its middle', MONTH, 20],
      ['a month sorted by name', `${MONTH}&orden=razonSocial`, 3],
      ['a month, a common word', `${MONTH}&q=garcia`],
      ['a month, one letter', `${MONTH}&q=a`],
      ['a year, a common word', `${YEAR}&q=garcia`],
      ['a year, a folio', `${YEAR}&q=:folio`],
      ['another month, an RFC', `desde=2025-12-01&hasta=2025-12-31&q=:rfc`],
      ['a year, part of an order number', `${YEAR}&q=20000001`],
      ['a year, a number', `${YEAR}&q=:numero`],
    ],
  ],
  [
    notasCreditoList,
    [...WINDOWS, ABSENT, ['a year, a number', `${YEAR}&q=:numero`], ['a year by amount', `${YEAR}&orden=-total`]],
  ],
  [
    listasDelMes.ordenes,
    [...mesOf('2026-09'), ...mesOf('2026-05').map(([what, ...asked]): Case => [`closed, ${what}`, ...asked])],
  ],
  [listasDelMes.refacturacion, mesOf('2026-05')],
  [listasDelMes.devueltas, mesOf('2026-05')],
  [listasDelMes.parciales, mesOf('2026-05')],
  [balanceList, mesOf('2026-05')],
  [
    loteList,
    [
      ['first window', 'lote=:lote'],
      ['last window', 'lote=:lote', -1],
      ['a number', 'lote=:lote&q=2000000'],
      ['no batch', ''],
    ],
  ],
  [
    notasList,
    [
      ...WINDOWS,
      ABSENT,
      ['a month, a folio', `${MONTH}&q=NS-12`],
      ['a year, an address', `${YEAR}&q=nota321@correo.mx`],
    ],
  ],
  [
    stockInternoList,
    [
      ...WINDOWS,
      ABSENT,
      ['six months of one state', 'desde=2026-06-01&hasta=2026-11-30&estado=disponible'],
      ['six months of one supplier', 'desde=2026-06-01&hasta=2026-11-30&proveedor=ct'],
      ['a month by cost', `${MONTH}&orden=-costo`],
      ['a year, a folio', `${YEAR}&q=DV-20-000123`],
      ['a year, the number of a sale', `${YEAR}&q=:numero`],
      ["a year, a supplier's folio", `${YEAR}&q=F-120`],
    ],
  ],
  [
    publicacionesList,
    [
      ['first window', ''],
      ['last window', '', -1],
      ['of one marketplace', 'amz=1'],
      ['by price', 'orden=-precio'],
      ['by state', 'orden=estatus'],
      ['by supplier, last window', 'orden=-proveedor', -1],
      ['what is active', 'estatus=active'],
      ['what is paused, last window', 'estatus=paused', -1],
      ['of one supplier', 'proveedor=ct'],
      ['of one supplier, paused, at one marketplace', 'proveedor=syscom&estatus=paused&ml=1'],
      ['without a product', 'sinProducto=1'],
      ['without a product, by price', 'sinProducto=1&orden=precio'],
      ['a state with a number', 'estatus=paused&q=MLM12341'],
      ['a sku', 'q=AMS%7CP77%7Cct%7CX'],
      ['an absent word', 'q=zzqqxx'],
    ],
  ],
  [conciliadasList, [...WINDOWS, ABSENT, ['a month, those that differ', `${MONTH}&difieren=1`]]],
  [
    datosFiscalesList,
    [
      ['first window', ''],
      ['last window', '', -1],
      ['a name', 'q=quinones+zuniga'],
      ['an RFC', 'q=:rfc'],
      ['an absent word', 'q=zzqqxx'],
    ],
  ],
];

const PRODUCTOS: Case[] = [
  ['first window', ''],
  ['last window', '', -1],
  ['of one supplier', 'proveedor=ct'],
  ['with stock', 'existencia=con'],
  ['of one supplier, without stock', 'proveedor=ct&existencia=sin'],
  ['by stock', 'orden=-existencia'],
  ['the newest first', 'orden=-alta'],
  ['a model', 'q=hik-100120'],
  ['a GTIN', 'q=694126400010'],
  ['a pasted title', 'q=Cámara+bala+2+MP+HIKVISION+serie+100120+para+exterior+...'],
  ['a sku', 'q=AMS%7Cx%7Ctvc%7Chik-100010'],
  ['an absent word', 'q=zzqqxx'],
];

let known: Record<string, string>;
beforeAll(async () => {
  await seedAnio(ownerDatabase().db);
  await seedCatalogo(ownerDatabase().db, 20_000);
  await seedStock(ownerDatabase().db, 20_000);
  await seedAtencion(ownerDatabase().db, 20_000);
  await seedPublicaciones(ownerDatabase().db, 20_000);
  await seedConciliacion(ownerDatabase().db);
  const { rows } = await sql<Record<string, string>>`
    select num_orden as numero, serie || '-' || folio as folio, rfc, (select guia from envio where estatus = 'shipped' limit 1) as guia, (select batch_id from effect where batch_id is not null limit 1) as lote
    from factura where fecha_timbrado >= '2026-10-10' and tipo = 'individual' order by fecha_timbrado limit 1`.execute(
    db,
  );
  known = rows[0]!;
}, 120_000);

test.each(
  CASES.flatMap(([list, cases]) =>
    cases.map(([what, query, indice = 0]) => [list.titulo, what, list, query, indice] as const),
  ),
)('%s: %s is found without reading a whole table', async (_titulo, _what, list, query, indice) => {
  const asked = query.replace(/:(\w+)/, (_, name: string) => known[name]!);
  expect(await seqScansDuring(db, TABLES, (trx) => readList(trx, list, asked, indice))).toEqual({});
});

/** As a page opens: what is counted along is not counted row by row. */
test.each(PRODUCTOS)('Productos: %s is found without reading a whole table', async (_what, query, indice = 0) => {
  expect(
    await seqScansDuring(db, TABLES, async (trx) => {
      const opened = await productosList.whole(
        trx as unknown as Db,
        productosList.parse(new URLSearchParams(query)),
        '1',
      );
      const total = opened.totales!.registros;
      if (indice < 0)
        await productosList.window(trx, productosList.parse(new URLSearchParams(query)), {
          indice: Math.ceil(total / 50) - 1,
          total,
          corte: opened.corte,
        });
    }),
  ).toEqual({});
});

test.each([
  ['common words', 'Control de acceso'],
  ['a common word and a rare one', 'soporte 100003'],
  ['common words that never come together', 'soporte facial'],
  ['common words, sorted by stock', 'camara bala', '&orden=-existencia'],
])('Productos: %s bring the first of all that match, few or many', async (_what, q, more = '') => {
  const filtro = productosList.parse(new URLSearchParams(`q=${encodeURIComponent(q)}${more}`));
  const by = more ? sql`coalesce(o.existencia, -1)` : sql`p.piezas_vendidas`;
  const { rows } = await sql<{ id: string }>`
    select p.id from producto p left join oferta o on o.producto_id = p.id
    where ${sql.join(
      q.split(' ').map((word) => sql`strpos(p.busqueda, ${word.toLowerCase()}) > 0`),
      sql` and `,
    )} order by ${by} desc, p.id desc`.execute(db);
  const { filas, totales } = await productosList.whole(db, filtro, null);
  expect(filas.map(({ id }) => id)).toEqual(rows.slice(0, 50).map(({ id }) => id));
  expect(totales!.registros).toBe(rows.length);
});

test('every list of the product is looked at here, but for those of a handful of rows', () => {
  expect(
    [
      ...CASES.map(([{ lista }]) => lista),
      productosList.lista,
      ...Object.keys(SMALL),
      ...Object.keys(WHOLE),
    ].toSorted(),
  ).toEqual(Object.keys(LISTS).toSorted());
});

test.each([
  ['a month by day', '2026-10-01', '2026-10-31', 'dia'],
  ['a year by month', '2025-11-01', '2026-10-31', 'mes'],
  ['a year by day', '2025-11-01', '2026-10-31', 'dia'],
] as const)('the graph of %s is read from one index', async (_, desde, hasta, paso) => {
  expect(await seqScansDuring(db, TABLES, (trx) => readGrafica(trx, { desde, hasta }, paso))).toEqual({});
});

test.each([
  ['a day', 'dia'],
  ['a month', 'mes'],
] as const)('what changed the profit of %s is read from indices', async (_, paso) => {
  // The year is loaded without the triggers that post the ledgers; a second call finds them.
  await sql`select libro_asentar(array(select orden_id from libro_venta
    where fecha >= '2026-09-01' and fecha < '2026-11-01' and falta = '{calculo}'))`.execute(ownerDatabase().db);
  await vacuumAnalyze(ownerDatabase().db, 'asiento', 'libro_venta');
  const pedido = { paso, contra: 'anterior', el: '2026-10-20' } as const;
  expect(await seqScansDuring(db, TABLES, (trx) => readCambio(trx, pedido, new Date('2026-11-20T18:00:00Z')))).toEqual(
    {},
  );
});

test('the figures of a day on Hoy, profit by hour among them, are read from indices', async () => {
  expect(
    await seqScansDuring(db, [...TABLES, 'libro_venta'], (trx) =>
      look(trx as unknown as Db, new Date('2026-10-20T20:00:00Z')),
    ),
  ).toEqual({});
});

test.each(['producto', 'proveedor', 'mercado', 'categoria'] as const)(
  'the profit of a month by %s is read from indices',
  async (por) => {
    const pedido = PedidoDeUtilidad.parse({ por, desde: '2026-10-01', hasta: '2026-10-31' });
    expect(await seqScansDuring(db, TABLES, (trx) => readUtilidadPor(trx, pedido, 50))).toEqual({});
  },
);

test('a shipment and a sale of ours open without reading a whole table', async () => {
  const { envioId, numOrden } = await db
    .selectFrom('orden')
    .select(['envioId', 'numOrden'])
    .where('envioPropio', '=', true)
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(
    await seqScansDuring(db, TABLES, async (trx) => {
      expect(await readEnvio(trx, envioId!)).toBeDefined();
      expect(await readPropioOfNumero(trx, numOrden)).toBeDefined();
    }),
  ).toEqual({});
});

test('the pictures of a window are read and asked for without reading a whole table', async () => {
  await sql`insert into producto_retrato (producto_id, mirada_en) select id, now() from producto where right(id::text, 1) <> 'f'`.execute(
    db,
  );
  await vacuumAnalyze(ownerDatabase().db, 'producto_retrato');
  const { rows } = await sql<{ id: string; clave: string; modelo: string }>`
    select id, 'AMS|' || id_proveedor || '|' || proveedor || '|' || modelo as clave,
      'AMS|0|' || proveedor || '|' || modelo as modelo from producto order by md5(id::text) limit 50`.execute(db);
  const tables = [...TABLES, 'producto_retrato'];
  const scans = seqScansDuring(db, tables, async (trx) => {
    const at = trx as unknown as Db;
    await ladosOf(
      at,
      rows.map(({ id }) => id),
    );
    const skus = rows.flatMap(({ clave, modelo }) => [clave, modelo]);
    expect((await productosOfSkus(at, skus)).get(rows[0]!.clave)).toBe(rows[0]!.id);
  });
  expect(await scans).toEqual({});
});

test('the measure itself sees a whole reading', async () => {
  expect(await seqScansDuring(db, TABLES, (trx) => sql`select count(titulo) from orden`.execute(trx))).toEqual({
    orden: 1,
  });
});
