import { expectAccessible } from './support/fits';
import { BOTH, LONG, expect, test } from './support/test';

for (const { javaScriptEnabled, how } of BOTH)
  test.describe(how, LONG, () => {
    test.use({ javaScriptEnabled });

    test('of all cards of Activación de API one is open, and its answer finds it open', async ({ as }) => {
      const page = await as('admin');
      const card = (name: string) => page.getByRole('region', { name, exact: true });
      const open = page.locator('details[name="conexion"][open]');
      await page.goto('/admin/tokens?abrir=');
      await expect(card('Estado de las conexiones')).toBeVisible();
      await expect(open).toHaveCount(0);
      await card('factura.com').getByRole('heading').click();
      await card('factura.com').getByLabel('apiKey').fill('a medias');
      await card('CT').getByRole('heading').click();
      await expect(open).toHaveCount(1);
      await expect(open).toHaveAttribute('data-tarjeta', 'ct');
      // What was typed waits in its card.
      await card('factura.com').getByRole('heading').click();
      await expect(card('factura.com').getByLabel('apiKey')).toHaveValue('a medias');
      await expect(open).toHaveCount(1);
      await card('CT').getByRole('heading').click();
      await card('CT').getByRole('button', { name: 'Probar CT' }).click();
      await expect(card('CT').getByText(/^Última prueba, de /)).toBeVisible();
      await expect(page).toHaveURL(/\?abrir=ct$/);
      await expect(open).toHaveAttribute('data-tarjeta', 'ct');
      await expect(card('CT').locator('[data-tono="acento"]:visible')).toHaveText(['Probar']);
      if (javaScriptEnabled) await expectAccessible(page, 'Activación de API');
      await page.goto('/admin/ordenes');
      await page.goBack();
      await expect(open).toHaveAttribute('data-tarjeta', 'ct');
    });
  });

test('with JavaScript the card that a person opened or closed stays so after a reload, with what was typed in another', async ({
  as,
}) => {
  const page = await as('admin');
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const open = page.locator('details[name="conexion"][open]');
  await page.goto('/admin/tokens?abrir=enlaces', { waitUntil: 'networkidle' });
  await card('Facturación por el cliente').getByLabel('Vigencia de los enlaces (días)').fill('29');
  await card('CT').getByRole('heading').click();
  await expect(page).toHaveURL(/\?abrir=ct$/);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload({ waitUntil: 'networkidle' });
  await expect(open).toHaveAttribute('data-tarjeta', 'ct');
  await expect(page.locator('#ajustes input[name="enlaceDias"]')).toHaveValue('29');
  await card('CT').getByRole('heading').click();
  await expect(page).toHaveURL(/\?abrir=$/);
});
