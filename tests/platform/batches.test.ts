import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NotAllowed } from '~/core/errors';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch, stopBatch } from '~/platform/batches/prepared.server';
import { ordenesList } from '~/domain/ventas/ordenes/listOrdenes.server';
import { buildOrden, buildQuien } from '../support/builders/ordenes';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
let quien: string;
let otro: string;

beforeAll(async () => {
  quien = (await buildQuien(db, 'user')).id;
  otro = (await buildQuien(db, 'admin')).id;
});
beforeEach(async () => {
  await db.updateTable('proveedor').set({ email: 'ventas@syscom.mx' }).where('value', '=', 'syscom').execute();
});

const accionDe = (accion: string) => ACCIONES[accion]!;
const prepare = (accion: string, filas: string[], usuarioId = quien) =>
  db
    .transaction()
    .execute((trx) => prepareBatch(trx, accionDe(accion), { lista: 'ordenes', consulta: '', filas, usuarioId }));
async function start(id: string, usuarioId = quien) {
  const { accion } = await db.selectFrom('lote').select('accion').where('id', '=', id).executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => startBatch(trx, accionDe(accion), id, usuarioId));
}
const run = (id: string) => runBatch(db, ACCIONES, id);
const read = async (id: string, usuarioId = quien) => (await readPreparedBatch(db, ACCIONES, id, usuarioId))!;
const statesOf = async (id: string) => (await read(id)).filas.map(({ estado, motivo }) => [estado, motivo]);
const estatusOf = async (id: string) =>
  (await db.selectFrom('orden').select('estatus').where('id', '=', id).executeTakeFirstOrThrow()).estatus;

describe('what would be done', () => {
  test.each([
    ['facturar', 500, 'ventas'],
    ['entregar', 2_000, 'ordenes'],
  ])('%s takes at most %i rows at once', async (accion, most, nombres) => {
    const ids = Array.from({ length: most + 1 }, () => crypto.randomUUID());
    await expect(prepare(accion, ids)).rejects.toThrow(
      `Se eligieron más de ${most} ${nombres}. Filtra la lista y hazlo por partes.`,
    );
    await expect(prepare(accion, ids.slice(1))).rejects.toThrow('Lo que elegiste ya no existe.');
  });

  test('is told before it is, with why the others are left out', async () => {
    const [vieja, nueva, entregada] = [
      await buildOrden(db, { fechaCreacion: hoursAgo(50) }),
      await buildOrden(db, { fechaCreacion: hoursAgo(2) }),
      await buildOrden(db, { fechaCreacion: hoursAgo(50), estatus: 'entregado' }),
    ];
    const id = await prepare('entregar', [vieja.id, nueva.id, entregada.id]);
    expect(await statesOf(id)).toEqual([
      ['pendiente', null],
      ['fuera', 'La orden todavía no cumple 48 horas en preparación.'],
      ['fuera', 'La orden está en estatus Entregado.'],
    ]);
    expect((await read(id)).avance).toMatchObject({ total: 1, waiting: 1 });
    await run(id);
    expect(await estatusOf(vieja.id), 'nobody said yes').toBe('enPreparacion');
  });

  test('says of a letter and of a link what speaks against each', async () => {
    const [sinEnvio, sinCorreo, cancelada, buena] = [
      await buildOrden(db, { envio: null }),
      await buildOrden(db, { sku: 'AMS|1|cva|M-9' }),
      await buildOrden(db, { clase: 'cancelada', estatus: 'cancelado' }),
      await buildOrden(db, {}),
    ];
    await db.updateTable('proveedor').set({ email: null }).where('value', '=', 'cva').execute();
    const ids = [sinEnvio.id, sinCorreo.id, cancelada.id, buena.id];
    expect(await statesOf(await prepare('correo', ids))).toEqual([
      ['fuera', 'La orden no tiene un envío.'],
      ['fuera', 'CVA no tiene agentes activos ni un correo.'],
      ['fuera', 'La orden fue cancelada o devuelta: al proveedor no se le escribe por ella.'],
      ['pendiente', null],
    ]);
    expect((await statesOf(await prepare('enlace', ids))).map(([estado]) => estado)).toEqual([
      'pendiente',
      'pendiente',
      'fuera',
      'pendiente',
    ]);
  });

  test('writes once to the buyer of a cart', async () => {
    const [una, otra] = [await buildOrden(db, {}), await buildOrden(db, {})];
    await db.updateTable('orden').set({ numOrden: una.numOrden }).where('id', '=', otra.id).execute();
    expect(await statesOf(await prepare('enlace', [una.id, otra.id]))).toEqual([
      ['pendiente', null],
      ['fuera', 'Va con otra orden del mismo carrito.'],
    ]);
  });

  test('is nothing where nothing was chosen', async () => {
    await expect(prepare('correo', [])).rejects.toThrow(NotAllowed);
  });
});

