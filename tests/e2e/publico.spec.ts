import type { Page } from '@playwright/test';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import type { PropositoEnlace } from '../../db/columns';
import type { SandboxClient } from '../support/sandboxClient';
import { withDatabase } from './support/database';
import { expectNoSideways } from './support/fits';
import { seedOrden } from './support/ordenes';
import { LONG, expect, test } from './support/test';

/** The one script of the public pages, under hurried hands and bad networks. */

test.use({ viewport: { width: 390, height: 844 } });

const HURRY = { delay: 15 };
const NOMBRE = 'SUSANA Y SERGIO SOSA SAYAS Y SOCIOS Y SI';
const UUPS = 'Uuups! ocurrió un problema, por favor intentalo más tarde.';

const linkOf = (numOrden: string, proposito: PropositoEnlace = 'facturacion') =>
  withDatabase((db) =>
    db
      .transaction()
      .execute((trx) =>
        createEnlace(trx, { market: 'ml', numOrden, origen: 'automatico', usuarioId: null, proposito }),
      ),
  );

/** A link to a sale that just arrived, and its page. */
async function openSale(page: Page, sandbox: SandboxClient): Promise<string> {
  const { numOrden } = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple');
  const { token } = await linkOf(numOrden);
  await expect(async () => {
    await page.goto(`/facturacion/${token}`);
    await expect(page.getByLabel('RFC')).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 25_000 });
  return numOrden;
}

async function fill(page: Page, rfc = 'RAOF850412K20') {
  await page.getByLabel('RFC').fill(rfc);
  await page.getByLabel('Razón Social').fill('MARIA FERNANDA RAMIREZ OCHOA');
  await page.getByLabel('Código postal').fill('06600');
  await page.getByLabel('Regimen a facturar').selectOption('612');
  await page.getByLabel('Email', { exact: false }).first().fill('maria@correo.test');
}

async function toReview(page: Page) {
  await fill(page);
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Siguiente' })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await expect(page.getByRole('heading', { name: 'Tu factura' })).toBeFocused();
}

test('the question opens on No and obeys no key that was pressed before it could be read', async ({
  page,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/422/);
  const numOrden = await openSale(page, sandbox);
  await toReview(page);
  // Enter in the only field sends nothing.
  await page.getByLabel('Uso de CFDI').focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  for (const key of ['Enter', 'Space', 'Control+Enter']) await page.keyboard.press(key);
  await expect(question).toContainText(numOrden);
  await expect(question).toContainText('RAOF850412K20');
  await expect(question.getByRole('button', { name: 'No', exact: true })).toBeFocused();
  await expect(question.getByRole('button', { name: 'Si', exact: true })).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  expect(await sandbox.facturacom.stamped(numOrden)).toEqual([]);

  await page.getByRole('button', { name: 'Crear Factura' }).click();
  await expect(question.getByRole('button', { name: 'Si', exact: true })).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeFocused({ timeout: 20_000 });
  expect(await sandbox.facturacom.stamped(numOrden)).toHaveLength(1);
});

test('without the network nothing typed is lost, a reload in between included', async ({
  page,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|422/);
  const numOrden = await openSale(page, sandbox);
  const offline = (off: boolean) => page.context().setOffline(off);
  await fill(page);
  await offline(true);
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByText(UUPS)).toBeVisible();
  await expect(page.getByLabel('Razón Social')).toHaveValue('MARIA FERNANDA RAMIREZ OCHOA');
  await offline(false);
  await page.reload();
  await expect(page.getByText('Se recuperó lo que habías escrito y no se había guardado.')).toBeVisible();
  await expect(page.getByLabel('RFC')).toHaveValue('RAOF850412K20');
  await expect(page.getByLabel('Regimen a facturar')).toHaveValue('612');
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Siguiente' })).toBeVisible({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Siguiente' }).click();
  await page.getByRole('button', { name: 'Crear Factura' }).click();
  await offline(true);
  await page.getByRole('button', { name: 'Si', exact: true }).click();
  await expect(page.getByText(UUPS)).toBeVisible();
  expect(await sandbox.facturacom.stamped(numOrden)).toEqual([]);
  await offline(false);
  await page.getByRole('button', { name: 'Crear Factura' }).click();
  await page.getByRole('button', { name: 'Si', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible({ timeout: 20_000 });
  expect(await sandbox.facturacom.stamped(numOrden)).toHaveLength(1);
});

