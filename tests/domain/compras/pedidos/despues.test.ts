import { expect, test } from 'vitest';
import { confirmWithGuardias, reviewPedido } from '~/domain/compras/pedidos/placePedido.server';
import { requestAutomaticos } from '~/domain/compras/pedidos/automatico.server';
import { noteFacturado } from '~/domain/compras/pedidos/pedidos.server';
import { applyReparto, readCfdisPropuestos, receiveCfdis } from '~/domain/compras/facturas/cfdis.server';
import { openFacturasOfOrden } from '~/domain/compras/facturas/openFacturas.server';
import { llenarReporteList } from '~/domain/cierre/reportes/utilidadLists.server';
import { buildQuien } from '../../../support/builders/ordenes';
import { buildVentaDe, openProveedores, pedir, readPedido } from '../../../support/builders/pedidos';
import { cfdiDeProveedor, linkNuestroRfc } from '../../../support/builders/proveedores';
import { testDatabase } from '../../../support/db';
import { runUntilSettled } from '../../../support/jobs';
import { setPace } from '../../../support/pac';
import { startTestSandbox } from '../../../support/sandbox';

setPace(0.01);
const sandbox = await startTestSandbox();
const { db } = testDatabase();
await openProveedores(db, sandbox, ['syscom', 'ct']);
await linkNuestroRfc(db);
await db.updateTable('proveedor').set({ rfc: 'SSC840823JT3' }).where('value', '=', 'syscom').execute();
const { id: usuarioId } = await buildQuien(db, 'admin');
const RICA = '100000.00';

async function venta(proveedor: 'syscom' | 'ct', n: number, pagado = RICA) {
  const una = await buildVentaDe(db, sandbox, proveedor, { n });
  await db.updateTable('orden').set({ pagadoAbs: pagado, total: pagado }).where('id', '=', una.id).execute();
  await db.updateTable('oferta').set({ tipoCambio: '18.00' }).where('productoId', '=', una.producto.id).execute();
  return una;
}
async function confirmar(id: string) {
  const { version, revision } = (await reviewPedido(db, id, 'admin'))!;
  const costo = revision.costo && revision.costo.toFixed(2);
  await confirmWithGuardias(db, { pedido: id, version, costo, motivo: null }, { id: usuarioId, rol: 'admin' });
  await runUntilSettled();
}
/** The word of the Excel for how sure a profit is. */
const situacion = (fila: Awaited<ReturnType<typeof reporte>>) =>
  llenarReporteList.excel.columnas.find(({ header }) => header === 'Situación')!.valor(fila);
const reporte = async (numOrden: string) => {
  const { filas } = await llenarReporteList.first(db, llenarReporteList.parse(new URLSearchParams({ q: numOrden })));
  return filas[0]!;
};
const subir = (xml: string) =>
  db
    .transaction()
    .execute((trx) => receiveCfdis(trx, [{ nombre: 'factura.xml', contenido: Buffer.from(xml) }], usuarioId));

