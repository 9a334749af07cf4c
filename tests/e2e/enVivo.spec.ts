import { extractText } from 'unpdf';
import type { Page } from '@playwright/test';
import { inLastDays } from '../support/dias';
import { seedOrden } from './support/ordenes';
import { withDatabase } from './support/database';
import { LONG, expect, test } from './support/test';

/** One look of the table at what came, and its answer. */
const LOOK = { timeout: 20_000 };

const row = (page: Page, index: number) => page.locator(`tbody tr[data-i="${index}"]:not(.espera)`);
const mostrar = (page: Page) => page.getByRole('button', { name: 'Mostrar', exact: true });

test(
  'a sale arrives while the pointer rests on a row: it is told, the row stays, and a press shows it',
  LONG,
  async ({ as }) => {
    for (let hours = 1; hours < 4; hours++) await seedOrden({ hours, titulo: `Antes ${hours}` });
    const page = await as('sa');
    await page.goto(`/sa/ordenes?q=Antes&${inLastDays()}`);
    await expect(row(page, 0)).toContainText('Antes 1');
    await page.mouse.move(0, 0);
    await row(page, 1).hover();
    const said = await row(page, 1).textContent();
    const nueva = await seedOrden({ hours: 0, titulo: 'Antes de nadie' });
    await expect(page.getByText('1 nueva', { exact: true })).toBeVisible(LOOK);
    expect(await row(page, 1).textContent()).toBe(said);

    // A row that somebody else changed changes where it is, and says so.
    await withDatabase((db) =>
      db.updateTable('orden').set({ titulo: 'Antes corregida' }).where('titulo', '=', 'Antes 2').execute(),
    );
    await expect(row(page, 1)).toContainText('Antes corregida', LOOK);
    await expect(row(page, 1)).toHaveAttribute('title', 'Se modificó mientras la veías.');
    await expect(page.getByText('1 nueva · 1 fila modificada')).toBeVisible();

    // Who scrolls the page while it is read again stays where they are.
    await page.setViewportSize({ width: 1280, height: 320 });
    let goOn!: () => void;
    const scrolled = new Promise<void>((resolve) => (goOn = resolve));
    await page.route(/ordenes\.data/, (route) => scrolled.then(() => route.continue()));
    const read = page.waitForRequest(/ordenes\.data/);
    await mostrar(page).click();
    await read;
    const place = await page.evaluate(() => {
      window.scrollTo(0, window.scrollY === 0 ? 40 : 0);
      return window.scrollY;
    });
    goOn();
    await expect(row(page, 0)).toContainText(nueva.numOrden);
    await expect(mostrar(page)).toBeHidden();
    expect(await page.evaluate(() => window.scrollY)).toBe(place);
  },
);

test('with nobody at it, a list that stands at its top shows by itself what came', async ({ as }) => {
  await seedOrden({ hours: 1, titulo: 'Quieta primera' });
  const page = await as('sa');
  await page.goto(`/sa/ordenes?q=Quieta&${inLastDays()}`);
  await expect(row(page, 0)).toContainText('Quieta primera');
  await seedOrden({ hours: 0, titulo: 'Quieta segunda' });
  await expect(row(page, 0)).toContainText('Quieta segunda', LOOK);
});

test('outline, panel and keys are about one record, whatever comes or goes around it', async ({ as }) => {
  const ordenes: Awaited<ReturnType<typeof seedOrden>>[] = [];
  for (let hours = 1; hours < 7; hours++) ordenes.push(await seedOrden({ hours, titulo: `Abierta ${hours}` }));
  const [, , tercera, cuarta, quinta] = ordenes.map(({ numOrden }) => numOrden);
  const page = await as('sa');
  await page.goto(`/sa/ordenes?q=Abierta&${inLastDays()}`);
  const panel = page.getByRole('complementary', { name: /^Orden / });
  const outlined = page.locator('tr[data-activa]');
  const isAbout = async (numOrden: string) => {
    await expect(panel.getByRole('heading').first()).toContainText(numOrden);
    await expect(outlined).toContainText(numOrden);
    await expect(outlined).toHaveCount(1);
  };
  const posicion = (texto: string) => expect(panel.getByText(texto, { exact: true })).toBeVisible();
  await row(page, 2).locator('a.abre').click();
  await isAbout(tercera!);
  await posicion('3 de 6');

  await seedOrden({ hours: 0, titulo: 'Abierta ahora' });
  await mostrar(page).click({ timeout: LOOK.timeout });
  await expect(row(page, 0)).toContainText('Abierta ahora');
  await isAbout(tercera!);
  await posicion('4 de 7');
  await page.keyboard.press(']');
  await isAbout(cuarta!);
  await page.keyboard.press('[');
  await isAbout(tercera!);

  // The open record leaves the list: nothing else is outlined in its place, and the way goes on from where it stood.
  const rename = (from: string, to: string) =>
    withDatabase((db) => db.updateTable('orden').set({ titulo: to }).where('titulo', '=', from).execute());
  await rename('Abierta 3', 'Cerrada 3');
  await mostrar(page).click({ timeout: LOOK.timeout });
  await expect(page.getByRole('grid')).not.toContainText(tercera!);
  await expect(panel.getByRole('heading').first()).toContainText(tercera!);
  await expect(outlined).toHaveCount(0);
  await page.keyboard.press('j');
  await isAbout(cuarta!);
  await posicion('4 de 6');

  // Arrows in the table take the panel along and stay in the table.
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  await isAbout(quinta!);
  await page.keyboard.press('ArrowUp');
  await isAbout(cuarta!);
  await expect(page.getByRole('grid')).toBeFocused();

  // Without a panel, a row that leaves hands the keyboard to the next one.
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(outlined).toContainText(cuarta!);
  await rename('Abierta 4', 'Cerrada 4');
  await mostrar(page).click({ timeout: LOOK.timeout });
  await expect(outlined).toContainText(quinta!);
  await expect(page.getByRole('grid')).not.toContainText(cuarta!);
});

