import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { NotAllowed, Stale } from '~/core/errors';
import { enPesos } from '~/core/importe';
import { Money } from '~/core/money';
import { addFotos, readRetrato } from '~/domain/compras/catalogo/fotos.server';
import { ladosOf, makeRetratos } from '~/domain/compras/catalogo/retratos.server';
import { forgetFailures } from '~/platform/connections/breaker.server';
import type { Rol, Usuario } from '~/core/usuario';
import { openList } from '~/platform/lists/list.server';
import { pedidoOf } from '~/routes/compras/pedidos/record';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import {
  confirmWithGuardias,
  placePedido,
  preguntadoOf,
  reviewPedido,
  waitForProveedor,
} from '~/domain/compras/pedidos/placePedido.server';
import { dichoOfPedido, ERROR_CONFIRMAR } from '~/domain/compras/pedidos/pedido';
import { ordenesCtList, porConfirmarList } from '~/domain/compras/pedidos/listPedidos.server';
import { jpegOf } from '../../../sandbox/imagenes/dibujo';
import { buildQuien } from '../../../support/builders/ordenes';
import {
  buildProducto,
  buildVentaDe,
  chooseCompra,
  openProveedores,
  pedir,
  readPedido,
} from '../../../support/builders/pedidos';
import { testDatabase } from '../../../support/db';
import { statementsDuring } from '../../../support/statements';
import { runUntilSettled } from '../../../support/jobs';
import { setPace } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

setPace(0.01);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
const KINDS = ['syscom', 'ct', 'tvc'] as const;
await openProveedores(db, sandbox, KINDS);
const quienes = { user: (await buildQuien(db, 'user')).id, sa: (await buildQuien(db, 'sa')).id };
const HORA = 3_600_000;

beforeEach(async () => {
  await sandbox.clear();
  for (const kind of KINDS) await forgetFailures(db, kind);
});

type Sketch = { pagado?: string; precio?: string; hace?: number; n?: number };

/** A draft at a supplier that takes orders at once, whose offer was read so long ago at this price. */
async function borrador({ pagado = '100000.00', precio, hace = 0, n }: Sketch = {}) {
  const venta = await buildVentaDe(db, sandbox, 'syscom', { ...(n !== undefined && { n }) });
  await db.updateTable('orden').set({ pagadoAbs: pagado, total: pagado }).where('id', '=', venta.id).execute();
  await db
    .updateTable('oferta')
    .set({ leidaEn: new Date(Date.now() - hace), tipoCambio: '18.00', huella: '-', ...(precio && { precio }) })
    .where('productoId', '=', venta.producto.id)
    .execute();
  const id = await pedir(db, venta, 'syscom', quienes.user);
  return { id, venta };
}
const visto = async (id: string, rol: Rol = 'user') => (await reviewPedido(db, id, rol))!;
async function confirmar(
  id: string,
  { rol = 'user', motivo = null }: { rol?: 'user' | 'sa'; motivo?: string | null } = {},
) {
  const { version, revision } = await visto(id, rol);
  const costo = revision.costo && revision.costo.toFixed(2);
  await confirmWithGuardias(db, { pedido: id, version, costo, motivo }, { id: quienes[rol], rol });
}
const ofertaDe = (productoId: string) =>
  db.selectFrom('oferta').selectAll().where('productoId', '=', productoId).executeTakeFirstOrThrow();
const leidas = async (idProveedor: string) =>
  (await sandbox.requests('syscom')).filter(
    ({ method, path }) => method === 'GET' && path.includes(`/productos/${idProveedor}`),
  ).length;