test('from the sale to the final profit: ordered, confirmed, its label sent, and its invoice dropped as XML', async () => {
  const una = await venta('syscom', 20);
  expect(await reporte(una.numOrden)).toMatchObject({ utilidad: null, estimada: null });
  expect(situacion(await reporte(una.numOrden)), 'without profit and estimate').toBe('Sin datos');
  const id = await pedir(db, una, 'syscom', usuarioId);
  expect((await reporte(una.numOrden)).estimada, 'a draft buys nothing yet').toBeNull();
  await confirmar(id);
  expect(await readPedido(db, id)).toMatchObject({ estado: 'confirmado', guiaPor: 'pedido' });
  const { estimada, utilidad } = await reporte(una.numOrden);
  const { revision } = (await reviewPedido(db, id, 'admin'))!;
  expect(utilidad).toBeNull();
  expect(String(estimada)).toBe(String(revision.queda));
  expect(situacion(await reporte(una.numOrden))).toBe('Estimada');

  // The supplier tells its folio; its document says neither the sale nor the model.
  await db
    .updateTable('pedido')
    .set({ facturaFolio: 'FA26/104233', facturaTotal: '453.08', facturaMoneda: 'MXN' })
    .where('id', '=', id)
    .execute();
  const abiertas = (await openFacturasOfOrden(db, una.id, { cfdis: [], editar: null }))!;
  expect(abiertas.dichas.map(({ folio, monto }) => [folio, String(monto)])).toEqual([['FA26/104233', '453.08']]);
  const { leidos } = await subir(
    cfdiDeProveedor({
      serie: 'FA26',
      folio: '104233',
      total: '453.08',
      conceptos: [{ clave: '201334', descripcion: 'Equipo', importe: '390.59', iva: '62.49' }],
    }),
  );
  const [cfdi] = await readCfdisPropuestos(db, leidos);
  expect(cfdi!.propuesta.filas.map(({ ordenId, monto }) => [ordenId, monto])).toEqual([[una.id, '453.08']]);
  await db.transaction().execute(async (trx) => {
    const reparto = {
      cfdi: cfdi!.id,
      proveedor: 'syscom',
      folio: cfdi!.folio,
      filas: cfdi!.propuesta.filas.map(({ numero, monto }) => ({ orden: numero, monto })),
      huella: cfdi!.visto.huella,
      mostrado: {},
    };
    await applyReparto(trx, reparto, usuarioId, { rfc: true });
    await noteFacturado(trx, reparto, usuarioId);
  });
  expect(await readPedido(db, id)).toMatchObject({ estado: 'guiaEnviada', facturaFolio: 'FA26104233' });
  const final = await reporte(una.numOrden);
  expect(String(final.facturado)).toBe('453.08');
  expect(final, 'nobody told the cost of the shipment').toMatchObject({ utilidad: null, falta: ['envio'] });
  await db.updateTable('envio').set({ costo: '100.00' }).where('id', '=', una.envioId!).execute();
  expect(await reporte(una.numOrden)).toMatchObject({ estimada: null, estima: [], falta: [] });
  expect((await reporte(una.numOrden)).utilidad).not.toBeNull();
});

test('a document of the same folio and another amount is nobody’s, and one of another order takes nothing from it', async () => {
  const una = await venta('syscom', 21);
  const id = await pedir(db, una, 'syscom', usuarioId);
  await confirmar(id);
  await db
    .updateTable('pedido')
    .set({ facturaFolio: 'FA26/200001', facturaTotal: '900.00', facturaMoneda: 'MXN' })
    .where('id', '=', id)
    .execute();
  const { leidos } = await subir(
    cfdiDeProveedor({
      serie: 'FA26',
      folio: '200001',
      conceptos: [{ descripcion: 'Equipo', importe: '100.00', iva: '16.00' }],
    }),
  );
  expect((await readCfdisPropuestos(db, leidos))[0]!.propuesta.filas).toEqual([]);
});

test('what buys by itself asks the guards: a sale that leaves too little waits for a person, with the reason', async () => {
  const [buena, pobre] = [await venta('ct', 22), await venta('ct', 23, '1.00')];
  for (const { producto } of [buena, pobre])
    await db.updateTable('producto').set({ autoOrden: true }).where('id', '=', producto.id).execute();
  await requestAutomaticos(db);
  await runUntilSettled();
  const deVenta = (numOrden: string) =>
    db
      .selectFrom('pedido')
      .select(['estado', 'automatico', 'detalle'])
      .where('numOrden', '=', numOrden)
      .executeTakeFirstOrThrow();
  expect(await deVenta(buena.numOrden)).toMatchObject({ estado: 'solicitado', automatico: true });
  const espera = await deVenta(pobre.numOrden);
  expect(espera.estado).toBe('borrador');
  expect(espera.detalle).toContain('Se perderían');
});
