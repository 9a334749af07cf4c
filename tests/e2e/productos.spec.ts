import { BESIDE, BOTH, expect, test } from './support/test';

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test('aux finds a piece from home, asks its supplier now, and reads it again', async ({ as }) => {
      const page = await as('aux');
      const hallados = page.getByRole('group', { name: 'En nuestro catálogo' });
      // The catalogues arrive behind the first sales.
      await expect(async () => {
        await page.goto('/aux');
        await page.getByLabel('Buscador de Productos').fill('CAMHIK10020');
        await page.getByRole('button', { name: 'Buscar' }).last().click();
        await expect(hallados).toContainText('CT', { timeout: 3_000 });
      }).toPass(BESIDE);
      const vivo = page.getByRole('region', { name: 'CT, ahora mismo' });
      if (!javaScriptEnabled) await vivo.getByRole('link', { name: 'Preguntar a CT' }).click();
      await expect(vivo).toContainText('leídos otra vez', BESIDE);
      await hallados.getByRole('link').first().click();
      const ficha = page.getByRole('complementary', { name: /^Producto/ });
      await expect(ficha.getByRole('heading', { name: 'Existencia por almacén' })).toBeVisible();
      await expect(ficha.getByRole('button', { name: /auto orden/ })).toHaveCount(0);
      await ficha.getByRole('button', { name: 'Actualizar producto' }).click();
      await expect(page.getByText('Producto actualizado')).toBeVisible(BESIDE);

      // The list has its picture as soon as the worker made one, and says nothing of a change.
      const retrato = page.locator('tr[data-i="0"] img.retrato');
      await expect(async () => {
        await page.goto('/aux/productos?q=CAMHIK10020');
        await expect(retrato).toBeVisible({ timeout: javaScriptEnabled ? 12_000 : 1_000 });
      }).toPass(BESIDE);
      await expect(retrato).toHaveJSProperty('naturalWidth', 80);
      await expect(page.locator('tr[data-cambio]')).toHaveCount(0);
    });
  });
}