describe('what was read more than ten minutes ago is read again before anything is bought', () => {
  test('and the order leaves at the price that stands now', async () => {
    const { id, venta } = await borrador({ hace: HORA, n: 3 });
    const before = await leidas(venta.producto.idProveedor);
    await confirmar(id);
    expect((await leidas(venta.producto.idProveedor)) - before).toBe(1);
    const oferta = await ofertaDe(venta.producto.id);
    expect(Date.now() - oferta.leidaEn.getTime()).toBeLessThan(HORA / 2);
    const linea = await db
      .selectFrom('pedidoLinea')
      .select('precio')
      .where('pedidoId', '=', id)
      .executeTakeFirstOrThrow();
    expect(String(linea.precio)).toBe(String(oferta.precio));
    await runUntilSettled();
    expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado' });
  });

  test('and what was read just now is not', async () => {
    const { id, venta } = await borrador({ n: 4 });
    const before = await leidas(venta.producto.idProveedor);
    await confirmar(id);
    expect(await leidas(venta.producto.idProveedor)).toBe(before);
    await runUntilSettled();
  });

  test('where the supplier does not answer, only a reason buys it, and is kept', async () => {
    const { id } = await borrador({ hace: 3 * HORA, n: 5 });
    await sandbox.proveedor('syscom').failNext('503', { route: 'GET', times: 8 });
    await expect(confirmar(id)).rejects.toThrow('lo que se sabe fue leído hace 3 h');
    expect(await readPedido(db, id)).toMatchObject({ estado: 'borrador', motivo: null });
    await confirmar(id, { motivo: 'Se confirmó por teléfono' });
    expect(await readPedido(db, id)).toMatchObject({ estado: 'enviando', motivo: 'Se confirmó por teléfono' });
    await sandbox.clear();
    await forgetFailures(db, 'syscom');
    await runUntilSettled();
  });
});

describe('what is priced in dollars', () => {
  const RATE = '19.50';
  const CASES = [
    ['told with the product', '18.00'],
    ['told with nothing', null],
  ] as const;
  test.each(CASES)('costs pesos at its supplier own rate, whatever was %s', async (_name, suya) => {
    const { id, venta } = await borrador({ n: suya ? 21 : 22 });
    await db
      .insertInto('catalogoProveedor')
      .values({ proveedor: 'syscom', tipoCambio: RATE, tipoCambioEn: new Date() })
      .onConflict((on) => on.column('proveedor').doUpdateSet({ tipoCambio: RATE, tipoCambioEn: new Date() }))
      .execute();
    await db
      .updateTable('oferta')
      .set({ moneda: 'USD', precio: '100', tipoCambio: suya })
      .where('productoId', '=', venta.producto.id)
      .execute();
    const { cantidad } = await db
      .selectFrom('pedidoLinea')
      .select('cantidad')
      .where('pedidoId', '=', id)
      .executeTakeFirstOrThrow();
    const { revision } = await visto(id);
    // 100 dollars at 19.50, and its VAT.
    expect(revision.costo?.toFixed(2)).toBe(Money.of('2262.00').times(cantidad).toFixed(2));
    await confirmar(id);
    const linea = await db
      .selectFrom('pedidoLinea')
      .select('tipoCambio')
      .where('pedidoId', '=', id)
      .executeTakeFirstOrThrow();
    expect(linea.tipoCambio?.toFixed(2)).toBe(RATE);
    await runUntilSettled();
    await db.deleteFrom('catalogoProveedor').where('proveedor', '=', 'syscom').execute();
  });
});

describe('a price that rose', () => {
  test('is told before it is paid, and what it costs now may be accepted', async () => {
    const { id } = await borrador({ hace: HORA, precio: '0.01', n: 6 });
    const error = await confirmar(id).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Stale);
    expect((error as Stale).message).toContain('El precio subió mientras lo veías.');
    expect((await readPedido(db, id)).estado).toBe('borrador');
    expect((error as Stale).choque.marcas.costo).toBe((await visto(id)).revision.costo!.toFixed(2));
    await confirmar(id);
    expect((await readPedido(db, id)).estado).toBe('enviando');
    await runUntilSettled();
  });

  test('until little is left: below the least of a role a reason is asked for', async () => {
    const { id } = await borrador({ n: 7 });
    const { revision } = await visto(id);
    const pagado = revision.costo!.plus(revision.costo!.dividedBy(50)).toFixed(2);
    await db
      .updateTable('orden')
      .set({ pagadoAbs: pagado, comision: '0', retencion: '0', costoEnvio: '0' })
      .where('id', 'in', (lineas) => lineas.selectFrom('pedidoLinea').select('ordenId').where('pedidoId', '=', id))
      .execute();
    await expect(confirmar(id)).rejects.toThrow('Escribe el motivo en el pedido');
    expect((await visto(id, 'sa')).revision.hallazgos.map(({ clave }) => clave)).not.toContain('margen');
    await confirmar(id, { motivo: 'Cliente de siempre' });
    expect((await readPedido(db, id)).motivo).toBe('Cliente de siempre');
    await runUntilSettled();
  });
});

