import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { requestAutomaticos, type Guardias, GUARDIAS } from '~/domain/compras/pedidos/automatico.server';
import { canceladasConPedido, pedidosSinFolio, porConfirmar } from '~/domain/compras/pedidos/internal/colas.server';
import { porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { noteFolio, confirmPedido, discardPedido } from '~/domain/compras/pedidos/pedidos.server';
import { followPedidos } from '~/domain/compras/pedidos/followPedidos.server';
import { buildQuien } from '../../../support/builders/ordenes';
import {
  buildGuia,
  buildVentaDe,
  openProveedores,
  pedir,
  PROVEEDORES,
  readPedido,
} from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { setPace } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

setPace(0.01);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
await openProveedores(db, sandbox, PROVEEDORES);
const { id: usuarioId } = await buildQuien(db);

const far = sandbox.proveedor;
const confirmar = async (id: string) => {
  const { version } = await readPedido(db, id);
  await db.transaction().execute((trx) => confirmPedido(trx, { id, version }, usuarioId));
  await runUntilSettled();
};
/** As if its time had come. */
const seguir = async (id: string) => {
  await db
    .updateTable('pedido')
    .set({ revisarEn: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await followPedidos(db);
  await runUntilSettled();
};
const enLista = async (numOrden: string) => {
  const { filas } = await porConfirmarList.whole(
    db,
    porConfirmarList.parse(new URLSearchParams({ q: numOrden })),
    null,
  );
  return filas.map(({ id }) => id);
};
const cancelarVenta = (id: string) =>
  db
    .updateTable('orden')
    .set({ estatus: 'cancelado', situacion: 'cancelada', clase: 'cancelada' })
    .where('id', '=', id)
    .execute();

beforeEach(async () => {
  // What an earlier test left is not followed, and buckets are full.
  await db.updateTable('pedido').set({ revisarEn: null }).execute();
  await db.updateTable('orden').set({ estatus: 'entregado' }).execute();
  await db.deleteFrom('connection').execute();
  for (const kind of PROVEEDORES) await sandbox.clear(kind);
});

test('CT is followed to its invoice; a label that came late goes then, and what left is shipped', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { guia: false });
  const id = await pedir(db, venta, 'ct', usuarioId);
  await runUntilSettled();
  await confirmar(id);
  expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', guiaPor: null });
  await buildGuia(db, venta.envioId);
  await far('ct').post('/reloj', { segundos: 600 });
  await seguir(id);
  const facturado = await readPedido(db, id);
  expect(facturado).toMatchObject({ estado: 'guiaEnviada', guiaPor: 'api', revisarEn: null });
  expect(facturado.facturaFolio).toBe(`F-${facturado.folioProveedor}`);
  await db.updateTable('envio').set({ estatus: 'shipped' }).where('id', '=', venta.envioId).execute();
  await followPedidos(db);
  expect((await readPedido(db, id)).estado).toBe('enviado');
});

test.each(['cancelado', 'desaparece', 'error'])('an order that nobody confirmed lapses, told as: %s', async (lapso) => {
  await far('ct').post('/interruptores', { lapso });
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 1 });
  const id = await pedir(db, venta, 'ct', usuarioId);
  await runUntilSettled();
  await far('ct').post('/reloj', { segundos: 49 * 3_600 });
  if (lapso !== 'cancelado') {
    // Our own clock does not say so yet: nothing is given up.
    await seguir(id);
    expect((await readPedido(db, id)).estado).toBe('solicitado');
  }
  await db
    .updateTable('pedido')
    .set({ venceEn: sql<Date>`now() - interval '1 hour'` })
    .where('id', '=', id)
    .execute();
  await seguir(id);
  expect((await readPedido(db, id)).estado).toBe('vencido');
  // Nothing was bought: it waits for a person until the sale is asked for again.
  expect(await enLista(venta.numOrden)).toEqual([id]);
  const otro = await pedir(db, venta, 'ct', usuarioId);
  expect(await enLista(venta.numOrden)).toEqual([otro]);
  await runUntilSettled();
});

test('our clock a day ahead gives nothing up that CT still keeps', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'ct', { n: 2 }), 'ct', usuarioId);
  await runUntilSettled();
  await db
    .updateTable('pedido')
    .set({ venceEn: sql<Date>`now() - interval '1 hour'` })
    .where('id', '=', id)
    .execute();
  await seguir(id);
  expect((await readPedido(db, id)).estado).toBe('solicitado');
});

