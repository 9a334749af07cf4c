import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect, type APIResponse, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { createSandboxClient, type SandboxClient } from '../../support/sandboxClient';
import type { Rol } from '../../../db/columns';

export { expect };

export const DEMO_PASSWORD = 'Trastienda#1';

type Fixtures = {
  /** Opens pages as this person, in a browser window that the tests of a worker share: signed in once, and scripts and styles are fetched once. */
  as(rol: Rol): Promise<Page>;
  /** What the page may write to its console as an error; without it, anything fails the test. */
  allowConsole(pattern: RegExp): void;
  sandbox: SandboxClient;
  /** Watches every page of the test; always on. */
  quiet: void;
};

/** What every run does without: `npm run test:historias` tells all there is. */
export const LONG = { tag: '@larga' };
/** True where all of it is told. */
export const AT_LENGTH = Boolean(process.env.E2E_LARGAS);

/**
 * JavaScript on and off. What is `atLength` is told without it only where all is told: a stepper, a list, a form and the public stories are told both
 * ways by every run, and the others have the same parts.
 */
export const BOTH = [
  { javaScriptEnabled: true, how: 'con JavaScript', atLength: {} },
  { javaScriptEnabled: false, how: 'sin JavaScript', atLength: LONG },
] as const;

/** For what other processes do beside the page, on a machine that has much else to do: the worker at the PAC, a letter, a file. It only ends a wait in vain. */
export const BESIDE = { timeout: 60_000 };

/** Waits until React listens at this element: before, a press goes where the browser sends it. */
export async function takenOver(element: Locator): Promise<void> {
  const listens = () => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps')));
  await expect.poll(listens).toBe(true);
}

/** Waits until React listens in the table of a list. */
export const listTakenOver = (page: Page): Promise<void> => takenOver(page.locator('.lista-tabla'));

/** What a link of the page leads to, once it is there: the far side may be late with it, and the page then says to press again. */
export async function downloaded(page: Page, link: string): Promise<APIResponse> {
  const href = await page.getByRole('link', { name: link }).getAttribute('href');
  let file: APIResponse | undefined;
  await expect.poll(async () => (file = await page.request.get(href!)).status(), BESIDE).toBe(200);
  return file!;
}

/** What this test lets any of its pages complain of; one test runs at a time in a worker. */
let allowed: RegExp[] = [];
const complaints = new WeakMap<BrowserContext, string[]>();

export const test = base.extend<Fixtures, { windows: Map<string, BrowserContext> }>({
  // A browser may crash while it starts (once in some hundred times), which says nothing of a page: it is started a second time.
  browser: [
    async ({ playwright, browserName }, use) => {
      const start = () => playwright[browserName].launch();
      const browser = await start().catch(start);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker', timeout: 0 },
  ],
  windows: [
    async ({}, use) => {
      const windows = new Map<string, BrowserContext>();
      await use(windows);
      for (const context of windows.values()) await context.close();
    },
    { scope: 'worker' },
  ],
  sandbox: async ({}, use) => {
    await use(createSandboxClient(`http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}`));
  },
  allowConsole: async ({}, use) => {
    await use((pattern) => void allowed.push(pattern));
  },
  quiet: [
    async ({ context }, use) => {
      allowed = [];
      watch(context);
      await use();
      expect(said(context), 'errores en la consola del navegador').toEqual([]);
    },
    { auto: true },
  ],
  as: async ({ browser, windows, javaScriptEnabled, viewport }, use, testInfo) => {
    const opened: Page[] = [];
    const windowOf = async (rol: Rol) => {
      const name = JSON.stringify([rol, javaScriptEnabled, viewport]);
      const known = windows.get(name);
      if (known) return known;
      const state = join(
        testInfo.project.outputDir,
        `sesion-${testInfo.parallelIndex}-${rol}-${process.env.E2E_PORT}.json`,
      );
      if (!existsSync(state)) {
        const context = await browser.newContext();
        await signIn(await context.newPage(), rol);
        await context.storageState({ path: state });
        await context.close();
      }
      const context = await browser.newContext({ storageState: state, javaScriptEnabled, viewport });
      watch(context);
      windows.set(name, context);
      return context;
    };
    await use(async (rol) => {
      const page = await (await windowOf(rol)).newPage();
      opened.push(page);
      const goto = page.goto.bind(page);
      page.goto = async (url, options) => {
        const answer = await goto(url, options);
        if (javaScriptEnabled && options?.waitUntil === 'networkidle') await listens(page);
        return answer;
      };
      return page;
    });
    for (const page of opened) {
      await page.close();
      expect(said(page.context()).splice(0), 'errores en la consola del navegador').toEqual([]);
    }
  },
});

/** Through the login page, by keyboard. */
export async function signIn(page: Page, usuario: string, password = DEMO_PASSWORD) {
  await page.goto('/login');
  await page.getByLabel('Usuario').fill(usuario);
  await page.getByLabel('Password', { exact: false }).first().fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Waits until React has taken over what the server drew: a key that comes before is lost on a slow machine. */
async function listens(page: Page) {
  await page.waitForFunction(() => {
    const marco = document.querySelector('.marco');
    return marco === null || Object.keys(marco).some((key) => key.startsWith('__reactProps'));
  });
}

/** By keyboard, once the question listens: what was pressed before it did is lost on it. */
export async function answerYes(page: Page) {
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'No', exact: true })).toBeFocused();
  await expect(question.getByRole('button', { name: 'Si', exact: true })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
}

/** Script errors, failed policies and anything else the browser complains of. */
export function watch(context: BrowserContext) {
  const tell = (text: string) => {
    // Of an answer that was left half read the page says nothing itself, but for one that is being left with it (`entry.client.tsx`).
    if (text.startsWith('AbortError: BodyStreamBuffer was aborted')) return;
    if (!allowed.some((pattern) => pattern.test(text))) said(context).push(text);
  };
  context.on('console', (message) => {
    if (message.type() === 'error') tell(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => tell(String(error.error())));
}

/** What its pages complained of so far. */
export function said(context: BrowserContext): string[] {
  const known = complaints.get(context) ?? [];
  complaints.set(context, known);
  return known;
}
