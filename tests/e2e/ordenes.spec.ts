import type { Page } from '@playwright/test';
import { seedOrden, setProveedorEmail } from './support/ordenes';
import { withDatabase } from './support/database';
import { expectFits } from './support/fits';
import { enFila } from './support/fila';
import { BESIDE, BOTH, LONG, expect, test } from './support/test';

const row = (page: Page, numOrden: string) => page.locator('tbody tr[data-i]').filter({ hasText: numOrden });
const dialog = (page: Page) => page.getByRole('complementary', { name: /^Orden / });
const yes = (page: Page) => page.getByRole('button', { name: 'Si', exact: true }).click();

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test(
      'a sale in preparation for three days is called delivered, once, and its story says by whom',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/422/);
        const { numOrden } = await seedOrden({ hours: 72, titulo: 'Torniquete de acceso' });
        const page = await as('user');
        await page.goto(`/user/ordenesActivas?q=${numOrden}`);
        await expect(row(page, numOrden)).toHaveAttribute('data-tono', 'mal');
        const other = await as('admin');
        await other.goto(`/admin/ordenesActivas?q=${numOrden}`);

        await enFila(row(page, numOrden), /^Cambiar a Entregado/);
        await expect(
          page.getByText('¿Está seguro que desea cambiar el estatus de la orden a Entregado?'),
        ).toBeVisible();
        await yes(page);
        await expect(page.getByText('Se realizo el cambio de estatus.')).toBeVisible();
        await expect(row(page, numOrden)).toHaveCount(0);

        if (javaScriptEnabled) {
          await enFila(row(other, numOrden), /^Cambiar a Entregado/);
          await yes(other);
          const refusal = other.getByRole('alertdialog').filter({ hasText: 'Error al realizar el cambio de estatus.' });
          await expect(refusal).toContainText('Otra persona modificó este registro. Vuelve a cargarlo.');
        } else {
          await row(other, numOrden)
            .getByRole('button', { name: /^Cambiar a Entregado/ })
            .click();
          await expect(other.getByText('Esa fila ya no está en la lista.')).toBeVisible();
        }

        await page.goto(`/user/ordenes?q=${numOrden}`);
        await row(page, numOrden).getByRole('link', { name: 'Torniquete de acceso' }).click();
        await expect(dialog(page).locator('.cronologia li').first()).toContainText(
          /Estatus: de En preparación a Entregado/,
        );
      },
    );

    test('the data of a shipment of ours are edited where they stand', LONG, async ({ as, allowConsole }) => {
      allowConsole(/422/);
      const { id } = await seedOrden({ hours: 2, envio: { propio: true } });
      const page = await as('admin');
      await page.goto(`/admin/ordenes?ver=${id}`);
      const late = await as('sa');
      await late.goto(`/sa/ordenes?ver=${id}&editar=envio`);

      await dialog(page).getByRole('link', { name: 'Editar datos de envío' }).click();
      await dialog(page).getByLabel('Código postal').fill('12');
      await dialog(page).getByRole('button', { name: 'Guardar datos de envío' }).click();
      await expect(dialog(page).getByText('Código Postal No Valido').last()).toBeVisible();
      await dialog(page).getByLabel('Código postal').fill('01000');
      await dialog(page).getByLabel('Calle').fill('Avenida Nueva');
      await dialog(page).getByRole('button', { name: 'Guardar datos de envío' }).click();
      await expect(dialog(page)).toContainText('Avenida Nueva 123, Centro, Guadalajara, C.P. 01000');
      await expect(dialog(page).locator('.cronologia')).toContainText('Se modificaron los datos del envío');

      await dialog(late).getByLabel('Calle').fill('La que llegó tarde');
      await dialog(late).getByRole('button', { name: 'Guardar datos de envío' }).click();
      // Theirs stands beside mine; whoever has seen both presses again.
      const choque = dialog(late).getByRole('alert').getByRole('row', { name: 'Calle' });
      await expect(choque).toContainText('La que llegó tarde');
      await expect(choque).toContainText('Avenida Nueva');
      await dialog(late).getByRole('button', { name: 'Guardar datos de envío' }).click();
      await expect(dialog(late)).toContainText('La que llegó tarde 123, Centro');
    });

    test('an address that makes no sense says so and leads back', async ({ as, allowConsole }) => {
      allowConsole(/404|422/);
      const page = await as('cont');
      const reversed = await page.goto('/cont/ordenes?desde=2026-11-30&hasta=2026-11-01');
      expect(reversed!.status()).toBe(422);
      await expect(page.getByText('La fecha inicial del rango es posterior a la final.')).toBeVisible();
      await expect(page.getByRole('grid', { name: 'Ordenes' })).toBeVisible();
      expect((await page.goto('/cont/ordenes?desde=2020-01-01&hasta=2026-11-01'))!.status()).toBe(422);
      await expect(page.getByText('El rango de fechas no puede pasar de 400 días.')).toBeVisible();

      const absent = await page.goto('/cont/ordenes?ver=019a0000-0000-7000-8000-000000000000');
      expect(absent!.status()).toBe(404);
      await expect(page.getByRole('heading', { name: 'La orden no existe' })).toBeVisible();
      await page.getByRole('link', { name: 'Volver a la lista' }).click();
      await expect(page.getByRole('grid', { name: 'Ordenes' })).toBeVisible();
    });
  });
}

