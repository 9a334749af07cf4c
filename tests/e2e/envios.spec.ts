import type { Page } from '@playwright/test';
import type { SandboxClient } from '../support/sandboxClient';
import { seedOrden } from './support/ordenes';
import { expectFits } from './support/fits';
import { BESIDE, BOTH, LONG, expect, test } from './support/test';
import { enFila } from './support/fila';

const row = (page: Page, text: string) => page.locator('tbody tr[data-i]').filter({ hasText: text });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const ficha = (page: Page, name: string | RegExp) => page.getByRole('complementary', { name });
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).last().click();
const yes = (page: Page) => page.getByRole('button', { name: 'Si', exact: true }).click();

/** A sale with a carrier of ours, sold at the marketplace a moment ago and brought by its notification. */
async function sell(
  page: Page,
  sandbox: SandboxClient,
  scenario: string,
): Promise<{ numOrden: string; shipment: string }> {
  const { numOrden, ordenes } = await sandbox.mercadolibre.newOrden<{ numOrden: string; ordenes: string[] }>(scenario);
  const { envioId } = await sandbox.mercadolibre.get<{ envioId: string }>(`/ordenes/${ordenes[0]}`);
  await expect(async () => {
    await page.goto(`/sa/cotizarEnvios?q=${numOrden}`);
    await expect(row(page, numOrden)).toBeVisible({ timeout: 2_000 });
  }).toPass(BESIDE);
  return { numOrden, shipment: envioId };
}

