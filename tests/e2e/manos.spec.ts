import type { Page } from '@playwright/test';
import { answerYes, BESIDE, LONG, expect, test } from './support/test';
import type { SandboxClient } from '../support/sandboxClient';

/** People who do not wait: 15 ms a key. */
const HURRY = { delay: 15 };
/** What a name may hold that a page could take for an answer. */
const NOMBRE = 'SUSANA Y SERGIO SOSA SAYAS Y SOCIOS Y SI';

const newSale = (sandbox: SandboxClient, facts: Record<string, unknown> = {}) =>
  sandbox.mercadolibre.newOrden<{ numOrden: string; total: number }>('simple', facts);

async function search(page: Page, numOrden: string) {
  await expect(async () => {
    await page.goto('/sa/facturacion');
    await page.getByLabel('No. Orden').fill(numOrden);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeFocused({ timeout: 2_000 });
  }).toPass(BESIDE);
}

/** Whatever the buyer told the marketplace, step 2 begins empty. */
async function anotherRfc(page: Page) {
  const otro = page.getByRole('button', { name: 'Otro RFC' });
  if (await otro.isVisible()) await otro.click();
  await expect(page.getByLabel('RFC')).toBeEditable();
}

/** A company nobody here invoiced to. */
const unknownRfc = () => {
  const dia = String(1 + Math.floor(Math.random() * 28)).padStart(2, '0');
  const clave = String(Math.floor(Math.random() * 1_000)).padStart(3, '0');
  return `HUR0101${dia}${clave}`;
};

/** Step 2 with a customer that is known, or is to be saved first. */
async function toReview(page: Page) {
  const heading = page.getByRole('heading', { name: 'Datos de Facturación' });
  await expect(heading).toBeVisible();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  if (await guardar.isVisible()) {
    // What is still to be given has the keyboard.
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await guardar.click();
  } else await expect(heading).toBeFocused();
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Revisar Datos' })).toBeFocused();
}

const stamped = (sandbox: SandboxClient, numOrden: string) => sandbox.facturacom.stamped(numOrden);

/** Everything a hurried hand does with a name, on whatever is on the screen. */
async function hammer(page: Page) {
  await page.keyboard.type(NOMBRE, HURRY);
  for (const key of ['Enter', 'Space', 'Enter', 's', 'y', 'Enter', 'Space', 'Space', 'Enter'])
    await page.keyboard.press(key, HURRY);
}

test('the hands work in the theme of their run', async ({ as, colorScheme }) => {
  test.skip(!process.env.E2E_TEMAS, 'Beside all stories one of them may have chosen a theme for this person.');
  const page = await as('sa');
  await page.goto('/sa/facturacion');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme ?? 'light');
});

test('a name typed through the steps without waiting stamps nothing', async ({ as, sandbox, allowConsole }) => {
  allowConsole(/422/);
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  for (const press of ['Control+Enter', 'Control+Enter', 'Control+Enter']) {
    await hammer(page);
    await page.keyboard.press(press);
    await hammer(page);
    await page.waitForTimeout(300);
  }
  await hammer(page);
  await page.waitForTimeout(2_000);
  expect(await stamped(sandbox, numOrden)).toEqual([]);
});

test('a question answers no key that was pressed before it could be read, and a held one once', async ({
  as,
  sandbox,
}) => {
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  await page.keyboard.press('Control+Enter');
  await toReview(page);
  const question = page.getByRole('alertdialog');
  // The same keys twice: the second ones come while the question opens.
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(question).toContainText(numOrden);
  await expect(question).toContainText('EKU9003173C9');
  await expect(question.getByRole('button', { name: 'No', exact: true })).toBeFocused();
  await page.waitForTimeout(600);
  // Held down since before: every repetition says so.
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.up('Control');
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeFocused(BESIDE);
  expect(await stamped(sandbox, numOrden)).toHaveLength(1);
});

test('the same press twice, back and forward make one document', async ({ as, sandbox, allowConsole }) => {
  allowConsole(/422/);
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  await page.keyboard.press('Control+Enter');
  await toReview(page);
  await page.keyboard.press('Control+Enter');
  await answerYes(page);
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeFocused(BESIDE);
  await page.goBack();
  await hammer(page);
  await page.goForward();
  await hammer(page);
  await page.waitForTimeout(1_000);
  expect(await stamped(sandbox, numOrden)).toHaveLength(1);
});

