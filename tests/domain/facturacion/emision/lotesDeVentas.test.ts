import type { AppLoadContext } from '@remix-run/node';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom/server';
import { beforeEach, expect, test } from 'vitest';
import { openDraft, reopenDraft, requireDraft } from '~/domain/facturacion/emision/draft.server';
import { listPorFacturar } from '~/domain/facturacion/emision/porFacturar.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { prepareBatch, readPreparedBatch, runBatch, startBatch } from '~/platform/batches/prepared.server';
import { withdrawEffect } from '~/platform/effects/resolve.server';
import { Money } from '~/core/money';
import Lote, { loader as verLote } from '~/routes/operacion/lotes/lote';
import { buildVenta, CLIENTES } from '../../../support/builders/ventas';
import { openPac, settle } from '../../../support/pac';
import { PROBADA } from '../../../support/sesion';

const { db, sandbox, sa } = await openPac();
const [cliente] = CLIENTES;
let n = 0;

beforeEach(async () => {
  await db.updateTable('orden').set({ billingInfoId: null }).execute();
});

/** A sale whose buyer gave these tax data at the marketplace. */
async function ventaDe(dicho: { rfc?: string; usoCfdi?: string | null } = {}) {
  const venta = await buildVenta(db);
  const billingInfoId = `lote-${++n}`;
  await db
    .insertInto('compradorFiscal')
    .values({
      market: 'ml',
      billingInfoId,
      razonSocial: cliente.razonSocial,
      rfc: cliente.rfc,
      usoCfdi: 'G03',
      ...dicho,
    })
    .execute();
  await db.updateTable('orden').set({ billingInfoId }).where('numOrden', '=', venta.numOrden).execute();
  return { ...venta, id: venta.ordenIds[0]! };
}
const prepare = (...filas: string[]) =>
  db
    .transaction()
    .execute((trx) =>
      prepareBatch(trx, ACCIONES['facturar']!, { lista: 'ordenes', consulta: '', filas, usuarioId: sa.id }),
    );
const start = (id: string) => db.transaction().execute((trx) => startBatch(trx, ACCIONES['facturar']!, id, sa.id));
const read = async (id: string) => (await readPreparedBatch(db, ACCIONES, id, sa.id))!;
/** The page of a batch, as its person has it. */
async function page(id: string): Promise<string> {
  const context = { usuario: sa, sesion: PROBADA } as unknown as AppLoadContext;
  const loader = ({ request }: { request: Request }) => verLote({ request, params: {}, context });
  const { query, dataRoutes } = createStaticHandler([{ path: '*', element: createElement(Lote), loader }]);
  const answer = await query(new Request(`http://trastienda.test/sa/lote?lote=${id}`));
  if (answer instanceof Response) throw new Error('a page was expected');
  const router = createStaticRouter(dataRoutes, answer);
  return renderToStaticMarkup(createElement(StaticRouterProvider, { router, context: answer, hydrate: false }));
}
const statesOf = async (id: string) => (await read(id)).filas.map(({ estado, motivo }) => [estado, motivo]);

test('what needs one press is invoiced, once each, and all others are told why not', async () => {
  const [una, otra] = [await ventaDe(), await ventaDe()];
  const sinUso = await ventaDe({ usoCfdi: null });
  const sinCliente = await ventaDe({ rfc: 'EKU9003173C9' });
  const nadie = await buildVenta(db);
  const cancelada = await ventaDe();
  await db.updateTable('orden').set({ clase: 'cancelada' }).where('id', '=', cancelada.id).execute();
  const distinta = await ventaDe();
  await db
    .updateTable('articulo')
    .set({ importe: '1.00', precioUnitario: '1.00' })
    .where('ordenId', '=', distinta.id)
    .execute();
  expect((await listPorFacturar(db, 1)).listas).toEqual(expect.arrayContaining([una.id, otra.id]));

  const fuera = [sinUso.id, sinCliente.id, nadie.ordenIds[0]!, cancelada.id, distinta.id];
  const lote = await prepare(una.id, otra.id, ...fuera, una.id);
  expect(await statesOf(lote)).toEqual([
    ['pendiente', null],
    ['pendiente', null],
    ['fuera', 'Ni el cliente ni el mercado dijeron el uso de CFDI.'],
    ['fuera', 'El cliente no está registrado: guárdalo en Facturación.'],
    ['fuera', 'El comprador no dio sus datos fiscales.'],
    ['fuera', 'La orden de la factura fue cancelada y no se puede facturar.'],
    ['fuera', 'Su factura suma $1.00 y se pagaron $116.00.'],
  ]);
  const { filas, avance, suma } = await read(lote);
  expect(filas[0]).toMatchObject({ clave: una.numOrden, importe: Money.of('116.00') });
  expect(filas[0]!.titulo).toBe(
    `${cliente.razonSocial} · ${cliente.rfc} · G03 - Gastos en general · 04 - Tarjeta de crédito · clave 01010101`,
  );
  expect(ACCIONES['facturar']!.pregunta!(avance.total, suma).hechos).toBe(
    'Se timbran 2 facturas por $232.00 en total, con fecha de hoy.',
  );

  await start(lote);
  await start(lote);
  await Promise.all([runBatch(db, ACCIONES, lote), runBatch(db, ACCIONES, lote)]);
  await runBatch(db, ACCIONES, lote);
  await settle();
  expect((await statesOf(lote)).slice(0, 2)).toEqual([
    ['hecha', null],
    ['hecha', null],
  ]);
  for (const { numOrden } of [una, otra]) expect(await sandbox.facturacom.stamped(numOrden)).toHaveLength(1);
  for (const { numOrden } of [sinUso, sinCliente, nadie, cancelada, distinta])
    expect(await sandbox.facturacom.stamped(numOrden)).toEqual([]);
});