for (const { javaScriptEnabled, how } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });

    test(
      'every shipment and those that travel open who receives them and what they carry',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/404/);
        const { envioId } = await seedOrden({
          hours: 3,
          titulo: 'Botonera de salida',
          envio: { estatus: 'shipped', nombreReceptor: 'Rosalía Prueba' },
        });
        const page = await as('user');
        for (const [screen, title] of [
          ['envios', 'Envios'],
          ['enviosPendientes', 'Envios pendientes'],
        ] as const) {
          await page.goto(`/user/${screen}?q=${encodeURIComponent('rosalía prueba')}`);
          await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
          await row(page, 'Enviado').first().locator('a.abre').first().click();
          const customer = ficha(page, /^Envío /);
          await expect(customer).toContainText('Rosalía Prueba');
          await expect(customer).toContainText('Calle Ejemplo 123, Centro, Guadalajara, C.P. 44100, Jalisco');
          await expect(customer.getByRole('table')).toContainText('Botonera de salida');
          await customer.getByRole('link', { name: /^(Cerrar|Volver a la lista)$/ }).click();
          await expect(customer).toHaveCount(0);
        }
        expect((await page.goto(`/user/envios?ver=${envioId!.slice(0, -4)}0000`))!.status()).toBe(404);
        await expect(page.getByRole('heading', { name: 'El envío no existe' })).toBeVisible();
      },
    );

    test(
      'a package of ours is priced, carried and told to the marketplace, whose answer stands in the story of the sale',
      LONG,
      async ({ as, sandbox, allowConsole }) => {
        allowConsole(/422/);
        const page = await as('sa');
        const { numOrden, shipment } = await sell(page, sandbox, 'envioPropio');

        await row(page, numOrden)
          .getByRole('link', { name: /^Costo del envio/ })
          .click();
        await page.getByRole('textbox', { name: 'Costo del envio' }).fill('cero');
        await save(page);
        await expect(page.getByText('El costo no es válido').last()).toBeVisible();
        await page.getByRole('textbox', { name: 'Costo del envio' }).fill('185.50');
        await save(page);
        await expect(page.getByText('Datos actualizados correctamente')).toBeVisible();
        await expect(row(page, numOrden)).toContainText('$185.50');

        await row(page, numOrden)
          .getByRole('link', { name: /^Datos paqueteria/ })
          .click();
        const form = dialog(page, /^Datos paqueteria/);
        await save(page);
        await expect(form.getByText('Este dato es requerido')).toHaveCount(javaScriptEnabled ? 2 : 4);
        await form.getByLabel('Estatus').selectOption('En Camino');
        await form.getByLabel('Paquetería').selectOption('PaquetExpress');
        await form.getByLabel('Número de guía').fill('MEX01PP777');
        await save(page);
        await expect(page.getByText('Datos actualizados correctamente')).toBeVisible();
        await expect(row(page, numOrden)).toHaveCount(0);

        await expect
          .poll(async () => (await sandbox.mercadolibre.get<{ dicho: object[] }>(`/envios/${shipment}`)).dicho, BESIDE)
          .toEqual([
            { status: 'shipped', guia: 'MEX01PP777', url: 'https://www.paquetexpress.com.mx/rastreo/MEX01PP777' },
          ]);
        await expect(async () => {
          await page.goto(`/sa/ordenes?q=${numOrden}`);
          await row(page, numOrden).locator('a.abre').click();
          await expect(page.locator('.cronologia')).toContainText('Contestó 201', { timeout: 3_000 });
        }).toPass(BESIDE);
        await expect(page.locator('.cronologia')).toContainText('Enviado, PaquetExpress MEX01PP777');
        await expect(ficha(page, `Orden ${numOrden}`).getByRole('link', { name: 'MEX01PP777' })).toHaveAttribute(
          'href',
          /paquetexpress\.com\.mx/,
        );
      },
    );

    test(
      'a sale without shipment gets one from the whole form, with what its postal code says',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/422/);
        const page = await as('sa');
        const { numOrden } = await seedOrden({ hours: 1, envioPropio: true, envio: null });
        await page.goto(`/sa/cotizarEnvios?q=${numOrden}`);
        const form = dialog(page, /^Costo del envio/);
        await row(page, numOrden)
          .getByRole('link', { name: /^Costo del envio/ })
          .click();
        await expect(form).toBeVisible();
        await form.getByRole('textbox', { name: 'Costo del envio' }).fill('99');
        await form.getByLabel('Código postal').fill('06700');
        await form.getByRole('button', { name: 'Buscar CP' }).click();
        await expect(form.getByLabel('Estado')).toHaveValue('Ciudad de México');
        await save(page);
        await expect(form.getByText('Este dato es requerido').first()).toBeVisible();
        await form.getByLabel('Nombre').fill('Julia');
        await form.getByLabel('Apellidos').fill('Ocurre');
        await form.getByLabel('Telefono').fill('5512345678');
        await form.getByLabel('Colonia').selectOption({ index: 1 });
        await save(page);
        await expect(page.getByText('Datos actualizados correctamente')).toBeVisible();
        await expect(row(page, numOrden)).toContainText('Propio');
        await row(page, numOrden).locator('a.abre').click();
        await expect(ficha(page, `Orden ${numOrden}`)).toContainText('Julia Ocurre');
      },
    );

    test(
      'a wrong cost is put right in the sale after a question that says what it reaches, and its story keeps both',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/422/);
        const page = await as('sa');
        const { id, numOrden } = await seedOrden({ hours: 1, envioPropio: true, envio: { propio: true } });
        await page.goto(`/sa/cotizarEnvios?q=${numOrden}`);
        await expect(page.getByText(`Busqué "${numOrden}" en todas las fechas.`)).toBeVisible();
        await row(page, numOrden)
          .getByRole('link', { name: /^Costo del envio/ })
          .click();
        await page.getByRole('textbox', { name: 'Costo del envio' }).fill('15000');
        await save(page);
        await expect(row(page, numOrden)).toContainText('$15,000.00');

        await page.goto(`/sa/ordenes?q=${numOrden}&ver=${id}`);
        const sale = ficha(page, `Orden ${numOrden}`);
        await sale.getByRole('link', { name: 'Corregir costo' }).click();
        await sale.getByLabel('Costo del envío').fill('1,234,56');
        await sale.getByRole('button', { name: 'Guardar', exact: true }).click();
        await expect(sale.getByText(/^Puede ser/)).toBeVisible();
        await sale.getByLabel('Costo del envío').fill('0');
        await sale.getByRole('button', { name: 'Guardar', exact: true }).click();
        await expect(page.getByText('Costo del envío: de $15,000.00 a $0.00.')).toBeVisible();
        await yes(page);
        await expect(page.getByText('Datos actualizados correctamente')).toBeVisible();
        await expect(sale.locator('.cronologia')).toContainText('Costo del envío: de $15,000.00 a $0.00');
        await expect(sale).toContainText('$15,000.00');
      },
    );

    for (const entrega of ['domicilio', 'ocurre'] as const) {
      test(
        `the customer says where it goes (${entrega}), staff see the answer${entrega === 'domicilio' ? ', and once it left the customer only looks' : ''}`,
        entrega === 'ocurre' ? LONG : {},
        async ({ as, page, allowConsole }) => {
          allowConsole(/404|422/);
          const staff = await as('user');
          const { numOrden } = await seedOrden({ hours: 1, envioPropio: true, envio: null });
          await staff.goto(`/user/cotizarEnvios?q=${numOrden}`);
          await enFila(row(staff, numOrden), /^Enlace/);
          const links = dialog(staff, /^Enlace de datos de envío/);
          await links.getByRole('button', { name: 'Crear enlace' }).click();
          const url = await links.getByRole('textbox', { name: 'Enlace de datos de envío' }).inputValue();
          await expect(links.getByText('Sin contestar')).toBeVisible();

          await page.goto(url);
          await page.getByRole('button', { name: 'Guardar' }).last().click();
          const falta = page.getByText('Faltan datos por ingresar, favor de verificar.');
          await expect(falta).toBeVisible();
          // With scripts it is told over the page, for eight seconds.
          await expect(falta).toHaveAttribute('data-noticia', '8000');
          await expect(falta).toHaveCSS('position', javaScriptEnabled ? 'fixed' : 'static');
          if (entrega === 'ocurre') await page.getByLabel(/Recoger en una sucursal/).check();
          await page.getByLabel('Nombre').fill('Ana  Doble');
          await page.getByLabel('Apellidos').fill('Ríos');
          await page.getByLabel('Telefono').fill('12');
          await page.getByLabel('Código postal').fill('06700');
          if (javaScriptEnabled) await page.getByLabel('Código postal').blur();
          else await page.getByRole('button', { name: 'Buscar CP' }).click();
          await expect(page.getByLabel('Estado')).toHaveValue('Ciudad de México');
          await page.getByLabel('Colonia').selectOption({ index: 1 });
          if (entrega === 'domicilio') {
            await page
              .getByLabel('Calle', { exact: true })
              .or(page.getByRole('textbox', { name: /^Calle/ }))
              .first()
              .fill('Orizaba');
            await page.getByRole('textbox', { name: /^Número exterior/ }).fill('12');
            await page.getByRole('textbox', { name: /^Referencia/ }).fill('<puerta>');
          }
          await page.getByRole('button', { name: 'Guardar' }).last().click();
          await expect(page.getByText('Nombre No Valido')).toBeVisible();
          await expect(page.getByText('Telefono no valido')).toBeVisible();
          if (entrega === 'domicilio') {
            await expect(page.getByText('Referencia No Valido')).toBeVisible();
            await page.getByRole('textbox', { name: /^Referencia/ }).fill('Puerta verde');
          }
          await page.getByLabel('Nombre').fill('Ana');
          await page.getByLabel('Telefono').fill('55 1234 5678');
          await page.getByRole('button', { name: 'Guardar' }).last().click();
          await expect(page.getByText('Datos del envio guarados de forma correcta')).toBeVisible();
          await page.getByRole('link', { name: 'Entendido' }).click();
          await expect(page).toHaveURL('/');

          await staff.goto(`/user/cotizarEnvios?q=${numOrden}`);
          await enFila(row(staff, numOrden), /^Enlace/);
          await expect(links.getByText('Contestado')).toBeVisible();
          // What comes after is the same whichever way it goes.
          if (entrega === 'ocurre') return;
          await staff.goto(`/user/cotizarEnvios?q=${numOrden}`);
          await row(staff, numOrden)
            .getByRole('link', { name: /^Costo del envio/ })
            .click();
          await staff.getByRole('textbox', { name: 'Costo del envio' }).fill('120');
          await save(staff);
          await expect(staff.getByRole('dialog')).toHaveCount(0);
          await row(staff, numOrden)
            .getByRole('link', { name: /^Datos paqueteria/ })
            .click();
          await staff.getByRole('dialog').getByLabel('Estatus').selectOption('En Camino');
          await staff.getByRole('dialog').getByLabel('Paquetería').selectOption('DHL');
          await staff.getByRole('dialog').getByLabel('Número de guía').fill('1234567890');
          await save(staff);
          // The notice alone may still be the one of the price.
          await expect(staff.getByRole('dialog')).toHaveCount(0);
          await expect(staff.getByText('Datos actualizados correctamente')).toBeVisible();

          await page.goto(url);
          await expect(page.getByText('ya no se pueden cambiar')).toBeVisible();
          await expect(page.getByText('Ana Ríos')).toBeVisible();
          await expect(page.getByRole('link', { name: '1234567890' })).toHaveAttribute('href', /dhl\.com/);
          await expect(page.getByRole('button', { name: 'Guardar' })).toHaveCount(0);

          await staff.goto(`/user/ordenes?q=${numOrden}`);
          await row(staff, numOrden).locator('a.abre').click();
          await ficha(staff, `Orden ${numOrden}`).getByRole('button', { name: 'Revocar' }).click();
          await yes(staff);
          await expect(staff.getByText('El enlace se revocó.')).toBeVisible();
          expect((await page.goto(url))!.status()).toBe(404);
          await expect(page.getByText('Este enlace no es válido o ya venció.', { exact: false })).toBeVisible();
        },
      );
    }
  });
}