test('a sale that was cancelled is not bought for, whoever gives a reason', async () => {
  const { id, venta } = await borrador({ n: 8 });
  await db.updateTable('orden').set({ clase: 'cancelada', estatus: 'cancelado' }).where('id', '=', venta.id).execute();
  await expect(confirmar(id, { rol: 'sa', motivo: 'Ya está pagado' })).rejects.toThrow('fue cancelada o devuelta');
  expect((await readPedido(db, id)).estado).toBe('borrador');
});

test('where making an order sends it, the guards look before: nothing is left of one they stop', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 9 });
  await db.updateTable('orden').set({ pagadoAbs: '1.00' }).where('id', '=', venta.id).execute();
  const quien = { id: quienes.user, rol: 'user' as const };
  const pide = (motivo: string | null) => placePedido(db, { orden: venta.id, proveedor: 'ct', motivo }, quien);
  await expect(pide(null)).rejects.toThrow(NotAllowed);
  expect(await db.selectFrom('pedido').select('id').where('numOrden', '=', venta.numOrden).execute()).toEqual([]);
  const { id, created } = await pide('Se repone una pieza dañada');
  expect(created).toBe(true);
  expect(await pide(null), 'a second person finds the first').toEqual({ id, created: false, effectId: null });
  await runUntilSettled();
  expect(await readPedido(db, id)).toMatchObject({ estado: 'solicitado', motivo: 'Se repone una pieza dañada' });
});

test('the notice of a confirmation is for what the supplier took, and a missing option is told before the press', async () => {
  const { id, venta } = await borrador({ n: 40 });
  const fila = await readPedido(db, id);
  expect(dichoOfPedido({ estado: 'borrador', via: 'api', venceEn: null, proveedorLabel: 'Syscom' })).toBe(
    'Pedido creado. Falta confirmarlo.',
  );
  // Confirmed, and not answered yet: nobody is told to confirm once more.
  const enCT = { estado: 'solicitado', via: 'api', venceEn: new Date(), proveedorLabel: 'CT' } as const;
  expect(dichoOfPedido(enCT)).toBe('Pedido creado. Falta confirmarlo.');
  expect(dichoOfPedido({ ...enCT, enCamino: true })).toContain('El pedido va en camino a CT');
  await chooseCompra(db, 'syscom', {});
  await expect(confirmar(id)).rejects.toThrow('Falta elegir cómo se le compra a Syscom: forma de pago y fletera.');
  expect(await readPedido(db, id)).toMatchObject({ estado: 'borrador', version: fila.version });
  await chooseCompra(db, 'syscom');

  expect(preguntadoOf(await visto(id)).avisos).toEqual([
    `Hay ${(await ofertaDe(venta.producto.id)).existencia} piezas, leído ahora.`,
    'La guía va dentro del pedido.',
    // Nobody told the cost of this shipment.
    expect.stringMatching(/^Lo que queda está estimado/),
  ]);
  const { version, revision } = await visto(id);
  const enCamino = await confirmWithGuardias(
    db,
    { pedido: id, version, costo: revision.costo?.toFixed(2) ?? null, motivo: null },
    { id: quienes.user, rol: 'user' },
  );
  // The sale ends before the order leaves: nothing was bought, and nobody is told that it was.
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', venta.id).execute();
  await runUntilSettled();
  await expect(waitForProveedor(db, enCamino, ERROR_CONFIRMAR)).rejects.toThrow(NotAllowed);
  await db.updateTable('orden').set({ clase: 'normal' }).where('id', '=', venta.id).execute();

  const otra = await pedir(db, venta, 'syscom', quienes.user);
  const bueno = await visto(otra);
  const sale = await confirmWithGuardias(
    db,
    { pedido: otra, version: bueno.version, costo: bueno.revision.costo?.toFixed(2) ?? null, motivo: null },
    { id: quienes.user, rol: 'user' },
  );
  const { estado, via } = await db
    .selectFrom('pedido')
    .select(['estado', 'via'])
    .where('id', '=', otra)
    .executeTakeFirstOrThrow();
  expect(dichoOfPedido({ estado, via, venceEn: null, proveedorLabel: 'Syscom' })).toBe(
    'El pedido va en camino a Syscom: Ordenes por confirmar dice cómo queda.',
  );
  await runUntilSettled();
  expect(await waitForProveedor(db, sale, ERROR_CONFIRMAR)).toBe('Se realizo al confirmacion.');
});

