/** A month of 17,000 rows in a real Chromium: until one can use it, from its top to its end, from a key to its rows, from a click to the record. */
import { chromium, type Page } from 'playwright';
import type { Db } from '~db/client.server';
import { BIG_MONTH, samplesOf } from './data';
import { rounded, spread, type Figure } from './figures';
import type { Web } from './place';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Rows of 36 px. To the end by dragging: 40 of them a frame; reading by wheel: 200 a second, for this long. */
const DRAG_PX = 1_440;
const WHEEL_PX = 120;
const WHEEL_MS = 5_000;
const INTERACTIVE_MS = 300;
const KEY_MS = 120;
const PANEL_MS = 100;
/** No longer than this does anything keep a frame back while one scrolls. */
const BLOCKED_MS = 50;

type Scrolled = { ms: number; frames: number[]; waiting: number; lastIndex: number };
/** Who searches has typed something first: that long at least lies between a page that is there and the key that asks. */
const TYPING_MS = 300;

export async function benchPantalla(db: Db, { url, cookie }: Web, rounds: number): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: FLAGS });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
    await context.addInitScript(() => {
      const tasks: number[] = [];
      const seen = { tasks, shift: 0 };
      Object.assign(window, seen);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) (window as unknown as typeof seen).shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
        buffered: true,
      });
    });
    const opened: number[] = [];
    const longest: number[] = [];
    const page = await context.newPage();
    for (let n = 0; n < rounds; n++) {
      opened.push(await openMonth(page, url));
      longest.push(await longestTask(page));
    }
    const wheeled = await page.evaluate(scroll, { step: WHEEL_PX, forMs: WHEEL_MS });
    const whileWheeling = await longestTask(page);
    await openMonth(page, url);
    await longestTask(page);
    const dragged = await page.evaluate(scroll, { step: DRAG_PX, forMs: 120_000 });
    const whileDragging = await longestTask(page);
    const shifted = await shiftOf(page);
    await openMonth(page, url);
    const jumped = await page.evaluate(jumpToEnd);
    const { numOrden, rfc } = await samplesOf(db);
    const keyed: number[] = [];
    const shown: number[] = [];
    for (let n = 0; n < rounds * 2; n++) {
      await openMonth(page, url);
      await page.waitForTimeout(TYPING_MS);
      keyed.push(await keyToRows(page, n % 2 === 0 ? numOrden : rfc));
      await openMonth(page, url);
      shown.push(await clickToRecord(page, n + 1));
    }
    return [
      {
        name: `browser: ${BIG_MONTH.filas} rows until interactive`,
        ...spread(opened),
        unit: 'ms',
        aim: INTERACTIVE_MS,
      },
      { name: 'browser: from Enter in the search to its rows', ...spread(keyed), unit: 'ms', aim: KEY_MS },
      { name: 'browser: from a click on a row to its record', ...spread(shown), unit: 'ms', aim: PANEL_MS },
      {
        name: 'browser: longest task while scrolling',
        value: rounded(Math.max(whileWheeling, whileDragging), 0),
        unit: 'ms',
        aim: BLOCKED_MS,
      },
      {
        name: 'browser: layout shift, opened and scrolled to the end',
        value: rounded(shifted * 1_000, 1),
        unit: '‰',
        aim: 0,
        note: 'share of the window that moved by itself',
      },
      { name: 'browser: longest task while opening', value: rounded(Math.max(0, ...longest), 0), unit: 'ms' },
      {
        name: 'browser: a frame while wheeling',
        ...spread(wheeled.frames),
        unit: 'ms',
        note: `${wheeled.frames.length} frames of ${WHEEL_PX} px, ${wheeled.waiting} with an unread row in the document; longest task ${rounded(whileWheeling, 0)} ms`,
      },
      {
        name: 'browser: dragged from top to end',
        value: rounded(dragged.ms / 1000),
        unit: 's',
        note: `${dragged.frames.length} frames of ${DRAG_PX} px, p95 ${spread(dragged.frames).p95} ms; longest task ${rounded(whileDragging, 0)} ms`,
      },
      {
        name: 'browser: last row reached',
        value: dragged.lastIndex + 1,
        unit: 'rows',
        aim: BIG_MONTH.filas,
        exactly: true,
      },
      { name: 'browser: jump to the end, last row read', value: rounded(jumped, 0), unit: 'ms' },
    ];
  } finally {
    await browser.close();
  }
}

