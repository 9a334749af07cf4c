import type { Page } from '@playwright/test';
import { DESDE_EL_RECORRIDO } from '~/domain/operacion/recorrido.server';
import { seedRecorrido } from '../../bin/seed/recorrido';
import { withDatabase } from './support/database';
import { answerYes, BESIDE, expect, LONG, test } from './support/test';

const recorrido = (page: Page) => page.getByRole('region', { name: /^Recorrido/ });

test(
  'the tour of the demo leads to what waits, counts what was done for real, and is put away for good',
  LONG,
  async ({ as, sandbox }) => {
    await sandbox.mercadolibre.post('/preguntas', { text: '¿Qué tan larga es la garantía?' });
    // The demo of the stories is seeded without purchases, after which `npm start` opens the tour.
    await withDatabase(seedRecorrido);
    try {
      const page = await as('admin');
      await page.goto('/admin/hoy', { waitUntil: 'networkidle' });
      await expect(recorrido(page)).toContainText('0 de 8');
      const step = async (titulo: string, act: () => Promise<void>) => {
        const paso = recorrido(page).getByRole('listitem').filter({ hasText: titulo });
        await paso.getByRole('link').click();
        await act();
        await expect(async () => {
          await page.goto('/admin/hoy', { waitUntil: 'networkidle' });
          await expect(paso).toContainText('hecho', { timeout: 2_000 });
        }, titulo).toPass(BESIDE);
      };
      await step('Una venta', async () => {
        const lado = page.locator('aside.lado');
        await expect(lado.locator('footer')).toBeVisible();
        // A sale that waits for more has more acts, and these hang from 'Más'.
        const mas = lado.getByRole('button', { name: 'Más', exact: true });
        if (await mas.isVisible()) await mas.click();
        await lado.getByRole('button', { name: 'Enviar link al cliente' }).click();
        await answerYes(page);
      });
      await step('Una pregunta', async () => {
        await page.getByLabel('Respuesta', { exact: true }).first().fill('Un año con el fabricante.');
        await page.keyboard.press('Control+Enter');
        await expect(page.getByText('La respuesta sale en 8 segundos.')).toBeVisible(BESIDE);
      });
      await expect(recorrido(page)).toContainText('2 de 8');
      await recorrido(page).getByRole('button', { name: 'No mostrar el recorrido' }).click();
      await expect(recorrido(page)).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Hoy', exact: true })).toBeVisible();
      await expect(recorrido(page)).toHaveCount(0);
    } finally {
      await withDatabase((db) => db.deleteFrom('ajuste').where('clave', '=', DESDE_EL_RECORRIDO).execute());
    }
  },
);