test(
  'a look-up that comes late leaves what was typed meanwhile, and a press waits for it',
  LONG,
  async ({ page, sandbox, allowConsole }) => {
    allowConsole(/422/);
    await openSale(page, sandbox);
    await page.route(/\/facturacion\//, async (route) => {
      const isLookUp = route.request().postData()?.includes('buscarRfc') === true;
      if (isLookUp) await new Promise((go) => setTimeout(go, 1_000));
      await route.continue();
    });
    await page.getByLabel('RFC').pressSequentially('raof850412k20', HURRY);
    await expect(page.getByLabel('RFC')).toHaveValue('RAOF850412K20');
    await page.keyboard.press('Tab');
    await page.getByLabel('Razón Social').pressSequentially(NOMBRE, { delay: 40 });
    await expect(page.getByText('No tenemos datos guardados con ese RFC.')).toBeVisible();
    await expect(page.getByLabel('Razón Social')).toHaveValue(NOMBRE);
    await expect(page.getByLabel('Razón Social')).toBeFocused();

    // Another RFC, and sent before its look-up is answered.
    await page.getByLabel('Razón Social').fill('');
    await page.getByLabel('RFC').fill('GOMC800101AB1');
    await page.keyboard.press('Tab');
    await page.getByLabel('Razón Social').fill('CARLOS GOMEZ');
    await page.getByLabel('Código postal').fill('06600');
    await page.getByLabel('Regimen a facturar').selectOption('612');
    await page.getByLabel('Email', { exact: false }).first().fill('carlos@correo.test');
    await page.getByRole('button', { name: 'Guardar', exact: true }).dblclick();
    await expect(page.getByRole('button', { name: 'Siguiente' })).toBeVisible({ timeout: 20_000 });
    await expect(page.getByLabel('RFC')).toHaveValue('GOMC800101AB1');
  },
);

test('capitals keep the caret where it is', LONG, async ({ page, sandbox }) => {
  await openSale(page, sandbox);
  const name = page.getByLabel('Razón Social');
  await name.fill('MARIA OCHOA');
  await name.evaluate((field: HTMLInputElement) => field.setSelectionRange(6, 6));
  await page.keyboard.type('lopez ', HURRY);
  await expect(name).toHaveValue('MARIA LOPEZ OCHOA');
});

test(
  'a postal code that cannot be looked up is said, and the address is typed by hand',
  LONG,
  async ({ page, allowConsole }) => {
    allowConsole(/ERR_FAILED/);
    const { numOrden } = await seedOrden({ hours: 1, envioPropio: true, envio: null });
    const { token } = await linkOf(numOrden, 'datosEnvio');
    await page.goto(`/datosEnvio/${token}`);
    await page.route(/\/datosEnvio\//, (route) => route.abort());
    await page.getByLabel('Código postal').fill('06700');
    await page.keyboard.press('Tab');
    await expect(page.getByText('El buscador de códigos postales no responde en este momento')).toBeVisible();
    await page.unroute(/\/datosEnvio\//);
    await page.getByRole('button', { name: 'Buscar CP' }).click();
    await expect(page.getByLabel('Estado')).toHaveValue('Ciudad de México');
    await page.getByLabel('Colonia').selectOption({ index: 1 });
    // Another code: what the first one filled in was typed by nobody.
    await page.getByLabel('Código postal').fill('44100');
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Estado')).toHaveValue('Jalisco');
  },
);

test('who signs in has the scripts of the staff on their way while they type', LONG, async ({ page }) => {
  await page.goto('/login');
  await expect(page.locator('link[rel="prefetch"]')).toHaveCount(0);
  await page.getByLabel('Usuario').pressSequentially('sa');
  expect(await page.locator('link[rel="prefetch"]').count()).toBeGreaterThan(3);
});

test('every target of a public page is a thumb wide, its fields are not zoomed into, and nothing moves or sticks out', async ({
  page,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/422/);
  await openSale(page, sandbox);
  const sale = page.url();
  const { numOrden } = await seedOrden({ hours: 1, envioPropio: true, envio: null });
  const { token } = await linkOf(numOrden, 'datosEnvio');
  const addresses = ['/', '/login', '/terminosYCondiciones', sale, `/datosEnvio/${token}`];
  for (const width of [320, 390])
    for (const address of addresses) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(address);
      await expectNoSideways(page, `${address} ${width}`);
      expect(await page.evaluate(smallTargets), `${address} ${width}`).toEqual([]);
      expect(await page.evaluate(layoutShift), `${address} ${width}`).toBe(0);
    }
});

/** Controls under 44 px, and fields that a telephone would zoom into. A link in a sentence is as tall as its line. */
function smallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')];
  return targets.flatMap((one) => {
    // A password stands in its box beside its eye.
    const { width, height } = (one.closest('.mantine-PasswordInput-wrapper') ?? one).getBoundingClientRect();
    const isHidden = width <= 1 || height <= 1 || one.matches('[type="hidden"], .oculto, .saltar');
    const inSentence = one.matches('p a, li a') && getComputedStyle(one).display === 'inline';
    if (isHidden || inSentence) return [];
    // What is pressed with a box is its whole line.
    const line = one.matches('[type="checkbox"], [type="radio"]') ? one.closest('label, [class*="-body"]') : null;
    const tall = Math.max(height, line?.getBoundingClientRect().height ?? 0);
    const text = one.matches('input:not([type="checkbox"], [type="radio"]), select, textarea');
    const name = one.getAttribute('name') ?? one.textContent.trim();
    return [
      ...(tall < 44 ? [`${name}: ${Math.round(tall)} px`] : []),
      ...(text && parseFloat(getComputedStyle(one).fontSize) < 16 ? [`${name}: small text`] : []),
      ...(text && height < 48 ? [`${name}: a field of ${Math.round(height)} px`] : []),
    ];
  });
}

/** How far what was already seen moved while the page came. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) sum += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 100);
  });
}