test('without the network every press stays on its page with what was typed, and works when it is back', async ({
  as,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|503|422/);
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox);
  await search(page, numOrden);
  const offline = (off: boolean) => page.context().setOffline(off);
  try {
    const descripcion = page.getByLabel('Descripción del artículo 1');
    await descripcion.fill(NOMBRE);
    await offline(true);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByText('Uuups! ocurrió un problema, por favor intentalo más tarde.')).toBeVisible();
    await expect(page.getByText('Sin conexión.', { exact: false })).toBeVisible();
    await expect(descripcion).toHaveValue(NOMBRE);
    await offline(false);
    // A reload in between loses nothing either.
    await page.reload();
    await expect(page.getByText('Se recuperó lo que habías escrito')).toBeVisible();
    await expect(descripcion).toHaveValue(NOMBRE);
    await descripcion.focus();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();

    await anotherRfc(page);
    await page.getByLabel('RFC').fill(unknownRfc());
    await page.getByLabel('Razón Social').fill(NOMBRE);
    await page.getByLabel('Código postal').fill('06700');
    await page.getByLabel('Regimen a facturar').selectOption('601');
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await offline(true);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await expect(page.getByText('Uuups! ocurrió un problema, por favor intentalo más tarde.')).toBeVisible();
    await expect(page.getByLabel('Razón Social')).toHaveValue(NOMBRE);
    // A link waits for the network, and the page with it.
    await page.getByRole('link', { name: 'Buscar información de la orden' }).click();
    await expect(page.getByLabel('Razón Social')).toHaveValue(NOMBRE);
  } finally {
    await offline(false);
  }
  expect(await stamped(sandbox, numOrden)).toEqual([]);
});

test('a link pressed without the network leaves its page in sight, named, and its sources of no known age', async ({
  as,
  allowConsole,
}) => {
  allowConsole(/ERR_INTERNET_DISCONNECTED|Error loading route module|Failed to fetch/);
  const page = await as('sa');
  const offline = (off: boolean) => page.context().setOffline(off);
  const line = page.locator('.sin-red');
  await page.goto('/sa/ordenes');
  const fuentes = page.locator('.fuente .icono');
  const gris = await page.locator('body').evaluate((body) => {
    body.style.color = 'var(--suave)';
    const { color } = getComputedStyle(body);
    body.style.color = '';
    return color;
  });
  await expect(fuentes.first()).not.toHaveCSS('color', gris);
  // The care of links starts once the page is still.
  await page.waitForFunction(() => 'sinArchivos' in window);
  try {
    await offline(true);
    // A screen of this session's first press: neither its data nor its files are here.
    await page.locator('.cajon').getByRole('link', { name: 'Venta Agentes', exact: true }).click();
    await expect(line).toContainText('No se pudo abrir «Venta Agentes».');
    await expect(page.getByRole('heading', { name: 'Ordenes', exact: true })).toBeVisible();
    for (const fuente of await fuentes.all()) await expect(fuente).toHaveCSS('color', gris);
    // A link that only the browser can open.
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), {
        href: '/terminosYCondiciones',
        textContent: 'Términos',
      });
      document.querySelector('main')!.prepend(link);
    });
    await page.getByRole('link', { name: 'Términos', exact: true }).click();
    await expect(line).toContainText('No se pudo abrir «Términos».');
    await expect(page.getByRole('heading', { name: 'Ordenes', exact: true })).toBeVisible();
    await offline(false);
    await expect(page.getByRole('heading', { name: 'Venta Agentes', exact: true })).toBeVisible();
    await expect(line).toHaveCount(0);
  } finally {
    await offline(false);
  }
});

test('the header of a stepper saves the step it leaves', async ({ as, sandbox }) => {
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  await page.keyboard.press('Control+Enter');
  await toReview(page);
  await page.getByRole('link', { name: 'Buscar información de la orden' }).click();
  await page.getByLabel('Descripción del artículo 1').fill('Corregida en el paso uno');
  await page.getByRole('link', { name: 'Revisar Datos' }).click();
  await expect(page.getByRole('heading', { name: 'Revisar Datos' })).toBeFocused();
  await expect(page.getByRole('cell', { name: 'Corregida en el paso uno' })).toBeVisible();
});

/** What the browser asks is answered late, or never. */
const later = (page: Page, url: RegExp, work: 'late' | 'lost') =>
  page.route(url, async (route) => {
    await new Promise((go) => setTimeout(go, 1_200));
    await (work === 'late' ? route.continue() : route.abort());
  });

