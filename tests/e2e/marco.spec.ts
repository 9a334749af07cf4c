import type { Page } from '@playwright/test';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { BESIDE, BOTH, LONG, expect, signIn, test } from './support/test';

/** As it is for who never chose: what a story chose before, or left behind, is gone. */
const forget = (usuario: string) =>
  withDatabase((db) =>
    db
      .deleteFrom('preferencia')
      .where('usuarioId', 'in', (people) => people.selectFrom('usuario').select('id').where('usuario', '=', usuario))
      .execute(),
  );

const scheme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme');
/** How tall the list in sight makes its rows, in px, whether it has any yet or not. */
const fila = (page: Page) =>
  page.locator('.lista-caja').evaluate((box) => parseInt(getComputedStyle(box).getPropertyValue('--fila')));

async function choose(page: Page, name: string) {
  const menu = page.locator('details.usuario');
  if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
  await page.getByRole('button', { name, exact: true }).click();
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test(
      'a person chooses scheme and height of the rows once, and has them on every screen and in another browser',
      LONG,
      async ({ page, browser }) => {
        await forget('cont');
        await signIn(page, 'cont');
        await choose(page, 'Oscuro');
        await expect.poll(() => scheme(page)).toBe('dark');
        await page.goto('/cont/ordenes');
        expect(await scheme(page)).toBe('dark');
        const normal = await fila(page);
        await choose(page, 'Compacta');
        await expect.poll(() => fila(page)).toBe(normal - 6);
        const other = await browser.newContext({ javaScriptEnabled });
        const elsewhere = await other.newPage();
        await signIn(elsewhere, 'cont');
        await elsewhere.goto('/cont/ordenes');
        expect([await scheme(elsewhere), await fila(elsewhere)]).toEqual(['dark', normal - 6]);
        await other.close();
        await forget('cont');
      },
    );

    test('the menu of a telephone opens from the thumb and leads on', async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await signIn(page, 'aux');
      const menu = page.getByRole('navigation', { name: 'Menú principal' });
      await expect(menu).toBeHidden();
      await page.getByRole('link', { name: 'Menú', exact: true }).click();
      await expect(menu).toBeVisible();
      await menu.getByRole('link', { name: 'Inicio' }).click();
      await expect(page).toHaveURL(/\/aux$/);
      await expect(menu).toBeHidden();
    });

    test('a menu folded to its icons is so on the next page, and unfolds again', LONG, async ({ page }) => {
      await forget('user');
      await signIn(page, 'user');
      const width = () => page.getByRole('navigation', { name: 'Menú principal' }).evaluate((nav) => nav.clientWidth);
      const wide = await width();
      await page.getByRole('button', { name: 'Plegar menú' }).click();
      const remembered = page.locator('.marco[data-plegado]');
      await expect(remembered).toHaveCount(1);
      // The choice is on its way beside the page: asked for until it has arrived.
      await expect
        .poll(async () => {
          await page.goto('/user/ordenes');
          return remembered.count();
        })
        .toBe(1);
      expect(await width()).toBeLessThan(wide / 3);
      await expect(page.getByRole('link', { name: 'Envios', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Desplegar menú' }).click();
      await expect.poll(width).toBe(wide);
    });
  });
}

test('who follows the system is followed at once, and while they look', LONG, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, 'admin');
  await expect.poll(() => scheme(page)).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => scheme(page)).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/admin/ordenes');
  expect(await scheme(page)).toBe('dark');
});

test(
  'a folded group stays folded elsewhere, and opens by itself where one of its screens is in sight',
  LONG,
  async ({ page }) => {
    await forget('sa');
    await signIn(page, 'sa');
    const grupo = page.locator('details', { has: page.locator('summary', { hasText: 'Reportes' }) });
    await expect(grupo).not.toHaveAttribute('open');
    await page.goto('/sa/mensual');
    await expect(grupo.getByRole('link', { name: 'Mensual' })).toBeVisible();
    await page.goto('/sa/usuarios');
    await expect(grupo).not.toHaveAttribute('open');
    await grupo.locator('summary').click();
    await expect(grupo.getByRole('link', { name: 'Gráfica' })).toBeVisible();
    // The screen one comes to often is pinned from its entry.
    const fijados = page.getByRole('region', { name: 'Fijados' });
    await page.getByRole('button', { name: 'Fijar Usuarios al principio del menú' }).click();
    await expect(fijados.getByRole('link', { name: 'Usuarios' })).toHaveAttribute('aria-current', 'page');
    await expect
      .poll(async () => {
        await page.goto('/sa/datosUsuario');
        return [await grupo.getAttribute('open'), await fijados.getByRole('link', { name: 'Usuarios' }).count()];
      })
      .toEqual(['', 1]);
    await forget('sa');
  },
);