describe('once somebody said yes', () => {
  test('each sale is done alone; one that another person moved in between is not, and says so', async () => {
    const [una, movida, ultima] = [
      await buildOrden(db, { fechaCreacion: hoursAgo(50) }),
      await buildOrden(db, { fechaCreacion: hoursAgo(50) }),
      await buildOrden(db, { fechaCreacion: hoursAgo(50) }),
    ];
    const id = await prepare('entregar', [una.id, movida.id, ultima.id]);
    await db
      .updateTable('orden')
      .set((is) => ({ version: is('version', '+', 1) }))
      .where('id', '=', movida.id)
      .execute();
    await start(id);
    await run(id);
    expect(await statesOf(id)).toEqual([
      ['hecha', null],
      ['fallida', 'Otra persona modificó este registro. Vuelve a cargarlo.'],
      ['hecha', null],
    ]);
    expect(await estatusOf(movida.id)).toBe('enPreparacion');
    expect((await read(id)).avance).toMatchObject({ total: 3, done: 2, failed: 1, waiting: 0 });
  });

  test('a run that was cut off goes on, and a second one does nothing twice', async () => {
    const orden = await buildOrden(db, {});
    const id = await prepare('correo', [orden.id]);
    await start(id);
    await start(id);
    await run(id);
    await run(id);
    const letters = await db
      .selectFrom('effectSubject')
      .innerJoin('effect', 'effect.id', 'effectSubject.effectId')
      .where('entidadId', '=', orden.id)
      .where('type', '=', 'proveedor.mail')
      .select(['effect.id', 'batchId'])
      .execute();
    expect(letters).toHaveLength(1);
    expect(letters[0]!.batchId).not.toBeNull();
    expect(await statesOf(id)).toEqual([['camino', null]]);
  });

  test('an act that this worker does not know waits for one that does', async () => {
    const orden = await buildOrden(db, { fechaCreacion: hoursAgo(50) });
    const id = await prepare('entregar', [orden.id]);
    await start(id);
    await expect(runBatch(db, {}, id)).rejects.toThrow('no hay una acción entregar');
    expect(await estatusOf(orden.id)).toBe('enPreparacion');
  });

  test('what was not done yet is stopped by its person alone, and done again from there', async () => {
    const orden = await buildOrden(db, { fechaCreacion: hoursAgo(50) });
    const id = await prepare('entregar', [orden.id]);
    await start(id);
    const stop = (usuarioId: string) =>
      db.transaction().execute((trx) => stopBatch(trx, EFFECTS, accionDe('entregar'), id, usuarioId));
    await expect(stop(otro)).rejects.toThrow(NotAllowed);
    expect(await stop(quien)).toBe(1);
    await run(id);
    expect(await statesOf(id)).toEqual([['detenida', 'Se detuvo antes de hacerla.']]);
    expect((await read(id)).avance).toMatchObject({ total: 1, done: 0, failed: 0, stopped: 1, waiting: 0 });
    expect(await estatusOf(orden.id)).toBe('enPreparacion');
  });

  test('it is of who asked for it, and of nobody else', async () => {
    const orden = await buildOrden(db, { fechaCreacion: hoursAgo(50) });
    const id = await prepare('entregar', [orden.id]);
    expect(await readPreparedBatch(db, ACCIONES, id, otro)).toBeUndefined();
    await expect(start(id, otro)).rejects.toThrow(NotAllowed);
  });
});

test('all that a list holds is what it held when it was opened', async () => {
  const filtro = ordenesList.parse(new URLSearchParams({ desde: '2025-03-01', hasta: '2025-03-31' }));
  const antes = await buildOrden(db, { fechaCreacion: new Date('2025-03-10T18:00:00Z') });
  const { corte } = await ordenesList.first(db, filtro);
  const despues = await buildOrden(db, { fechaCreacion: new Date('2025-03-11T18:00:00Z') });
  expect(await ordenesList.ids(db, filtro, corte, 10)).toEqual([antes.id]);
  expect(await ordenesList.ids(db, filtro, null, 10)).toEqual([despues.id, antes.id]);
  expect(await ordenesList.ids(db, filtro, null, 1)).toHaveLength(1);
});
