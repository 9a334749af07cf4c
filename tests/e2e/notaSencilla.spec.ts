import type { Page } from '@playwright/test';
import { BESIDE, BOTH, downloaded, LONG, expect, test } from './support/test';

const next = (page: Page) => page.getByRole('button', { name: 'Siguiente' }).last().click();

/** One item, typed as people do. */
async function fillArticulo(page: Page, nombre: string, precio: string) {
  await page.getByLabel('Descripción del artículo 1').fill(nombre);
  await page.getByLabel('Precio unitario del artículo 1').fill(precio);
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test(
      'a note is written in three steps, downloaded, mailed and found among those issued',
      LONG,
      async ({ as, sandbox, allowConsole }) => {
        allowConsole(/422/);
        const page = await as('user');
        const email = `nota-${how.replace(' ', '-')}-${Date.now()}@correo.mx`;
        await page.goto('/user/notaSencilla');
        await fillArticulo(page, 'Instalación de cámaras', '1231.50');
        await page.getByRole('button', { name: 'Agregar artículo' }).click();
        await page.getByLabel('Descripción del artículo 2').fill('Cable UTP');
        await page.getByLabel('Precio unitario del artículo 2').fill('10');
        await page.getByLabel('Cantidad del artículo 2').fill('3');
        await next(page);

        await expect(page.getByRole('heading', { name: 'Datos de la nota' })).toBeVisible();
        await page.getByLabel(/^CP/).fill('06700');
        if (javaScriptEnabled) await page.getByLabel('Calle').focus();
        else await page.getByRole('button', { name: 'Buscar CP' }).click();
        await expect(page.getByLabel('Colonia')).toHaveValue('Roma Norte');
        await expect(page.getByLabel('Estado')).toHaveValue('Ciudad de México');
        await page.getByLabel('Calle').fill('Orizaba');
        await page.getByLabel('Número ext.').fill('101');
        await next(page);
        await expect(page.getByText('Este dato es requerido').first()).toBeVisible();
        await page.getByLabel(/^Nombre/).fill('Begoña');
        await page.getByLabel('Apellidos').fill('Núñez Peña');
        await page.getByLabel('Télefono').pressSequentially('+52 1 55-1234-5678');
        await page.getByLabel('Email').fill(email);
        await next(page);

        await expect(page.getByRole('cell', { name: '$1,261.50' })).toBeVisible();
        await page.getByRole('button', { name: 'Crear Nota Sencilla' }).click();
        await expect(page.getByText('¿Estas seguro de generar la nota sencilla?')).toBeVisible();
        await page.getByRole('button', { name: 'Si', exact: true }).click();
        await expect(page.getByRole('heading', { name: 'Nota Creada Correctamente' })).toBeVisible();

        const file = await downloaded(page, 'Descargar PDF');
        expect(file.headers()['content-type']).toBe('application/pdf');
        await expect.poll(async () => (await sandbox.correo.inbox({ to: email })).length, BESIDE).toBe(1);

        await page.getByRole('link', { name: 'Notas emitidas' }).last().click();
        await expect(page.getByRole('row').filter({ hasText: email })).toContainText('$1,261.50');
      },
    );
  });
}

test(
  'a postal code our table lacks comes from the service, and one that nobody has is typed by hand',
  LONG,
  async ({ as }) => {
    const page = await as('user');
    await page.goto('/user/notaSencilla');
    await fillArticulo(page, 'Cámara', '100');
    await next(page);
    await page.getByLabel(/^CP/).fill('98600');
    await page.getByRole('button', { name: 'Buscar CP' }).click();
    await expect(page.getByLabel('Municipio')).toHaveValue('Guadalupe');
    await expect(page.locator('datalist option')).toHaveCount(2);
    await page.getByLabel(/^CP/).fill('00009');
    await page.getByLabel('Calle').focus();
    await expect(page.getByText('No encontramos ese código postal: escribe la dirección a mano.')).toBeVisible();
    await expect(page.getByLabel('Calle')).toBeFocused();
  },
);

test('a SAT key is found by words', async ({ as }) => {
  const page = await as('user');
  await page.goto('/user/notaSencilla');
  const clave = page.getByLabel('Código SAT del artículo 1');
  // A generic key is said at its row until another one stands there.
  const generica = page.getByText('Clave genérica: busca la del producto.');
  await clave.fill('01010101');
  await expect(generica).toBeVisible();
  // On a busy machine each step of React waits for the next turn, and the key comes with the first list, before it is painted.
  await clave.evaluate((field) => {
    let now = performance.now();
    performance.now = () => (now += 10);
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[role="option"]')) return;
      observer.disconnect();
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    }).observe(document.body, { childList: true, subtree: true });
  });
  await clave.fill('mensajeria');
  await expect(clave).toHaveValue('78102205');
  await expect(generica).toBeHidden();
  await expect(page.getByRole('listbox')).toBeHidden();
});
