import { cep, exifConLugar, pdf, png, trozo } from '../support/builders/archivos';
import { expectAccessible } from './support/fits';
import { withDatabase } from './support/database';
import { seedOrden } from './support/ordenes';
import { BOTH, LONG, expect, test } from './support/test';

const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

for (const { javaScriptEnabled, how, atLength } of BOTH)
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test(
      'one transfer pays three sales: what is no paper is refused and loses nothing, what is one is shown clean and read',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/422 \(Unprocessable Entity\)/);
        const [una, otra, tercera] = [
          await seedOrden({ hours: 1 }),
          await seedOrden({ hours: 2 }),
          await seedOrden({ hours: 3 }),
        ];
        const clave = `E2E${Date.now()}`;
        const otras = `${otra.numOrden}, ${tercera.numOrden}`;
        const page = await as('sa');
        await page.goto(`/sa/cotizaciones?q=${una.numOrden}&ver=${una.id}&editar=subir`);
        const [archivos, folio] = [page.locator('input[name="archivos"]'), page.getByLabel('Folio del pago')];
        const guardar = page.getByRole('button', { name: 'GUARDAR', exact: true });
        await expect(page.getByText('La cotización no cuenta con un archivo')).toBeVisible();
        if (javaScriptEnabled) await expect(guardar).toBeDisabled();
        await page.getByRole('combobox', { name: /^Proveedor/ }).selectOption('syscom');
        await page.getByLabel(/^Otras ordenes que paga/).fill(otras);

        await archivos.setInputFiles(file('cep.xml', cep({ clave })));
        await guardar.click();
        await expect(page.getByText('No ha ingresa el folio del pago').first()).toBeVisible();
        await folio.fill(clave);
        await archivos.setInputFiles(file('foto.jpg', Buffer.from('<script>alert(1)</script>')));
        await guardar.click();
        await expect(
          page.getByText('foto.jpg: No es una imagen (JPEG, PNG o WebP), un PDF ni un XML.').first(),
        ).toBeVisible();
        await expect(page.getByLabel(/^Otras ordenes que paga/)).toHaveValue(otras);
        await expect(folio).toHaveValue(clave);

        const foto = png({ antes: [trozo('eXIf', exifConLugar(1)), trozo('tEXt', Buffer.from('Lugar\0 19.4326'))] });
        await archivos.setInputFiles([
          file('cep.xml', cep({ clave })),
          file('foto.html', foto),
          file('../pago.PDF', pdf()),
        ]);
        await guardar.click();
        await expect(page.getByText('Archivo enviado de forma correcta.')).toBeVisible();
        await expect(page.getByText('de 3 ordenes')).toBeVisible();
        const imagen = page.getByRole('img', { name: 'foto.png' });
        await imagen.scrollIntoViewIfNeeded();
        await expect(imagen).toBeVisible();
        if (javaScriptEnabled) await expectAccessible(page, 'cotización');

        for (const [nombre, tipo, como] of [
          ['foto.png', 'image/png', 'inline'],
          ['pago.pdf', 'application/pdf', 'inline'],
          ['cep.xml', 'application/xml', 'attachment'],
        ] as const) {
          const guardado = page
            .locator('figure', { hasText: nombre })
            .getByRole('link', { name: `Descargar ${nombre}`, includeHidden: true });
          const href = (await guardado.getAttribute('href'))!.replace('?descargar=1', '');
          const answer = await page.request.get(href);
          const { 'content-security-policy': policy, ...headers } = answer.headers();
          expect(headers['content-type']).toBe(tipo);
          expect(headers['content-disposition']).toMatch(new RegExp(`^${como}; `));
          expect(headers['x-content-type-options']).toBe('nosniff');
          expect(policy).toMatch(/^default-src 'none';.*; sandbox$/);
          expect((await answer.body()).toString('latin1')).not.toMatch(/19\.4326|Lugar/);
          expect((await page.request.get(`${href}?descargar=1`)).headers()['content-disposition']).toMatch(
            /^attachment; /,
          );
        }

        await page.getByRole('link', { name: clave, exact: true }).click();
        const panel = page.locator('aside.lado');
        await expect(panel.getByText('Falta su total')).toBeVisible();
        for (const { numOrden } of [una, otra, tercera])
          await expect(page.getByRole('link', { name: numOrden, exact: true })).toBeVisible();
        await page.getByRole('button', { name: 'Usar estos datos' }).click();
        await expect(page.getByText('Se guardó el pago.')).toBeVisible();
        await expect(page.getByLabel('Clave de rastreo')).toHaveValue(clave);
        await expect(panel.getByText('Quedan $34,512.50')).toBeVisible();

        // A paper that comes by itself is read before anybody says what it pays, and is never a second payment of its transfer.
        await page.goto('/sa/pagosProveedores');
        if (javaScriptEnabled) {
          const soltado = await page.evaluateHandle((texto) => {
            const datos = new DataTransfer();
            datos.items.add(new File([texto], 'otra-vez.xml'));
            return datos;
          }, cep({ clave }).toString());
          await page
            .getByRole('heading', { name: 'Pagos a proveedores' })
            .dispatchEvent('drop', { dataTransfer: soltado });
        } else {
          await page.getByRole('link', { name: 'Subir comprobante' }).click();
          await page.locator('input[name="archivos"]').setInputFiles(file('otra-vez.xml', cep({ clave })));
          await page.getByRole('button', { name: 'Leer el comprobante' }).click();
        }
        const dicho = page.getByRole('region', { name: 'Lo que dice otra-vez.xml' });
        await expect(dicho.getByText('$34,512.50')).toBeVisible();
        await expect(dicho.getByText(`Es de la transferencia del pago ${clave} a Syscom.`)).toBeVisible();

        await page.goto(`/sa/ordenes?q=${tercera.numOrden}`);
        await expect(page.getByText('Pagado, con archivo')).toBeVisible();
        expect((await (await as('user')).request.get(`/user/cotizaciones`)).status()).toBe(418);
      },
    );

    test(
      'what is owed is chosen, paid by one transfer, and gone from what is owed; too little pays first what is due first',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/422 \(Unprocessable Entity\)/);
        const proveedor = `e${String(Date.now()).slice(-9)}`;
        const [una, otra] = [await seedOrden({ hours: 1 }), await seedOrden({ hours: 2 })];
        const tercera = await seedOrden({ hours: 3 });
        await withDatabase(async (db) => {
          await db
            .insertInto('proveedor')
            .values({ value: proveedor, label: 'Mayoreo de Seguridad del Norte y Bajío' })
            .execute();
          for (const [{ id: ordenId }, folio, monto, emitida] of [
            [una, 'MN-1', '1250.50', '2026-10-01'],
            [otra, 'MN-2', '300.00', '2026-10-05'],
          ] as const)
            await db.insertInto('proveedorFactura').values({ ordenId, proveedor, folio, monto, emitida }).execute();
          const { id: pedidoId } = await db
            .insertInto('pedido')
            .values({ market: 'ml', numOrden: tercera.numOrden, proveedor, via: 'correo' })
            .returning('id')
            .executeTakeFirstOrThrow();
          const linea = {
            pedidoId,
            posicion: 1,
            ordenId: tercera.id,
            idProveedor: '1',
            descripcion: 'Cámara',
            cantidad: 1,
          };
          await db.insertInto('pedidoLinea').values(linea).execute();
          for (const estado of ['enviando', 'confirmado', 'facturado'] as const)
            await db.updateTable('pedido').set({ estado }).where('id', '=', pedidoId).execute();
          const dicho = {
            facturaFolio: 'MN-3',
            facturaTotal: '99.90',
            facturaMoneda: 'MXN',
            facturaEn: new Date(),
          } as const;
          await db.updateTable('pedido').set(dicho).where('id', '=', pedidoId).execute();
        });
        const page = await as('admin');
        // Without a term no day is late; its supplier says it.
        await page.goto(`/admin/pagosProveedores?tabla=porPagar&proveedor=${proveedor}`);
        await expect(page.getByText('Sin plazo').filter({ visible: true }).first()).toBeVisible();
        // What the supplier announced is added by one press, and owed from then on.
        await page.getByRole('link', { name: /^Agregarlas?$/ }).click();
        const anunciadas = page.getByRole('dialog', { name: 'Facturas anunciadas' });
        await expect(anunciadas.getByLabel(/MN-3/)).toBeChecked();
        if (javaScriptEnabled) await expectAccessible(page, 'facturas anunciadas');
        await anunciadas.getByRole('button', { name: 'Agregar', exact: true }).click();
        await expect(page.getByText('Se agregaron las facturas.')).toBeVisible();
        await expect(page.getByText('$99.90').filter({ visible: true }).first()).toBeVisible();
        await page.goto(`/admin/proveedores?ver=${proveedor}`);
        const plazo = page.getByLabel('Días para pagar');
        await plazo.fill('366');
        const editar = page.getByRole('button', { name: /^(Guardar|Editar)/ }).last();
        await editar.click();
        await expect(page.getByText('Escribe los días, de 0 a 365.').first()).toBeVisible();
        await plazo.fill('30');
        await editar.click();
        await expect(page.getByText('Se modifico la información general correctamente.').first()).toBeVisible();

        await page.goto(`/admin/pagosProveedores?tabla=porPagar&proveedor=${proveedor}&cuales=vencidas`);
        await expect(page.getByText('$1,250.50').filter({ visible: true }).first()).toBeVisible();
        await expect(page.getByText('31/10/2026').first()).toBeVisible();
        if (javaScriptEnabled) {
          await expectAccessible(page, 'por pagar');
          // On a telephone the button stands low: what hangs from it is in sight all the same.
          const size = page.viewportSize()!;
          await page.setViewportSize({ width: 390, height: 844 });
          await page.getByRole('button', { name: 'Por proveedor' }).click();
          const tabla = page.getByRole('group', { name: 'Lo que se debe a cada proveedor' });
          await expect(tabla).toBeVisible();
          const caja = await page.locator('.emergente:popover-open').boundingBox();
          expect(caja!.y).toBeGreaterThanOrEqual(0);
          expect(caja!.y + caja!.height).toBeLessThanOrEqual(844);
          // The first field is empty and left by the press: its error does not take 'Cancelar' away from under the pointer.
          await page.getByRole('link', { name: 'Pagar a Mayoreo' }).click();
          await expect(page.getByLabel('Folio del pago')).toBeFocused();
          await page.getByRole('dialog').getByRole('link', { name: 'Cancelar' }).click();
          await expect(page.getByRole('dialog')).toHaveCount(0);
          await page.setViewportSize(size);
        }
        await page.goto(`/admin/pagosProveedores?tabla=porPagar&proveedor=${proveedor}&pagar=${proveedor}`);
        const dialogo = page.getByRole('dialog', { name: 'Registrar pago a Mayoreo de Seguridad del Norte y Bajío' });
        await expect(dialogo.getByLabel(/MN-1/)).toBeChecked();
        await expect(dialogo.getByLabel(/MN-2/)).toBeChecked();
        await expect(dialogo.getByLabel('Total')).toHaveValue('1550.50');
        if (javaScriptEnabled) {
          await expectAccessible(page, 'registrar pago');
          await dialogo.getByLabel(/MN-2/).uncheck();
          await expect(dialogo.getByLabel('Total')).toHaveValue('1250.50');
          await dialogo.getByLabel(/MN-2/).check();
        }
        // A refusal keeps what was chosen and written, with scripts and without.
        await dialogo.getByLabel(/MN-2/).uncheck();
        await dialogo.getByLabel('Total').fill('700.00');
        await dialogo.getByLabel('Folio del pago').fill('SPEI-7');
        await dialogo.getByRole('button', { name: 'Registrar pago' }).click();
        await expect(dialogo.getByText('No se detecto archivo').first()).toBeVisible();
        await expect(dialogo.getByLabel('Total')).toHaveValue('700.00');
        await expect(dialogo.getByLabel(/MN-1/)).toBeChecked();
        await expect(dialogo.getByLabel(/MN-2/)).not.toBeChecked();
        await dialogo.getByLabel(/MN-2/).check();
        await dialogo.getByLabel('Folio del pago').fill('SPEI-77');
        await dialogo.getByLabel('Total').fill('1,300.00');
        await dialogo.locator('input[name="archivos"]').setInputFiles(file('recibo.pdf', pdf(proveedor)));
        await dialogo.getByRole('button', { name: 'Registrar pago' }).click();
        await expect(page.getByText('Se registró el pago.')).toBeVisible();
        await expect(page.getByText('Cuadra').filter({ visible: true }).first()).toBeVisible();
        await page.goto(`/admin/pagosProveedores?tabla=porPagar&proveedor=${proveedor}`);
        await expect(page.getByText('MN-2').filter({ visible: true }).first()).toBeVisible();
        await expect(page.getByText('$250.50').filter({ visible: true }).first()).toBeVisible();
        await expect(page.getByText('MN-1')).toHaveCount(0);
      },
    );
  });
