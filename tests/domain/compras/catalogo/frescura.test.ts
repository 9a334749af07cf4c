import { sql } from 'kysely';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { Money } from '~/core/money';
import {
  applyProductos,
  previewProductos,
  type RenglonDeLista,
} from '~/domain/compras/catalogo/internal/applyProductos.server';
import { distanciaOf, estadoOfCp } from '~/domain/compras/catalogo/internal/cercania';
import { catalogosEnSilencio } from '~/domain/compras/catalogo/internal/colaCatalogos.server';
import { listConfigurados } from '~/domain/compras/directorio/configuracion.server';
import { isCaducada } from '~/domain/compras/catalogo/internal/frescura';
import { existenciaDe, precioDe } from '~/domain/compras/catalogo/columnas.server';
import { listFrescura, listPausas, saveFrescura, watchFrescura } from '~/domain/compras/catalogo/frescura.server';
import { savePrecios, saveProductos } from '~/domain/compras/catalogo/internal/saveProductos.server';
import { readProducto } from '~/domain/compras/catalogo/productos.server';
import { declarePar, listParientes, mejoresOf } from '~/domain/compras/catalogo/parientes.server';
import type { Item } from '~/integrations/proveedores/cara';
import { Pausas } from '~/routes/compras/tiendas/Pausas';
import type { Trx } from '~db/client.server';
import { testDatabase } from '../../../support/db';
import { buildUsuarios } from '../../../support/web';

const { db } = testDatabase();
const HORA = 3_600_000;
let sa: string;

beforeEach(async () => {
  for (const table of ['producto', 'productoCuenta', 'catalogoPausa', 'catalogoProveedor', 'lecturaCatalogo'] as const)
    await db.deleteFrom(table).execute();
  sa =
    (await db.selectFrom('usuario').select('id').where('usuario', '=', 'sa').executeTakeFirst())?.id ??
    (await buildUsuarios(db)).sa;
});

const item = (
  over: Partial<Omit<Item, 'existencia'>> & { piezas?: number; leidaEn?: Date; almacen?: string } = {},
): Item => {
  const { piezas = 5, leidaEn = new Date(), almacen = 'Monterrey', ...rest } = over;
  return {
    idProveedor: 'A-1',
    modelo: 'DS-2CE10',
    modeloFabricante: 'DS-2CE10',
    nombre: 'Cámara bala',
    marca: 'Hikvision',
    gtins: [],
    claveSat: null,
    precio: { importe: Money.of('100.00'), moneda: 'MXN' },
    sinPrecio: null,
    promociones: [],
    tipoCambio: null,
    enVenta: true,
    existencia: { total: piezas, tope: false, almacenes: [{ almacen, nombre: null, cantidad: piezas }], leidaEn },
    imagenes: [],
    link: null,
    // All that is kept of an answer follows from it.
    raw: { ...rest, piezas, almacen },
    ...rest,
  };
};
const guarda = (proveedor: string, ...items: Item[]) =>
  db.transaction().execute((trx) => saveProductos(trx, proveedor, items));
const idDe = async (proveedor: string, id = 'A-1') =>
  (
    await db
      .selectFrom('producto')
      .select('id')
      .where('proveedor', '=', proveedor)
      .where('idProveedor', '=', id)
      .executeTakeFirstOrThrow()
  ).id;
const leida = (proveedor: string, hace: number) =>
  sql`insert into catalogo_proveedor (proveedor, fresca_de) values (${proveedor}, ${new Date(Date.now() - hace)})
    on conflict (proveedor) do update set fresca_de = excluded.fresca_de`.execute(db);
const edades = async () =>
  (
    await db
      .selectFrom('producto')
      .innerJoin('oferta', 'oferta.productoId', 'producto.id')
      .select(['idProveedor', precioDe.as('precio'), existenciaDe.as('existencia')])
      .orderBy('idProveedor')
      .execute()
  ).map(({ idProveedor, precio, existencia }) => [
    idProveedor,
    ...[precio, existencia].map((de) => Math.round((Date.now() - de!.getTime()) / HORA)),
  ]);
