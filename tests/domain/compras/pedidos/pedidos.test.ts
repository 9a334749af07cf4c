import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { CONNECTIONS } from '~/platform/connections/registry.server';
import { fetchElecciones } from '~/domain/compras/catalogo/elecciones.server';
import { saveSucursal } from '~/domain/compras/directorio/comoSeCompra.server';
import { listConfigurados } from '~/domain/compras/directorio/configuracion.server';
import { sendCorreo } from '~/domain/compras/pedidos/internal/correo.server';
import { createPedido } from '~/domain/compras/pedidos/internal/createPedido.server';
import {
  noteFolio,
  cancelPedido,
  confirmPedido,
  discardPedido,
  resendCorreo,
} from '~/domain/compras/pedidos/pedidos.server';
import { dichoOfPedido, mayConfirm } from '~/domain/compras/pedidos/pedido';
import { probarCompra } from '~/domain/compras/pedidos/probarCompra.server';
import { listOfOrden, openPedido } from '~/domain/compras/pedidos/readPedidos.server';
import { buildQuien } from '../../../support/builders/ordenes';
import {
  buildVentaDe,
  chooseCompra,
  openProveedores,
  pedir,
  PROVEEDORES,
  readPedido,
} from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';
import { runJobs, runJobsUntil, runUntilSettled } from '../../../support/jobs';
import { setPace } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

setPace(0.01);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
await openProveedores(db, sandbox, PROVEEDORES);
const { id: usuarioId } = await buildQuien(db);

type Alla = { folio: string; referencia: string; guias?: object[] };
const alla = (proveedor: string) => sandbox.proveedor(proveedor).get<Alla[]>('/pedidos');
const confirmar = async (id: string) => {
  const { version } = await readPedido(db, id);
  await db.transaction().execute((trx) => confirmPedido(trx, { id, version }, usuarioId));
};
const effectsOf = (id: string) =>
  db
    .selectFrom('effect')
    .innerJoin('effectSubject', 'effectSubject.effectId', 'effect.id')
    .select(['effect.id', 'type', 'state', 'reason', 'detail', 'sends'])
    .where('entidad', '=', 'pedido')
    .where('entidadId', '=', id)
    .orderBy('effect.id')
    .execute();

beforeEach(async () => {
  await sandbox.clear();
  for (const kind of PROVEEDORES) {
    await sandbox.proveedor(kind).post('/interruptores', {});
    await forgetFailures(db, kind);
  }
});