test('a sale that arrives is found by its number and shows what was paid; cont can do nothing to it', async ({
  as,
  sandbox,
}) => {
  const sale = await sandbox.mercadolibre.newOrden<{ numOrden: string; total: number }>('cantidad');
  const page = await as('cont');
  await expect(async () => {
    await page.goto(`/cont/ordenes?q=${sale.numOrden}`);
    await expect(row(page, sale.numOrden).first()).toBeVisible({ timeout: 2_000 });
  }).toPass(BESIDE);
  await expect(row(page, sale.numOrden)).toContainText('No Facturado');
  await expect(row(page, sale.numOrden).getByRole('button')).toHaveCount(0);
  await row(page, sale.numOrden).click();
  await expect(dialog(page)).toContainText('Pago aprobado');
  await expect(dialog(page)).toContainText('Venta creada en Mercado Libre');
  await expect(dialog(page).locator('form')).toHaveCount(0);
  await expect(dialog(page).getByRole('button', { name: /^(?!Copiar|Imprimir|Panel ancho)/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test(
  'the supplier is written to about a shipment; one without an address is said to have none',
  LONG,
  async ({ as, allowConsole, sandbox }) => {
    allowConsole(/422/);
    const { numOrden } = await seedOrden({ hours: 1, sku: 'AMS|1|cva|MODELO-9' });
    await setProveedorEmail('cva', null);
    const page = await as('user');
    await page.goto(`/user/ordenes?q=${numOrden}`);
    const write = () => enFila(row(page, numOrden), /^Correo al proveedor/);
    await write();
    await expect(page.getByText('¿Está seguro que desea enviar el correo?')).toBeVisible();
    await yes(page);
    const refusal = page.getByRole('alertdialog').filter({ hasText: 'Error al enviar el correo.' });
    await expect(refusal).toContainText('CVA no tiene agentes activos ni un correo.');
    await refusal.getByRole('button', { name: 'Entendido' }).click();
    await expect(refusal).toHaveCount(0);

    await setProveedorEmail('cva', 'pedidos@cva.test');
    // The same without a pointer: the menu of the row hangs from one key, and gives the keyboard back.
    await page.getByRole('grid').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('.');
    const menu = page.getByRole('menu', { name: `Acciones de la orden ${numOrden}` });
    await expect(menu).toBeFocused();
    await expect(menu.locator('[data-activa]')).toHaveText('Facturas de proveedor');
    // The key comes back in the very moment in which the menu closes.
    await menu.evaluate((element: HTMLElement) => {
      element.hidePopover();
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: '.', bubbles: true }));
    });
    await expect(menu).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid')).toBeFocused();
    await page.keyboard.press('.');
    await expect(menu).toBeFocused();
    await expect(menu.locator('[data-activa]')).toHaveText('Facturas de proveedor');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await expect(menu.locator('[data-activa]')).toHaveText('Correo al proveedor');
    await page.keyboard.press('Enter');
    await yes(page);
    await expect(page.getByText('Se envio el correo.')).toBeVisible();
    expect((await sandbox.correo.inbox()).filter(({ subject }) => subject.includes(numOrden))).toHaveLength(1);
    await row(page, numOrden).locator('a.abre').click();
    await expect(dialog(page).locator('.cronologia')).toContainText('Se envió el correo al proveedor');
  },
);

test('nothing for assistive technology to stumble on, and no page wider than its screen', LONG, async ({ as }) => {
  const { id } = await seedOrden({ hours: 30, envio: { propio: true } });
  const page = await as('sa');
  for (const address of [
    'ordenes',
    'ordenesCanceladas',
    'ordenesActivas',
    `ordenes?ver=${id}`,
    `ordenes?ver=${id}&editar=envio`,
  ]) {
    await page.goto(`/sa/${address}`);
    // On a narrow screen the panel stands in the list's place.
    await expect(page.getByRole('grid').or(dialog(page)).first()).toBeVisible();
    await expectFits(page, address);
  }
});

test('a cancelled sale leads from its amount to its quotation, by press and without its panel', async ({ as }) => {
  const { id, numOrden } = await seedOrden({ hours: 3, estatus: 'cancelado', clase: 'cancelada', envio: null });
  const folio = `COT-${numOrden.slice(-6)}`;
  await withDatabase((db) => db.insertInto('cotizacion').values({ ordenId: id, folio }).execute());
  const page = await as('sa');
  await page.goto(`/sa/ordenesCanceladas?q=${numOrden}`);
  const link = row(page, numOrden).getByRole('link', { name: `Cotización de la orden ${numOrden}` });
  await expect(link).toHaveText('Cotización');
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/sa/cotizaciones\\?ver=${id}$`));
  await expect(dialog(page)).toContainText(numOrden);
  await expect(dialog(page)).toContainText(folio);
  // Who may not open quotations sees the amount alone.
  const cont = await as('cont');
  await cont.goto(`/cont/ordenesCanceladas?q=${numOrden}`);
  await expect(row(cont, numOrden)).toBeVisible();
  await expect(row(cont, numOrden).getByRole('link', { name: /^Cotización/ })).toHaveCount(0);
});

test('no head of Ordenes is cut, and none of its columns lies beyond the edge, at 1440 px', async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/sa/ordenes');
  await expect(page.getByRole('columnheader', { name: 'De proveedor' })).toBeVisible();
  const seen = await page.locator('.lista-caja').evaluate((box) => ({
    cut: [...box.querySelectorAll('thead th[title], thead th[title] *')]
      // The words of the boxes are for readers of the screen alone.
      .filter((one) => one.textContent !== 'Elegir' && getComputedStyle(one).overflowX !== 'visible')
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => `${one.textContent}: ${one.scrollWidth} in ${one.clientWidth}`),
    beyond: box.scrollWidth - box.clientWidth,
  }));
  expect(seen).toEqual({ cut: [], beyond: 0 });
});

test('the panel of a sale begins with who receives it and where, and says neither twice', async ({ as }) => {
  const { id, numOrden } = await seedOrden({ hours: 2, envio: { nombreReceptor: 'Ana Robles Prueba' } });
  const { ciudad } = await withDatabase((db) =>
    db
      .updateTable('envio')
      .set({ municipio: null, ciudad: 'San Pedro de Prueba' })
      .where('id', '=', (is) => is.selectFrom('orden').select('envioId').where('id', '=', id))
      .returning('ciudad')
      .executeTakeFirstOrThrow(),
  );
  const page = await as('sa');
  await page.goto(`/sa/ordenes?q=${numOrden}&ver=${id}`);
  const panel = page.locator('aside.lado');
  await expect(panel.locator('header')).toContainText(`Ana Robles Prueba · ${ciudad}`);
  await expect(panel.getByText('Ana Robles Prueba')).toHaveCount(1);
});