const mira = () =>
  catalogosEnSilencio.mira(db, { ahora: new Date(), limite: 10, aparte: [], quien: { id: sa, rol: 'sa' } });

test('what is older than its rule, or of no known moment, is stale', () => {
  const ahora = new Date('2026-11-23T12:00:00Z');
  const hace = (minutos: number) => new Date(ahora.getTime() - minutos * 60_000);
  expect([10, 60, 61].map((minutos) => isCaducada(hace(minutos), 60, ahora))).toEqual([false, false, true]);
  // A clock that ran ahead made it no fresher than now.
  expect(isCaducada(hace(-1_440), 60, ahora)).toBe(false);
});

test('pictures that the page of a product brought stay when a list brings none, and change when it brings others', async () => {
  const [una, otra] = ['https://ftp3.syscom.mx/1.png', 'https://ftp3.syscom.mx/2.png'] as const;
  const tras = async (imagenes: string[]) => {
    await guarda('tvc', item({ imagenes }));
    return (await db.selectFrom('producto').select('imagenes').executeTakeFirstOrThrow()).imagenes;
  };
  expect([await tras([una]), await tras([]), await tras([otra])]).toEqual([[una], [una], [otra]]);
});

test('a price is as old as the last read that met it, and one that no read met again grows old alone', async () => {
  await guarda(
    'tvc',
    item({ leidaEn: new Date(Date.now() - 50 * HORA) }),
    item({ idProveedor: 'B-2', leidaEn: new Date(Date.now() - 50 * HORA) }),
  );
  await leida('tvc', 2 * HORA);
  await sql`update producto set visto_hasta = now() - interval '20 hours' where id_proveedor = 'B-2'`.execute(db);
  expect(await edades()).toEqual([
    ['A-1', 2, 2],
    ['B-2', 20, 20],
  ]);
  // A list of prices says nothing of stock.
  await db
    .transaction()
    .execute((trx) =>
      applyProductos(
        trx,
        'tvc',
        [{ idProveedor: 'B-2', modelo: null, precio: { importe: Money.of('90.00'), moneda: 'MXN' } }],
        { en: new Date() },
      ),
    );
  expect((await edades())[1]).toEqual(['B-2', 0, 20]);
});

test('a supplier that stopped answering stops counting, which is told once with its end, and waits for people', async () => {
  await guarda('tvc', item(), item({ idProveedor: 'B-2', piezas: 0 }));
  await leida('tvc', HORA);
  await watchFrescura(db);
  expect(await listPausas(db, 'tvc')).toEqual([]);
  expect(await mira()).toMatchObject({ total: 0 });
  await leida('tvc', 13 * HORA);
  await watchFrescura(db);
  await watchFrescura(db);
  expect(await listPausas(db, 'tvc')).toMatchObject([
    { minutos: 720, productos: 1, terminoEn: null, productoId: null },
  ]);
  const { pausas } = (await listConfigurados(db)).find(({ value }) => value === 'tvc')!;
  expect(renderToStaticMarkup(createElement(Pausas, { pausas })).replaceAll(/<[^<>]*>/gu, '')).toMatch(
    /^Última pausa.+, sigue: todo el catálogo, 1 producto, sin lectura en 720 min\.$/u,
  );
  expect((await listFrescura(db)).find(({ proveedor }) => proveedor === 'tvc')).toMatchObject({
    caducada: true,
    productos: 2,
  });
  expect((await mira()).cosas).toMatchObject([
    {
      titulo: 'TVC',
      detalle: 'Sus 2 productos cuentan como sin existencia',
      a: 'tiendasConfiguracion?tab=proveedores#titulo-tvc',
    },
  ]);
  // Somebody lets it be older: what that brings back counts at once.
  const rule = { proveedor: 'tvc', frescuraMin: 1_440, version: 1 };
  await db.transaction().execute((trx) => saveFrescura(trx, rule, sa));
  expect(await listPausas(db, 'tvc')).toMatchObject([{ terminoEn: expect.any(Date) as Date }]);
  await expect(db.transaction().execute((trx) => saveFrescura(trx, rule, sa))).rejects.toThrow('Otra persona modificó');
});