test('a confirmation that people were asked about ends by itself once CT tells of the invoice', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'ct', { n: 3 }), 'ct', usuarioId);
  await runUntilSettled();
  await far('ct').post('/interruptores', { trasConfirmar: 'Pendiente' });
  await far('ct').failNext('reset-after-doing', { route: 'POST /pedido/confirmar' });
  await confirmar(id);
  const dudas = () => db.selectFrom('effect').select('id').where('state', '=', 'manual').execute();
  expect(await dudas()).toHaveLength(1);
  await far('ct').post('/reloj', { segundos: 600 });
  await seguir(id);
  expect(await dudas()).toEqual([]);
  expect((await readPedido(db, id)).estado).toBe('guiaEnviada');
  await far('ct').post('/interruptores', { trasConfirmar: 'Confirmado' });
});

test('an unclear order at Syscom is looked for among its invoices, and what is found is shown to people', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'syscom', { n: 6 }), 'syscom', usuarioId);
  await far('syscom').failNext('reset-after-doing');
  await confirmar(id);
  expect((await readPedido(db, id)).estado).toBe('incierto');
  await far('syscom').post('/reloj', { segundos: 600 });
  await seguir(id);
  expect((await readPedido(db, id)).detalle).toMatch(/FA26\/\d+ \(pedido 576-\d+\/01-API\)/);
  const [duda] = await db
    .selectFrom('effect')
    .select('detail')
    .where('type', '=', 'pedido.crear.syscom')
    .where('state', '=', 'manual')
    .execute();
  expect(duda!.detail).toContain('Puede ser este pedido');
});

test('a sale cancelled after its order is on the board, with the clock of an order that lapses', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 4 });
  const id = await pedir(db, venta, 'ct', usuarioId);
  await runUntilSettled();
  const mira = () =>
    canceladasConPedido.mira(db, { ahora: new Date(), limite: 9, aparte: [], quien: { id: usuarioId, rol: 'admin' } });
  expect((await mira()).total).toBe(0);
  await cancelarVenta(venta.id);
  const { total, cosas } = await mira();
  expect(total).toBe(1);
  expect(cosas[0]).toMatchObject({ id, vence: (await readPedido(db, id)).venceEn });
});

test('a letter without a folio is told after a day, and until then it waits for its supplier', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'tvc', { n: 6 }), 'tvc', usuarioId);
  const dicen = async (horas: number) => {
    const mirada = {
      ahora: new Date(Date.now() + horas * 3_600_000),
      limite: 9,
      aparte: [],
      quien: { id: usuarioId, rol: 'admin' },
    };
    const sin = await pedidosSinFolio.mira(db, { ...mirada, solo: id });
    return [(await porConfirmar.mira(db, { ...mirada, solo: id })).total, sin.total, sin.tarde];
  };
  expect(await dicen(0), 'a draft').toEqual([1, 0, 0]);
  await confirmar(id);
  expect((await readPedido(db, id)).estado).toBe('solicitado');
  expect([await dicen(23), await dicen(25), await dicen(49)]).toEqual([
    [0, 0, 0],
    [0, 1, 0],
    [0, 1, 1],
  ]);
  const { version } = await readPedido(db, id);
  await db.transaction().execute((trx) => noteFolio(trx, { id, version, folio: 'TVC-24' }, usuarioId));
  expect(await dicen(49)).toEqual([0, 0, 0]);
});

test('what cannot be confirmed or taken off says so under the titles of its screen', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'tvc', { n: 7 }), 'tvc', usuarioId);
  await confirmar(id);
  const vista = { id, version: (await readPedido(db, id)).version };
  const no = (verb: typeof confirmPedido) =>
    db
      .transaction()
      .execute((trx) => verb(trx, vista, usuarioId))
      .catch((error: unknown) => error);
  expect(await no(confirmPedido)).toMatchObject({ titulo: 'Error confirmar el pedido o enviar la guia.' });
  expect(await no(discardPedido)).toMatchObject({ titulo: 'Error al eliminar de la lista.' });
});