describe('many at once', () => {
  const preparar = (filas: string[]) =>
    db.transaction().execute((trx) =>
      prepareBatch(trx, ACCIONES.confirmarPedidos!, {
        lista: 'ordenesPorConfirmar',
        consulta: '',
        filas,
        usuarioId: quienes.user,
      }),
    );

  test('each is bought or says why not, and what is old is read again', async () => {
    const buena = await borrador({ hace: HORA, n: 10 });
    const pobre = await borrador({ pagado: '1.00', n: 11 });
    const muerta = await borrador({ n: 12 });
    await db.updateTable('orden').set({ clase: 'devuelta' }).where('id', '=', muerta.venta.id).execute();
    const lote = await preparar([buena.id, pobre.id, muerta.id]);
    const antes = (await readPreparedBatch(db, ACCIONES, lote, quienes.user))!;
    expect(antes.filas.map(({ estado }) => estado)).toEqual(['pendiente', 'fuera', 'fuera']);
    expect(antes.filas[1]!.motivo).toContain('Se perderían');
    expect(antes.filas[2]!.motivo).toContain('fue cancelada o devuelta');
    await db.transaction().execute((trx) => startBatch(trx, ACCIONES.confirmarPedidos!, lote, quienes.user));
    const before = await leidas(buena.venta.producto.idProveedor);
    await runBatch(db, ACCIONES, lote);
    expect((await leidas(buena.venta.producto.idProveedor)) - before).toBe(1);
    await runUntilSettled();
    expect((await readPreparedBatch(db, ACCIONES, lote, quienes.user))!.filas.map(({ estado }) => estado)).toEqual([
      'hecha',
      'fuera',
      'fuera',
    ]);
    expect((await readPedido(db, buena.id)).estado).toBe('confirmado');
  });

  test('one whose cost is no longer what the question said is refused with both, and the others are bought', async () => {
    const [cara, barata, igual] = [
      await borrador({ n: 14 }),
      await borrador({ n: 15 }),
      await borrador({ hace: HORA, n: 16 }),
    ];
    const lote = await preparar([cara.id, barata.id, igual.id]);
    const mostrados = (await readPreparedBatch(db, ACCIONES, lote, quienes.user))!.filas.map(({ importe }) =>
      String(importe),
    );
    await db.transaction().execute((trx) => startBatch(trx, ACCIONES.confirmarPedidos!, lote, quienes.user));
    for (const [{ venta }, veces] of [
      [cara, '1.01'],
      [barata, '0.99'],
    ] as const)
      await db
        .updateTable('oferta')
        .set((is) => ({ precio: sql`${is.ref('precio')} * ${veces}::numeric` }))
        .where('productoId', '=', venta.producto.id)
        .execute();
    await runBatch(db, ACCIONES, lote);
    await runUntilSettled();
    const { filas } = (await readPreparedBatch(db, ACCIONES, lote, quienes.user))!;
    expect(filas.map(({ estado }) => estado)).toEqual(['fallida', 'fallida', 'hecha']);
    for (const [at, { id }] of [cara, barata].entries()) {
      const { costo } = (await visto(id)).revision;
      expect(filas[at]!.motivo).toBe(
        `El costo cambió desde que se mostró: era ${enPesos(mostrados[at]!)} y ahora es ${enPesos(costo!.toFixed(2))}.`,
      );
      expect((await readPedido(db, id)).estado).toBe('borrador');
    }
  });
});

