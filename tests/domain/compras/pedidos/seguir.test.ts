import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { requestAutomaticos, type Guardia } from '~/domain/compras/pedidos/automatico.server';
import { canceladasConPedido, pedidosSinFolio, porConfirmar } from '~/domain/compras/pedidos/internal/colas.server';
import { porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { noteFolio, confirmPedido, discardPedido } from '~/domain/compras/pedidos/pedidos.server';
import { followPedidos } from '~/domain/compras/pedidos/followPedidos.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { CONDICIONES } from '~/domain/operacion/mantenimiento/internal/condicionCatalog.server';
import { readPendiente } from '~/domain/operacion/mantenimiento/tablero.server';
import { dismissLateEvidence } from '~/platform/effects/late.server';
import { resolveAsAbsent, sendAgain } from '~/platform/effects/resolve.server';
import { runEffect } from '~/platform/effects/runEffect.server';
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
import { passSend, runUntilSettled } from '../../../support/jobs';
import { linkSandbox, type OrderFacts, type SaleFacts } from '../../../support/mercadolibre';
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

test('a label that the marketplace prints after the order was confirmed leaves within the next two minutes', async () => {
  await linkSandbox(db, sandbox);
  const { ordenes } = await sandbox.mercadolibre.newOrden<SaleFacts>('simple', { sinAviso: true });
  const lista = { status: 'ready_to_ship', substatus: 'ready_to_print', sinAviso: true };
  await sandbox.mercadolibre.post(`/ordenes/${ordenes[0]}/actualizar`, lista);
  const { envioId: marketId } = await sandbox.mercadolibre.get<OrderFacts>(`/ordenes/${ordenes[0]}`);
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 12, guia: false });
  await db.updateTable('envio').set({ marketId: marketId! }).where('id', '=', venta.envioId).execute();
  const id = await pedir(db, venta, 'ct', usuarioId);
  await runUntilSettled();
  await confirmar(id);
  expect(await readPedido(db, id)).toMatchObject({ guiaPor: null });
  // What the job of each minute does: it asks for the label, and sends what is here.
  for (let minute = 0; minute < 2; minute++) {
    await followPedidos(db);
    await runUntilSettled();
  }
  expect(await readPedido(db, id)).toMatchObject({ guiaPor: 'api' });
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
    .select(['id', 'detail'])
    .where('type', '=', 'pedido.crear.syscom')
    .where('state', '=', 'manual')
    .execute();
  expect(duda!.detail).toContain('Puede ser este pedido');
  // Nobody sees it there, and says so; the invoice is compared all the same.
  await passSend(db, duda!.id);
  await resolveAsAbsent(effectRuntime(db), duda!.id, usuarioId);
  expect((await readPedido(db, id)).estado).toBe('rechazado');
  await mirarTarde(duda!.id);
  const { alarma } = (await readPendiente(db, EFFECTS, duda!.id))!;
  expect(alarma).toMatchObject({ vigente: null, repetidas: [{ folio: expect.stringMatching(/^576-.*factura FA26/) }] });
});

/** The next late look of an effect has its time, and is made. */
async function mirarTarde(id: string) {
  await sql`update effect set settled_at = settled_at - (look_again_at - now()), look_again_at = now() where id = ${id}`.execute(
    db,
  );
  await runEffect(effectRuntime(db), id);
}