test('a look-up of an RFC that comes late fills what nobody typed in, and leaves the rest', async ({ as, sandbox }) => {
  const page = await as('sa');
  const known = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, known.numOrden);
  await page.keyboard.press('Control+Enter');
  await toReview(page);

  const { numOrden } = await newSale(sandbox);
  await search(page, numOrden);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  await anotherRfc(page);
  await page.route(/facturacion\.data/, async (route) => {
    if (route.request().method() === 'POST') await new Promise((go) => setTimeout(go, 1_200));
    await route.continue();
  });
  await page.getByLabel('RFC').fill('EKU9003173C9');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Razón Social')).toBeFocused();
  await page.keyboard.type(NOMBRE + NOMBRE, { delay: 40 });
  await expect(page.getByLabel('Razón Social')).toHaveValue(NOMBRE + NOMBRE);
  await expect(page.getByLabel('Código postal')).not.toHaveValue('');
  await expect(page.getByLabel('Razón Social')).toBeFocused();
});

test('a look-up of a postal code that fails or comes late takes nothing back', LONG, async ({ as, allowConsole }) => {
  allowConsole(/ERR_FAILED/);
  const page = await as('user');
  await page.goto('/user/notaSencilla');
  await page.getByLabel('Descripción del artículo 1').fill('Cámara');
  await page.getByLabel('Código SAT del artículo 1').fill('46171610');
  await page.getByLabel('Precio unitario del artículo 1').fill('100');
  await page.getByLabel('Cantidad del artículo 1').fill('1');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Datos de la nota' })).toBeVisible();
  await later(page, /codigosPostales/, 'lost');
  await page.getByLabel(/^CP/).fill('06700');
  await page.getByLabel('Calle').pressSequentially('Orizaba y Sinaloa', HURRY);
  await expect(page.getByText('El buscador de códigos postales no responde en este momento')).toBeVisible();
  await expect(page.getByLabel('Calle')).toHaveValue('Orizaba y Sinaloa');
  await page.unroute(/codigosPostales/);
  await later(page, /codigosPostales/, 'late');
  await page.getByLabel(/^CP/).fill('06700');
  await page.getByLabel('Colonia').pressSequentially('La que yo digo', HURRY);
  await expect(page.getByLabel('Estado')).toHaveValue('Ciudad de México');
  await expect(page.getByLabel('Colonia')).toHaveValue('La que yo digo');
  await expect(page.getByLabel('Calle')).toHaveValue('Orizaba y Sinaloa');
});

test('two tabs of one sale with different receivers stamp nothing that nobody saw', async ({
  as,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/422/);
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  await page.keyboard.press('Control+Enter');
  await toReview(page);
  await expect(page.getByText('EKU9003173C9')).toBeVisible();
  const first = page.url();

  const other = await page.context().newPage();
  await other.goto(first.replace('paso=3', 'paso=2'));
  await anotherRfc(other);
  const rfc = unknownRfc();
  await other.getByLabel('RFC').fill(rfc);
  await other.getByLabel('Razón Social').fill('OTRA EMPRESA QUE COMPRA');
  await other.getByLabel('Código postal').fill('06700');
  await other.getByLabel('Regimen a facturar').selectOption('601');
  await toReview(other);
  await expect(other.getByText(rfc)).toBeVisible();

  // The first tab still shows the first receiver: its yes is about that one.
  await page.bringToFront();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alertdialog')).toContainText('EKU9003173C9');
  await answerYes(page);
  const choque = page.getByRole('alert').filter({ hasText: 'Cambió mientras lo veías' });
  await expect(choque).toContainText('EKU9003173C9');
  await expect(choque).toContainText(rfc);
  expect(await stamped(sandbox, numOrden)).toEqual([]);

  // Whoever saw both is asked about what stands now.
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alertdialog')).toContainText(rfc);
  await page.getByRole('alertdialog').getByRole('button', { name: 'No', exact: true }).click();
  expect(await stamped(sandbox, numOrden)).toEqual([]);
});

