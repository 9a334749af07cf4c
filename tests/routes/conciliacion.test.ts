import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { readVentasDeDeposito } from '~/domain/cierre/conciliacion/conciliacion.server';
import { balanceDepositos } from '~/domain/cierre/conciliacion/internal/balanceDepositos.server';
import { depositosConDiferencia } from '~/domain/cierre/conciliacion/internal/colaConciliacion.server';
import type { Rol, Usuario } from '~/core/usuario';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { openList } from '~/platform/lists/list.server';
import { loader as ficha } from '~/routes/files/fichas';
import { action, loader } from '~/routes/cierre/conciliacion/conciliacion';
import { buildLiquidacion } from '../support/builders/conciliacion';
import { buildPersona } from '../support/builders/ventas';
import { testDatabase } from '../support/db';

const { db } = testDatabase();
const people = new Map<Rol, Usuario>();
let hecha: Awaited<ReturnType<typeof buildLiquidacion>>;

beforeAll(async () => {
  for (const rol of ['sa', 'cont'] as const) people.set(rol, await buildPersona(db, rol));
  hecha = await buildLiquidacion(db);
});

function args(rol: Rol, path: string, body?: Record<string, string>, params: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) form.set(name, value);
  const request = new Request(`http://trastienda.test/${rol}/${path}`, body ? { method: 'POST', body: form } : {});
  const context = { usuario: people.get(rol), ip: '127.0.0.1' } as unknown as AppLoadContext;
  return { request, params, context } as ActionFunctionArgs;
}
type Leida = Extract<Awaited<ReturnType<typeof loader>>, { lista: unknown }>;
const filas = async (query = '') => {
  const { lista } = (await loader(args('cont', `conciliacion${query}`))) as Leida;
  return lista.ventana.filas as { id: string; difiere?: boolean }[];
};
const abierta = async (lista: string, id: string) =>
  (await (await ficha(args('cont', `fichas/${lista}/${id}`, undefined, { lista, id }))).json()) as Record<
    string,
    unknown
  >;

test('a deposit tells how much of it is of each sale, and what is of none', async () => {
  const clave = `suelto-${hecha.depositoId}`;
  const before = (await readVentasDeDeposito(db, hecha.depositoId))!;
  const { reporteId, fecha } = await db
    .selectFrom('deposito')
    .select(['reporteId', 'fecha'])
    .where('id', '=', hecha.depositoId)
    .executeTakeFirstOrThrow();
  const suelto = { market: 'ml', clave, reporteId, posicion: 900, depositoId: hecha.depositoId, fecha } as const;
  await db
    .insertInto('movimiento')
    .values({ ...suelto, concepto: 'publicidad', importe: '-45.00', detalle: 'advertising' })
    .execute();
  const { ventas, sinVenta } = (await readVentasDeDeposito(db, hecha.depositoId))!;
  await db.deleteFrom('movimiento').where('clave', '=', clave).execute();
  expect(ventas.map(({ ordenId, importe }) => [ordenId, String(importe)])).toEqual([
    [hecha.exacta, '430.00'],
    [hecha.conDiferencia, '415.00'],
  ]);
  expect([before.sinVenta, sinVenta].map(String)).toEqual(['0.00', '-45.00']);
  expect(await readVentasDeDeposito(db, hecha.exacta)).toBeNull();
});

test('deposits and sales are listed with differences first, and only those when asked', async () => {
  const [deposito] = await filas();
  expect(deposito).toMatchObject({
    id: hecha.depositoId,
    importe: '845.00',
    suma: '845.00',
    sinExplicar: '0.00',
    diferencia: '-15.00',
    difiere: true,
  });
  const ventas = await filas('?por=ventas');
  expect(ventas.map(({ id }) => id)).toEqual([hecha.conDiferencia, hecha.exacta]);
  expect(ventas.map(({ difiere }) => difiere)).toEqual([true, false]);
  expect((await filas('?por=ventas&difieren=1')).map(({ id }) => id)).toEqual([hecha.conDiferencia]);
  expect((await filas(`?por=ventas&q=${hecha.numOrden}`)).map(({ id }) => id)).toEqual([hecha.exacta]);
  // A letter of a search is never a pattern.
  for (const letra of ['%', '_', '%2%']) expect(await filas(`?por=ventas&q=${encodeURIComponent(letra)}`)).toEqual([]);
});

