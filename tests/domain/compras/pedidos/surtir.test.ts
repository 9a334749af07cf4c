import { expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { impedimentoOf, needsMotivo } from '~/domain/compras/pedidos/internal/guardias';
import { requestAutomaticos } from '~/domain/compras/pedidos/automatico.server';
import { placePedido, reviewPedido } from '~/domain/compras/pedidos/placePedido.server';
import { sinLoOfStock, type LineaDeVenta } from '~/domain/compras/pedidos/internal/lineas.server';
import { pedidosOfOrden } from '~/domain/compras/pedidos/readPedidos.server';
import { proposeSurtido, supplyVenta } from '~/domain/compras/pedidos/supplyVenta.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { changeEstado, sellPieza } from '~/domain/compras/stock/piezas.server';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildVentaDe, openProveedores, pedir, readPedido } from '../../../support/builders/pedidos';
import { buildPiezas } from '../../../support/builders/stock';
import { testDatabase } from '../../../support/db';
import { startTestSandbox } from '../../../support/sandbox';

const sandbox = await startTestSandbox();
const { db } = testDatabase();
await openProveedores(db, sandbox, ['syscom']);
const { id: usuarioId } = await buildQuien(db, 'sa');

let n = 40;
/** A sale of so many pieces of a product, some of which stand on our shelf. */
async function enEstante({ cantidad, hay }: { cantidad: number; hay: number }) {
  const venta = await buildVentaDe(db, sandbox, 'syscom', { n: n++ });
  await db.updateTable('articulo').set({ cantidad }).where('ordenId', '=', venta.id).execute();
  await db
    .updateTable('orden')
    .set({ pagadoAbs: '100000.00', total: '100000.00' })
    .where('id', '=', venta.id)
    .execute();
  await db.updateTable('oferta').set({ tipoCambio: '18.00' }).where('productoId', '=', venta.producto.id).execute();
  const estante = { producto: venta.producto.id, cantidad: String(hay), estado: 'disponible' };
  const piezas = hay > 0 ? await buildPiezas(db, usuarioId, estante) : [];
  return { venta: { ...venta, market: 'ml' as const }, piezas: piezas.map(({ id }) => id) };
}
const surtir = (orden: string, piezas: string[]) =>
  db.transaction().execute((trx) => supplyVenta(trx, { orden, piezas }, usuarioId));
const pieza = (id: string) => db.selectFrom('stockInterno').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const lineasDe = (id: string) => db.selectFrom('pedidoLinea').select('cantidad').where('pedidoId', '=', id).execute();
const panel = async (id: string) => pedidosOfOrden(db, (await readOrden(db, id))!);

test('what stands on our shelf is told before it is bought, and nobody buys it without a reason', async () => {
  const { venta } = await enEstante({ cantidad: 1, hay: 2 });
  const id = await pedir(db, venta, 'syscom', usuarioId);
  for (const rol of ['sa', null] as const) {
    const { revision } = (await reviewPedido(db, id, rol))!;
    expect(revision.hallazgos).toContainEqual(
      expect.objectContaining({
        clave: 'stock',
        severidad: 'motivo',
        texto: expect.stringMatching(/^Hay 2 piezas de /),
      }),
    );
    expect(needsMotivo(revision)).toBe(true);
    expect(impedimentoOf(revision, null)).not.toBeNull();
  }
});

test('a sale takes the oldest pieces of the shelf, and its draft ends with nothing left to ask for', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 1, hay: 2 });
  const id = await pedir(db, venta, 'syscom', usuarioId);
  const { surtido } = await panel(venta.id);
  expect(surtido).toEqual([
    expect.objectContaining({ ordenId: venta.id, piezas: [expect.objectContaining({ id: piezas[0] })] }),
  ]);
  await surtir(venta.id, [piezas[0]!]);
  expect(await pieza(piezas[0]!)).toMatchObject({ estado: 'vendido', ventaId: venta.id });
  expect(await pieza(piezas[1]!)).toMatchObject({ estado: 'disponible', ventaId: null });
  expect(await readPedido(db, id)).toMatchObject({ estado: 'cancelado', detalle: 'Todo sale del stock interno.' });
  expect(await panel(venta.id)).toMatchObject({ surtido: [], porPedir: [] });
  await expect(
    placePedido(db, { orden: venta.id, proveedor: 'syscom', motivo: null }, { id: usuarioId, rol: 'sa' }),
  ).rejects.toThrow('sale del stock interno: no hay nada que pedir.');
});

