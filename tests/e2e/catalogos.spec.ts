import { enFila } from './support/fila';
import { BESIDE, BOTH, LONG, expect, test } from './support/test';

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test('a company is added, renamed and deactivated', LONG, async ({ as }) => {
      const page = await as('sa');
      const nombre = `Acme ${how} ${Date.now()}`;
      await page.goto('/sa/empresas');
      await page.getByRole('link', { name: 'Agregar' }).click();
      const aceptar = page.getByRole('button', { name: 'Aceptar' });
      if (javaScriptEnabled) await expect(aceptar).toBeDisabled();
      await page.getByLabel('Nombre de la empresa').fill(nombre);
      await aceptar.click();
      await expect(page.getByText('Se agrego la empresa correctamente.')).toBeVisible();
      await page.getByRole('link', { name: `Editar ${nombre}` }).click();
      const ficha = page.getByRole('complementary', { name: /^Empresa / });
      await ficha.getByLabel('Nombre de la empresa').fill(`${nombre} SA`);
      await ficha.getByRole('button', { name: 'Aceptar' }).click();
      await expect(page.getByText('Se modifico la empresa correctamente.')).toBeVisible();
      // It is saved in place: the list beside it, and the panel over it where there is no room or no script, say the new name.
      await expect(ficha.getByRole('heading', { name: `${nombre} SA` })).toBeVisible();
      if (javaScriptEnabled) {
        await expect(page.getByRole('row').filter({ hasText: `${nombre} SA` })).toBeVisible();
        await page.keyboard.press('Escape');
      } else await ficha.getByRole('link', { name: 'Volver a la lista' }).click();
      const row = page.getByRole('row').filter({ hasText: `${nombre} SA` });
      await expect(row).toContainText('Activa');
      await enFila(row, /^Desactivar/);
      await expect(page.getByText(`¿Esta seguro que desea desactivar la empresa ${nombre} SA?`)).toBeVisible();
      await page.getByRole('button', { name: 'Si', exact: true }).click();
      await expect(page.getByText(`El estatus de la empresa ${nombre} SA se cambio correctamente.`)).toBeVisible();
      await expect(row).toContainText('Inactiva');
    });
  });
}

test('the tax data of a customer are shown whole and corrected', LONG, async ({ as, sandbox }) => {
  const page = await as('admin');
  // Somebody invoiced to them before: their first factura keeps the record.
  const sale = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple', { rfc: 'LOML6803054A8' });
  await expect(async () => {
    await page.goto('/admin/facturacion');
    await page.getByLabel('No. Orden').fill(sale.numOrden);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible({ timeout: 2_000 });
  }).toPass(BESIDE);
  await page.getByRole('button', { name: 'Siguiente' }).last().click();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  if (await guardar.isVisible()) {
    // A field says what is wrong with it when it is left, and no more once it is put right.
    const cp = page.getByLabel('Código postal');
    const before = await cp.inputValue();
    await cp.fill('123');
    await expect(page.getByText('Código Postal No Valido')).toHaveCount(0);
    await cp.blur();
    await expect(page.getByText('Código Postal No Valido')).toBeVisible();
    await cp.fill(before);
    await expect(page.getByText('Código Postal No Valido')).toHaveCount(0);
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@correo.mx');
    await guardar.click();
  }
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);

  await page.goto('/admin/datosFiscales?q=LOML6803054A8');
  await page.getByRole('link', { name: /^Mostrar/ }).click();
  const dialog = page.getByRole('complementary', { name: /^Cliente / });
  await expect(dialog).toBeVisible();
  // It is wide from the start, and as wide as this person wants it from then on. What the list shows beside it is what it has room for.
  await page.setViewportSize({ width: 1440, height: 900 });
  const origen = page.getByRole('columnheader', { name: 'Origen' });
  const wide = async () => Math.round((await dialog.boundingBox())?.width ?? 0);
  await expect.poll(wide).toBe(720);
  await expect(origen).toBeHidden();
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/admin/preferencias'));
  await page.getByRole('button', { name: 'Panel ancho' }).click();
  expect((await kept).status()).toBe(302);
  await expect.poll(wide).toBe(480);
  await page.reload();
  await expect.poll(wide).toBe(480);
  await page.getByRole('button', { name: 'Panel ancho' }).click();
  await expect.poll(wide).toBe(720);
  for (const dato of [
    'RFC',
    'Razón Social',
    'CP',
    'Colonia',
    'Ciudad',
    'Estado',
    'Calle',
    'Numero ext.',
    'Numero int.',
    'Delegacion',
    'Nombre',
    'Apellidos',
    'Telefono',
    'Email',
    'Email2',
  ]) {
    await expect(dialog.getByText(dato, { exact: true })).toBeVisible();
  }
  await dialog.getByRole('link', { name: 'Editar' }).click();
  await dialog.getByLabel('Telefono').fill('55');
  await dialog.getByLabel('Telefono').blur();
  await expect(dialog.getByText('El teléfono tiene 10 dígitos')).toBeVisible();
  await dialog.getByLabel('Telefono').fill('55 9876 5432');
  await expect(dialog.getByText('El teléfono tiene 10 dígitos')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Guardar edición' }).click();
  await page.getByRole('button', { name: 'Si', exact: true }).click();
  await expect(page.getByText('Éxito, la información fue guardada correctamente.')).toBeVisible(BESIDE);
  await expect(dialog.getByRole('link', { name: '55 9876 5432' })).toHaveAttribute('href', 'tel:+525598765432');
});