describe('CT', () => {
  test('05: a telephone leaves as its ten digits, or the order is held back with its reason', async () => {
    const caso = JSON.parse(
      readFileSync(new URL('../../../casos/05-telefono-ct.json', import.meta.url), 'utf8'),
    ) as Record<string, object>;
    const escritos = Object.keys(Object.values(caso)[0]!);
    expect(escritos).toHaveLength(7);
    const sale = async (telefono: string, propio = false) => {
      const venta = await buildVentaDe(db, sandbox, 'ct');
      await db.updateTable('envio').set({ telefono, propio }).where('id', '=', venta.envioId).execute();
      const { id } = (await effectsOf(await pedir(db, venta, 'ct', usuarioId)))[0]!;
      const { request } = await db
        .selectFrom('effect')
        .select('request')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return (request as { envio: { telefono: string } | null }).envio!.telefono;
    };
    const dicho: Record<string, string> = {};
    for (const telefono of [...escritos, '(55) 1234-5678', '044 55 1234 5678', '55-1234-567'])
      dicho[telefono] = await sale(telefono);
    const diez = '5512345678';
    expect(dicho).toEqual({
      [diez]: diez,
      '5512345678 ext. 12': diez,
      '+52 55 1234 5678 ext. 12345': diez,
      '01 55 1234 5678': diez,
      '(55) 1234-5678': diez,
      '044 55 1234 5678': diez,
      // A package with a label needs none: its address is not told to CT at all.
      '+1 210-555-0148 ext. 90210': '',
      '': '',
      '-': '',
      '55-1234-567': '',
    });
    for (const telefono of ['', '-', '+1 210-555-0148 ext. 90210'])
      await expect(sale(telefono, true)).rejects.toThrow('Faltan datos del envío: un teléfono de 10 dígitos.');
    expect(await sale('55 1234 5678', true)).toBe(diez);
    await runUntilSettled();
  });

  test('an order is made at once, waits for its second step, and its label goes after it', async () => {
    const venta = await buildVentaDe(db, sandbox, 'ct');
    const id = await pedir(db, venta, 'ct', usuarioId);
    await runUntilSettled();
    const solicitado = await readPedido(db, id);
    expect(solicitado).toMatchObject({ estado: 'solicitado', errores: [], almacen: '13A' });
    const [suyo] = (await alla('ct')).filter(({ folio }) => folio === solicitado.folioProveedor);
    expect(suyo).toMatchObject({ referencia: String(solicitado.numero), guias: [] });
    expect(solicitado.venceEn!.getTime() - solicitado.solicitadoEn!.getTime()).toBe(48 * 3_600_000);

    await confirmar(id);
    await runUntilSettled();
    expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', guiaPor: 'api', venceEn: null });
    expect((await alla('ct')).find(({ folio }) => folio === suyo!.folio)!.guias).toHaveLength(1);
  });

  test('one it objects to exists there and is never confirmed', async () => {
    const venta = await buildVentaDe(db, sandbox, 'ct', { n: 1 });
    await db.updateTable('articulo').set({ cantidad: 19 }).where('ordenId', '=', venta.id).execute();
    await db
      .updateTable('oferta')
      .set({ almacenes: JSON.stringify([{ almacen: '13A', nombre: null, cantidad: 900 }]) })
      .where('productoId', '=', venta.producto.id)
      .execute();
    await db.updateTable('articulo').set({ cantidad: 800 }).where('ordenId', '=', venta.id).execute();
    const id = await pedir(db, venta, 'ct', usuarioId);
    await runUntilSettled();
    expect(await readPedido(db, id)).toMatchObject({ estado: 'solicitado', errores: ['Inventario insuficiente'] });
    await expect(confirmar(id)).rejects.toThrow('Inventario insuficiente');
  });

  test.each(['hang-after-doing', 'reset-after-doing', '500-after-doing', 'half-answer', 'html'])(
    'an answer lost by %s is found by reference, and nothing is asked for twice',
    async (mode) => {
      const before = (await alla('ct')).length;
      const venta = await buildVentaDe(db, sandbox, 'ct');
      const id = await pedir(db, venta, 'ct', usuarioId);
      await sandbox.proveedor('ct').failNext(mode, { ms: 1_500 });
      await runUntilSettled();
      expect(await readPedido(db, id)).toMatchObject({ estado: 'solicitado' });
      expect((await alla('ct')).length - before).toBe(1);
      const historia = (await listOfOrden(db, venta.id))[0]!.historia.map(({ a }) => a);
      expect(historia).toEqual(['borrador', 'enviando', 'incierto', 'solicitado']);
    },
  );

  test('a confirmation whose answer is lost is read in the status, and not sent twice', async () => {
    const id = await pedir(db, await buildVentaDe(db, sandbox, 'ct'), 'ct', usuarioId);
    await runUntilSettled();
    await confirmar(id);
    await sandbox.proveedor('ct').failNext('reset-after-doing', { route: 'POST /pedido/confirmar' });
    await runUntilSettled();
    expect((await readPedido(db, id)).estado).toBe('confirmado');
    const confirmed = (await sandbox.requests('ct')).filter(({ path }) => path.includes('/pedido/confirmar'));
    expect(confirmed.filter(({ fault }) => fault === 'reset-after-doing')).toHaveLength(1);
    expect((await effectsOf(id)).find(({ type }) => type === 'pedido.confirmar.ct')).toMatchObject({
      sends: 1,
      state: 'done',
    });
  });

  test('while its status says that it waits, a lost confirmation goes to people and is not repeated', async () => {
    const id = await pedir(db, await buildVentaDe(db, sandbox, 'ct'), 'ct', usuarioId);
    await runUntilSettled();
    await sandbox.proveedor('ct').post('/interruptores', { trasConfirmar: 'Pendiente' });
    await confirmar(id);
    await sandbox.proveedor('ct').failNext('reset-after-doing', { route: 'POST /pedido/confirmar' });
    await runUntilSettled();
    await sandbox.proveedor('ct').post('/interruptores', { trasConfirmar: 'Confirmado' });
    const confirmacion = (await effectsOf(id)).find(({ type }) => type === 'pedido.confirmar.ct');
    expect(confirmacion).toMatchObject({ sends: 1, state: 'manual' });
  });
});