test('one product that its reads no longer meet stops counting by itself, until it is met again', async () => {
  await guarda('tvc', item({ leidaEn: new Date(Date.now() - 30 * HORA) }));
  await leida('tvc', HORA);
  const productoId = await idDe('tvc');
  await sql`update producto set visto_hasta = now() - interval '13 hours'`.execute(db);
  await sql`update oferta set leida_en = now() - interval '30 hours'`.execute(db);
  await watchFrescura(db);
  await watchFrescura(db);
  expect(await listPausas(db, 'tvc')).toMatchObject([
    { productoId, modelo: 'DS-2CE10', productos: 1, terminoEn: null },
  ]);
  await sql`update producto set visto_hasta = null`.execute(db);
  await watchFrescura(db);
  expect(await listPausas(db, 'tvc')).toMatchObject([{ productoId, terminoEn: expect.any(Date) as Date }]);
});

test('the same piece is found by its GTIN however it is written, else by brand and model without signs', async () => {
  await guarda(
    'cva',
    item({ idProveedor: 'C-1', marca: 'HIK-VISION', modeloFabricante: 'ds 2ce10', gtins: ['694126400001'] }),
  );
  await guarda('ct', item({ idProveedor: 'K-1', marca: null, modeloFabricante: null, gtins: ['0694126400001'] }));
  await guarda('tvc', item(), item({ idProveedor: 'T-2', modeloFabricante: 'DS-2CE11' }));
  // The same model with other codes of bars is another piece.
  await guarda('ts', item({ idProveedor: 'S-1', gtins: ['694126499999'] }));
  const parientes = async (proveedor: string, id: string) =>
    (await listParientes(db, await idDe(proveedor, id))).map((one) => [one.proveedor, one.por]).sort();
  expect(await parientes('cva', 'C-1')).toEqual([
    ['ct', 'gtin'],
    ['cva', 'gtin'],
    ['tvc', 'modelo'],
  ]);
  expect(await parientes('tvc', 'A-1')).toEqual([
    ['cva', 'modelo'],
    ['ts', 'modelo'],
    ['tvc', 'modelo'],
  ]);
});

test('people undo a match, make one, and take back what they said', async () => {
  await guarda('cva', item({ idProveedor: 'C-1' }));
  await guarda('tvc', item(), item({ idProveedor: 'T-2', modeloFabricante: 'OTRO-99' }));
  const [uno, otro, ajeno] = [await idDe('cva', 'C-1'), await idDe('tvc'), await idDe('tvc', 'T-2')];
  const suyos = async () => (await listParientes(db, uno)).map(({ id, por }) => [id, por]).sort();
  const di = (con: string, igual: boolean | null) =>
    db.transaction().execute((trx) => declarePar(trx, { uno, otro: con, igual }, sa));
  const solo = [[uno, 'modelo']];
  expect(await suyos()).toEqual([...solo, [otro, 'modelo']].sort());
  await di(otro, false);
  expect(await suyos()).toEqual(solo);
  await di(ajeno, true);
  expect(await suyos()).toEqual([...solo, [ajeno, null]].sort());
  await di(otro, null);
  await di(ajeno, null);
  expect(await suyos()).toEqual([...solo, [otro, 'modelo']].sort());
});

