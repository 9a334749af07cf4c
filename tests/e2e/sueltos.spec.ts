import { buildSuelto } from '../support/builders/conciliacion';
import { withDatabase } from './support/database';
import { expect, test } from './support/test';

test('money of no sale is opened from Hoy, gets its reason, and the next one stands there; the accountant looks', async ({
  as,
}) => {
  const [una, otra] = await withDatabase(async (db) => [
    await buildSuelto(db, { conNumero: false }),
    await buildSuelto(db, { conNumero: false }),
  ]);
  const page = await as('admin');
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Ver lo que falta identificar' }).click();
  const list = page.getByRole('grid', { name: 'Dinero sin identificar' });
  await expect(list.getByRole('row').filter({ hasText: otra!.numero })).toContainText('Pago sin venta');
  await list.getByRole('row').filter({ hasText: una!.numero }).locator('a.abre').click();
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(una!.numero);
  await expect(panel.getByText('$430.00').first()).toBeVisible();
  const address = new URL(page.url());
  await panel.getByLabel('Por qué no es de una venta').selectOption('Cobro de otro canal');
  await panel.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText('Se guardó el motivo.')).toBeVisible();
  await expect(list).not.toContainText(una!.numero);
  await expect(panel).toBeVisible();
  await expect(panel).not.toContainText(una!.numero);

  const cont = await as('cont');
  await cont.goto(`${address.pathname.replace('/admin/', '/cont/')}${address.search}`);
  const suyo = cont.getByRole('complementary');
  await expect(suyo).toContainText('Cobro de otro canal');
  await expect(suyo.getByLabel('Por qué no es de una venta')).toHaveCount(0);
});