test('an order that lands after a person had it sent again is told with both folios, on the board and on Hoy', async () => {
  const venta = await buildVentaDe(db, sandbox, 'cva', { n: 5 });
  const id = await pedir(db, venta, 'cva', usuarioId);
  await far('cva').failNext('hang', { ms: 1_200, route: '/pedidos_web/crear_orden' });
  await confirmar(id);
  const crear = await db
    .selectFrom('effect')
    .select(['id', 'ref', 'state'])
    .where('type', '=', 'pedido.crear.cva')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(crear.state).toBe('manual');
  await passSend(db, crear.id);
  await db.transaction().execute((trx) => sendAgain(trx, EFFECTS, crear.id, usuarioId));
  await runUntilSettled();
  const { folioProveedor } = await readPedido(db, id);
  expect(folioProveedor).not.toBe(null);

  await mirarTarde(crear.id);
  expect(await readPendiente(db, EFFECTS, crear.id), 'there is one').toBe(null);
  const post = async (path: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${sandbox.url}/cva/api/v2/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { token: string };
  };
  const { token } = await post('user/login', { user: 'admin00000', password: 'demo' });
  const productos = [{ clave: venta.producto.idProveedor, cantidad: 1 }];
  await post(
    'pedidos_web/crear_orden',
    { test: 0, num_oc: crear.ref, codigo_sucursal: 46, tipo_flete: 'SF', productos },
    token,
  );
  await mirarTarde(crear.id);
  const { alarma } = (await readPendiente(db, EFFECTS, crear.id))!;
  const folios = (await far('cva').get<{ folio: string; referencia: string }[]>('/pedidos'))
    .filter(({ referencia }) => referencia === crear.ref)
    .map(({ folio }) => folio);
  expect([alarma?.vigente?.folio, ...alarma!.repetidas.map(({ folio }) => folio)].toSorted()).toEqual(
    folios.toSorted(),
  );
  expect(alarma?.vigente?.folio).toBe(folioProveedor);
  const hallazgo = await CONDICIONES.find(({ clave }) => clave === 'repetidas')!.mira(db);
  for (const folio of folios) expect(hallazgo!.texto).toContain(folio);
  await db.transaction().execute((trx) => dismissLateEvidence(trx, crear.id, usuarioId));
  expect(await readPendiente(db, EFFECTS, crear.id)).toBe(null);
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

const PASA: Guardia = () => Promise.resolve(() => Promise.resolve());
const noPasa: Guardia = () => Promise.resolve(() => Promise.reject(new NotAllowed('Aviso', 'Se perderían $10.00.')));
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

test('a draft that nobody can buy any more ends by itself, and says why; one with an article still to buy stays', async () => {
  const draft = async (n: number) => {
    const venta = await buildVentaDe(db, sandbox, 'syscom', { n });
    return { venta, id: await pedir(db, venta, 'syscom', usuarioId) };
  };
  const [cancelada, salio, full, viva, enOtroEnvio] = [
    await draft(31),
    await draft(32),
    await draft(33),
    await draft(34),
    await draft(35),
  ];
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', cancelada.venta.id).execute();
  await db.updateTable('envio').set({ estatus: 'shipped' }).where('id', '=', salio.venta.envioId).execute();
  await db.updateTable('envio').set({ tipoLogistico: 'fulfillment' }).where('id', '=', full.venta.envioId).execute();
  await db.updateTable('envio').set({ estatus: 'cancelled' }).where('id', '=', enOtroEnvio.venta.envioId).execute();
  // One of two ordenes of a draft was cancelled.
  const [linea] = await db.selectFrom('pedidoLinea').selectAll().where('pedidoId', '=', cancelada.id).execute();
  await db
    .insertInto('pedidoLinea')
    .values({ ...linea!, pedidoId: viva.id, posicion: 2 })
    .execute();
  await requestAutomaticos(db, PASA);
  const said = async ({ id }: { id: string }) => {
    const { estado, detalle, descartadoEn } = await readPedido(db, id);
    return [estado, detalle, descartadoEn !== null];
  };
  expect(await said(cancelada)).toEqual(['cancelado', 'La venta fue cancelada o devuelta.', true]);
  expect(await said(salio)).toEqual(['cancelado', 'El paquete ya salió: no hay nada que pedir.', true]);
  expect(await said(full)).toEqual([
    'cancelado',
    'La venta sale del almacén del mercado: no hay nada que pedir.',
    true,
  ]);
  expect(await said(viva)).toEqual(['borrador', null, false]);
  expect(await said(enOtroEnvio)).toEqual(['borrador', null, false]);
  await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', viva.venta.id).execute();
  await requestAutomaticos(db, PASA);
  expect(await said(viva)).toEqual(['cancelado', 'La venta fue cancelada o devuelta.', true]);
  expect(await enLista(salio.venta.numOrden)).toEqual([]);
});

test('by itself nothing is bought that a person would have to give a reason for, and it leaves at the price of now', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 8 });
  await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', venta.producto.id).execute();
  await db.updateTable('orden').set({ total: '1', pagadoAbs: '1' }).where('id', '=', venta.id).execute();
  // Read too long ago to buy on: it is read again, with the price of now.
  await db
    .updateTable('oferta')
    .set({ precio: '1', moneda: 'MXN', huella: '-', leidaEn: new Date(Date.now() - 3_600_000) })
    .where('productoId', '=', venta.producto.id)
    .execute();
  await requestAutomaticos(db);
  expect(await deVenta(venta.numOrden)).toMatchObject({
    estado: 'borrador',
    detalle: expect.stringContaining('Se perderían'),
  });

  await db.updateTable('orden').set({ total: '999999', pagadoAbs: '999999' }).where('id', '=', venta.id).execute();
  await requestAutomaticos(db);
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
