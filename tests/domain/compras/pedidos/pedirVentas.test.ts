/** 'Hacer pedido' for many sales at once: what is asked of whom, what is left out and why, and what comes of each. */
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { lotesOf } from '~/access/lotes';
import { enPesos } from '~/core/importe';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import { buildOrden, buildQuien } from '../../../support/builders/ordenes';
import { buildVentaDe, openProveedores, pedir } from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { setPace } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

setPace(0.01);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
const KINDS = ['syscom', 'ct'] as const;
await openProveedores(db, sandbox, KINDS);
const { id: usuarioId } = await buildQuien(db, 'user');
const HACER = ACCIONES.hacerPedidos!;

beforeEach(async () => {
  await sandbox.clear();
  for (const kind of KINDS) await forgetFailures(db, kind);
});

const preparar = (filas: string[]) =>
  db.transaction().execute((trx) => prepareBatch(trx, HACER, { lista: 'ordenes', consulta: '', filas, usuarioId }));
const leer = async (lote: string) => (await readPreparedBatch(db, ACCIONES, lote, usuarioId))!;
async function correr(lote: string) {
  await db.transaction().execute((trx) => startBatch(trx, HACER, lote, usuarioId));
  await runBatch(db, ACCIONES, lote);
  await runUntilSettled();
}
/** A paid sale of one piece, of which enough is left. */
async function venta(proveedor: (typeof KINDS)[number], n: number, pagado = '100000.00') {
  const suya = await buildVentaDe(db, sandbox, proveedor, { n });
  await db.updateTable('orden').set({ pagadoAbs: pagado, total: pagado }).where('id', '=', suya.id).execute();
  await db.updateTable('oferta').set({ tipoCambio: '18.00' }).where('productoId', '=', suya.producto.id).execute();
  return suya;
}
const pedidosDe = (ordenId: string) =>
  db
    .selectFrom('pedidoLinea')
    .innerJoin('pedido', 'pedido.id', 'pedidoLinea.pedidoId')
    .where('pedidoLinea.ordenId', '=', ordenId)
    .select(['pedido.proveedor', 'pedido.estado'])
    .execute();