/** Until the table leaves out the rows that are not in sight, which it does once React is there: from the start of the navigation. */
async function openMonth(page: Page, url: string): Promise<number> {
  await page.goto(`${url}/sa/facturasClientes?${BIG_MONTH.query}`, { waitUntil: 'commit' });
  const ready = await page.waitForFunction(
    () => document.querySelector('.lista-caja tr.hueco') !== null && performance.now(),
    undefined,
    { polling: 'raf' },
  );
  return Number(await ready.jsonValue());
}

/** Tasks of 50 ms and more since the page was opened or this was asked last. */
function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks.splice(0)));
}

const shiftOf = (page: Page) => page.evaluate(() => (window as unknown as { shift: number }).shift);

/** From the key that asks to the frame that shows what was found. */
function keyToRows(page: Page, q: string): Promise<number> {
  return page.evaluate(async (q) => {
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    const input = document.querySelector<HTMLInputElement>('.lista input[name="q"]')!;
    input.value = q;
    const began = performance.now();
    input.form!.requestSubmit();
    do await frame();
    while (
      !location.search.includes(`q=${encodeURIComponent(q)}`) ||
      document.querySelector('.lista[aria-busy="true"]')
    );
    return performance.now() - began;
  }, q);
}

/** With the pointer over the row first, as a hand does. */
async function clickToRecord(page: Page, row: number): Promise<number> {
  // Not on its box, which chooses it.
  const cell = page.locator(`tr[data-i="${row}"] td:not(:has(input))`).first();
  await cell.hover();
  await page.waitForTimeout(150);
  await page.evaluate(() => {
    const seen = window as unknown as { clicked: number; shown: number };
    seen.shown = 0;
    addEventListener('click', () => (seen.clicked = performance.now()), { once: true, capture: true });
    const look = () => {
      if (document.querySelector('aside.lado dl')) seen.shown = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await cell.click();
  const times = await page.waitForFunction(() => {
    const { clicked, shown } = window as unknown as { clicked: number; shown: number };
    return shown > 0 && shown - clicked;
  });
  return Number(await times.jsonValue());
}

/** Runs in the page: step by step, a frame each, until the end or until it is time. */
async function scroll({ step, forMs }: { step: number; forMs: number }): Promise<Scrolled> {
  const box = document.querySelector('.lista-caja')!;
  const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
  const frames: number[] = [];
  const began = performance.now();
  let waiting = 0;
  let last = await frame();
  while (box.scrollTop + box.clientHeight < box.scrollHeight - 1 && last - began < forMs) {
    box.scrollTop += step;
    const now = await frame();
    frames.push(now - last);
    last = now;
    if (box.querySelector('tr.espera')) waiting += 1;
  }
  while (box.querySelector('tr.espera')) await frame();
  const rows = [...box.querySelectorAll<HTMLElement>('tr[data-i]')];
  return {
    ms: performance.now() - began,
    frames,
    waiting,
    lastIndex: Math.max(...rows.map((row) => Number(row.dataset.i))),
  };
}

/** Runs in the page: one drag of the scrollbar. */
async function jumpToEnd(): Promise<number> {
  const box = document.querySelector('.lista-caja')!;
  const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
  const began = performance.now();
  box.scrollTop = box.scrollHeight;
  do await frame();
  while (box.querySelector('tr.espera') || !box.querySelector('tr[data-i]'));
  return performance.now() - began;
}
