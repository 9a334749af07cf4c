import type { Page } from '@playwright/test';
import { answerYes, BESIDE, expect, LONG, test } from './support/test';

/** The demo is shared: what a step leads to may be taken by another story, so each step is told by the thing that it shows then. */
const recorrido = (page: Page) => page.getByRole('region', { name: /^Recorrido/ });

test(
  'the tour of the demo: eight steps, each done for real where it leads, and put away at the end',
  LONG,
  async ({ as, sandbox }) => {
    test.setTimeout(600_000);
    await sandbox.mercadolibre.post('/preguntas', { text: '¿Qué tan larga es la garantía?' });
    const page = await as('admin');
    page.on('dialog', (dialog) => void dialog.accept());
    await expect(async () => {
      await page.goto('/admin/hoy');
      await expect(recorrido(page)).toBeVisible({ timeout: 2_000 });
    }).toPass(BESIDE);
    const panel = page.locator('aside.lado');
    const hecho = (titulo: string) =>
      recorrido(page).getByRole('listitem').filter({ hasText: titulo }).getByText('hecho');
    const step = async (titulo: string, act: () => Promise<void>) => {
      await page.goto('/admin/hoy');
      if (await hecho(titulo).count()) return;
      await recorrido(page).getByRole('link', { name: titulo, exact: true }).click();
      await act();
      await expect(async () => {
        await page.goto('/admin/hoy');
        await expect(hecho(titulo)).toHaveCount(1, { timeout: 2_000 });
      }, titulo).toPass(BESIDE);
    };

    await step('Una venta', async () => {
      await panel.getByRole('button', { name: 'Enviar link al cliente' }).click();
      await answerYes(page);
    });
    await step('Su pedido', async () => {
      await panel
        .getByRole('button', { name: /^Hacer pedido a / })
        .first()
        .click();
      await answerYes(page);
    });
    // The label follows the order by itself.
    await step('Su guía', async () => expect(panel).toBeVisible());
    await step('Su factura', async () => {
      await page
        .getByRole('link', { name: /^Facturar/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Siguiente' }).last().click();
      await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
      const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
      if (await guardar.isVisible()) {
        await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
        await guardar.click();
      }
      await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);
      await page.getByRole('button', { name: 'Siguiente' }).last().click();
      await page.getByRole('button', { name: 'Crear Factura' }).click();
      await answerYes(page);
    });
    await step('Una pregunta', async () => {
      await page.getByLabel('Respuesta', { exact: true }).first().fill('Un año con el fabricante.');
      await page.keyboard.press('Control+Enter');
      await expect(page.getByText('La respuesta sale en 8 segundos.')).toBeVisible(BESIDE);
    });
    await step('Una devolución', async () => {
      const costo = page.getByLabel(/Costo por pieza/);
      if ((await costo.count()) > 0 && (await costo.isEditable()) && (await costo.inputValue()) === '')
        await costo.fill('250');
      await page.getByRole('button', { name: 'Crear devolución' }).click();
    });
    await step('El cierre de un mes', async () => {
      await page.getByRole('button', { name: 'Generar Factura' }).first().click();
      await answerYes(page);
    });
    await step('Un depósito', async () => {
      await panel.getByLabel('Motivo').fill('Cobraron la tarifa de otra categoría');
      await panel.getByRole('button', { name: 'Guardar', exact: true }).click();
      await expect(page.getByText('Se guardó el motivo.')).toBeVisible();
    });

    await expect(recorrido(page)).toContainText('8 de 8');
    await recorrido(page).getByRole('button', { name: 'Terminar el recorrido' }).click();
    await expect(recorrido(page)).toHaveCount(0);
    await page.reload();
    await expect(recorrido(page)).toHaveCount(0);
  },
);