test('the list tells each with its cost and its clock, the first to lapse first', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 13 });
  await db.updateTable('orden').set({ pagadoAbs: '90000.00' }).where('id', '=', venta.id).execute();
  const id = await pedir(db, venta, 'ct', quienes.user);
  await runUntilSettled();
  await db
    .updateTable('pedido')
    .set({ venceEn: new Date(Date.now() + HORA) })
    .where('id', '=', id)
    .execute();
  const { filas, totales } = await porConfirmarList.first(db, porConfirmarList.parse(new URLSearchParams()));
  expect(filas[0]).toMatchObject({ id, numOrden: venta.numOrden, proveedorLabel: 'CT', estado: 'solicitado' });
  const { revision } = await visto(id);
  expect(String(filas[0]!.costo)).toBe(String(revision.costo));
  expect(totales?.registros).toBe(filas.length);
  const deFolio = await porConfirmarList.first(
    db,
    porConfirmarList.parse(new URLSearchParams({ q: (await readPedido(db, id)).folioProveedor! })),
  );
  expect(deFolio.filas.map((fila) => fila.id)).toEqual([id]);
  expect(Money.sum([revision.queda!, revision.costo!]).equals(revision.recibe)).toBe(true);
});

test('each stands beside the picture of the product that its first line asks for; its panel has that of each line', async () => {
  const venta = await buildVentaDe(db, sandbox, 'ct', { n: 14 });
  const otro = await buildProducto(db, sandbox, 'ct', 15);
  const sku = `AMS|${otro.idProveedor}|ct|${otro.modelo}`;
  const articulo = { nombre: 'Otro', sku, cantidad: 1, importe: '10.00', precioUnitario: '10' };
  await db
    .insertInto('articulo')
    .values({ ordenId: venta.id, posicion: 1, ...articulo })
    .execute();
  for (const { id } of [venta.producto, otro])
    await addFotos(db, { id, fotos: [new File([new Uint8Array(jpegOf(800, 600))], `${id}.jpg`)] }, quienes.user);
  const id = await pedir(db, venta, 'ct', quienes.user);
  const quien = { id: quienes.user, rol: 'user' } as Usuario;
  const request = new Request(`http://trastienda.test/user/lista?q=${venta.numOrden}`);
  const lados = async () => {
    const listas = await Promise.all([
      openList(db, porConfirmarList, request, quien),
      openList(db, ordenesCtList, request, quien),
    ]);
    return listas.map(({ ventana }) => ventana.filas.map(({ alLado }) => alLado));
  };
  expect(await lados()).toEqual(Array(2).fill([{ retrato: null }]));
  // The second line's product has one too, so a wrong choice shows.
  await ladosOf(db, [otro.id]);
  await makeRetratos(db, new AbortController().signal);
  const { llave } = await db
    .selectFrom('productoRetrato')
    .select('llave')
    .where('productoId', '=', venta.producto.id)
    .executeTakeFirstOrThrow();
  expect(await lados()).toEqual(Array(2).fill([{ retrato: `/fotos/${llave}` }]));

  const { lineas, alLado } = (await pedidoOf(id, new URLSearchParams(), quien))!;
  const suyas = await Promise.all([venta.producto, otro].map((uno) => readRetrato(db, uno.id)));
  expect(suyas).toEqual([expect.stringMatching(/^\/fotos\//), expect.stringMatching(/^\/fotos\//)]);
  expect(lineas.map(({ posicion }) => alLado.fotos[posicion])).toEqual(suyas);
  const asked = await statementsDuring(() => pedidoOf(id, new URLSearchParams(), quien));
  expect(asked.filter((sql) => sql.includes('"producto_foto"'))).toHaveLength(1);
});
