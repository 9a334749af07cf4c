import type { Page } from '@playwright/test';
import { expect, test } from './support/test';
import type { SandboxClient } from '../support/sandboxClient';

/** People who do not wait: 15 ms a key. */
const HURRY = { delay: 15 };
/** What a name may hold that a page could take for an answer. */
const NOMBRE = 'SUSANA Y SERGIO SOSA SAYAS Y SOCIOS Y SI';

const newSale = (sandbox: SandboxClient, facts: Record<string, unknown> = {}) =>
  sandbox.mercadolibre.newOrden<{ numOrden: string; total: number }>('simple', facts);

async function search(page: Page, numOrden: string) {
  await expect(async () => {
    await page.goto('/sa/facturacion');
    await page.getByLabel('No. Orden').fill(numOrden);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeFocused({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
}

const stamped = (sandbox: SandboxClient, numOrden: string) => sandbox.facturacom.stamped(numOrden);

/** Everything a hurried hand does with a name, on whatever is on the screen. */
async function hammer(page: Page) {
  await page.keyboard.type(NOMBRE, HURRY);
  for (const key of ['Enter', 'Space', 'Enter', 's', 'y', 'Enter', 'Space', 'Space', 'Enter'])
    await page.keyboard.press(key, HURRY);
}

test('a name typed through the steps without waiting stamps nothing', async ({ as, sandbox, allowConsole }) => {
  allowConsole(/422/);
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  for (const press of ['Control+Enter', 'Control+Enter', 'Control+Enter']) {
    await hammer(page);
    await page.keyboard.press(press);
    await hammer(page);
    await page.waitForTimeout(300);
  }
  await hammer(page);
  await page.waitForTimeout(2_000);
  expect(await stamped(sandbox, numOrden)).toEqual([]);
});
