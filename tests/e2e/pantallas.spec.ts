import type { Page } from '@playwright/test';
import {
  abrir,
  ANCHOS,
  direccionesDe,
  mirar,
  PRINCIPALES,
  PUBLICAS,
  ROLES,
  vestir,
  ventanaDe,
  type Ancho,
  type Tema,
} from './support/caminata';
import { expectAccessible, expectWholeNumbers } from './support/fits';
import { seedOrden } from './support/ordenes';
import { publicasDeAlgo, waitForCodigo, withoutPeople } from './support/publicas';
import { LONG, AT_LENGTH, expect, said, test } from './support/test';

/** `npm run pantallas` names a folder, and then all of it is walked: each screen of each rol, in both themes and widths. The suite walks the main screens, once each. */
const CARPETA = process.env.PANTALLAS_DIR;
const COMPLETO = CARPETA !== undefined;

/** Without the whole walk a screen is looked at as the first rol that has it. */
const vistas = new Set<string>();
const porRol = ROLES.map((rol) => {
  const paths = direccionesDe(rol).filter((path) => {
    const screen = path.split('/')[2];
    const known = screen !== undefined && vistas.has(screen);
    if (screen !== undefined) vistas.add(screen);
    return COMPLETO || (!known && (AT_LENGTH || screen === undefined || PRINCIPALES.has(screen)));
  });
  return [rol, paths] as const;
});

/** How a screen is looked at: in each way there is, or in the suite in one of the two that differ most, by turns. */
const MIRADAS = [
  ['claro', 1440],
  ['oscuro', 390],
  ['oscuro', 1440],
  ['claro', 390],
] as const satisfies (readonly [Tema, Ancho])[];
const miradasDe = (turno: number) => (COMPLETO ? MIRADAS : [MIRADAS[turno % 2]!]);

// All of it is walked by two at once.
if (COMPLETO) test.describe.configure({ mode: 'parallel' });

for (const [rol, paths] of porRol)
  test(`nothing stands in the way on the screens of ${rol}`, async ({ browser }) => {
    test.setTimeout(1_200_000);
    const context = await ventanaDe(browser, rol, 'claro');
    const page = await context.newPage();
    for (const [turno, path] of paths.entries())
      await test.step(path, async () => {
        await abrir(page, path, 'claro');
        await expectWholeNumbers(page, path);
        for (const [tema, ancho] of miradasDe(turno)) await mirar(page, path, tema, ancho, CARPETA);
      });
    expect(said(context), 'errores en la consola del navegador').toEqual([]);
    await vestir(context.request, rol, 'sistema');
    await context.close();
  });

for (const ancho of ANCHOS)
  test(`nothing stands in the way on public pages at ${ancho} px`, async ({ page, as, allowConsole }) => {
    // Some of them are of addresses that there are not.
    allowConsole(/status of 4(04|18)/);
    const look = (one: Page, path: string) =>
      test.step(path, async () => {
        await abrir(one, path, 'claro', ancho);
        await mirar(one, path, 'claro', ancho, CARPETA);
      });
    const { deCualquiera, deBodega } = await publicasDeAlgo();
    for (const path of [...PUBLICAS, ...deCualquiera]) await look(page, path);
    await waitForCodigo(page.context());
    await look(page, '/login/codigo');
    const bodega = await as('user');
    for (const path of deBodega) await look(bodega, path);
  });

test('nothing stands in the way of the first person', LONG, async ({ page }) => {
  await withoutPeople(async (origin) => {
    for (const ancho of ANCHOS) {
      await abrir(page, `${origin}/login/primera`, 'claro', ancho);
      await expect(page.getByRole('heading', { name: 'El primer usuario' })).toBeVisible();
      await mirar(page, '/login/primera', 'claro', ancho, CARPETA);
    }
  });
});

test('where colours are the system’s, edges tell what shadows and tints told', LONG, async ({ as }) => {
  // A sale that waits since yesterday has a row of another tone.
  const { numOrden } = await seedOrden({ hours: 30, envio: { propio: true } });
  const page = await as('sa');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`/sa/ordenesActivas?q=${numOrden}`);
  const style = (selector: string, name: 'borderLeftWidth' | 'borderBottomWidth' | 'outlineWidth' | 'outlineStyle') =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element)[name], name);
  // What the server wrote gives way to what the browser draws.
  await expect(page.locator('tr[data-tono] td:first-child').first()).toHaveCSS('border-left-width', '3px');
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('tr[data-activa]')).toBeVisible();
  expect(await style('tr[data-activa] td', 'borderBottomWidth')).toBe('2px');
  // The dot of a state is drawn as an edge: the ground of a box is the system's.
  const dot = await page
    .locator('.estatus')
    .first()
    .evaluate((chip) => getComputedStyle(chip, '::before').borderTopWidth);
  expect(dot).toBe('4px');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Buscar o ir a' }).fill('ordenes');
  await expect(page.getByRole('option', { selected: true })).toBeVisible();
  expect(await style('[role="option"][aria-selected="true"]', 'outlineStyle')).toBe('solid');
  await page.emulateMedia({ forcedColors: null });
});

test('who asks for more contrast gets edges of three to one between rows', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.goto('/sa/ordenes');
  const rule = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--linea').trim());
  const edge = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--borde').trim());
  expect(await rule()).not.toBe(edge);
  await page.emulateMedia({ contrast: 'more' });
  expect(await rule()).toBe(edge);
  await expectAccessible(page, '/sa/ordenes with more contrast');
  await page.emulateMedia({ contrast: null });
});

test('nothing moves by itself while a list opens, its parts are fetched ahead and it is scrolled to its end', async ({
  as,
}) => {
  const page = await as('sa');
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    const moved: string[] = [];
    Object.assign(window, { moved });
    // What the bar learns late, as how fresh the sources are, pushes nothing that one works in.
    // While a page arrives its last element grows: a cell whose second line comes with the next packet moves its first line by some px, a button of
    // the toolbar those before it by its width. Rows that move by a line shift six times as much.
    const isGrowth = ({ startTime, value }: Shift) => {
      const [{ loadEventEnd }] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
      return value < 0.005 && (loadEventEnd === 0 || startTime < loadEventEnd + 100);
    };
    // The cells of a foot stick to the end of the box: the foot itself, which lies under the last row, moves with how many rows are drawn.
    const counts = (shift: Shift) =>
      !isGrowth(shift) &&
      shift.sources.some(({ node }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return element?.nodeName !== 'TFOOT' && !element?.closest('header.barra');
      });
    const tell = ({ value, sources }: Shift) =>
      [
        value,
        ...sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 120) : node?.nodeName)),
      ].join(' ');
    new PerformanceObserver((list) => moved.push(...(list.getEntries() as Shift[]).filter(counts).map(tell))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
  for (const list of ['ordenes', 'envios', 'llenarReporte']) {
    await page.goto(`/sa/${list}`, { waitUntil: 'networkidle' });
    await page.evaluate(async () => {
      const box = document.querySelector('.lista-caja')!;
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      while (box.scrollTop + box.clientHeight < box.scrollHeight - 1) {
        box.scrollTop += 1_440;
        await frame();
      }
      await frame();
      await frame();
    });
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved), list).toEqual([]);
  }
});
