import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { gtinIn, lacksCodigo, type LineaDePaquete, readLectura, SIN_CODIGO } from '~/domain/compras/stock/empaque';
import {
  faltantesAlEmpacar,
  listPorEmpacar,
  packPieza,
  reportFalta,
  viewPaquete,
} from '~/domain/compras/stock/empaque.server';
import { codigoOf, folioOf } from '~/domain/compras/stock/pieza';
import { sellPieza } from '~/domain/compras/stock/piezas.server';
import { buildOrden, type OrdenSketch } from '../../../support/builders/ordenes';
import { buildGuia, pedir } from '../../../support/builders/pedidos';
import { buildPiezas, buildProductoDeStock } from '../../../support/builders/stock';
import { buildPersona } from '../../../support/builders/ventas';
import { testDatabase } from '../../../support/db';

const { db } = testDatabase();
const { id: usuarioId } = await buildPersona(db, 'user');
const GTIN = '7501234567893';

/** A parcel of two pieces of one product, with its label here and one piece of ours on the shelf. */
async function buildPaquete(sketch: OrdenSketch = {}) {
  const producto = await buildProductoDeStock(db);
  await sql`update producto set gtins = array[${GTIN}] where id = ${producto.id}`.execute(db);
  const orden = await buildOrden(db, { sku: `AMS|${producto.idProveedor}|syscom|x`, ...sketch });
  await db.updateTable('articulo').set({ cantidad: 2 }).where('ordenId', '=', orden.id).execute();
  await buildGuia(db, orden.envioId!);
  const [pieza] = await buildPiezas(db, usuarioId, { producto: producto.id });
  await sql`insert into stock_movimiento (pieza_id, de, a) values (${pieza!.id}, 'enRevision', 'disponible')`.execute(
    db,
  );
  const { posicion } = (await viewPaquete(db, orden.numOrden, usuarioId))!.lineas[0]!;
  const linea = { paquete: orden.envioId!, orden: orden.id, posicion };
  return {
    orden,
    folio: pieza!.folio,
    pack: (codigo: string) => db.transaction().execute((trx) => packPieza(trx, { ...linea, codigo }, usuarioId)),
    miss: () => db.transaction().execute((trx) => reportFalta(trx, { ...linea, motivo: 'danada' }, usuarioId)),
    view: async () => (await viewPaquete(db, orden.numOrden, usuarioId))!,
  };
}
const esperan = async (numero: string) =>
  (await listPorEmpacar(db)).paquetes.filter((paquete) => paquete.numero === numero);
const deHoy = async (numero: string) =>
  (
    await faltantesAlEmpacar.mira(db, {
      ahora: new Date(),
      limite: 50,
      aparte: [],
      quien: { id: usuarioId, rol: 'user' },
    })
  ).cosas.filter(({ detalle }) => detalle.startsWith(numero));

const linea = (over: Partial<LineaDePaquete> = {}): LineaDePaquete => ({
  orden: 'o',
  posicion: 0,
  nombre: 'Cámara',
  cantidad: 1,
  foto: null,
  gtins: [GTIN],
  piezas: [{ folio: folioOf(2026, 1), etiquetas: [codigoOf(12)] }],
  lecturas: [],
  falta: null,
  ...over,
});

test('one code of bars is one product in each of its spellings, and other numbers are none', () => {
  expect(new Set(['012345678905', '0012345678905', '00012345678905'].map(gtinIn))).toEqual(new Set(['00012345678905']));
  expect([gtinIn('2000016000000001'), gtinIn('43210987654'), gtinIn('x')]).toEqual([undefined, undefined, undefined]);
  expect([lacksCodigo(linea({ piezas: [] })), lacksCodigo(linea({ gtins: ['sin código'], piezas: [] }))]).toEqual([
    false,
    true,
  ]);
});

test('a scan fills its line by our label, by a printed label or by the bars of the product; all else is said', () => {
  const folio = folioOf(2026, 1);
  const clase = (lineas: LineaDePaquete[], dice: string) => readLectura(lineas, dice).clase;
  expect(readLectura([linea()], `http://127.0.0.1/siqr/${folio}`)).toMatchObject({ clase: 'linea', codigo: folio });
  expect(readLectura([linea()], codigoOf(12))).toMatchObject({ clase: 'linea', codigo: folio });
  expect(readLectura([linea()], GTIN)).toMatchObject({ clase: 'linea', codigo: `0${GTIN}` });
  expect(clase([linea()], folioOf(2026, 2))).toBe('mal');
  expect(clase([linea()], '7501234567800')).toBe('mal');
  expect(clase([linea()], SIN_CODIGO)).toBe('mal');
  expect(clase([linea({ cantidad: 2, lecturas: [folio] })], folio)).toBe('ya');
  expect(clase([linea({ lecturas: ['x'] })], GTIN)).toBe('ya');
  // Of two lines with one product the first that lacks a piece takes it.
  const [llena, libre] = [linea({ lecturas: ['x'] }), linea({ posicion: 1 })];
  expect(readLectura([llena, libre], GTIN)).toMatchObject({ linea: { posicion: 1 } });
});