test('the focus goes on where the person works, and never falls to the body', async ({ as, sandbox }) => {
  const page = await as('sa');
  const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
  await search(page, numOrden);
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      return element === document.body
        ? 'body'
        : (element?.getAttribute('aria-label') ?? element?.textContent.trim() ?? '');
    });
  // A row that is removed leaves its place to the next one.
  await page.getByRole('button', { name: 'Agregar artículo' }).click();
  await expect(page.getByLabel('Descripción del artículo 2')).toBeVisible();
  const primero = page.getByLabel('Descripción del artículo 1');
  const descripcion = await primero.inputValue();
  await page.getByRole('button', { name: 'Eliminar el artículo 1' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Descripción del artículo 2')).toBeHidden();
  await expect.poll(focused).toBe('Descripción del artículo 1');
  // It comes back where it stood, whole.
  await expect(primero).not.toHaveValue(descripcion);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(primero).toHaveValue(descripcion);
  await expect(page.getByLabel('Precio unitario del artículo 1')).not.toHaveValue('');
  await expect(page.getByLabel('Descripción del artículo 2')).toHaveValue('');
  // A screen that opens is read from its title.
  await page.locator('#menu a[href$="/ordenes"]').first().click();
  await expect(page.getByRole('heading', { name: 'Ordenes', exact: true })).toBeFocused();
  // A panel takes the focus to its title and gives it back to its row.
  await page.locator('a.abre').first().focus();
  await page.keyboard.press('Enter');
  const ficha = page.getByRole('complementary', { name: /^Orden / });
  await expect(ficha.getByRole('heading').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(ficha).toBeHidden();
  await expect(page.getByRole('grid')).toBeFocused();
});

test('what was typed before the page was ready is known to it, kept over a reload and forgotten at the end of the session', async ({
  as,
}) => {
  const page = await as('user');
  await page.goto('/user/notaSencilla');
  await page.getByLabel('Descripción del artículo 1').fill('Cámara');
  await page.getByLabel('Código SAT del artículo 1').fill('46171610');
  await page.getByLabel('Precio unitario del artículo 1').fill('100');
  await page.getByLabel('Cantidad del artículo 1').fill('1');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Datos de la nota' })).toBeVisible();
  let arrive = () => {};
  const arrived = new Promise<void>((done) => (arrive = done));
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(page.url(), { waitUntil: 'commit' });
  await page.getByLabel('Calle').fill('Orizaba y Sinaloa');
  await page.getByLabel(/^CP/).fill('06700');
  // It would load the page again, over what is typed meanwhile.
  await expect(page.getByRole('button', { name: 'Buscar CP' })).toBeHidden();
  arrive();
  await expect(page.getByLabel('Estado')).toHaveValue('Ciudad de México');
  await expect(page.getByRole('button', { name: 'Buscar CP' })).toBeVisible();
  await expect(page.getByLabel('Calle')).toHaveValue('Orizaba y Sinaloa');
  await page.reload();
  await expect(page.getByText('Se recuperó lo que habías escrito')).toBeVisible();
  await expect(page.getByLabel('Calle')).toHaveValue('Orizaba y Sinaloa');

  const keys = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('escrito:')));
  expect(await keys()).not.toEqual([]);
  await page.goto('/user/datosUsuario');
  await page.getByLabel('Contraseña actual').fill('Secreta#1');
  await page.getByLabel('Apellidos').fill('Con otro apellido');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Secreta#1');
});

test(
  'without JavaScript the summary of errors leads to each field',
  LONG,
  async ({ as, browser, sandbox, allowConsole }) => {
    allowConsole(/422/);
    const { numOrden } = await newSale(sandbox, { rfc: 'EKU9003173C9' });
    const signedIn = await as('sa');
    await search(signedIn, numOrden);
    await signedIn.keyboard.press('Control+Enter');
    await toReview(signedIn);
    const context = await browser.newContext({
      javaScriptEnabled: false,
      storageState: await signedIn.context().storageState(),
    });
    const page = await context.newPage();
    await page.goto(signedIn.url());
    await page.goto(page.url().replace('paso=3', 'paso=2'));
    await page.getByRole('button', { name: 'Otro RFC' }).click();
    await page.getByLabel('RFC').fill('EKU9003173C9');
    await page.getByLabel('Razón Social').fill('ESCUELA KEMPER URGATE');
    await page.getByLabel('Código postal').fill('123');
    await page.getByLabel('Regimen a facturar').selectOption('601');
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    const way = page.getByRole('alert').getByRole('link', { name: 'Código postal' });
    await expect(way).toBeVisible();
    const id = decodeURIComponent((await way.getAttribute('href'))!.slice(1));
    expect(await page.locator(`[id="${id}"]`).inputValue()).toBe('123');
    await context.close();
    expect(await stamped(sandbox, numOrden)).toEqual([]);
  },
);