test('what was never made is provably absent at CT and CVA, and goes to people all the same', async () => {
  const proveedores = ['ct', 'cva'] as const;
  const pedidos = [];
  for (const proveedor of proveedores) {
    const venta = await buildVentaDe(db, sandbox, proveedor, { n: 2 });
    await sandbox.proveedor(proveedor).failNext('hang', { ms: 1_200 });
    pedidos.push({ proveedor, antes: await alla(proveedor), id: await pedir(db, venta, proveedor, usuarioId) });
  }
  await confirmar(pedidos[1]!.id);
  await runUntilSettled();
  for (const { proveedor, antes, id } of pedidos) {
    expect(await alla(proveedor)).toEqual(antes);
    const [crear] = await effectsOf(id);
    expect(crear).toMatchObject({ state: 'manual', sends: 1 });
    expect(crear!.reason).toContain('se leyó toda su lista');
    expect((await readPedido(db, id)).estado).toBe('incierto');
  }
});

test('a second one under our reference, or one of other lines, is for people', async () => {
  const venta = await buildVentaDe(db, sandbox, 'cva', { n: 3 });
  const id = await pedir(db, venta, 'cva', usuarioId);
  const { folio } = await readPedido(db, id);
  const lineas = [{ clave: venta.producto.idProveedor, cantidad: 1 }];
  const { token } = await login();
  for (const productos of [lineas, lineas])
    await fetch(`${sandbox.url}/cva/api/v2/pedidos_web/crear_orden`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ test: 0, num_oc: folio, codigo_sucursal: 46, tipo_flete: 'SF', productos }),
    });
  await sandbox.proveedor('cva').failNext('hang', { ms: 1_200 });
  await confirmar(id);
  await runUntilSettled();
  const [crear] = await effectsOf(id);
  expect(crear).toMatchObject({
    state: 'manual',
    detail: expect.stringContaining(`2 pedidos con la referencia ${folio}`),
  });
});