test('a parcel ends with its last piece: what is ours left for the sale, and its label is told', async () => {
  const { orden, folio, pack, view } = await buildPaquete();
  expect(await esperan(orden.numOrden)).toMatchObject([{ leidas: 0, falta: false }]);
  await expect(pack(folioOf(2020, 7))).rejects.toThrow('Pieza equivocada');
  await expect(pack(SIN_CODIGO)).rejects.toThrow('Escanea la pieza.');
  expect(await pack(folio)).toBeUndefined();
  await expect(pack(folio)).rejects.toThrow('ya está en este paquete');
  expect(await view()).toMatchObject({ terminado: false, impide: null, lineas: [{ lecturas: [folio] }] });
  const pieza = await db
    .selectFrom('stockInterno')
    .select(['estado', 'ventaId'])
    .where('folio', '=', folio)
    .executeTakeFirstOrThrow();
  expect(pieza).toEqual({ estado: 'vendido', ventaId: orden.id });
  const guia = await db.selectFrom('guia').select('id').where('envioId', '=', orden.envioId!).executeTakeFirstOrThrow();
  expect(await pack(GTIN)).toEqual({ numero: orden.numOrden, guia: guia.id, zpl: false });
  expect(await esperan(orden.numOrden)).toEqual([]);
  await expect(pack(GTIN)).rejects.toThrow('ya se empacó');
});

test('a parcel without its label asks the marketplace for it, once', async () => {
  const { orden, folio, pack } = await buildPaquete();
  await db.deleteFrom('guia').where('envioId', '=', orden.envioId!).execute();
  await sql`update envio set modo = 'me2', subestatus = 'ready_to_print' where id = ${orden.envioId}`.execute(db);
  await pack(folio);
  expect(await pack(GTIN)).toEqual({ numero: orden.numOrden, guia: null, zpl: false });
  const { rows } = await sql`select from effect where request ->> 'envioId' = ${orden.envioId}`.execute(db);
  expect(rows).toHaveLength(1);
});

test('a missing piece goes to whoever buys until it is packed, and the parcel waits behind the others', async () => {
  const { orden, folio, pack, miss } = await buildPaquete();
  const otro = await buildPaquete();
  await miss();
  await miss();
  expect(await deHoy(orden.numOrden)).toMatchObject([{ detalle: `${orden.numOrden} · Llegó dañada` }]);
  expect((await listPorEmpacar(db)).paquetes.map(({ numero }) => numero).slice(-2)).toEqual([
    otro.orden.numOrden,
    orden.numOrden,
  ]);
  await pack(folio);
  expect(await deHoy(orden.numOrden)).toHaveLength(1);
  await pack(GTIN);
  expect(await deHoy(orden.numOrden)).toEqual([]);
  await expect(miss()).rejects.toThrow('ya se empacó');
});

test('what was cancelled or left, or is packed by its supplier, is not packed', async () => {
  const cancelada = await buildPaquete();
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', cancelada.orden.id).execute();
  await expect(cancelada.pack(GTIN)).rejects.toThrow('No se empaca');
  expect(await esperan(cancelada.orden.numOrden)).toEqual([]);
  expect(await cancelada.view()).toMatchObject({ impide: expect.stringContaining('No se empaca') as string });
  const salio = await buildPaquete();
  await db.updateTable('envio').set({ estatus: 'shipped' }).where('id', '=', salio.orden.envioId!).execute();
  await expect(salio.pack(GTIN)).rejects.toThrow('No se empaca');
  const ajeno = await buildPaquete();
  await sql`insert into oferta (producto_id, precio, moneda, existencia, tope, almacenes, promociones, raw, huella, leida_en)
    select id, 10, 'MXN', 5, false, '[]', '[]', '{}', '-', now() from producto where gtins = array[${GTIN}]`.execute(
    db,
  );
  const pedido = await pedir(db, ajeno.orden, 'syscom', usuarioId);
  await sql`update pedido set estado = 'enviando' where id = ${pedido}`.execute(db);
  await sql`update pedido set estado = 'solicitado', folio_proveedor = 'F-1', guia_por = 'pedido', guia_enviada_en = now()
    where id = ${pedido}`.execute(db);
  expect(await esperan(ajeno.orden.numOrden)).toEqual([]);
  expect(await ajeno.view()).toMatchObject({ impide: expect.stringContaining('él lo empaca') as string });
  await expect(ajeno.pack(GTIN)).rejects.toThrow('él lo empaca');
  await expect(ajeno.miss()).rejects.toThrow('él lo empaca');
});

test('a piece that another sale took while it was scanned is in no second parcel', async () => {
  const [una, otra] = [await buildPaquete(), await buildOrden(db)];
  let sold = () => {};
  const selling = new Promise<void>((done) => (sold = done));
  const { id, version } = await db
    .selectFrom('stockInterno')
    .select(['id', 'version'])
    .where('folio', '=', una.folio)
    .executeTakeFirstOrThrow();
  const elsewhere = db.transaction().execute(async (trx) => {
    await sellPieza(trx, { id, version, venta: otra.id }, usuarioId);
    await selling;
  });
  // Read at once: whoever only looks later finds a refusal that nobody took.
  const refused = expect(una.pack(una.folio)).rejects.toThrow('se vendió en otra venta');
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
        db,
      );
      return rows[0]!.waits;
    })
    .toBe(true);
  sold();
  await elsewhere;
  await refused;
  expect((await una.view()).lineas[0]!.lecturas).toEqual([]);
});
