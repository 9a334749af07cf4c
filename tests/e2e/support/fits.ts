import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import { MIRADA } from './cuenta';
import { expect, test } from './test';

/** What @axe-core/playwright would put into the page again for each look; here a page is given it once. */
const { source: AXE } = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))('axe-core') as {
  source: string;
};

type Axe = {
  run(context: unknown, options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
};

/**
 * Nothing for assistive technology to stumble on, by every rule that axe asks by itself, also those of good practice: landmarks, headings, what lies
 * outside of both. Of a long table its first rows are looked at: the others are drawn by the same lines.
 */
export async function expectAccessible(page: Page, name: string) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run({ exclude: [['tbody > tr:nth-child(n+5)']] }, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(found, name).toEqual([]);
}

/** The page as it stands, not wider than its screen. A chart that was as wide as the last one takes a moment to shrink. */
export async function expectNoSideways(page: Page, name: string) {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), {
      message: name,
      timeout: 3_000,
    })
    .toBeLessThanOrEqual(0);
}

/** A title that stands in the bar of a telephone stands in it whole. */
export async function expectWholeTitle(page: Page, name: string) {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('h1')].flatMap((title) => {
      if (getComputedStyle(title).position !== 'fixed') return [];
      const text = document.createRange();
      text.selectNodeContents(title);
      const [box, said] = [title.getBoundingClientRect(), text.getBoundingClientRect()];
      return said.height > box.height || said.width > box.width ? [title.textContent] : [];
    }),
  );
  expect(cut, `${name}: titles that are cut`).toEqual([]);
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const classesIn = (css: string) => new Set([...css.matchAll(/\.(m_[0-9a-f]+)/g)].map(([, name]) => name!));
const imported = ['app/ui/mantine.css', 'app/ui/CalendarioDia.tsx'].flatMap((path) =>
  [...read(path).matchAll(/'(@mantine\/[^']+\.css)'/g)].map(([, name]) => name!),
);
const kept = classesIn(imported.map((path) => read(`node_modules/${path}`)).join('\n'));
const left = [...classesIn(read('node_modules/@mantine/core/styles.css'))].filter((name) => !kept.has(name));

/** The numbers, folios, days and instants of up to 16 signs that people copy and compare are whole on a desk. A SKU, which has bars, and a longer number may be cut. */
export async function expectWholeNumbers(page: Page, name: string) {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('.lista-tabla td, .lista-tabla td *')]
      .filter(
        (one) =>
          one.scrollWidth > one.clientWidth &&
          getComputedStyle(one).overflowX === 'hidden' &&
          /^(?=.{1,16}$)[^\s|\d]*\d[^\s|]*$|^\d\d\/\d\d\/\d{4} \d\d:\d\d$/.test(one.textContent.trim()),
      )
      .map((one) => one.textContent),
  );
  expect(cut, `${name}: numbers that are cut`).toEqual([]);
}

/** What of Mantine is on the page has its styles. */
async function expectDressed(page: Page, name: string) {
  const bare = await page.evaluate(
    (classes) =>
      classes
        .filter((one) => document.getElementsByClassName(one).length > 0)
        .map((one) => document.getElementsByClassName(one)[0]!.outerHTML.slice(0, 200)),
    left,
  );
  expect(bare, `${name}: of Mantine without styles`).toEqual([]);
}

/** Of a form whose fields stand over its buttons, the last button ends where the fields end. */
export async function expectButtonsUnderFields(page: Page, name: string) {
  const beside = await page.evaluate(() => {
    const seen = (element: Element) => element.getClientRects().length > 0;
    // Fields in a table end where it does.
    const edge = (elements: Element[]) =>
      Math.max(...elements.map((one) => (one.closest('table') ?? one).getBoundingClientRect().right));
    return [...document.querySelectorAll('form .botones')].filter(seen).flatMap((box) => {
      const fields = box
        .closest('form')!
        .querySelectorAll('input:not([type="hidden"], [type="checkbox"], [type="radio"]), select, textarea');
      const over = [...fields].filter(
        (one) => seen(one) && one.getBoundingClientRect().bottom <= box.getBoundingClientRect().top,
      );
      const buttons = [...box.querySelectorAll('button, a')].filter(seen);
      const apart = over.length > 0 && buttons.length > 0 ? edge(buttons) - edge(over) : 0;
      return Math.abs(apart) > 2 ? [`${box.textContent}: ${Math.round(apart)} px`] : [];
    });
  });
  expect(beside, `${name}: buttons that do not end where their fields end`).toEqual([]);
}

/** What somebody presses or types in, and how high or wide it is, where that is less than `least` px. A link in a line of text is as high as its line. */
export async function expectTargets(
  page: Page,
  name: string,
  { least, within = 'body' }: { least: number; within?: string },
) {
  const small = await page.evaluate(
    ([least, within]) => {
      const found = new Set<string>();
      for (const one of document.querySelectorAll(
        `:is(${within}) :is(a[href], button, summary, select, textarea, input:not([type="hidden"]))`,
      )) {
        const isSeen = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        if (!isSeen || one.closest('.oculto, .saltar') || getComputedStyle(one).display === 'inline') continue;
        // A box is pressed by its words too, and a field by its frame.
        const place =
          one.closest('.mantine-Checkbox-body, .mantine-Switch-body, .mantine-Radio-body, label') ??
          (one.matches('input') ? one.closest('.mantine-Input-wrapper') : null) ??
          one;
        const { width, height } = place.getBoundingClientRect();
        if (width > 0 && Math.min(width, height) < least - 0.5)
          found.add(`${one.outerHTML.slice(0, 90)} ${Math.round(width)} x ${Math.round(height)}`);
      }
      return [...found];
    },
    [least, within] as const,
  );
  expect.soft(small, `${name}: under ${least} px`).toEqual([]);
}

/** Amounts stand under each other, also their sum. */
async function expectMoneyAtTheRight(page: Page, name: string) {
  const left = await page.evaluate(() => {
    const money = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    const range = document.createRange();
    for (let node = money.nextNode(); node; node = money.nextNode()) {
      const cell = node.parentElement!.closest('td, th');
      if (!cell || !/^-?\$[\d,.]+$/.test(cell.textContent.trim())) continue;
      // Where a row is a block, its amount stands under its name and under no other.
      if (getComputedStyle(cell.parentElement!).display !== 'table-row') continue;
      range.selectNodeContents(cell);
      const box = cell.getBoundingClientRect();
      const gap = box.right - parseFloat(getComputedStyle(cell).paddingRight) - range.getBoundingClientRect().right;
      if (box.width > 0 && gap > 3) found.add(cell.textContent);
    }
    return [...found];
  });
  expect(left, `${name}: amounts that are not at the right of their cell`).toEqual([]);
}

/** Counts a screen as looked at, in the way that the name tells. */
export const noteMirada = (name: string) => void test.info().annotations.push({ type: MIRADA, description: name });

/** All of it, on a desk and on a phone. */
export async function expectFits(page: Page, name: string) {
  await expectDressed(page, name);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    if (width === 1440) {
      await expectWholeNumbers(page, name);
      await expectMoneyAtTheRight(page, name);
      await expectButtonsUnderFields(page, name);
      await expectTargets(page, name, { least: 24 });
    }
    noteMirada(`${name} at ${width} px`);
    await expectNoSideways(page, `${name} at ${width} px`);
    await expectWholeTitle(page, `${name} at ${width} px`);
    await expectAccessible(page, `${name} at ${width} px`);
  }
}
