import { sql } from 'kysely';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { beforeAll, expect, test } from 'vitest';
import { Stale } from '~/core/errors';
import { articulosOf } from '~/domain/facturacion/cfdi/articulos';
import { ordenesOfNumber } from '~/domain/facturacion/cfdi/facturables.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { CorregirCostoForm } from '~/domain/ventas/envios/forms';
import { readPropio } from '~/domain/ventas/envios/propios.server';
import { correctCosto, saveCosto } from '~/domain/ventas/envios/savePropio.server';
import { documentosFijos, gananciaQueCambia } from '~/domain/ventas/ordenes/afectados';
import { afectadosOfCosto } from '~/domain/ventas/ordenes/afectados.server';
import { readCronologia } from '~/domain/ventas/ordenes/cronologia.server';
import { readOrden } from '~/domain/ventas/ordenes/detalleOrden.server';
import { action } from '~/routes/ventas/ordenes/lista';
import { up as separateCostos } from '~db/migrations/20261122_1530_costo_de_envio';
import { buildFactura } from '../../../support/builders/facturas';
import { buildOrden, buildQuien, claimOrden, type OrdenSketch } from '../../../support/builders/ordenes';
import { ownerDatabase, testDatabase } from '../../../support/db';

const { db } = testDatabase();
let quien: Awaited<ReturnType<typeof buildQuien>>;
beforeAll(async () => {
  quien = await buildQuien(db);
});

const propia = (sketch: OrdenSketch = {}) => buildOrden(db, { envioPropio: true, envio: null, ...sketch });
const huella = async (id: string) => (await readPropio(db, id))!.huella;
const quote = async (id: string, costo: string) =>
  db.transaction().execute(async (trx) => saveCosto(trx, { orden: id, huella: await huella(id), costo }, quien.id));
const correct = async (id: string, escrito: { costo: string; cotizado?: string; huella?: string }) => {
  const form = CorregirCostoForm.parse({ orden: id, huella: await huella(id), ...escrito });
  return db.transaction().execute((trx) => correctCosto(trx, form, quien.id));
};
const importes = async (id: string) => {
  const { cobrado, cotizado, costo } = (await readOrden(db, id))!.envio!;
  return [cobrado, cotizado, costo].map((importe) => importe && String(importe));
};
const utilidad = async (id: string) =>
  (await db.selectFrom('libroVenta').select('queda').where('ordenId', '=', id).executeTakeFirstOrThrow()).queda;
const buyFor = (ordenId: string, monto = '500.00') =>
  db
    .insertInto('proveedorFactura')
    .values({ ordenId, proveedor: 'syscom', folio: `P-${ordenId.slice(-6)}`, monto, usuarioId: quien.id })
    .execute();

test('what we quote and what it costs is nothing the buyer paid, and no line of the invoice', async () => {
  const { id, numOrden } = await propia();
  await quote(id, '15000');
  expect(await importes(id)).toEqual([null, '15000.00', '15000.00']);
  const lineas = articulosOf(await ordenesOfNumber(db, numOrden));
  expect(lineas.map(({ importe }) => importe)).toEqual(['1298.00']);
});

test('a label of ours is paid for though its sale was called off, once for its package', async () => {
  const { id } = await propia();
  await db.updateTable('orden').set({ comision: '0.00' }).where('id', '=', id).execute();
  await quote(id, '150');
  const call = (clase: 'cancelada' | 'devuelta' | 'normal') =>
    db.updateTable('orden').set({ clase }).where('id', '=', id).execute();
  await call('cancelada');
  expect(String(await utilidad(id)), 'nothing was bought, and the label was').toBe('-150.00');
  await call('normal');
  await buyFor(id);
  const antes = await utilidad(id);
  await call('devuelta');
  const { recibe, envio } = await db
    .selectFrom('libroVenta')
    .select(['recibe', 'envio'])
    .where('ordenId', '=', id)
    .executeTakeFirstOrThrow();
  expect([String(recibe), String(envio)]).toEqual(['-150.00', '150.00']);
  await call('normal');
  expect(await utilidad(id)).toEqual(antes);

  const { envioId } = await db.selectFrom('orden').select('envioId').where('id', '=', id).executeTakeFirstOrThrow();
  const otra = await propia({ clase: 'devuelta' });
  await db.updateTable('orden').set({ envioId }).where('id', '=', otra.id).execute();
  const costos = async () =>
    (
      await db.selectFrom('orden').select('costoEnvio').where('envioId', '=', envioId).orderBy('marketId').execute()
    ).map(({ costoEnvio }) => String(costoEnvio));
  expect(await costos(), 'the sale that stands carries it').toEqual(['150.00', '0.00']);
  await call('devuelta');
  expect(await costos()).toEqual(['150.00', '0.00']);
});

test('a wrong cost is put right, to nothing too; the quote and what was paid stay, the profit follows, and the story tells it', async () => {
  const { id } = await propia();
  await buyFor(id);
  await quote(id, '15000');
  await db.updateTable('envio').set({ cobrado: '99.00' }).where('marketId', 'like', 'propio-%').execute();
  await correct(id, { costo: '150', cotizado: '15000' });
  expect(await importes(id)).toEqual(['99.00', '15000.00', '150.00']);
  expect(String(await utilidad(id))).toBe('548.00');
  await correct(id, { costo: '0' });
  expect(await importes(id)).toEqual(['99.00', null, '0.00']);
  expect(String(await utilidad(id))).toBe('698.00');
  const [last, before] = await readCronologia(db, (await readOrden(db, id))!, EFFECTS);
  expect(last).toMatchObject({
    titulo: 'Se modificaron los datos del envío',
    detalle: 'Costo del envío: de $150.00 a $0.00 · Envío cotizado: de $15,000.00 a sin importe',
    quien: 'Ana Ríos',
  });
  expect(before).toMatchObject({ detalle: 'Costo del envío: de $15,000.00 a $150.00' });
});

