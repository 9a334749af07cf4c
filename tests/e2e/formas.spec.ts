import type { Page } from '@playwright/test';
import type { SandboxClient } from '../support/sandboxClient';
import { expectButtonsUnderFields, expectTargets } from './support/fits';
import { BESIDE, BOTH, LONG, expect, test } from './support/test';

/** The last step of a sale to a customer that is known, with JavaScript or without. */
async function toReview(page: Page, sandbox: SandboxClient) {
  const { numOrden } = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple', { rfc: 'EKU9003173C9' });
  await expect(async () => {
    await page.goto(`/sa/facturacion?numOrden=${numOrden}`);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible({ timeout: 2_000 });
  }).toPass(BESIDE);
  await page.getByRole('button', { name: 'Siguiente' }).last().click();
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  if (await guardar.isVisible()) {
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await guardar.click();
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass(BESIDE);
  }
  await page.getByRole('button', { name: 'Siguiente' }).last().click();
  await expect(page.getByRole('heading', { name: 'Revisar Datos' })).toBeVisible();
  return numOrden;
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });

    test(
      'Enter in a field of what stamps asks nothing, a no loses nothing, and neither does the header',
      atLength,
      async ({ as, sandbox }) => {
        const page = await as('sa');
        const numOrden = await toReview(page, sandbox);
        const here = page.url();
        const question = page.getByText('¿Estas seguro de generar la factura?');
        for (const label of ['Forma de Pago', 'Uso de CFDI', 'Fecha de Facturación']) {
          await page.getByLabel(label).focus();
          await page.keyboard.press('Enter');
          // Another page would come in the place of this one, and a question over it.
          await page.waitForTimeout(300);
          await expect(question, label).toHaveCount(0);
          await expect(page).toHaveURL(here);
        }
        await page.getByLabel('Forma de Pago').selectOption('28');
        await page.getByRole('button', { name: 'Crear Factura' }).click();
        await expect(question).toBeVisible();
        const no = page.getByRole('button', { name: 'No', exact: true });
        // It hears nothing in its first moments.
        await expect(async () => {
          if (await no.isVisible()) await no.click();
          await expect(question).toHaveCount(0, { timeout: 500 });
        }).toPass();
        await expect(page.getByLabel('Forma de Pago')).toHaveValue('28');
        await page.locator('.pasos :is(a, button):visible', { hasText: 'Datos de Facturación' }).click();
        await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
        await page.getByRole('button', { name: 'Siguiente' }).last().click();
        await expect(page.getByLabel('Forma de Pago')).toHaveValue('28');
        expect(await sandbox.facturacom.stamped(numOrden)).toEqual([]);
      },
    );
  });
}

/** Forms of every kind: steps, pages and dialogs. */
const FORMAS = [
  '/sa/notaSencilla',
  '/sa/datosUsuario',
  '/sa/segundoFactor',
  '/sa/tokens?abrir=facturacom',
  '/sa/enlaces',
  '/sa/empresas?agregar=1',
  '/sa/usuarios?agregar=1',
  '/sa/proveedores?ver=ct',
  '/sa/agentesVentas?agregar=1',
];
/** Every run looks at a form on a desk or under a thumb, by turns: `npm run test:historias` looks at each of them on both. */
const formasDe = (turno: 0 | 1) => FORMAS.filter((_, at) => process.env.E2E_LARGAS || at % 2 === turno);

test(
  'the buttons of every form end where its fields end, and what is pressed is 24 px on a desk',
  LONG,
  async ({ as, sandbox }) => {
    const page = await as('sa');
    await toReview(page, sandbox);
    const paso = (n: string) => page.url().replace(/paso=\d/, `paso=${n}`);
    for (const address of [paso('3'), paso('2'), paso('1'), ...formasDe(0)]) {
      await page.goto(address);
      await expectButtonsUnderFields(page, address);
      await expectTargets(page, address, { least: 24 });
    }
  },
);