/** The entry of a screen in the menu, whatever its count says. */
const enMenu = (page: Page, pantalla: string) => page.locator(`#menu a[href$="/${pantalla}"]`).first();

test(
  'a page of another version lets the browser open the next one, asks nothing, and keeps what was typed',
  LONG,
  async ({ page }) => {
    await signIn(page, 'user');
    // The press comes before the router has learnt where the links of the menu lead.
    let press = () => {};
    const pressed = new Promise<void>((resolve) => (press = resolve));
    await page.route('**/__manifest?*', async (route) => {
      if (!new URL(route.request().url()).searchParams.getAll('p').includes('/user/ordenes')) return route.continue();
      await pressed;
      await route.continue();
    });
    await page.goto('/user/datosUsuario');
    const asked: string[] = [];
    page.on('dialog', (dialog) => void (asked.push(dialog.type()), dialog.accept()));
    const nombre = page.getByLabel('Nombre', { exact: true });
    await nombre.fill('Escrito Antes De Subir');
    // The page that is open is of a build that the server no longer runs.
    await page.evaluate(() => {
      const own = window as unknown as { __remixManifest: { version: string }; marca: number };
      own.__remixManifest.version = 'de-antes';
      own.marca = 1;
    });
    const marca = () => page.evaluate(() => (window as unknown as { marca?: number }).marca);
    await Promise.all([enMenu(page, 'ordenes').click(), page.waitForRequest(/__manifest.*de-antes/).then(press)]);
    await expect(page).toHaveURL(/\/user\/ordenes$/);
    await expect(page.locator('.lista-caja')).toBeVisible();
    expect([await marca(), asked]).toEqual([undefined, []]);
    await page.goto('/user/datosUsuario');
    await expect(page.getByText('Se recuperó lo que habías escrito')).toBeVisible();
    await expect(nombre).toHaveValue('Escrito Antes De Subir');
    // From here on the page is of this version, and the router opens the next one in place.
    await page.evaluate(() => void ((window as unknown as { marca: number }).marca = 2));
    await enMenu(page, 'ordenes').click();
    await expect(page).toHaveURL(/\/user\/ordenes$/);
    expect(await marca()).toBe(2);
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`en ${colorScheme}`, colorScheme === 'dark' ? LONG : {}, () => {
    test.use({ colorScheme });

    test('what hangs from the bar is accessible', LONG, async ({ page }) => {
      await signIn(page, 'sa');
      expect(await scheme(page)).toBe(colorScheme);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('link', { name: 'Menú', exact: true }).click();
      await expectAccessible(page, `the sheet, ${colorScheme}`);
      await page.keyboard.press('Escape');
      for (const opener of ['.usuario', '.fuentes']) {
        await page.locator(`${opener} > summary`).click();
        await expectAccessible(page, `${opener}, ${colorScheme}`);
      }
    });
  });
}

test('a menu that was opened before the page listens stays open when it does', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/sa/usuarios', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Menú', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Menú principal' });
  await expect(menu).toBeVisible();
  release();
  await expect(menu).toHaveAttribute('data-abierto', 'true');
  await expect(menu).toBeInViewport();
  await page.getByRole('link', { name: 'Cerrar menú' }).click();
  await expect(menu).toHaveCount(0);
  expect(new URL(page.url()).hash).toBe('');
  await page.unrouteAll({ behavior: 'wait' });
});

