import { expect, type Locator } from '@playwright/test';

/** Does with a row what its button or its menu offers. Without JavaScript the menu is a part of the page that comes. */
export async function enFila(row: Locator, name: string | RegExp): Promise<void> {
  const page = row.page();
  const own = row.getByRole('button', { name }).or(row.getByRole('link', { name }));
  await own
    .or(row.getByRole('button', { name: /^Más acciones/ }))
    .first()
    .click();
  const menu = page.getByRole('menu').or(page.getByRole('region', { name: /^Acciones de/ }));
  const question = page.getByRole('alertdialog');
  await expect(menu.or(question)).toBeVisible();
  if (await question.isVisible()) return;
  await menu
    .getByRole('menuitem', { name })
    .or(menu.getByRole('button', { name }))
    .or(menu.getByRole('link', { name }))
    .click();
}