test('who has it cheaper, nearer and fresher, each by that supplier own rate and only of what can be bought', async () => {
  const ayer = new Date(Date.now() - 5 * HORA);
  await guarda(
    'cva',
    item({
      idProveedor: 'C-1',
      precio: { importe: Money.of('5.00'), moneda: 'USD' },
      almacen: 'VENTAS DF TALLER',
      leidaEn: ayer,
    }),
  );
  await guarda('tvc', item({ almacen: 'Monterrey' }));
  await guarda('ts', item({ idProveedor: 'S-1', precio: { importe: Money.of('1.00'), moneda: 'MXN' }, piezas: 0 }));
  await sql`insert into catalogo_proveedor (proveedor, tipo_cambio, tipo_cambio_en) values ('cva', 18.5, now())`.execute(
    db,
  );
  const todos = await listParientes(db, await idDe('tvc'), '64000');
  expect(todos.map(({ proveedor, pesos, km }) => [proveedor, pesos?.toString(), km])).toEqual([
    ['cva', '92.50', 707],
    ['tvc', '100.00', 0],
    ['ts', '1.00', null],
  ]);
  const [cva, tvc] = [await idDe('cva', 'C-1'), await idDe('tvc')];
  expect(mejoresOf(todos)).toEqual({ barato: cva, cercano: tvc, fresco: tvc });
});

test('a postal code says its state, and the name of a warehouse its place', () => {
  expect(['01000', '16999', '20000', '44100', '97000', '99999', '00000', 'x'].map(estadoOfCp)).toEqual([
    'CMX',
    'CMX',
    'AGU',
    'JAL',
    'YUC',
    'ZAC',
    null,
    null,
  ]);
  expect(distanciaOf('CENTRO DE DISTRIBUCION GUADALAJARA', 'JAL')).toBe(0);
  expect(distanciaOf('Mérida', 'YUC')).toBe(0);
  expect(distanciaOf('44A', 'YUC')).toBeNull();
});

test('a list of prices is counted before it is applied, and of two lines about one product the last holds', async () => {
  await guarda(
    'syscom',
    item({ idProveedor: '1', modelo: 'UNO' }),
    item({ idProveedor: '2', modelo: 'DOS' }),
    item({ idProveedor: '3', modelo: 'DOS' }),
  );
  const precio = (importe: string) => ({ importe: Money.of(importe), moneda: 'MXN' as const });
  const lista: RenglonDeLista[] = [
    { idProveedor: '1', modelo: null, precio: precio('100.00') },
    { idProveedor: null, modelo: 'uno', precio: precio('80.00'), existencia: 3 },
    { idProveedor: '2', modelo: null, precio: precio('100.00') },
    // Two products have it.
    { idProveedor: null, modelo: 'DOS', precio: precio('1.00') },
    { idProveedor: '9', modelo: 'NUEVE', precio: precio('9.00'), nombre: 'Nueve' },
    { idProveedor: '8', modelo: null, precio: null },
  ];
  const cuentas = { nuevo: 1, cambia: 1, igual: 1, desconocido: 2, repetido: 1 };
  expect((await previewProductos(db, 'syscom', lista)).cuentas).toEqual(cuentas);
  expect(await db.selectFrom('producto').select('id').execute()).toHaveLength(3);
  expect(await db.transaction().execute((trx) => applyProductos(trx, 'syscom', lista, { en: new Date() }))).toEqual(
    cuentas,
  );
  const { rows } = await sql<{ k: string; precio: Money; existencia: number | null }>`
    select id_proveedor as k, precio, existencia from producto join oferta on producto_id = id order by 1`.execute(db);
  expect(rows.map((row) => [row.k, String(row.precio), row.existencia])).toEqual([
    ['1', '80.00', 3],
    ['2', '100.00', 5],
    ['3', '100.00', 5],
    ['9', '9.00', null],
  ]);
  // The next read of the catalogue finds its own price again.
  expect(await guarda('syscom', item({ idProveedor: '1', modelo: 'UNO' }))).toMatchObject({ escritos: 1 });
});

test('a list of prices and a read that write the same products in another order do not wait for each other', async () => {
  const dos = { idProveedor: 'B-2', modelo: 'OTRO' };
  await guarda('syscom', item(), item(dos));
  const linea = (idProveedor: string) => ({ idProveedor, modelo: null, precio: item().precio, existencia: 9 });
  const aplica = (trx: Trx, id: string) => applyProductos(trx, 'syscom', [linea(id)], { en: new Date() });
  let lectura: Promise<unknown> | undefined;
  await db.transaction().execute(async (lista) => {
    await aplica(lista, 'A-1');
    lectura = guarda('syscom', item({ ...dos, piezas: 2 }), item({ piezas: 2 }));
    await vi.waitFor(async () => {
      const { rows } =
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        );
      expect(rows).toHaveLength(1);
    });
    await aplica(lista, 'B-2');
  });
  expect(await lectura).toMatchObject({ escritos: 2 });
  const { rows } = await sql`select existencia from oferta`.execute(db);
  expect(rows).toEqual([{ existencia: 2 }, { existencia: 2 }]);
});