test('a correction that began with other amounts changes nothing', async () => {
  const { id } = await propia();
  await quote(id, '100');
  const seen = await huella(id);
  await correct(id, { costo: '110' });
  await expect(correct(id, { costo: '120', huella: seen })).rejects.toBeInstanceOf(Stale);
  await expect(correct(id, { costo: '120', huella: 'nuevo' })).rejects.toThrow('todavía no tiene un envío');
  for (const costo of ['', '-1', '1,234,56', '100000000'])
    expect(CorregirCostoForm.safeParse({ orden: id, huella: 'x', costo }).success, costo).toBe(false);
});

test('before a cost is saved it is told what stays and what moves, and with how much', async () => {
  const { id, numOrden } = await propia({ fechaCreacion: new Date('2026-10-10T18:00:00Z') });
  await quote(id, '100');
  expect(await afectadosOfCosto(db, id)).toEqual({ documentos: [], conGanancia: [] });
  const { id: facturaId, effectId } = await buildFactura(db, { serie: 'CST', folio: 12 });
  await claimOrden(db, id, { id: facturaId, effectId });
  await buyFor(id);
  const afectados = await afectadosOfCosto(db, id);
  expect(documentosFijos('Esta venta', afectados.documentos)).toBe('Esta venta ya tiene la factura CST-12: no cambia.');
  expect(gananciaQueCambia(afectados.conGanancia)).toBe(
    `Cambia la ganancia de la orden ${numOrden} en 3 reportes: Mensual (octubre de 2026), Llenar reporte y Gráfica.`,
  );

  const post = async (over: Record<string, string>) => {
    const body = {
      intent: 'corregirCosto',
      orden: id,
      huella: await huella(id),
      costo: '90',
      cotizado: '100',
      ...over,
    };
    const request = new Request('http://trastienda.test/sa/ordenes', {
      method: 'POST',
      body: new URLSearchParams(body),
    });
    return action({
      request,
      params: {},
      context: { usuario: quien } as unknown as AppLoadContext,
    } as ActionFunctionArgs);
  };
  expect(await post({})).toMatchObject({
    data: {
      confirmar: {
        titulo: 'Corregir costo',
        texto: '¿Esta seguro que desea guardar la información?',
        hechos: `Costo del envío: de $100.00 a $90.00. Cambia la ganancia de la orden ${numOrden} en 3 reportes: Mensual (octubre de 2026), Llenar reporte y Gráfica. Esta venta ya tiene la factura CST-12: no cambia.`,
      },
    },
  });
  // A question without figures would be about nothing.
  expect(await post({ costo: '100' })).toMatchObject({
    data: { confirmar: { hechos: expect.stringMatching(/^No cambia ningún dato\./) as string } },
  });
  expect(await importes(id)).toEqual([null, '100.00', '100.00']);
  expect(await post({ confirmado: '1' })).toBeInstanceOf(Response);
  expect(await importes(id)).toEqual([null, '100.00', '90.00']);
});

test('many documents are counted and the first ones named', () => {
  const documentos = Array.from({ length: 7 }, (_, n) => ({ tipo: 'individual' as const, folio: `A-${n + 1}` }));
  expect(documentosFijos('Este cliente', documentos)).toBe(
    'Este cliente ya tiene 7 documentos que no cambian: factura A-1, factura A-2, factura A-3, factura A-4, factura A-5 y 2 más.',
  );
});

test('what people wrote as charged before there were three columns is told apart from what was paid', async () => {
  const pago = (over: object) => ({
    status: 'approved',
    operation_type: 'regular_payment',
    shipping_cost: 80.5,
    ...over,
  });
  const escrita = (datos: object, envio: OrdenSketch['envio'] = null) => propia({ datos, envio });
  // Without a shipment of the marketplace; with one, edited; with one, edited and then read again; with one, never edited.
  const sinEnvio = await escrita({ payments: [pago({}), pago({ status: 'rejected' })] });
  await quote(sinEnvio.id, '15000');
  const editada = await escrita({ payments: null }, { propio: true });
  const leida = await escrita({ payments: [] }, { propio: true });
  const ajena = await buildOrden(db, {});
  for (const [{ id }, cobrado, costo, campos] of [
    [sinEnvio, '15000.00', '15000.00', ['Costo del envío']],
    [editada, '120.00', '120.00', ['Calle', 'Costo del envío']],
    [leida, '45.00', '130.00', ['Costo del envío']],
    [ajena, '60.00', '60.00', ['Calle']],
  ] as const) {
    const { envioId } = (await db.selectFrom('orden').select('envioId').where('id', '=', id).executeTakeFirst())!;
    await db.updateTable('envio').set({ cobrado, costo, cotizado: null }).where('id', '=', envioId).execute();
    await db
      .insertInto('bitacora')
      .values({ entidad: 'envio', entidadId: envioId!, accion: 'modificar', datos: JSON.stringify({ campos }) })
      .execute();
  }
  await db.updateTable('orden').set({ envioAdicional: '33.00' }).where('id', '=', editada.id).execute();
  const { db: owner } = ownerDatabase();
  await sql`alter table envio drop cotizado`.execute(owner);
  await separateCostos(owner as never);
  expect(await importes(sinEnvio.id)).toEqual(['80.50', '15000.00', '15000.00']);
  expect(await importes(editada.id)).toEqual(['33.00', '120.00', '120.00']);
  expect(await importes(leida.id)).toEqual(['45.00', '130.00', '130.00']);
  expect(await importes(ajena.id)).toEqual(['60.00', null, '60.00']);
});