test('a draft asks for what the shelf does not have', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 3, hay: 1 });
  const id = await pedir(db, venta, 'syscom', usuarioId);
  const { version } = await readPedido(db, id);
  await surtir(venta.id, piezas);
  expect(await lineasDe(id)).toEqual([{ cantidad: 2 }]);
  expect((await readPedido(db, id)).version).toBeGreaterThan(version);
  const { revision } = (await reviewPedido(db, id, 'sa'))!;
  expect(revision.hallazgos.filter(({ clave }) => clave === 'stock')).toEqual([]);
});

test('a draft that asks for what leaves from the shelf meanwhile is stopped', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 2, hay: 1 });
  const id = await pedir(db, venta, 'syscom', usuarioId);
  const { version } = await pieza(piezas[0]!);
  await db
    .transaction()
    .execute((trx) => sellPieza(trx, { id: piezas[0]!, version, venta: venta.numOrden }, usuarioId));
  const { revision } = (await reviewPedido(db, id, 'sa'))!;
  expect(revision.hallazgos[0]).toMatchObject({ clave: 'stock', severidad: 'detiene' });
});

test('of two people who serve a sale at once one does, and a piece that left is not taken again', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 1, hay: 2 });
  const [una, otra] = await Promise.allSettled([surtir(venta.id, [piezas[0]!]), surtir(venta.id, [piezas[1]!])]);
  expect([una.status, otra.status].toSorted()).toEqual(['fulfilled', 'rejected']);
  const vendidas = (await Promise.all(piezas.map(pieza))).filter(({ estado }) => estado === 'vendido');
  expect(vendidas).toHaveLength(1);
  // The same press again finds what it did.
  await surtir(venta.id, [vendidas[0]!.id]);
  const { venta: segunda } = await enEstante({ cantidad: 1, hay: 1 });
  await expect(surtir(segunda.id, [vendidas[0]!.id])).rejects.toThrow(NotAllowed);
});

test('what leaves from the shelf is not bought without a person', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 2, hay: 1 });
  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', venta.producto.id).execute();
  await surtir(venta.id, piezas);
  const { venta: otra } = await enEstante({ cantidad: 1, hay: 0 });
  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', otra.producto.id).execute();
  await requestAutomaticos(db, () => Promise.resolve(() => Promise.resolve()));
  expect((await panel(venta.id)).pedidos).toEqual([]);
  expect((await panel(otra.id)).pedidos).toHaveLength(1);
});

test('what a supplier has an order for is not taken from the shelf too', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 1, hay: 1 });
  const id = await pedir(db, venta, 'syscom', usuarioId);
  await db.updateTable('pedido').set({ estado: 'enviando' }).where('id', '=', id).execute();
  expect(await proposeSurtido(db, venta)).toEqual([]);
  await expect(surtir(venta.id, piezas)).rejects.toThrow(/^A la venta ya no le falta DV-/);
});

test('what is not available is not proposed', async () => {
  const { venta, piezas } = await enEstante({ cantidad: 1, hay: 1 });
  const { version } = await pieza(piezas[0]!);
  await db.transaction().execute((trx) => changeEstado(trx, { id: piezas[0]!, version, estado: 'danado' }, usuarioId));
  expect(await proposeSurtido(db, venta)).toEqual([]);
  await expect(surtir(venta.id, piezas)).rejects.toThrow('ya no está disponible.');
});

test('each piece is counted for the line of its product, of its model, or for the only line there is', () => {
  const linea = (ordenId: string, modelo: string, cantidad: number): LineaDeVenta => ({
    ordenId,
    nombre: modelo,
    modelo,
    cantidad,
    deStock: 0,
    proveedor: 'syscom',
    producto: null,
  });
  const suelta = { productoId: null, modelo: null };
  const cuenta = (lineas: LineaDeVenta[]) => lineas.map(({ cantidad, deStock }) => [cantidad, deStock]);
  expect(
    cuenta(sinLoOfStock([linea('a', 'X', 2), linea('b', 'Y', 1)], [{ ordenId: 'a', productoId: null, modelo: 'x' }])),
  ).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(cuenta(sinLoOfStock([linea('a', 'X', 2)], [{ ordenId: 'a', ...suelta }]))).toEqual([[1, 1]]);
  expect(cuenta(sinLoOfStock([linea('a', 'X', 1), linea('a', 'Y', 1)], [{ ordenId: 'a', ...suelta }]))).toEqual([
    [1, 0],
    [1, 0],
  ]);
  expect(
    cuenta(
      sinLoOfStock(
        [linea('a', 'X', 1)],
        [
          { ordenId: 'a', ...suelta },
          { ordenId: 'a', ...suelta },
        ],
      ),
    ),
  ).toEqual([[0, 1]]);
});