test('a sale that moved after its question was shown is not stamped, and one that another invoiced keeps that document', async () => {
  const [movida, facturada, enCarrito] = [await ventaDe(), await ventaDe(), await ventaDe()];
  const lote = await prepare(movida.id, facturada.id, enCarrito.id);
  await db.updateTable('compradorFiscal').set({ usoCfdi: 'G01' }).where('rfc', '=', cliente.rfc).execute();
  await db.updateTable('articulo').set({ nombre: 'Otra cosa' }).where('ordenId', '=', movida.id).execute();
  const otro = await prepare(facturada.id);
  await start(otro);
  await runBatch(db, ACCIONES, otro);
  await settle();
  await start(lote);
  await runBatch(db, ACCIONES, lote);
  await settle();
  const MOVIDO = 'Otra persona modificó este registro. Vuelve a cargarlo.';
  expect(await statesOf(lote)).toEqual([
    ['fallida', MOVIDO],
    ['fallida', MOVIDO],
    ['fallida', MOVIDO],
  ]);
  expect(await page(lote), 'what was refused here is looked at again').toContain('Reintentar fallidas');
  expect(await page(lote)).not.toContain('>Corregir<');
  expect(await sandbox.facturacom.stamped(facturada.numOrden)).toHaveLength(1);
  for (const { numOrden } of [movida, enCarrito]) expect(await sandbox.facturacom.stamped(numOrden)).toEqual([]);
  // Looked at again, each says what it is now.
  expect(await statesOf(await prepare(movida.id, facturada.id, enCarrito.id))).toEqual([
    ['pendiente', null],
    ['fuera', 'La venta ya está facturada o en proceso de facturarse.'],
    ['pendiente', null],
  ]);
});

test('what the PAC refused says so, is ready no longer, and is left out until somebody opens it again', async () => {
  const venta = await ventaDe();
  const lote = await prepare(venta.id);
  await sandbox.facturacom.failNext('refuse', { code: 'CFDI40148', contains: venta.numOrden });
  await start(lote);
  await runBatch(db, ACCIONES, lote);
  await settle();
  expect(await statesOf(lote)).toEqual([['fallida', expect.stringContaining('CFDI40148') as string]]);
  const html = await page(lote);
  expect(html).toContain('El Código Postal no es el del domicilio fiscal');
  expect(html, 'where it is put right').toContain(`href="/sa/facturacion?numOrden=${venta.numOrden}"`);
  expect(html, 'a second try would be the same no').not.toContain('Reintentar fallidas');
  expect((await listPorFacturar(db, 1)).listas).not.toContain(venta.id);
  expect(await statesOf(await prepare(venta.id))).toEqual([
    ['fuera', 'Ya se pidió y no se timbró: ábrela en Facturación.'],
  ]);
  const draft = await requireDraft(db, await openDraft(db, venta.numOrden, sa.id), sa);
  await reopenDraft(db, draft);
  expect((await listPorFacturar(db, 1)).listas).toContain(venta.id);
  expect(await statesOf(await prepare(venta.id))).toEqual([['pendiente', null]]);
});

test('what a person withdrew before it was stamped is left out in the same words', async () => {
  const venta = await ventaDe();
  const lote = await prepare(venta.id);
  await start(lote);
  await runBatch(db, ACCIONES, lote);
  const { id } = await db.selectFrom('effect').select('id').where('state', '=', 'queued').executeTakeFirstOrThrow();
  await db.transaction().execute((trx) => withdrawEffect(trx, EFFECTS, id, sa.id));
  expect(await page(lote)).toContain('>Corregir<');
  expect(await page(lote)).not.toContain('Reintentar fallidas');
  expect((await listPorFacturar(db, 1)).listas).not.toContain(venta.id);
  expect(await statesOf(await prepare(venta.id))).toEqual([
    ['fuera', 'Ya se pidió y no se timbró: ábrela en Facturación.'],
  ]);
});
