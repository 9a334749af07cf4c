import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import * as xlsx from 'xlsx';
import { FEBRERO, seedFebrero } from './support/facturas';
import { expectFits } from './support/fits';
import { BESIDE, LONG, expect, listTakenOver, test } from './support/test';

const TOTAL = 17_000;
test.beforeAll(() => seedFebrero(TOTAL));

const rows = (page: Page) => page.locator('tbody tr[data-i]');
const row = (page: Page, index: number) => page.locator(`tbody tr[data-i="${index}"]:not(.espera)`);
const grid = (page: Page) => page.getByRole('grid', { name: 'Facturas de clientes' });
const ficha = (page: Page) => page.getByRole('complementary', { name: /^Factura FEB-/ });
const place = (page: Page) => page.locator('.lista-caja').evaluate((box) => box.scrollTop);
/** Rows are as tall as the person wants them. */
const scrollToRow = (page: Page, index: number) =>
  page.locator('.lista-caja').evaluate((box, index) => {
    box.scrollTop = parseInt(getComputedStyle(box).getPropertyValue('--fila')) * index;
  }, index);
const open = async (page: Page, query = '') => {
  await page.goto(`/sa/facturasClientes?${FEBRERO}${query}`);
  await expect(grid(page)).toBeVisible();
};

/** Until the table follows the scroll: before, it is the page that the server wrote. */
const openLive = async (page: Page) => {
  await open(page);
  await expect(page.locator('tr.hueco').first()).toBeAttached();
};

