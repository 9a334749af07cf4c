import type { Page } from '@playwright/test';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { BOTH, expect, test } from './support/test';

/** Puts a person's page back, for the other stories. */
const olvidar = () =>
  withDatabase((db) => db.updateTable('preferencia').set({ inicio: null, ordenDeHoy: [], cartasAparte: [] }).execute());
test.afterEach(olvidar);

/** Titles of a column, from its top. */
const columna = (page: Page, cual: 1 | 2) =>
  page.locator(`.cartas > .carta[data-columna="${cual}"]`).getByRole('heading');

for (const { javaScriptEnabled, how, atLength } of BOTH)
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test('a person moves a card, puts one aside and takes the order of the house back', async ({ as }) => {
      const page = await as('admin');
      await page.goto('/admin/hoy');
      const antes = await columna(page, 1).allTextContents();
      const derecha = await columna(page, 2).allTextContents();
      await page.getByRole('link', { name: 'Acomodar las tarjetas' }).click();
      const subir = page.getByRole('button', { name: 'Subir: Reclamos' });
      if (javaScriptEnabled) {
        await expectAccessible(page, 'Acomodar las tarjetas');
        await subir.focus();
        await page.keyboard.press('Enter');
      } else await subir.click();
      await expect(columna(page, 1).first()).toHaveText('Reclamos');
      // At the top there is no way up, so the focus that was there waits at the way down.
      if (javaScriptEnabled) await expect(page.getByRole('button', { name: 'Bajar: Reclamos' })).toBeFocused();
      await page.getByRole('button', { name: 'Apartar: Preguntas sin responder' }).click();
      await expect(page.getByRole('button', { name: 'Mostrar: Preguntas sin responder' })).toBeVisible();
      // Its button went with it: the focus waits at a title, where no key presses anything.
      if (javaScriptEnabled) await expect(page.locator('h3:focus')).toHaveText(/\S/);
      await page.getByRole('link', { name: 'Listo' }).click();

      await expect(columna(page, 1)).toHaveText(['Reclamos', antes[0]!, ...antes.slice(2)]);
      await expect(columna(page, 2)).toHaveText(derecha.slice(1));
      await page
        .getByText('Otras de tu rol:')
        .locator('..')
        .getByRole('link', { name: /^Preguntas sin responder \d/ })
        .click();
      await expect(page.getByRole('heading', { name: 'Preguntas sin responder' })).toBeVisible();

      await page.goto('/admin/hoy?acomodar=1');
      await page.getByRole('button', { name: 'Volver al orden de la casa' }).click();
      await expect(columna(page, 1)).toHaveText(antes);
      await page.getByRole('button', { name: 'Mostrar: Preguntas sin responder' }).click();
      await expect(columna(page, 2)).toHaveText(derecha);
    });

    test('a person starts where they chose to', async ({ as, page: nueva }) => {
      const page = await as('cont');
      await page.goto('/cont/datosUsuario');
      await page.getByLabel('Página de inicio').selectOption('Ordenes');
      await page.getByRole('button', { name: 'Guardar página de inicio' }).click();
      await expect(page.getByText('Se guardó tu página de inicio.')).toBeVisible();
      await nueva.goto('/login');
      await nueva.getByLabel('Usuario').fill('cont');
      await nueva.getByLabel('Password', { exact: true }).fill('Trastienda#1');
      await nueva.getByRole('button', { name: 'Entrar' }).click();
      await nueva.waitForURL('**/cont/ordenes**');
    });
  });
