import type { Page } from '@playwright/test';
import { cfdiDeProveedor } from '../support/builders/proveedores';
import { expectFits } from './support/fits';
import { enFila } from './support/fila';
import { BOTH, LONG, expect, test } from './support/test';

const thisMonth = () => new Date().toLocaleDateString('en-CA', { timeZone: 'America/Mexico_City' }).slice(0, 7);
const row = (page: Page, index: number) => page.locator(`tbody tr[data-i="${index}"]:not(.espera)`);
const numeroIn = async (page: Page, index: number) => (await row(page, index).locator('td').nth(1).innerText()).trim();
const folio = () => `E2E/${Math.random().toString(36).slice(2, 8).toUpperCase()}`;

async function report(page: Page) {
  await page.goto('/sa/rFacturacionGeneral');
  await page.getByLabel('Mes').selectOption(thisMonth());
  await page.getByRole('button', { name: 'Generar Reporte' }).click();
  await expect(page.getByRole('grid', { name: 'Ordenes sin factura de proveedor' })).toBeVisible();
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });
    const si = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Si', exact: true }).click();

    test(
      'a sale of the report gets its supplier invoice, which is edited and deleted on its own screen',
      LONG,
      async ({ as }) => {
        const page = await as('sa');
        await report(page);
        const sale = (await row(page, 0).locator('a.abre').getAttribute('href'))!.split('ver=')[1]!;
        await row(page, 0).locator('a.abre').click();
        const dialog = page.getByRole('dialog', { name: /Facturas de proveedor/ });
        if (javaScriptEnabled) await expect(dialog.getByRole('button', { name: 'Guardar' })).toBeDisabled();
        const name = folio();
        await dialog.getByLabel('Proveedor', { exact: false }).and(dialog.locator('select')).selectOption('syscom');
        await dialog.getByLabel('Monto').fill('$ 1,250.5_');
        await dialog.getByLabel('Folio').fill(name);
        await dialog.getByRole('button', { name: 'Guardar' }).click();
        // A sale that is bought elsewhere asks first.
        const agregada = page.getByText('Se agrego la factura correctamente.');
        await expect(page.getByRole('alertdialog').or(agregada).first()).toBeVisible();
        if (await page.getByRole('alertdialog').isVisible()) {
          await si(page);
          await expect(agregada).toBeVisible();
        }
        await expect(dialog).toHaveCount(0);
        await expect(page.locator(`a[href$="ver=${sale}"]`)).toHaveCount(0);

        await page.goto(`/sa/facturasProveedores?q=${encodeURIComponent(name)}`);
        await expect(row(page, 0)).toContainText('$1,250.50');
        await page.getByRole('link', { name: `Editar ${name}` }).click();
        const edit = page.getByRole('dialog', { name: new RegExp(`Factura ${name}`) });
        await edit.getByLabel('Monto').fill('99.9');
        await edit.getByRole('button', { name: 'Guardar' }).click();
        await expect(page.getByText(`¿Esta seguro que desea Editar la factura ${name}?`)).toBeVisible();
        await si(page);
        await expect(page.getByText('Se edito la factura correctamente.')).toBeVisible();
        await expect(row(page, 0)).toContainText('$99.90');
        await enFila(row(page, 0), `Eliminar ${name}`);
        await expect(page.getByText(`¿Esta seguro que desea eliminar la factura ${name}?`)).toBeVisible();
        await si(page);
        await expect(page.getByText('Se elimino la factura correctamente.')).toBeVisible();
        await expect(page.getByText('No encontre nada para ti')).toBeVisible();
      },
    );

    // Both may be told at once: each is about a supplier of its own.
    test('a margin says what it moves before it holds, and a list waits until it is applied', LONG, async ({ as }) => {
      const page = await as('sa');
      await page.goto('/sa/tiendasConfiguracion?tab=proveedores');
      const card = page.getByRole('region', { name: javaScriptEnabled ? 'TVC' : 'CVA', exact: true });
      const ganancia = card.getByRole('textbox', { name: /^Ganancia de .* en Amazon/ });
      const guardar = card.getByRole('button', { name: /^Guardar la ganancia/ });
      for (const [de, a] of [
        ['0.5', '0.55'],
        ['0.55', '0.5'],
      ] as const) {
        await expect(ganancia).toHaveValue(de);
        await ganancia.fill(a);
        await guardar.click();
        await expect(page.getByText(`Amazon: de ${de} a ${a}, `, { exact: false })).toBeVisible();
        await si(page);
        await expect(page.getByText('Ganancia actializada')).toBeVisible();
      }
      if (javaScriptEnabled) {
        await expectFits(page, 'los proveedores');
        return;
      }
      const syscom = page.getByRole('region', { name: 'Syscom', exact: true });
      const csv = 'producto_id;modelo;precio_descuento;moneda\n900001;E2E-1;22.10;USD\n900002;E2E-2;;USD\n';
      await syscom
        .getByLabel('Archivo de Syscom')
        .setInputFiles({ name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      await syscom.getByRole('button', { name: 'Enviar archivo' }).click();
      await expect(page.getByText('Archivo enviado de forma correcta.')).toBeVisible();
      await expect(syscom.getByRole('cell', { name: '$22.10 USD' })).toBeVisible();
      await syscom.getByRole('button', { name: 'Descartar' }).click();
      await expect(page.getByText('La lista se descartó.')).toBeVisible();
    });

    test('a CFDI of two sales is dropped and divided, and what fits none is listed', async ({ as }) => {
      const page = await as('sa');
      await report(page);
      const numeros = [await numeroIn(page, 0)];
      for (let at = 1; numeros.length < 2; at++)
        if (!numeros.includes(await numeroIn(page, at))) numeros.push(await numeroIn(page, at));
      const serie = javaScriptEnabled ? 'J' : 'S';
      const [a, b] = [`Equipo, pedido ${numeros[0]}`, `Accesorio, pedido ${numeros[1]}`];
      const xml = cfdiDeProveedor({
        serie,
        folio: folio().slice(4),
        rfc: 'EWE1709045U0',
        total: '60.00',
        conceptos: [
          { descripcion: a, importe: '10.00' },
          { descripcion: b, importe: '20.00' },
          { descripcion: 'Licencia en la nube', importe: '30.00' },
        ],
      });
      await page.goto('/sa/facturasProveedores?xml=1');
      const dialog = page.getByRole('dialog', { name: 'Facturas en XML' });
      await dialog
        .locator('input[type=file]')
        .setInputFiles([{ name: 'f.xml', mimeType: 'text/xml', buffer: Buffer.from(xml) }]);
      if (!javaScriptEnabled) await dialog.getByRole('button', { name: 'Leer XML' }).click();
      const documento = dialog.getByRole('region', { name: new RegExp(`Factura ${serie}`) }).first();
      await expect(documento).toContainText('Licencia en la nube: $30.00');
      await documento.locator('select').selectOption('ts');
      await documento.getByRole('button', { name: 'Agregar a las ordenes' }).click();
      // The first document of a supplier without RFC teaches it, and sales that are bought elsewhere ask, each after a yes. Without a question the notice was
      // seen, and may be gone.
      const pregunta = page.getByRole('alertdialog');
      const agregada = page.getByText(/Se agrego la factura correctamente/);
      await expect(pregunta.or(agregada).first()).toBeVisible();
      if (await pregunta.isVisible()) {
        // With scripts it stands over the dialog it is about, which stays.
        expect(await page.locator('dialog:modal').count()).toBe(javaScriptEnabled ? 2 : 0);
        await si(page);
        await expect(agregada).toBeVisible();
      }
      await expect(dialog.getByRole('region', { name: new RegExp(`Factura ${serie}`) }).first()).toContainText(
        'quedan $30.00',
      );
    });
  });
}

test('a refused file says why', LONG, async ({ as, allowConsole }) => {
  allowConsole(/422/);
  const page = await as('sa');
  await page.goto('/sa/facturasProveedores?xml=1');
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'bomba.xml', mimeType: 'text/xml', buffer: Buffer.from('<!DOCTYPE l [<!ENTITY a "a">]><l>&a;</l>') },
    ]);
  await expect(page.getByText('bomba.xml: El XML declara un DOCTYPE o entidades.')).toBeVisible();
});

test('the pages of suppliers have no serious barrier', LONG, async ({ as }) => {
  const page = await as('sa');
  for (const url of [
    '/sa/facturasProveedores?xml=1',
    '/sa/agentesVentas?agregar=1',
    '/sa/proveedores?ver=tvc',
    '/sa/rFacturacionGeneral',
  ]) {
    await page.goto(url);
    await expectFits(page, url);
  }
});