const PASA: Guardias<null> = { reread: () => Promise.resolve(null), requireClear: () => Promise.resolve() };
const noPasa: Guardias<null> = {
  ...PASA,
  requireClear: () => Promise.reject(new NotAllowed('Aviso', 'Se perderían $10.00.')),
};
const deVenta = (numOrden: string) =>
  db.selectFrom('pedido').selectAll().where('numOrden', '=', numOrden).executeTakeFirst();

test('a sale of what is bought without asking is ordered once its guards pass, and only once', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 5 });
  await requestAutomaticos(db, PASA);
  expect(await deVenta(venta.numOrden)).toBeUndefined();

  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', venta.producto.id).execute();
  await requestAutomaticos(db, noPasa);
  expect(await deVenta(venta.numOrden)).toMatchObject({
    estado: 'borrador',
    automatico: true,
    detalle: 'Se perderían $10.00.',
  });
  await Promise.all([requestAutomaticos(db, PASA), requestAutomaticos(db, PASA)]);
  await runUntilSettled();
  expect(await deVenta(venta.numOrden)).toMatchObject({ estado: 'solicitado' });
  const { referencias } = { referencias: await far('ct').get<{ referencia: string }[]>('/pedidos') };
  const { numero } = (await deVenta(venta.numOrden))!;
  expect(referencias.filter(({ referencia }) => referencia === String(numero))).toHaveLength(1);
  await db.updateTable('producto').set({ autoOrden: false }).execute();
});

test('by itself nothing is bought that a person would have to give a reason for, and it leaves at the price of now', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 8 });
  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', venta.producto.id).execute();
  await db.updateTable('orden').set({ total: '1', pagadoAbs: '1' }).where('id', '=', venta.id).execute();
  // Read too long ago to buy on: it is read again, with the price of now.
  await db
    .updateTable('oferta')
    .set({ precio: '1', moneda: 'MXN', leidaEn: new Date(Date.now() - 3_600_000) })
    .where('productoId', '=', venta.producto.id)
    .execute();
  await requestAutomaticos(db, GUARDIAS);
  expect(await deVenta(venta.numOrden)).toMatchObject({
    estado: 'borrador',
    detalle: expect.stringContaining('Se perderían'),
  });

  await db.updateTable('orden').set({ total: '999999', pagadoAbs: '999999' }).where('id', '=', venta.id).execute();
  await requestAutomaticos(db, GUARDIAS);
  await runUntilSettled();
  const pedido = (await deVenta(venta.numOrden))!;
  expect(pedido.estado).toBe('solicitado');
  const [linea] = await db.selectFrom('pedidoLinea').selectAll().where('pedidoId', '=', pedido.id).execute();
  expect(linea!.precio!.toFixed(2)).toBe(Number(venta.producto.precio).toFixed(2));
  await db.updateTable('producto').set({ autoOrden: false }).execute();
});

test('where making an order is firm it waits for a person, unless its supplier is bought from without asking', async () => {
  const venta = await buildVentaDe(db, sandbox, 'cva', { n: 5 });
  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', venta.producto.id).execute();
  await requestAutomaticos(db, PASA);
  await runUntilSettled();
  expect(await deVenta(venta.numOrden)).toMatchObject({ estado: 'borrador' });
  await db.updateTable('proveedor').set({ comprarSinConfirmar: true }).where('value', '=', 'cva').execute();
  await requestAutomaticos(db, PASA);
  await runUntilSettled();
  expect(await deVenta(venta.numOrden)).toMatchObject({ estado: 'solicitado' });
  await db.updateTable('producto').set({ autoOrden: false }).execute();
});

test('a supplier that takes no orders, an unpaid sale and one that has its invoice are left to people', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 7 });
  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', venta.producto.id).execute();
  const nada = async () => {
    await requestAutomaticos(db, PASA);
    expect(await deVenta(venta.numOrden)).toBeUndefined();
  };
  await db.updateTable('proveedor').set({ crearPedido: false }).where('value', '=', 'ct').execute();
  await nada();
  await db.updateTable('proveedor').set({ crearPedido: true }).where('value', '=', 'ct').execute();
  await db.updateTable('orden').set({ situacion: 'cobroPendiente' }).where('id', '=', venta.id).execute();
  await nada();
  await db.updateTable('orden').set({ situacion: 'pagada' }).where('id', '=', venta.id).execute();
  await db
    .insertInto('proveedorFactura')
    .values({ ordenId: venta.id, proveedor: 'ct', folio: 'A-1', monto: '10' })
    .execute();
  await nada();
});