test('a deposit tells what it is made of, a sale what was expected of it', async () => {
  expect(await abierta('conciliacion', hecha.depositoId)).toMatchObject({
    puede: false,
    difiere: true,
    conceptos: [
      { concepto: 'comision', cuantos: 2, importe: '-155.00' },
      { concepto: 'venta', cuantos: 2, importe: '1000.00' },
    ],
  });
  expect(await abierta('conciliacion.ventas', hecha.conDiferencia)).toMatchObject({
    eComision: '-70.00',
    rComision: '-85.00',
    dComision: '-15.00',
    completa: true,
    difiere: true,
  });
});

test('a reason stays when the figures are reckoned again, and a form that saw older figures is refused', async () => {
  const { version } = await abierta('conciliacion.ventas', hecha.conDiferencia);
  const form = {
    intent: 'anotarVenta',
    id: hecha.conDiferencia,
    version: String(version),
    motivo: 'Tarifa nueva',
    reclamado: '1',
  };
  await action(args('sa', 'conciliacion?por=ventas', form));
  await db.transaction().execute((trx) => balanceDepositos(trx, 'ml'));
  expect(await abierta('conciliacion.ventas', hecha.conDiferencia)).toMatchObject({
    motivo: 'Tarifa nueva',
    quien: people.get('sa')!.usuario,
  });
  const again = (await action(args('sa', 'conciliacion?por=ventas', { ...form, motivo: 'Otro' }))) as {
    init?: { status?: number };
  };
  expect(again).not.toBeInstanceOf(Response);
  expect(await abierta('conciliacion.ventas', hecha.conDiferencia)).toMatchObject({ motivo: 'Tarifa nueva' });
});

test('Hoy tells of a deposit until its reason is known, and of nothing within the tolerance', async () => {
  const mirada = { ahora: new Date(), limite: 10, aparte: [], quien: { id: people.get('sa')!.id, rol: 'sa' } };
  expect(await depositosConDiferencia.mira(db, mirada)).toMatchObject({ total: 1, cosas: [{ id: hecha.depositoId }] });
  await action(args('sa', 'conciliacion', { intent: 'tolerancia', version: '1', tolerancia: '20' }));
  expect(await depositosConDiferencia.mira(db, mirada)).toMatchObject({ total: 0 });
  expect((await filas('?por=ventas')).map(({ difiere }) => difiere)).toEqual([false, false]);
  // The panel says what the row says.
  expect(await abierta('conciliacion', hecha.depositoId)).toMatchObject({ difiere: false });
  expect(await abierta('conciliacion.ventas', hecha.conDiferencia)).toMatchObject({ difiere: false });
  await action(args('sa', 'conciliacion', { intent: 'tolerancia', version: '2', tolerancia: '1' }));
});

test('a profit is final once invoice and payout are there; a later charge moves a closed month by a line', async () => {
  const orden = () =>
    db
      .selectFrom('orden')
      .innerJoin('libroVenta', 'libroVenta.ordenId', 'orden.id')
      .select(['queda', 'orden.comision'])
      .where('id', '=', hecha.conDiferencia)
      .executeTakeFirstOrThrow();
  await db
    .insertInto('proveedorFactura')
    .values({ ordenId: hecha.conDiferencia, proveedor: 'syscom', folio: 'F-1', monto: '200.00' })
    .execute();
  // What was charged, and not what the sale said of it.
  expect(String((await orden()).queda)).toBe('215.00');
  await db.updateTable('orden').set({ comisionLeida: '1.00' }).where('id', '=', hecha.conDiferencia).execute();
  expect(String((await orden()).queda)).toBe('215.00');
  const { ventana } = await openList(
    db,
    llenarReporteList,
    new Request('http://trastienda.test/?rango=todas'),
    people.get('sa')!,
  );
  expect(ventana.filas.find(({ id }) => id === hecha.conDiferencia)).toMatchObject({ definitiva: true });
  await sql`update orden set fecha_creacion = now() - interval '70 days' where id = ${hecha.conDiferencia}`.execute(db);
  await hecha.cobrar('-5.00');
  expect(String((await orden()).queda)).toBe('210.00');
  expect(await filas('?por=ajustes')).toMatchObject([
    { antes: '215.00', despues: '210.00', diferencia: '-5.00', causa: 'liquidacion' },
  ]);
});
