import { buildGuia, buildProducto, readPedido } from '../support/builders/pedidos';
import { cfdiDeProveedor } from '../support/builders/proveedores';
import { withDatabase } from './support/database';
import { seedOrden } from './support/ordenes';
import { BESIDE, expect, test } from './support/test';

test('from the sale to the final profit: proposed, confirmed, its label sent, and its invoice dropped as XML', async ({
  as,
  sandbox,
}) => {
  const producto = await withDatabase((db) => buildProducto(db, sandbox, 'ct', 31));
  const { id, numOrden, envioId } = await seedOrden({
    hours: 1,
    sku: `AMS|${producto.idProveedor}|ct|${producto.modelo}`,
    pagado: '90000.00',
  });
  await withDatabase(async (db) => {
    await db
      .updateTable('envio')
      .set({ modo: 'me2', subestatus: 'ready_to_print', telefono: '3311111111' })
      .where('id', '=', envioId!)
      .execute();
    await buildGuia(db, envioId!);
  });
  const pedido = () =>
    withDatabase(async (db) => {
      const row = await db.selectFrom('pedido').select('id').where('numOrden', '=', numOrden).executeTakeFirst();
      return row && readPedido(db, row.id);
    });

  const page = await as('sa');
  const pregunta = page.getByRole('alertdialog');
  const si = () => pregunta.getByRole('button', { name: 'Si', exact: true }).click();
  await page.goto(`/sa/ordenes?q=${numOrden}&ver=${id}`);
  await page.getByRole('button', { name: 'Hacer pedido a CT' }).click();
  await expect(pregunta).toContainText('¿Está seguro que desea hacer el pedido?');
  await si();
  await expect(page.getByText('Se hizo el pedido.')).toBeVisible();
  await expect.poll(async () => (await pedido())?.estado, BESIDE).toBe('solicitado');

  await page.goto(`/sa/ordenesPorConfirmar?q=${numOrden}`);
  await page.getByRole('button', { name: /^Confirmar pedido TR-/ }).click();
  await expect(pregunta).toContainText('¿Está seguro que desea confirmar el pedido?');
  await expect(pregunta).toContainText(/costo \$[\d,.]+ con IVA · quedan \$[\d,.]+ \(/);
  await si();
  await expect(page.getByText('Se realizo al confirmacion.')).toBeVisible();
  await expect.poll(async () => (await pedido())?.guiaPor, BESIDE).toBe('api');

  const fila = page.locator('tbody tr[data-i="0"]:not(.espera)');
  await page.goto(`/sa/llenarReporte?q=${numOrden}`);
  await expect(fila).toContainText('est. $');

  const folio = numOrden.slice(-8);
  const xml = cfdiDeProveedor({
    serie: 'P',
    folio,
    rfc: 'CIN990503AB1',
    total: '116.00',
    conceptos: [{ descripcion: `Equipo, pedido ${numOrden}`, importe: '100.00', iva: '16.00' }],
  });
  const antes = await withDatabase((db) =>
    db.selectFrom('proveedor').select('rfc').where('value', '=', 'ct').executeTakeFirstOrThrow(),
  );
  try {
    await page.goto('/sa/facturasProveedores?xml=1');
    const dialog = page.getByRole('dialog', { name: 'Facturas en XML' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles([{ name: 'f.xml', mimeType: 'text/xml', buffer: Buffer.from(xml) }]);
    const documento = dialog.getByRole('region', { name: new RegExp(`Factura P.?${folio}`) });
    await documento.locator('select').selectOption('ct');
    await documento.getByRole('button', { name: 'Agregar a las ordenes' }).click();
    const agregada = page.getByText(/Se agrego la factura correctamente/);
    await expect(pregunta.or(agregada).first()).toBeVisible();
    // The first document of a supplier teaches its RFC, after a yes.
    if (await pregunta.isVisible()) await si();
    await expect(agregada).toBeVisible();
  } finally {
    await withDatabase((db) => db.updateTable('proveedor').set(antes).where('value', '=', 'ct').execute());
  }

  await page.goto(`/sa/llenarReporte?q=${numOrden}`);
  await expect(fila).toContainText('$116.00');
  await expect(fila).not.toContainText('est. $');
});