test.describe('con JavaScript', () => {
  test('a press that begins before the page listens and ends after it is answered', LONG, async ({ as }) => {
    const page = await as('sa');
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    await page.route('**/*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(`/sa/facturasClientes?${FEBRERO}`, { waitUntil: 'commit' });
    // As the server wrote it, and all of it: what comes above would move it away from under the press.
    await expect(page.getByText('17,000 registros')).toBeVisible();
    await row(page, 3)
      .locator('a.abre')
      .hover({ position: { x: 4, y: 4 } });
    await page.mouse.down();
    arrive();
    await listTakenOver(page);
    await page.mouse.up();
    await expect(ficha(page)).toBeVisible();
    await expect(page.locator('tr.hueco').first()).toBeAttached();
    await page.unroute('**/*.js');
  });

  test('a press while the page is being taken over opens its record, and nothing fails', LONG, async ({ as }) => {
    const page = await as('sa');
    await page.goto('/sa/ordenes');
    const [una, otra] = await page
      .locator('tbody tr[data-i] a.abre')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 8 });
    for (let again = 0; again < 4; again += 1) {
      await page.goto(`/sa/ordenes${una}`, { waitUntil: 'commit' });
      await page.locator('.lista-tabla').waitFor();
      await listTakenOver(page);
      await page.locator('tbody tr[data-i="1"] td.t-fecha').click();
      await expect(page).toHaveURL(new RegExp(`ver=${new URLSearchParams(otra).get('ver')}`));
    }
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  });

  test(
    'a panel that is scrolled before the page listens stays there, and with it what is being pressed',
    LONG,
    async ({ as }) => {
      const page = await as('sa');
      await page.setViewportSize({ width: 1440, height: 420 });
      await page.goto(`/sa/facturasClientes?${FEBRERO}`);
      const folio = await row(page, 3).locator('a.abre').getAttribute('href');
      let arrive = () => {};
      const arrived = new Promise<void>((done) => (arrive = done));
      await page.route('**/*.js', async (route) => {
        await arrived;
        await route.continue();
      });
      await page.goto(new URL(folio!, page.url()).href, { waitUntil: 'commit' });
      const body = ficha(page).locator('.cuerpo');
      const toEnd = () =>
        body.evaluate((element) => {
          element.scrollTo(0, element.scrollHeight);
          return element.scrollTop;
        });
      await expect.poll(toEnd).toBeGreaterThan(50);
      const scrolled = await body.evaluate((element) => element.scrollTop);
      arrive();
      await expect(page.locator('tr.hueco').first()).toBeAttached();
      expect(await body.evaluate((element) => element.scrollTop)).toBe(scrolled);
      await page.unroute('**/*.js');
    },
  );

  test(
    'a list that is scrolled before its page listens stays there; one that is left alone finds its place again',
    LONG,
    async ({ as }) => {
      const page = await as('sa');
      await openLive(page);
      await scrollToRow(page, 5_000);
      await expect(row(page, 5_005)).toBeVisible();
      const far = await place(page);
      await page.reload();
      await expect.poll(() => place(page)).toBe(far);

      let arrive = () => {};
      const arrived = new Promise<void>((done) => (arrive = done));
      await page.route('**/*.js', async (route) => {
        await arrived;
        await route.continue();
      });
      await page.reload({ waitUntil: 'commit' });
      const scroll = () => page.locator('.lista-caja').evaluate((box) => (box.scrollTop = 300) && box.scrollTop);
      await expect.poll(scroll).toBe(300);
      arrive();
      await expect(page.locator('tr.hueco').first()).toBeAttached();
      await expect(page.getByText('17,000 registros')).toBeVisible();
      expect(await place(page)).toBe(300);
      await page.unroute('**/*.js');
    },
  );

  test('a focus that is in a row before the page listens is there afterwards', LONG, async ({ as }) => {
    const page = await as('sa');
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    await page.route('**/*.js', async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(`/sa/facturasClientes?${FEBRERO}`, { waitUntil: 'commit' });
    await row(page, 3).locator('a.abre').focus();
    arrive();
    await expect(page.locator('tr.hueco').first()).toBeAttached();
    await expect(row(page, 3).locator('a.abre')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(ficha(page)).toBeVisible();
    await page.unroute('**/*.js');
  });

  test('one continuous table: its end is a key away, and only what is seen is in the page', async ({ as }) => {
    const page = await as('sa');
    await openLive(page);
    await expect(page.getByText('17,000 registros')).toBeVisible();
    await grid(page).focus();
    await page.keyboard.press('End');
    await expect(row(page, TOTAL - 1)).toContainText('FEB-1');
    await expect(row(page, TOTAL - 1)).toHaveAttribute('aria-rowindex', String(TOTAL + 1));
    expect(await rows(page).count()).toBeLessThan(80);
    await page.keyboard.press('Home');
    await expect(row(page, 0)).toContainText('FEB-17000');
    await page.locator('.lista-caja').evaluate((box) => (box.scrollTop = box.scrollHeight / 2));
    await expect(page.locator('tr.espera')).toHaveCount(0);
    await expect(grid(page)).toContainText('FEB-8500');
  });

  test('arrows choose a row, Enter opens it in the address, Escape comes back to the same place', async ({ as }) => {
    const page = await as('sa');
    await openLive(page);
    await scrollToRow(page, 5_000);
    await expect(row(page, 5_005)).toBeVisible();
    await grid(page).focus();
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowDown');
    // An identifier is taken along without the record: by its key, and by the one button of the table.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('c');
    await expect(page.getByRole('status').filter({ hasText: /^Copiado: FEB-\d+$/ })).toBeAttached();
    await expect.poll(copied).toMatch(/^FEB-\d+$/);
    const rfc = row(page, 5_005).locator('.t-factura');
    await rfc.hover();
    await page.getByRole('button', { name: `Copiar ${await rfc.innerText()}` }).click();
    await expect.poll(copied).toBe(await rfc.innerText());
    await grid(page).focus();
    await page.keyboard.press('Enter');
    await expect(ficha(page)).toContainText('Cámara IP');
    expect(page.url()).toContain('ver=');
    const folio = async () => Number(/FEB-(\d+)/.exec(await ficha(page).getByRole('heading').first().innerText())?.[1]);
    const first = await folio();
    await page.keyboard.press(']');
    await expect.poll(folio).toBe(first - 1);
    await page.keyboard.press('[');
    await expect.poll(folio).toBe(first);
    // On paper it is the record and nothing else.
    await page.emulateMedia({ media: 'print' });
    await expect(ficha(page).getByText('Conceptos')).toBeVisible();
    for (const screen of [grid(page), page.getByRole('navigation', { name: 'Menú principal' })])
      await expect(screen).toBeHidden();
    await expect(ficha(page).locator('button:visible, form:visible, a.boton:visible')).toHaveCount(0);
    await page.emulateMedia({ media: 'screen' });
    const before = await place(page);
    await page.keyboard.press('Escape');
    await expect(ficha(page)).toHaveCount(0);
    expect(page.url()).not.toContain('ver=');
    expect(await place(page)).toBe(before);
    await expect(grid(page)).toBeFocused();
    await page.reload();
    await expect(row(page, 5_005)).toBeVisible();
    expect(await place(page)).toBe(before);
  });

  test('a search is asked while one types, keeps the focus, and Back returns to where one was', async ({ as }) => {
    const page = await as('sa');
    await openLive(page);
    await scrollToRow(page, 3_000);
    await expect(row(page, 3_005)).toBeVisible();
    const before = await place(page);
    await page.keyboard.press('/');
    await page.keyboard.type('peña cruz', { delay: 30 });
    await expect(page).toHaveURL(/q=pe%C3%B1a\+cruz/);
    await expect(row(page, 0)).toContainText(/PEÑA.*CRUZ/);
    await expect(page.getByRole('searchbox')).toBeFocused();
    expect(await place(page)).toBe(0);
    await page.goBack();
    await expect(page.getByText('17,000 registros')).toBeVisible();
    await expect(page.getByRole('searchbox')).toHaveValue('');
    await expect(row(page, 3_005)).toBeVisible();
    expect(await place(page)).toBe(before);
  });

  test('a window that cannot be read says so and is read again', async ({ as }) => {
    const page = await as('sa');
    await openLive(page);
    await page
      .context()
      .route('**/listas/**', (route) =>
        route.fulfill({ status: 200, contentType: 'text/html', body: '<html></html>' }),
      );
    await grid(page).focus();
    await page.keyboard.press('End');
    await expect(page.getByRole('alert')).toContainText('No se pudieron cargar algunas filas.');
    await page.context().unroute('**/listas/**');
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect(row(page, TOTAL - 1)).toContainText('FEB-1');
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('the Excel of the list goes on while one is elsewhere', LONG, async ({ as }) => {
    const page = await as('admin');
    await page.goto(`/admin/facturasClientes?${FEBRERO}&q=garcia`);
    const count = Number((await page.locator('.lista-cuenta').innerText()).replace(/\D/g, ''));
    await page.getByRole('button', { name: 'Exportar a Excel' }).click();
    await expect(page.locator('.lista-corrida').first()).toBeVisible();
    await page.goto('/admin/datosUsuario');
    await page.goto(`/admin/facturasClientes?${FEBRERO}`);
    const mine = page.locator('.lista-corrida').filter({ hasText: '2024-02-01 a 2024-02-29' }).first();
    const download = page.waitForEvent('download');
    await mine.getByRole('link', { name: 'Descargar', exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Facturas de clientes 2024-02-01 a 2024-02-29.xlsx');
    const book = xlsx.read(readFileSync(await file.path()));
    expect(xlsx.utils.sheet_to_json(book.Sheets['Facturas']!)).toHaveLength(count);
    await mine.getByRole('button', { name: /^Quitar/ }).click();
    await expect(mine).toHaveCount(0);
  });

  test('some are chosen from the keyboard, and all there were from the bar; their files come as one', async ({
    as,
  }) => {
    const page = await as('admin');
    await page.goto(`/admin/facturasClientes?${FEBRERO}`);
    await expect(page.locator('tr.hueco').first()).toBeAttached();
    await grid(page).focus();
    // A moment tells how long ago it was where the pointer rests on it.
    const moment = row(page, 0).locator('time').first();
    await expect(async () => {
      await page.mouse.move(0, 0);
      await moment.hover();
      await expect(moment).toHaveAttribute('title', /^\d\d\/02\/2024 .*, hace \d+ días$/, { timeout: 500 });
    }).toPass(BESIDE);
    // With the keyboard the row that it is at tells it, to who looks and to who listens; the pointer alone shows nothing more.
    const edad = page.getByRole('tooltip');
    await expect(edad).toHaveCount(0);
    await grid(page).blur();
    await page.keyboard.press('j');
    await expect(edad).toHaveText(/^hace \d+ días/);
    await expect(row(page, 0)).toHaveAccessibleDescription(/^hace \d+ días/);
    await expect(grid(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(edad).toBeHidden();
    // The head of a list leaves the page to its rows.
    await page.setViewportSize({ width: 1440, height: 900 });
    expect((await row(page, 0).boundingBox())!.y).toBeLessThanOrEqual(200);
    const bar = page.getByRole('form', { name: 'Con las elegidas' });
    await expect(bar).toBeHidden();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(bar.getByRole('status')).toHaveText('2 seleccionadas');
    await bar.getByRole('button', { name: 'Seleccionar los 17,000 resultados' }).click();
    await expect(bar.getByRole('status')).toHaveText('17,000 seleccionadas');
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    await page.getByRole('button', { name: 'Deshacer' }).click();
    await expect(bar.getByRole('status')).toHaveText('17,000 seleccionadas');
    await bar.getByRole('button', { name: 'Quitar selección' }).click();
    await expect(bar).toBeHidden();
    await row(page, 0).getByRole('checkbox').click();
    await row(page, 1).getByRole('checkbox').click();
    await bar.getByRole('button', { name: 'PDF y XML (zip)' }).click();
    // They are of no real account, so the PAC has no PDF of them: the file names what it lacks.
    await expect(page.getByText('Faltan algunos PDF; el archivo los nombra.')).toBeVisible(BESIDE);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Descargar zip' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Facturas (2).zip');
    const names = readFileSync(await file.path()).toString('latin1');
    for (const name of ['FEB-17000', 'FEB-16999', 'Faltantes.txt']) expect(names).toContain(name);
    await page.getByRole('link', { name: 'Volver a la lista' }).click();
    await expect(page).toHaveURL(/facturasClientes.*desde=2024-02-01/);
  });

  test('an answer that was left half read is no error', LONG, async ({ as }) => {
    const page = await as('sa');
    await openLive(page);
    await page.evaluate(async () => {
      const navigation = new AbortController();
      void fetch(location.href, { signal: navigation.signal }).then((answer) => answer.text());
      navigation.abort();
      // Whatever the browser has to say of that one, it has said when another has come whole.
      await fetch(location.href).then((answer) => answer.text());
    });
  });

  test('cont looks at everything and can resend nothing', LONG, async ({ as }) => {
    const page = await as('cont');
    await page.goto(`/cont/facturasClientes?${FEBRERO}`);
    await row(page, 0).getByRole('link', { name: /^FEB-/ }).click();
    await expect(ficha(page).getByRole('link', { name: 'Descargar XML' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Reenviar correo' })).toHaveCount(0);
  });

  test('a column is hidden from the keyboard, and stays so for this person', LONG, async ({ as }) => {
    const page = await as('cont');
    await page.goto(`/cont/facturasClientes?${FEBRERO}`);
    const header = page.getByRole('columnheader', { name: 'RFC' });
    const box = page.getByRole('checkbox', { name: 'RFC' });
    await page.getByRole('button', { name: 'Columnas' }).focus();
    await page.keyboard.press('Enter');
    await expect(box).toBeVisible();
    const restablecer = page.getByRole('button', { name: 'Restablecer' });
    // Told again, the story finds what it left.
    if (await restablecer.isEnabled()) await restablecer.click();
    await expect(restablecer).toBeDisabled();
    await expect(header).toBeVisible();
    await box.focus();
    await page.keyboard.press('Space');
    await expect(header).toHaveCount(0);
    await expect(restablecer).toBeEnabled();
    await expect(box).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Columnas' })).toBeFocused();
    await page.goto(`/cont/facturasClientes?${FEBRERO}`);
    await expect(header).toHaveCount(0);
    await page.getByRole('button', { name: 'Columnas' }).click();
    await page.getByRole('button', { name: 'Restablecer' }).click();
    await expect(header).toBeVisible();
    await page.getByRole('button', { name: 'Deshacer' }).click();
    await expect(header).toHaveCount(0);
    await page.getByRole('button', { name: 'Columnas' }).click();
    await page.getByRole('button', { name: 'Restablecer' }).click();
    await expect(header).toBeVisible();
  });

  test('what is searched is a chip, and a press away there are all dates', LONG, async ({ as }) => {
    const page = await as('sa');
    await page.goto('/sa/facturasClientes?desde=2023-01-02&hasta=2023-01-31');
    // Days are read and written as people here write them, and one that does not exist is refused where it was written.
    const desde = page.getByRole('textbox', { name: 'Desde' });
    await expect(desde).toHaveValue('02/01/2023');
    await desde.fill('30/02/2023');
    await desde.blur();
    await expect(page.getByText('Ese día no existe.')).toBeVisible();
    await expect(page.locator('.rango').getByRole('button', { name: 'Buscar' })).toBeDisabled();
    await page.getByRole('button', { name: 'Elegir el inicio' }).click();
    await page.getByRole('button', { name: 'Mes anterior' }).click();
    await page.getByRole('button', { name: '15 diciembre 2022' }).click();
    await expect(desde).toHaveValue('15/12/2022');
    await expect(page.getByText('Ese día no existe.')).toHaveCount(0);
    await desde.fill('1/1/23');
    await desde.press('Enter');
    await expect(page).toHaveURL(/desde=2023-01-01/);
    await expect(desde).toHaveValue('01/01/2023');
    await expect(desde).toBeFocused();
    await page.getByRole('searchbox').fill('núñez');
    await expect(page.getByText('Busqué "núñez" del 01/01/2023 al 31/01/2023.')).toBeVisible();
    await page.getByRole('link', { name: /^Buscar en todas las fechas \(/ }).click();
    await expect(page.getByText('Busqué "núñez" en todas las fechas.')).toBeVisible();
    await expect(row(page, 0)).toContainText('NÚÑEZ');
    await page.getByRole('link', { name: 'Quitar «núñez»' }).click();
    await expect(page.getByRole('searchbox')).toHaveValue('');
    await expect(page).not.toHaveURL(/q=/);
  });

  test('nothing for assistive technology to stumble on, and no page wider than its screen', LONG, async ({ as }) => {
    const page = await as('sa');
    await openLive(page);
    await expect(row(page, 0)).toBeVisible();
    await expectFits(page, 'facturasClientes');
  });
});

test.describe('sin JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('columns and views are links and forms as well', LONG, async ({ as }) => {
    const page = await as('admin');
    await page.goto('/admin/facturasClientes?rango=ultimos91&q=garcia');
    await page.getByRole('link', { name: 'Columnas' }).click();
    await page.getByRole('checkbox', { name: 'RFC' }).uncheck();
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await expect(page.getByRole('columnheader', { name: 'RFC' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Cerrar', exact: true }).click();
    await page.getByRole('link', { name: 'Guardar vista' }).click();
    await page.getByLabel('Nombre', { exact: true }).fill('García');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    const tab = page.getByRole('navigation', { name: 'Vistas' }).getByRole('link', { name: 'García' });
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await page.goto('/admin/facturasClientes');
    await tab.click();
    await expect(page.getByRole('searchbox')).toHaveValue('garcia');
    await expect(page.locator('summary', { hasText: 'Últimos 91 días' })).toBeVisible();
    await page.getByRole('link', { name: 'Editar vista' }).click();
    await page.locator('summary', { hasText: 'Eliminar' }).click();
    await page.getByRole('button', { name: 'Eliminar la vista García' }).click();
    await expect(tab).toHaveCount(0);
    await page.getByRole('button', { name: 'Deshacer' }).click();
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await page.getByRole('link', { name: 'Editar vista' }).click();
    await page.locator('summary', { hasText: 'Eliminar' }).click();
    await page.getByRole('button', { name: 'Eliminar la vista García' }).click();
    await expect(tab).toHaveCount(0);
  });

  test('the list goes by pages, and search, range, sort and dialog are links and forms', LONG, async ({ as }) => {
    const page = await as('sa');
    await open(page);
    await expect(rows(page)).toHaveCount(50);
    await page.getByRole('link', { name: 'Siguiente' }).click();
    await expect(page.getByText('Página 2 de 340')).toBeVisible();
    await expect(rows(page).first()).toContainText('FEB-16950');
    await page.getByRole('link', { name: 'Última' }).click();
    await expect(rows(page).last()).toContainText('FEB-1');
    await page.getByRole('searchbox').fill('nuñez');
    await page.getByRole('search').getByRole('button', { name: 'Buscar' }).click();
    await expect(rows(page).first()).toContainText('NÚÑEZ');
    expect(page.url()).toContain('desde=2024-02-01');
    await page.getByRole('columnheader', { name: 'Total' }).getByRole('link').click();
    await expect(page.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'ascending');
    await page.getByLabel('Hasta').fill('2024-02-10');
    await page.locator('.rango').getByRole('button', { name: 'Buscar' }).click();
    expect(page.url()).toMatch(/q=nu%C3%B1ez.*orden=total.*hasta=2024-02-10/);
    await rows(page).first().getByRole('link', { name: /^FEB-/ }).click();
    await expect(ficha(page)).toContainText('Receptor');
    await ficha(page).getByRole('link', { name: 'Volver a la lista' }).click();
    await expect(ficha(page)).toHaveCount(0);
  });
});

test('a menu hangs from its row although the row was drawn anew since the press', LONG, async ({ as }) => {
  const page = await as('sa');
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(/MenuDeFila-[^/]*\.js/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/sa/ordenes');
  await page.waitForFunction(() => '__remixRouter' in window);
  await page
    .getByRole('button', { name: /^Más acciones/ })
    .first()
    .click();
  await page.evaluate(() => {
    const pressed = document.querySelector('button[name="menu"]')!;
    pressed.replaceWith(pressed.cloneNode(true));
  });
  release();
  await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 });
  await page.unrouteAll({ behavior: 'wait' });
});