test('everything in the frame of a telephone is as wide as a thumb', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await signIn(page, 'sa');
  await page.getByRole('link', { name: 'Menú', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Menú principal' })).toBeVisible();
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('.cajon :is(a, summary, button), .pulgar > a, .desplegable > summary')]
      .map((target) => ({ box: target.getBoundingClientRect(), said: target.textContent }))
      .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
      .map(({ box, said }) => `${said}: ${Math.round(box.width)}x${Math.round(box.height)}`),
  );
  expect(small).toEqual([]);
  await context.close();
});

test('Ctrl K finds a screen or a sale by keyboard alone, and Escape leaves it where one was', async ({
  as,
  sandbox,
}) => {
  const { numOrden } = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple', { rfc: 'EKU9003173C9' });
  const page = await as('sa');
  await page.goto('/sa/usuarios');
  await expect(page.getByRole('heading', { name: 'Usuarios' })).toBeVisible();
  const caja = page.getByRole('combobox', { name: 'Buscar o ir a' });
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(caja).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await caja.fill('grafica');
  await expect(page.getByRole('option', { name: 'Gráfica' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(caja).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe('/sa/usuarios');

  await page.keyboard.press('Control+k');
  await expect(caja).toBeFocused();
  // The notice of the sale needs a moment.
  await expect(async () => {
    await caja.fill('');
    await caja.fill(numOrden);
    await expect(page.getByRole('option', { name: `Facturar la orden ${numOrden}` })).toBeVisible({ timeout: 2_000 });
  }).toPass(BESIDE);
  await expect(page.getByRole('option').first()).toContainText(numOrden);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible();
  await expect(page.getByText(numOrden).first()).toBeVisible();

  // What was chosen last stands first, the open record offers its acts, and other words find what the menu of the person has.
  await page.goto(`/sa/ordenes?rango=todas&q=${numOrden}`, { waitUntil: 'networkidle' });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText(numOrden);
  await expect(page.getByRole('link', { name: 'Facturas de proveedor', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(caja).toBeFocused();
  await expect(page.getByRole('group', { name: 'Lo último' }).getByRole('option').first()).toContainText(numOrden);
  await expect(page.getByRole('option', { name: /^Ordenes ?G O$/ })).toBeVisible();
  // Enter leads somewhere: nothing that acts is chosen by itself.
  await expect(page.getByRole('group', { name: 'Lo último' }).locator('[aria-selected="true"]')).toHaveCount(1);
  await expect(page.getByRole('group', { name: 'Este registro' }).locator('[aria-selected="true"]')).toHaveCount(0);
  await caja.fill('oscuro');
  await expect(page.getByRole('group', { name: 'Mi cuenta' }).getByRole('option', { name: 'Oscuro' })).toBeVisible();
  await caja.fill('facturas de prov');
  await expect(page.getByRole('group', { name: 'Este registro' })).toContainText('Facturas de proveedor');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /Facturas de proveedor/i })).toBeVisible();

  // What the open record and the person's menu offer says its key, unless such keys are switched off.
  await page.goto('/sa/productos', { waitUntil: 'networkidle' });
  await page.locator('tbody tr[data-i="0"] a.abre').first().click();
  await expect(page.locator('aside.lado [data-editar]')).toBeVisible();
  const delRegistro = page.getByRole('group', { name: 'Este registro' });
  await page.keyboard.press('Control+k');
  await expect(delRegistro.getByRole('option', { name: /^Editar E$/ })).toBeVisible();
  await caja.fill('atajos');
  await expect(page.getByRole('option', { name: 'Atajos de teclado ?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.querySelector('.marco')!.setAttribute('data-teclas', 'no'));
  await page.keyboard.press('Control+k');
  await expect(delRegistro.getByRole('option', { name: /^Editar/ })).toBeVisible();
  await expect(delRegistro.locator('kbd', { hasText: /^E$/ })).toHaveCount(0);
});

test('on a telephone several sources that do not work fit the bar, each by its sign', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/sa/ordenes', { waitUntil: 'networkidle' });
  const cuantas = await page.evaluate(() => {
    const fuentes = [...document.querySelectorAll<HTMLElement>('.barra .fuente')];
    for (const fuente of fuentes) {
      fuente.dataset.tono = 'aviso';
      fuente.querySelector('.edad')!.textContent = 'hace 33 min';
    }
    return fuentes.length;
  });
  expect(cuantas).toBeGreaterThan(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