test('a read of prices alone writes what moved, of products that are known, and takes no name from them', async () => {
  const { raw } = item();
  await guarda('ct', item());
  const precios = (...items: Item[]) => db.transaction().execute((trx) => savePrecios(trx, 'ct', items));
  const movil = { nombre: null, marca: null, raw: { otro: true } };
  expect(await precios(item(movil), item({ ...movil, idProveedor: 'X-9' }))).toEqual({ escritos: 0, negados: [] });
  expect(await precios(item({ ...movil, piezas: 2 }))).toEqual({ escritos: 1, negados: [] });
  const row = await db
    .selectFrom('producto')
    .innerJoin('oferta', 'oferta.productoId', 'producto.id')
    .select(['nombre', 'existencia', 'raw'])
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ nombre: 'Cámara bala', existencia: 2, raw });
  // The same of one product asked for alone.
  await guarda('ct', item({ ...movil, raw: { otro: 'más' }, piezas: 1 }));
  expect(await db.selectFrom('producto').select(['nombre', 'marca']).execute()).toEqual([
    { nombre: 'Cámara bala', marca: 'Hikvision' },
  ]);
});

test('pieces that moved to another warehouse are written, and a row without a currency erases no price', async () => {
  await guarda('ct', item());
  const precios = (...items: Item[]) => db.transaction().execute((trx) => savePrecios(trx, 'ct', items));
  const oferta = () =>
    db
      .selectFrom('oferta')
      .select(['precio', 'moneda', 'sinPrecio', 'existencia', 'almacenes'])
      .executeTakeFirstOrThrow();
  expect(await precios(item({ almacen: 'Mérida' }))).toEqual({ escritos: 1, negados: [] });
  expect(await oferta()).toMatchObject({ almacenes: [{ almacen: 'Mérida', cantidad: 5 }] });
  // The same place under its number.
  const porNumero = item();
  porNumero.existencia.almacenes = [{ almacen: '7', nombre: 'Mérida', cantidad: 5 }];
  expect(await precios(porNumero)).toEqual({ escritos: 0, negados: [] });

  const calla = { precio: null, sinPrecio: 'moneda' as const, callaMoneda: true, almacen: 'Mérida' };
  expect(await precios(item(calla))).toEqual({ escritos: 0, negados: [] });
  expect(await precios(item({ ...calla, piezas: 3 }))).toEqual({ escritos: 1, negados: [] });
  await guarda('ct', item({ ...calla, piezas: 4 }));
  const queda = await oferta();
  expect([Number(queda.precio), queda.moneda, queda.sinPrecio, queda.existencia]).toEqual([100, 'MXN', null, 4]);
  await guarda('ct', item({ ...calla, callaMoneda: false, piezas: 2 }));
  expect(await oferta()).toMatchObject({ precio: null, sinPrecio: 'moneda' });
});

test('a promotion is told until its last day, and one without days always', async () => {
  const de = (importe: string, hasta: Date | null) => ({
    importe: Money.of(importe),
    moneda: 'MXN' as const,
    almacen: null,
    desde: null,
    hasta,
    piezas: null,
  });
  const fin = new Date('2026-12-31T06:00:00Z');
  await guarda('ct', item({ promociones: [de('90.00', fin), de('95.00', null)] }));
  const id = await idDe('ct');
  const importes = async (ahora: Date) =>
    (await readProducto(db, id, { conOrdenes: false, ahora }))!.promociones.map(({ importe }) => Number(importe));
  expect(await importes(fin)).toEqual([90, 95]);
  expect(await importes(new Date(fin.getTime() + 1))).toEqual([95]);
});