async function login() {
  const answer = await fetch(`${sandbox.url}/cva/api/v2/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'admin00000', password: 'demo' }),
  });
  return (await answer.json()) as { token: string };
}

test('Syscom waits as a draft, takes the label inside the order, and an unclear one goes to people at once', async () => {
  const venta = await buildVentaDe(db, sandbox, 'syscom');
  const id = await pedir(db, venta, 'syscom', usuarioId);
  await runUntilSettled();
  expect(await readPedido(db, id)).toMatchObject({ estado: 'borrador' });
  await confirmar(id);
  await runUntilSettled();
  expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', guiaPor: 'pedido' });

  const otra = await pedir(db, await buildVentaDe(db, sandbox, 'syscom', { n: 1 }), 'syscom', usuarioId);
  await sandbox.proveedor('syscom').failNext('reset-after-doing');
  await confirmar(otra);
  await runJobsUntil(async () => (await readPedido(db, otra)).estado === 'incierto');
  await runUntilSettled();
  expect((await effectsOf(otra))[0]).toMatchObject({ state: 'manual', sends: 1 });
});

test('Syscom is not asked without the label that goes inside the order', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'syscom', { guia: false }), 'syscom', usuarioId);
  await db.updateTable('envio').set({ subestatus: 'ready_to_print' }).execute();
  await expect(confirmar(id)).rejects.toThrow('Falta la guía');
});

test('Syscom gets a telephone of ours beside the label where the marketplace hides the buyer’s', async () => {
  const venta = await buildVentaDe(db, sandbox, 'syscom', { n: 2 });
  await db.updateTable('envio').set({ telefono: null }).where('id', '=', venta.envioId).execute();
  const id = await pedir(db, venta, 'syscom', usuarioId);
  await expect(confirmar(id)).rejects.toThrow('Faltan datos del envío: un teléfono de 10 dígitos.');
  await chooseCompra(db, 'syscom', { metodoPago: 'transferencia', fletera: 'estafeta', telefono: '33 1111 1111' });
  await confirmar(id);
  await runUntilSettled();
  expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', guiaPor: 'pedido' });
  const { id: effectId } = (await effectsOf(id))[0]!;
  const { request } = await db
    .selectFrom('effect')
    .select('request')
    .where('id', '=', effectId)
    .executeTakeFirstOrThrow();
  expect(request).toMatchObject({ envio: { telefono: '3311111111' } });
  await chooseCompra(db, 'syscom');
});

test('CVA gets its order and then its label; one that does not take labels gets it by letter', async () => {
  const id = await pedir(db, await buildVentaDe(db, sandbox, 'cva'), 'cva', usuarioId);
  await confirmar(id);
  await runUntilSettled();
  const hecho = await readPedido(db, id);
  expect(hecho).toMatchObject({ estado: 'solicitado', guiaPor: 'api', almacen: '46' });
  // Its order is firm at once, so nobody is asked to confirm it.
  expect(dichoOfPedido({ ...hecho, proveedorLabel: 'CVA', hizo: true })).toBe('Se hizo el pedido.');
  expect(mayConfirm({ ...hecho, envio: 'Ana' })).toBe(false);

  await sandbox.proveedor('cva').post('/interruptores', { guia: 'error' });
  const otra = await pedir(db, await buildVentaDe(db, sandbox, 'cva', { n: 1 }), 'cva', usuarioId);
  await confirmar(otra);
  await runUntilSettled();
  await sandbox.proveedor('cva').post('/interruptores', { guia: 'ok' });
  const { folio, guiaPor } = await readPedido(db, otra);
  expect(guiaPor).toBe('correo');
  const [carta] = await sandbox.correo.inbox({ subject: folio });
  expect(carta).toMatchObject({
    to: ['agente@demo.mx', 'almacen@demo.mx'],
    attachments: [{ filename: `guia-${folio}.pdf` }],
  });
});

test.each(['tvc', 'ts'] as const)(
  '%s gets a letter with the label, once; another one is asked for by name',
  async (proveedor) => {
    const venta = await buildVentaDe(db, sandbox, proveedor);
    const id = await pedir(db, venta, proveedor, usuarioId);
    await confirmar(id);
    await runUntilSettled();
    const { folio, estado, guiaPor, version } = await readPedido(db, id);
    expect([estado, guiaPor]).toEqual(['solicitado', 'correo']);
    const cartas = () => sandbox.correo.inbox({ subject: folio });
    const [carta] = await cartas();
    expect(carta).toMatchObject({ to: [`agente@${proveedor}.mx`], attachments: [{ filename: `guia-${folio}.pdf` }] });
    expect(carta!.text).toContain(venta.producto.idProveedor);
    expect(carta!.text).not.toContain('María');

    await db.transaction().execute((trx) => sendCorreo(trx, id, 'pedido', { usuarioId }));
    await runUntilSettled();
    expect(await cartas()).toHaveLength(1);
    await db.transaction().execute((trx) => resendCorreo(trx, { id, version }, usuarioId));
    await runUntilSettled();
    expect(await cartas()).toHaveLength(2);

    const vista = await readPedido(db, id);
    await db.transaction().execute((trx) => noteFolio(trx, { ...vista, folio: `F-${folio}` }, usuarioId));
    expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', folioProveedor: `F-${folio}` });
  },
);

test('stock of CVA is ordered at the branch of its name; of another name nothing is, until a person tells its branch', async () => {
  const cva = CONNECTIONS.of('cva');
  const nombrada = async (n: number, nombre: string) => {
    const venta = await buildVentaDe(db, sandbox, 'cva', { n });
    const almacenes = JSON.stringify([{ almacen: nombre, nombre, cantidad: 20 }]);
    await db.updateTable('oferta').set({ almacenes }).where('productoId', '=', venta.producto.id).execute();
    return venta;
  };
  const igual = await pedir(db, await nombrada(20, 'CENTRO DE DISTRIBUCION GUADALAJARA'), 'cva');
  expect(await readPedido(db, igual)).toMatchObject({ almacen: '46' });

  const otra = await nombrada(21, 'VENTAS DF TALLER');
  await expect(pedir(db, otra, 'cva')).rejects.toThrow(
    'CVA tiene piezas en «VENTAS DF TALLER», y falta decir de qué sucursal son: en Configuración de tiendas, Proveedores.',
  );
  const compraOf = async () => (await listConfigurados(db)).find(({ value }) => value === 'cva')!.compra;
  const { huella, lugar } = await compraOf();
  expect(lugar!.nombres).toContainEqual({ nombre: 'VENTAS DF TALLER', sucursal: null });
  const form = { huella, nombre: 'VENTAS DF TALLER' };
  const elige = (sucursal: string) =>
    db.transaction().execute((trx) => saveSucursal(trx, cva, { ...form, sucursal }, usuarioId));
  await expect(elige('77')).rejects.toThrow('Sucursal: «77» no está entre sus opciones.');
  await elige('24');
  expect((await compraOf()).lugar!.nombres).toContainEqual({ nombre: 'VENTAS DF TALLER', sucursal: '24' });
  expect(await readPedido(db, await pedir(db, otra, 'cva'))).toMatchObject({ almacen: '24' });

  // Its list may name no branch as its stock does.
  await sandbox.proveedor('cva').post('/interruptores', { nombreDeSucursal: 'otro' });
  await fetchElecciones(db, 'cva');
  await expect(pedir(db, await nombrada(22, 'CENTRO DE DISTRIBUCION GUADALAJARA'), 'cva')).rejects.toThrow(
    'CVA tiene piezas en «CENTRO DE DISTRIBUCION GUADALAJARA»',
  );
  await sandbox.proveedor('cva').post('/interruptores', { nombreDeSucursal: 'comoSuExistencia' });
  await fetchElecciones(db, 'cva');
});

test('a rehearsal says whether an order would pass, and buys nothing', async () => {
  for (const kind of ['syscom', 'cva', 'ct'] as const) {
    const { producto } = await buildVentaDe(db, sandbox, kind, { n: 30 });
    await db.updateTable('oferta').set({ existencia: 99 }).where('productoId', '=', producto.id).execute();
    const antes = (await alla(kind)).length;
    expect(await probarCompra(db, CONNECTIONS.of(kind)), kind).toMatch(/No se pidió nada\.$|solo se revisó aquí\.$/);
    expect(await alla(kind), kind).toHaveLength(antes);
  }
  await sandbox.proveedor('cva').failNext('refuse');
  await expect(probarCompra(db, CONNECTIONS.of('cva'))).rejects.toThrow('CVA: El cliente no cuenta con crédito');
  // A CVA that buys at a test is told, also where its answer was lost.
  await sandbox.proveedor('cva').post('/interruptores', { prueba: 'compra' });
  for (const lost of [false, true]) {
    if (lost) await sandbox.proveedor('cva').failNext('reset-after-doing', { route: 'POST /pedidos_web/crear_orden' });
    await expect(probarCompra(db, CONNECTIONS.of('cva')), String(lost)).rejects.toThrow(
      'CVA tomó la prueba como pedido NGB-',
    );
  }
  await sandbox.proveedor('cva').post('/interruptores', { prueba: 'nada' });
  await chooseCompra(db, 'syscom', { metodoPago: 'transferencia' });
  await expect(probarCompra(db, CONNECTIONS.of('syscom'))).rejects.toThrow(
    'Falta elegir cómo se le compra a Syscom: fletera.',
  );
  await chooseCompra(db, 'syscom');
});

test('whoever presses second finds the first, also at the same instant and from another orden of the pack', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 4 });
  const before = (await alla('ct')).length;
  const ids = await Promise.all(Array.from({ length: 4 }, () => pedir(db, venta, 'ct', usuarioId)));
  expect(new Set(ids).size).toBe(1);
  await runUntilSettled();
  // It joined a cart and has another number by now.
  await db
    .updateTable('orden')
    .set({ numOrden: `${venta.numOrden}77` })
    .where('id', '=', venta.id)
    .execute();
  expect(await pedir(db, { numOrden: `${venta.numOrden}77` }, 'ct', usuarioId)).toBe(ids[0]);
  expect((await alla('ct')).length - before).toBe(1);
});

test('a sale over two suppliers is one pedido at each', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 5 });
  const deTvc = await buildVentaDe(db, sandbox, 'tvc', { n: 5 });
  const { sku } = await db
    .selectFrom('articulo')
    .select('sku')
    .where('ordenId', '=', deTvc.id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('articulo')
    .values({ ordenId: venta.id, posicion: 1, nombre: 'Otra', sku, cantidad: 2, importe: '10', precioUnitario: '5' })
    .execute();
  for (const proveedor of ['ct', 'tvc'] as const) await pedir(db, venta, proveedor, usuarioId);
  await runUntilSettled();
  const pedidos = await listOfOrden(db, venta.id);
  expect(pedidos.map(({ proveedor, lineas }) => [proveedor, lineas.map(({ cantidad }) => cantidad)])).toEqual([
    ['tvc', [2]],
    ['ct', [1]],
  ]);
  // The panel of each names the other, and the age of a price is that of the last read that met it.
  const [tvc, ct] = pedidos as [(typeof pedidos)[number], (typeof pedidos)[number]];
  const leido = new Date(Date.now() - 60_000);
  await db
    .insertInto('catalogoProveedor')
    .values({ proveedor: 'tvc', frescaDe: leido })
    .onConflict((on) => on.column('proveedor').doUpdateSet({ frescaDe: leido }))
    .execute();
  await db
    .updateTable('oferta')
    .set({ leidaEn: new Date(Date.now() - 86_400_000) })
    .execute();
  const abierto = await openPedido(db, tvc.id, 'sa');
  expect(abierto?.otros).toEqual([{ id: ct.id, folio: ct.folio, label: 'CT' }]);
  expect(abierto?.lineas.map(({ precioEn }) => precioEn)).toEqual([leido]);
});

test('nothing is bought for a sale that ended, not even when it ends while its order waits to leave', async () => {
  const cancelada = await buildVentaDe(db, sandbox, 'ct', { n: 6 });
  const cancelar = (id: string) =>
    db
      .updateTable('orden')
      .set({ estatus: 'cancelado', situacion: 'cancelada', clase: 'cancelada' })
      .where('id', '=', id)
      .execute();
  await cancelar(cancelada.id);
  await expect(pedir(db, cancelada, 'ct', usuarioId)).rejects.toThrow('cancelada o devuelta');

  const otra = await buildVentaDe(db, sandbox, 'ct', { n: 6 });
  const before = (await alla('ct')).length;
  const id = await pedir(db, otra, 'ct', usuarioId);
  await cancelar(otra.id);
  await runUntilSettled();
  expect(await readPedido(db, id)).toMatchObject({
    estado: 'rechazado',
    detalle: expect.stringContaining('cancelada'),
  });
  expect(await alla('ct')).toHaveLength(before);
});

test('a draft is taken off the list; what the supplier may have is not, and people may say that it was cancelled there', async () => {
  const borrador = await pedir(db, await buildVentaDe(db, sandbox, 'cva', { n: 7 }), 'cva', usuarioId);
  const quitar = async (id: string) => {
    const { version } = await readPedido(db, id);
    await db.transaction().execute((trx) => discardPedido(trx, { id, version }, usuarioId));
  };
  await quitar(borrador);
  expect(await readPedido(db, borrador)).toMatchObject({ estado: 'cancelado', descartadoEn: expect.any(Date) });

  const firme = await pedir(db, await buildVentaDe(db, sandbox, 'cva', { n: 8 }), 'cva', usuarioId);
  await confirmar(firme);
  await expect(quitar(firme)).rejects.toThrow('sin terminar');
  await runUntilSettled();
  await expect(quitar(firme)).rejects.toThrow('puede tenerlo');
  const { version } = await readPedido(db, firme);
  await expect(
    db.transaction().execute((trx) => cancelPedido(trx, { id: firme, version: version - 1, motivo: 'x' }, usuarioId)),
  ).rejects.toThrow('cambió mientras');
  await db
    .transaction()
    .execute((trx) => cancelPedido(trx, { id: firme, version, motivo: 'Hablé con la agente.' }, usuarioId));
  expect(await readPedido(db, firme)).toMatchObject({ estado: 'cancelado', detalle: 'Hablé con la agente.' });
});

test('a refusal ends the pedido with its words, and the sale may be ordered again', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 9 });
  await sandbox.proveedor('ct').failNext('refuse', { message: 'Sin linea de credito' });
  const id = await pedir(db, venta, 'ct', usuarioId);
  await runUntilSettled();
  expect(await readPedido(db, id)).toMatchObject({ estado: 'rechazado', detalle: 'CT: Sin linea de credito' });
  const abierto = (await openPedido(db, id, 'sa'))!;
  expect(abierto.rechazo).toMatchObject({
    lado: 'CT',
    campo: 'Línea de crédito',
    palabras: 'CT: Sin linea de credito',
    remedio: expect.stringMatching(/ejecutivo de CT/),
  });
  expect(JSON.stringify(JSON.parse(abierto.rechazo!.respuesta!))).toContain('"errorCode":"4000"');
  const again = await pedir(db, venta, 'ct', usuarioId);
  expect(again).not.toBe(id);
  await runUntilSettled();
  expect((await readPedido(db, again)).estado).toBe('solicitado');
  expect((await openPedido(db, again, 'sa'))!.rechazo).toBeNull();
});

test('without a product there is nothing to ask an API for', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 10 });
  await db.updateTable('articulo').set({ sku: 'AMS|nada|ct|NO-EXISTE' }).where('ordenId', '=', venta.id).execute();
  await expect(
    db
      .transaction()
      .execute((trx) => createPedido(trx, { market: 'ml', numOrden: venta.numOrden, proveedor: 'ct', usuarioId })),
  ).rejects.toThrow('no está en el catálogo de CT');
  await runJobs();
});