test('under a thumb what is pressed in a form is 44 px', LONG, async ({ as, browser, sandbox }) => {
  const signedIn = await as('sa');
  await toReview(signedIn, sandbox);
  const paso = (n: string) => signedIn.url().replace(/paso=\d/, `paso=${n}`);
  const phone = await browser.newContext({
    storageState: await signedIn.context().storageState(),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await phone.newPage();
  for (const address of [paso('3'), paso('2'), paso('1'), ...formasDe(1)]) {
    await page.goto(address);
    // What stands in a row of a list is as high as its row.
    await expectTargets(page, address, {
      least: 44,
      within: 'main form:not(.lista-tabla *), .pasos, .dialogo, .barra',
    });
  }
  await phone.close();
});

test('what is written is in capitals and without the spaces that came with it', LONG, async ({ as, sandbox }) => {
  const page = await as('sa');
  await toReview(page, sandbox);
  await page.locator('.pasos :is(a, button):visible', { hasText: 'Datos de Facturación' }).click();
  await page.getByRole('button', { name: 'Otro RFC' }).click();
  const nombre = page.getByLabel('Razón Social');
  await nombre.fill('');
  await nombre.pressSequentially('uno tres');
  await page.keyboard.press('ArrowLeft');
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' dos');
  await expect(nombre).toHaveValue('UNO DOS TRES');
  const paste = (label: string, text: string) =>
    page.getByLabel(label).evaluate((field: HTMLInputElement, pasted) => {
      field.focus();
      const data = new DataTransfer();
      data.setData('text', pasted);
      if (field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })))
        throw new Error('left to the browser, which cuts what does not fit');
    }, text);
  await paste('Código postal', '  06700\n');
  await expect(page.getByLabel('Código postal')).toHaveValue('06700');
});

test('what the browser refuses it refuses in our words, and only until the next thing is done', async ({ as }) => {
  const page = await as('sa');
  await page.goto('/sa/enlaces');
  const numero = page.getByLabel('No. Orden', { exact: false });
  const said = () => numero.evaluate((campo: HTMLInputElement) => campo.validationMessage);
  await page.getByRole('button', { name: 'Buscar Orden' }).click();
  await expect.poll(said).toBe('Este dato es requerido');
  await expect(numero).toBeFocused();
  await page.keyboard.type('2000000000000001');
  expect(await said()).toBe('');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/numOrden=2000000000000001/);
});

test('a page that is left tells how it was for who used it', LONG, async ({ as }) => {
  const page = await as('sa');
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'webdriver', { get: () => false });
    // What a page sends while it is left nobody outside of it sees.
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      localStorage.setItem(
        'dicho',
        JSON.stringify({ url, body: String(body as URLSearchParams), taken: send(url, body) }),
      );
      return true;
    };
  });
  let told: { url: string; body: string; taken: boolean } | null = null;
  // Measuring begins a while after the page works.
  await expect(async () => {
    await page.goto('/sa/ordenes');
    await page.waitForTimeout(2_000);
    await page.goto('/sa/envios');
    told = JSON.parse((await page.evaluate(() => localStorage.getItem('dicho'))) ?? 'null') as typeof told;
    expect(told).not.toBeNull();
  }).toPass();
  const { url, body, taken } = told!;
  await page.evaluate(() => localStorage.removeItem('dicho'));
  expect([url, taken]).toEqual(['/sa/vitales', true]);
  const form = Object.fromEntries(new URLSearchParams(body));
  const answer = await page.request.post(url, { form, headers: { Origin: new URL(page.url()).origin } });
  expect(answer.status()).toBe(200);
  const medidos = JSON.parse(form.medidos!) as { pantalla: string; vital: string }[];
  expect([form.dispositivo, ...new Set(medidos.map(({ pantalla }) => pantalla))]).toEqual([
    'escritorio',
    '/sa/ordenes',
  ]);
  expect(medidos.map(({ vital }) => vital)).toContain('lcp');
});

test('a notice stays while somebody reads it, and goes by itself', LONG, async ({ as }) => {
  const page = await as('sa');
  // Told by a page that is awake: one that loads anew tells it for as long, and may take that long to load.
  await page.goto('/sa/tokens?abrir=enlaces', { waitUntil: 'networkidle' });
  await page.locator('#ajustes').getByRole('button', { name: 'Guardar', exact: true }).click();
  const notice = page.getByText('Éxito, la información fue guardada correctamente.');
  await expect(notice).toBeVisible();
  await notice.hover();
  await page.waitForTimeout(4_000);
  await expect(notice).toBeVisible();
  await page.mouse.move(5, 800);
  await expect(notice).toHaveCount(0);
});

test('without the network the bar of the thumb can still be read', LONG, async ({ as, allowConsole }) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED/);
  const page = await as('sa');
  await page.setViewportSize({ width: 390, height: 844 });
  // A screen whose script has been fetched waits for its data.
  await page.goto('/sa/ordenes');
  await page.locator('.pulgar').getByRole('link', { name: 'Hoy' }).click();
  await expect(page.getByRole('heading', { name: 'Hoy', exact: true })).toBeVisible();
  await page.context().setOffline(true);
  try {
    await page.locator('.pulgar').getByRole('link', { name: 'Ordenes' }).click();
    const lost = await page.getByText('Sin conexión.', { exact: false }).boundingBox();
    const bar = await page.locator('.pulgar').boundingBox();
    expect(lost!.y + lost!.height).toBeLessThanOrEqual(bar!.y);
  } finally {
    await page.context().setOffline(false);
  }
});
