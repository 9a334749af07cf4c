import type { Locator, Page } from '@playwright/test';
import { expect } from './test';

/** The pointer is taken away: what a script would click is not there to be clicked. */
export async function withoutPointer(page: Page) {
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'mousedown'])
      addEventListener(
        type,
        (event) => {
          event.preventDefault();
          event.stopImmediatePropagation();
          console.error(`a pointer was used: ${type}`);
        },
        { capture: true },
      );
  });
}

/** No screen asks for more presses of Tab than this to reach anything. */
const LEJOS = 120;

const focused = (target: Locator) =>
  target.evaluateAll((found) => found.some((one) => one === document.activeElement)).catch(() => false);

/** As a person without a pointer gets there: Tab after Tab, from wherever the focus is. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target.first()).toBeVisible();
  const passed: string[] = [];
  for (let press = 0; press < LEJOS; press++) {
    if (await focused(target)) return;
    await page.keyboard.press('Tab');
    passed.push(await page.evaluate(() => document.activeElement?.textContent?.slice(0, 30) ?? ''));
  }
  throw new Error(`Tab never came to ${String(target)}; it passed ${passed.slice(0, 40).join(' · ')}`);
}

/** Over there, and Enter. */
export async function pressByKey(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** The palette: words that name one thing, and its line chosen by arrows. */
export async function goByPalette(page: Page, words: string, line: string | RegExp): Promise<void> {
  const caja = page.getByRole('combobox', { name: 'Buscar o ir a' });
  const linea = page.getByRole('option', { name: line }).first();
  await expect(async () => {
    if (!(await caja.isVisible())) await page.keyboard.press('Control+k');
    await expect(caja).toBeFocused({ timeout: 1_000 });
    await page.keyboard.press('Control+a');
    await page.keyboard.type(words);
    await expect(linea).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  for (let at = await page.getByRole('option').count(); at > 0; at--) {
    if ((await linea.getAttribute('aria-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await expect(linea).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}
