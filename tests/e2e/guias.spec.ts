import type { Page } from '@playwright/test';
import { withDatabase } from './support/database';
import { expectAccessible, expectFits } from './support/fits';
import { BESIDE, BOTH, LONG, expect, signIn, test } from './support/test';

const yes = (page: Page) => page.getByRole('button', { name: 'Si', exact: true }).click();
const ficha = (page: Page) => page.getByRole('complementary', { name: /^Orden / });

/** The account, by a yes at Seller Central, and from where its labels say that we send. */
async function link(page: Page) {
  // A link asks for a fresh proof of who it is.
  await signIn(page, 'admin');
  await page.goto('/admin/tokens?abrir=amazon');
  await page.getByRole('button', { name: 'Activar Amazon' }).click();
  await page.getByRole('button', { name: 'Confirmar' }).click();
  const remitente = page.getByRole('region', { name: 'Remitente de las guías de Amazon' });
  await remitente.getByRole('heading', { name: 'Remitente de las guías de Amazon' }).click();
  for (const [label, text] of [
    ['Nombre', 'Demo Tienda'],
    ['Teléfono', '81 1234 5678'],
    ['Correo', 'envios@demo.mx'],
    ['Calle y número', 'Av. Industria 250'],
    ['Código postal', '64000'],
    ['Ciudad', 'Monterrey'],
    ['Estado', 'Nuevo León'],
  ] as const)
    await remitente.getByLabel(label).fill(text);
  await remitente.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText('El remitente quedó guardado.')).toBeVisible();
}

/** The sale, once it is here: whoever asks for one by its number has it read at once. */
async function brought(page: Page, numOrden: string): Promise<string> {
  let id: string | undefined;
  await expect(async () => {
    await page.goto('/admin/facturacion');
    await page.getByLabel('No. Orden').fill(numOrden);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible({ timeout: 4_000 });
    const found = await withDatabase((db) =>
      db.selectFrom('orden').select('id').where('numOrden', '=', numOrden).executeTakeFirst(),
    );
    id = found?.id;
    expect(id).toBeDefined();
  }).toPass(BESIDE);
  return id!;
}

for (const { javaScriptEnabled, how } of BOTH)
  test.describe(how, LONG, () => {
    test.use({ javaScriptEnabled });

    test('a label of Amazon is chosen by its price, bought once and printed', async ({
      page,
      sandbox,
      allowConsole,
    }) => {
      // Of Seller Central's page.
      allowConsole(/favicon\.ico/);
      await link(page);
      const sold = await sandbox.proveedor('amazon').post<{ id: string }>('/ventas', { escenario: 'porEnviar' });
      const id = await brought(page, sold.id);
      await page.goto(`/admin/ordenes?q=${sold.id}&ver=${id}`);
      const panel = ficha(page);
      await panel.getByRole('link', { name: 'Comprar guía de Amazon' }).click();
      for (const [label, text] of [
        ['Peso (kg)', '1.5'],
        ['Largo (cm)', '30'],
        ['Ancho (cm)', '20'],
        ['Alto (cm)', '15'],
      ] as const)
        await panel.getByLabel(label).fill(text);
      await panel.getByRole('button', { name: 'Ver servicios y precios' }).click();
      const servicios = panel.getByRole('region', { name: 'Servicios de envío' });
      await expect(servicios.getByText('$149.00')).toBeVisible(BESIDE);
      if (javaScriptEnabled) {
        await page.setViewportSize({ width: 390, height: 844 });
        await expectFits(page, 'servicios de guía en un teléfono');
        await expectAccessible(page, 'servicios de guía');
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      await servicios.getByRole('button', { name: 'Comprar Estafeta Terrestre' }).click();
      await expect(page.getByText('¿Está seguro que desea comprar la guía?')).toBeVisible();
      await yes(page);
      const imprimir = ficha(page).getByRole('link', { name: 'Imprimir guía' });
      await expect(async () => {
        if (!(await imprimir.isVisible())) await page.reload();
        await expect(imprimir).toBeVisible({ timeout: 3_000 });
      }).toPass(BESIDE);
      const label = await page.request.get((await imprimir.getAttribute('href'))!);
      expect(label.headers()['content-type']).toBe('application/pdf');
      const all = await sandbox.proveedor('amazon').get<{ venta: string; estado: string }[]>('/guias');
      expect(all.filter(({ venta }) => venta === sold.id)).toMatchObject([{ estado: 'Purchased' }]);
    });
  });