test(
  'shipping has nothing for assistive technology to stumble on, and no page wider than its screen',
  LONG,
  async ({ as, page }) => {
    const { id, numOrden, envioId } = await seedOrden({
      hours: 1,
      envioPropio: true,
      envio: { estatus: 'ready_to_ship', propio: true },
    });
    const sola = await seedOrden({ hours: 1, envioPropio: true, envio: null });
    const staff = await as('sa');
    await staff.goto(`/sa/cotizarEnvios?enlace=${sola.id}`);
    await staff.getByRole('button', { name: 'Crear enlace' }).click();
    const url = await staff.getByRole('textbox', { name: 'Enlace de datos de envío' }).inputValue();
    for (const address of [
      'envios',
      `envios?ver=${envioId}`,
      'enviosPendientes',
      'cotizarEnvios',
      `cotizarEnvios?costo=${id}`,
      `cotizarEnvios?costo=${sola.id}`,
      `cotizarEnvios?paqueteria=${id}`,
      `cotizarEnvios?enlace=${sola.id}`,
      `cotizarEnvios?q=${numOrden}&ver=${id}&editar=envio`,
    ]) {
      await staff.setViewportSize({ width: 1440, height: 900 });
      await staff.goto(`/sa/${address}`);
      if (!address.includes('?'))
        expect(
          await staff.locator('.lista-caja').evaluate((box) => box.scrollWidth - box.clientWidth),
          `${address}: every column in sight`,
        ).toBeLessThanOrEqual(0);
      await expectFits(staff, address);
    }
    for (const address of [url, `${url}?guardado=1`]) {
      await page.goto(address);
      await expectFits(page, address);
    }
  },
);