test('on a telephone a row is a card: nothing lies sideways, and it opens by its title', LONG, async ({ as }) => {
  const { numOrden } = await seedOrden({ hours: 1, titulo: 'Tarjeta de prueba' });
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/sa/ordenes?q=${numOrden}&${inLastDays()}`);
  const card = row(page, 0);
  await expect(card).toContainText(numOrden);
  for (const said of ['Tarjeta de prueba', '$1,298.00', 'Listo para enviar', 'No Facturado'])
    await expect(card.getByText(said)).toBeInViewport();
  await expect.poll(async () => (await card.boundingBox())?.height).toBe(104);
  // Its filters are a sheet over it, which tells how many there are.
  await expect(page.getByLabel('Desde')).toBeHidden();
  await expect(page.getByRole('searchbox', { name: 'Buscar en' })).toBeHidden();
  await page.getByRole('link', { name: 'Filtros' }).click();
  await expect(page.getByRole('searchbox', { name: 'Buscar en' })).toHaveValue(numOrden);
  await expect(page.getByLabel('Desde')).toBeVisible();
  await page.getByRole('link', { name: 'Ver 1 resultado' }).click();
  await expect(page.getByLabel('Desde')).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await page.locator('.lista-caja').evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  // What is done with its record is one line at the thumb; what else can be done hangs from 'Más'.
  await card.getByText('Tarjeta de prueba').click();
  const record = page.getByRole('complementary', { name: numOrden });
  // It is of a supplier, so ordering it comes first.
  await expect(record.getByRole('button', { name: 'Hacer pedido a Syscom' })).toBeInViewport();
  const otra = record.getByRole('button', { name: 'Enviar link al cliente' });
  await expect(otra).toBeHidden();
  await record.getByRole('button', { name: 'Más' }).click();
  await expect(otra).toBeInViewport();
  expect((await record.locator('footer').boundingBox())!.height).toBeLessThan(80);
  // Between the bar and the first card there is one line.
  await page.goto('/sa/ordenes');
  // What the server wrote gives way to what the browser draws, and has no place from then on.
  await expect.poll(async () => (await row(page, 0).boundingBox())?.y).toBeLessThanOrEqual(130);
});

test(
  'on paper each page of a list has its header, and nothing of the frame is there',
  LONG,
  async ({ as, browserName }) => {
    test.skip(browserName !== 'chromium', 'only Chromium prints to a file');
    const papel = `Papel${Date.now()}`;
    for (let hours = 1; hours < 60; hours++) await seedOrden({ hours, titulo: `${papel} ${hours}`, envio: null });
    const page = await as('sa');
    await page.goto(`/sa/ordenes?q=${papel}&imprimir=1&${inLastDays()}`);
    await expect(page.locator('tbody tr[data-i]')).toHaveCount(59);
    await page.emulateMedia({ media: 'print' });
    // A letter of paper, less its margins.
    await page.setViewportSize({ width: 740, height: 1000 });
    const titulo = page.locator('tbody tr[data-i="0"] td', { hasText: papel });
    expect((await titulo.boundingBox())!.width).toBeGreaterThan(60);
    await expect(page.locator('tbody tr[data-i]').first()).toHaveCSS('display', 'table-row');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(740);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Menú principal' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Imprimir' })).toBeHidden();
    await expect(page.getByText(`«${papel}» · 59 registros`)).toBeVisible();
    expect(await page.locator('.lista-tabla thead').evaluate((head) => getComputedStyle(head).display)).toBe(
      'table-header-group',
    );
    expect(await page.locator('.lista-caja').evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    // Ink is dark, whatever the screen is, and by no script.
    await page.locator('html').evaluate((root) => root.setAttribute('data-mantine-color-scheme', 'dark'));
    await expect(titulo).toHaveCSS('color', 'rgb(27, 36, 48)');
    const { text: pages } = await extractText(new Uint8Array(await page.pdf({ format: 'Letter' })));
    expect(pages.length).toBeGreaterThan(1);
    for (const text of pages) expect(text.replace(/\s+/g, ' ')).toContain('Monto Pagado');
  },
);