const cuantosPedidos = async () =>
  Number(
    (
      await db
        .selectFrom('pedido')
        .select((is) => is.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

test('each sale is ordered at its supplier or says why not; to look makes nothing', async () => {
  const [deSyscom, deCt, pobre, conPedido, muerta] = [
    await venta('syscom', 1),
    await venta('ct', 1),
    await venta('ct', 2, '1.00'),
    await venta('syscom', 2),
    await venta('syscom', 3),
  ];
  await pedir(db, conPedido, 'syscom', usuarioId);
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', muerta.id).execute();
  const suelta = await buildOrden(db, { sku: 'OTRO-1' });
  const before = await cuantosPedidos();
  const lote = await preparar([deSyscom, deCt, pobre, conPedido, muerta, suelta].map(({ id }) => id));
  expect(await cuantosPedidos()).toBe(before);
  const { filas, suma } = await leer(lote);
  expect(filas.map(({ estado }) => estado)).toEqual(['pendiente', 'pendiente', 'fuera', 'fuera', 'fuera', 'fuera']);
  expect(filas[0]!.titulo).toMatch(/^Syscom: 1 x .+, queda ≈? ?\$[\d,.]+ \(\d+\.\d %\)$/);
  expect(filas[1]!.titulo).toMatch(/^CT: 1 x /);
  expect(filas[2]!.motivo).toContain('CT: Se perderían');
  expect(filas.slice(3).map(({ motivo }) => motivo)).toEqual([
    'La venta ya tiene su pedido.',
    'La venta fue cancelada o devuelta.',
    'Ningún artículo de la venta es de un proveedor.',
  ]);
  expect(HACER.pregunta!(2, suma).hechos).toContain(`Se piden 2 ventas por ${enPesos(suma.toFixed(2))} con IVA.`);

  await correr(lote);
  expect((await leer(lote)).filas.map(({ estado }) => estado)).toEqual([
    'hecha',
    'hecha',
    'fuera',
    'fuera',
    'fuera',
    'fuera',
  ]);
  // A supplier that takes orders at once waits for the confirmation; one whose orders wait there has it already.
  expect(await pedidosDe(deSyscom.id)).toEqual([{ proveedor: 'syscom', estado: 'borrador' }]);
  expect(await pedidosDe(deCt.id)).toEqual([{ proveedor: 'ct', estado: 'solicitado' }]);
  expect(await pedidosDe(pobre.id)).toEqual([]);
});

test('a sale whose supplier was quoted or paid by other means is left out, also when that is written meanwhile', async () => {
  const [citada, pagada, luego] = [await venta('syscom', 8), await venta('syscom', 9), await venta('syscom', 10)];
  await db.insertInto('cotizacion').values({ ordenId: citada.id, folio: 'COT-1' }).execute();
  const { id: pagoId } = await db
    .insertInto('pago')
    .values({ proveedor: 'syscom', folio: 'T-1', usuarioId, total: '100.00' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('pagoOrden').values({ pagoId, ordenId: pagada.id }).execute();
  const lote = await preparar([citada.id, pagada.id, luego.id]);
  expect((await leer(lote)).filas.map(({ motivo }) => motivo)).toEqual([
    'Ya tiene la cotización COT-1.',
    'Ya se le pagó a su proveedor.',
    null,
  ]);
  await db.insertInto('cotizacion').values({ ordenId: luego.id, folio: 'COT-2' }).execute();
  await correr(lote);
  expect((await leer(lote)).filas.map(({ estado }) => estado)).toEqual(['fuera', 'fuera', 'fallida']);
  expect(await pedidosDe(luego.id)).toEqual([]);
});

test('two rows of one cart are one pedido, and a sale that somebody ordered meanwhile is refused', async () => {
  const [una, otra] = [await venta('syscom', 4), await venta('syscom', 5)];
  const gemela = await buildOrden(db, { sku: 'OTRO-2', envio: null });
  await db.updateTable('orden').set({ numOrden: una.numOrden }).where('id', '=', gemela.id).execute();
  const lote = await preparar([una.id, gemela.id, otra.id]);
  expect((await leer(lote)).filas.map(({ motivo }) => motivo)).toEqual([
    null,
    'Va en el pedido de otra orden del mismo carrito.',
    null,
  ]);
  await pedir(db, otra, 'syscom', usuarioId);
  await correr(lote);
  const { filas } = await leer(lote);
  expect(filas.map(({ estado }) => estado)).toEqual(['hecha', 'fuera', 'fallida']);
  expect(filas[2]!.motivo).toContain('Otra persona modificó este registro');
  expect(await pedidosDe(otra.id)).toHaveLength(1);
});

test('a sale that costs another sum than the question said is refused with both, and nothing of it is made', async () => {
  const [cara, igual] = [await venta('ct', 6), await venta('ct', 7)];
  const lote = await preparar([cara.id, igual.id]);
  const { importe } = (await leer(lote)).filas[0]!;
  await db
    .updateTable('oferta')
    .set((is) => ({ precio: sql`${is.ref('precio')} * 1.01::numeric` }))
    .where('productoId', '=', cara.producto.id)
    .execute();
  await correr(lote);
  const { filas } = await leer(lote);
  expect(filas.map(({ estado }) => estado)).toEqual(['fallida', 'hecha']);
  expect(filas[0]!.motivo).toContain(`El costo cambió desde que se mostró: era ${enPesos(importe!.toFixed(2))}`);
  expect(await pedidosDe(cara.id)).toEqual([]);
});

test('both lists of sales offer it to who operates pedidos', () => {
  for (const lista of ['ordenes', 'ordenesActivas'])
    expect(
      ['sa', 'admin', 'user', 'cont'].map((rol) => lotesOf({ rol: rol as 'sa' }, lista).includes('hacerPedidos')),
    ).toEqual([true, true, true, false]);
});
