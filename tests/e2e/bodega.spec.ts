import { chromium, type BrowserContext } from '@playwright/test';
import { sql } from 'kysely';
import { readCodigos } from '~/platform/files/readFile.server';
import { pdf } from '../support/builders/archivos';
import {
  abreBodega,
  escanea,
  estadosDe,
  filma,
  loQueGuarda,
  piezasDe,
  piezasEn,
  seedPiezas,
  seedVueltaYVenta,
  vacia,
} from './support/bodega';
import { withDatabase } from './support/database';
import { LONG, answerYes, expect, signIn, test } from './support/test';

test('a label is scanned on a phone, its piece moves without signal and once it is back, and nobody else sees what waits', async ({
  baseURL,
  launchOptions,
}, testInfo) => {
  const [una, otra] = (await seedPiezas(2)) as [{ id: string; folio: string }, { id: string; folio: string }];
  const pelicula = testInfo.outputPath('etiqueta.y4m');
  filma(pelicula, `${baseURL}/siqr/${una.folio}`);
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${pelicula}`,
    ],
  });
  const context: BrowserContext = await browser.newContext({
    baseURL,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    locale: 'es-MX',
  });
  try {
    const page = await context.newPage();
    await signIn(page, 'user');
    await page.goto('/user/bodega');
    await page.evaluate(() => navigator.serviceWorker.ready);

    await page.getByRole('button', { name: 'Escanear' }).click();
    await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();

    // Nothing under a thumb is smaller than it, and nothing leaves the page.
    const [chicos, ancho] = await page.evaluate(() => [
      [...document.querySelectorAll('button, a, input:not([type="file"])')]
        .filter((one) => one.getClientRects().length > 0)
        .filter((one) => one.getBoundingClientRect().height < 44)
        .map((one) => one.outerHTML),
      document.documentElement.scrollWidth,
    ]);
    expect(chicos).toEqual([]);
    expect(ancho).toBeLessThanOrEqual(360);
    await page.screenshot({ path: testInfo.outputPath('pieza.png') });

    await context.setOffline(true);
    await page.getByRole('button', { name: 'Disponible' }).click();
    await expect(page.getByRole('heading', { name: 'Por enviar (1)' })).toBeVisible();
    await expect(page.getByText('Sin señal', { exact: true })).toBeVisible();
    // Closed and opened again, all without signal.
    await page.goto('/user/bodega');
    await expect(page.getByText(`${una.folio} pasa a «Disponible»`)).toBeVisible();
    expect(await estadosDe(una.id)).toEqual(['enRevision']);

    await context.setOffline(false);
    await expect(page.getByRole('heading', { name: 'Por enviar (1)' })).toBeHidden();
    expect(await estadosDe(una.id)).toEqual(['enRevision', 'disponible']);

    // Two people, one piece.
    await page.goto('/user/bodega');
    await page.getByLabel('Folio u orden').fill(otra.folio);
    await page.getByRole('button', { name: 'Buscar' }).click();
    await expect(page.getByRole('heading', { name: otra.folio })).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Disponible' }).click();
    await expect(page.getByRole('heading', { name: 'Por enviar (1)' })).toBeVisible();
    await withDatabase((db) =>
      sql`insert into stock_movimiento (pieza_id, de, a) values (${otra.id}, 'enRevision', 'danado')`.execute(db),
    );
    await context.setOffline(false);
    await expect(page.getByText('En revisión → Disponible')).toBeVisible();
    await expect(page.getByText(/^Dañado, /)).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('choque.png'), fullPage: true });

    // What is unsent at the end is said, and stays under the name of who did it.
    await page.getByRole('link', { name: 'Salir' }).click();
    await expect(page.getByText('Queda 1 cambio sin enviar.')).toBeVisible();
    await page.getByRole('button', { name: 'Salir de todos modos' }).click();
    await page.getByRole('button', { name: 'Si', exact: true }).click();
    await page.waitForURL(/\/login/);
    const guarda = await loQueGuarda(page);
    expect(guarda).toContain('/user/bodega/cascaron');
    expect(guarda.filter((path) => !/^\/(assets\/|bodega-|favicon\.svg|user\/bodega\/cascaron)/.test(path))).toEqual(
      [],
    );
    await signIn(page, 'admin');
    await page.goto('/admin/bodega');
    await expect(page.getByText('1 de otra persona')).toBeVisible();
    await expect(page.getByText(otra.folio)).toHaveCount(0);
    expect(await estadosDe(otra.id)).toEqual(['enRevision', 'danado']);

    // Who leaves from any other screen takes along what they looked at.
    await page.getByLabel('Folio u orden').fill(una.folio);
    await page.getByRole('button', { name: 'Buscar' }).click();
    await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();
    expect(await piezasEn(page)).toBe(1);
    await page.goto('/admin');
    await page.locator('.usuario summary').click();
    await page.getByRole('button', { name: 'Cerrar Sessión' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Si', exact: true }).click();
    await page.waitForURL(/\/login/);
    await expect.poll(() => piezasEn(page)).toBe(0);
  } finally {
    await browser.close();
  }
});

/** A product that two sales have: one that came back, and one that has still to be sent. */
test(
  'two pieces of a sale come back with their invoice and labels, and one leaves from the shelf for the next sale',
  LONG,
  async ({ as }) => {
    const { vuelta, venta } = await seedVueltaYVenta();
    const page = await as('admin');
    await page.goto('/admin/devoluciones');
    await page.getByLabel('No. Orden').fill(vuelta.numOrden);
    await page.getByRole('button', { name: 'Buscar', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(`de la orden ${vuelta.numOrden}`) }).click();
    await page.getByLabel('Cantidad').fill('2');
    await page.getByLabel('Folio de la factura').fill('S-4410');
    await page.getByLabel('Costo por pieza con IVA').fill('1,250.00');
    await page
      .getByLabel('Seleccionar archivo')
      .setInputFiles({ name: 'S-4410.pdf', mimeType: 'application/pdf', buffer: pdf('S-4410') });
    await page.getByRole('button', { name: 'Crear devolución' }).click();
    const creados = page.getByRole('dialog', { name: 'Se crearon los siguientes folios' });
    await expect(creados.getByRole('listitem')).toHaveCount(2);
    const [una, otra] = await piezasDe(vuelta.id);
    await creados.getByRole('link', { name: /IMPRIMIR|Imprimir/ }).click();
    // A browser without a window ends with the page that prints a PDF: here it prints a sheet that notes it.
    await page.addInitScript(() => (window.print = () => document.documentElement.setAttribute('data-impresa', '')));
    await page.route('**/descargas/etiquetas?*', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>Hoja' }),
    );
    await page.getByRole('button', { name: 'ACEPTAR' }).click();
    // The question is over, and the labels are in the frame that is printed.
    await expect(page.getByRole('dialog', { name: 'Código QR' })).toHaveCount(0);
    const marco = page.locator('iframe[title="Etiquetas"]');
    await expect(marco.contentFrame().locator('html[data-impresa]')).toBeAttached();
    const src = await marco.getAttribute('src');
    const etiquetas = await page.request.get(src!);
    expect(etiquetas.headers()).toMatchObject({ 'x-frame-options': 'SAMEORIGIN' });
    const { dice } = (await readCodigos(await etiquetas.body())) as { dice: string[] };
    expect(dice.map((direccion) => direccion.split('/siqr/')[1])).toEqual([una!.folio, otra!.folio]);

    await page.goto(`/admin/stockInterno?ver=${una!.id}`);
    const panel = page.getByRole('complementary');
    await expect(panel.locator('iframe[title="Factura S-4410"]')).toBeAttached();
    await panel.getByRole('combobox', { name: /^Estatus/ }).selectOption('disponible');
    await panel.getByRole('button', { name: 'Actualizar devolución' }).click();
    await expect(page.getByText('Registro actualizado de forma correcta')).toBeVisible();

    await page.goto(`/admin/ordenes?ver=${venta.id}`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('link', { name: una!.folio })).toBeVisible();
    await page.getByRole('button', { name: 'Surtir con stock interno' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    // The page reads itself again whenever something happens outside: the question stays.
    const leida = page.waitForResponse(/\/admin\/ordenes\.data/);
    await page.evaluate(() =>
      (window as unknown as { __remixRouter: { revalidate(): void } }).__remixRouter.revalidate(),
    );
    await leida;
    // What was read is on the page by then.
    await page.waitForTimeout(500);
    await answerYes(page);
    await expect
      .poll(() => piezasDe(vuelta.id))
      .toMatchObject([{ estado: 'vendido', ventaId: venta.id }, { estado: 'enRevision' }]);
  },
);

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test(
    'a scanner that types finds pieces wherever the focus is, presses nothing, and the last scan is the one that shows',
    LONG,
    async ({ as }) => {
      const [una, otra] = (await seedPiezas(2)) as [{ id: string; folio: string }, { id: string; folio: string }];
      const page = await as('user');
      await abreBodega(page, 'user');
      await escanea(page, una.folio);
      await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();
      await page.getByRole('button', { name: 'Dañado', exact: true }).focus();
      await escanea(page, `http://127.0.0.1/siqr/${otra.folio}`);
      await expect(page.getByRole('heading', { name: otra.folio })).toBeVisible();
      expect([await estadosDe(una.id), await estadosDe(otra.id)]).toEqual([['enRevision'], ['enRevision']]);

      // Faster than the signal: the first answer comes last.
      await page.route(`**/leer?texto=${una.folio}`, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      });
      const lenta = page.waitForResponse((answer) => answer.url().endsWith(una.folio));
      await escanea(page, una.folio);
      await escanea(page, otra.folio);
      await lenta;
      await expect(page.getByRole('heading', { name: otra.folio })).toBeVisible();
      await expect(page.getByLabel('Folio u orden')).toHaveValue('');
    },
  );

  test(
    'two presses one after the other are both of who made them, however slow the page learns of the first',
    LONG,
    async ({ as }) => {
      const [una] = (await seedPiezas(1)) as [{ id: string; folio: string }];
      const page = await as('user');
      await abreBodega(page, 'user');
      await escanea(page, una.folio);
      await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();
      await page.route(`**/leer?texto=${una.folio}`, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        await route.continue();
      });
      await page.getByRole('button', { name: 'Dañado', exact: true }).click();
      await expect(page.getByText('Registro actualizado de forma correcta')).toBeVisible();
      await page.getByRole('button', { name: 'En garantía', exact: true }).click();
      await expect.poll(() => estadosDe(una.id)).toEqual(['enRevision', 'danado', 'enGarantia']);
      await expect(page.getByRole('heading', { name: /^Por enviar/ })).toBeHidden();
    },
  );

  test('a message that comes while a button is down waits for the press', LONG, async ({ as }) => {
    const [una] = (await seedPiezas(1)) as [{ id: string; folio: string }];
    const page = await as('user');
    await abreBodega(page, 'user');
    await escanea(page, una.folio);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      '**/bodega/enviar',
      async (route) => {
        await released;
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Dañado', exact: true }).click();
    await expect(page.getByText('Por enviar', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'En garantía', exact: true }).hover();
    await page.mouse.down();
    const arrived = page.waitForResponse('**/bodega/enviar');
    release();
    await arrived;
    // Time enough for a page that does not wait.
    await page.waitForTimeout(500);
    await page.mouse.up();
    await expect.poll(() => estadosDe(una.id)).toEqual(['enRevision', 'danado', 'enGarantia']);
    await expect(page.getByText('Registro actualizado de forma correcta')).toBeVisible();
  });

  test(
    'a piece and a sale have an address: reload, back and the login keep the place, and nobody types a cost that the sale tells',
    LONG,
    async ({ as, allowConsole }) => {
      allowConsole(/401 \(Unauthorized\)/);
      const [una, otra] = (await seedPiezas(2)) as [{ id: string; folio: string }, { id: string; folio: string }];
      const { vuelta } = await seedVueltaYVenta();
      await withDatabase(async (db) => {
        await sql`insert into proveedor_factura (orden_id, proveedor, folio, monto)
        values (${vuelta.id}, 'syscom', ${`F-${vuelta.numOrden}`}, 116)`.execute(db);
      });
      const page = await as('user');
      await abreBodega(page, 'user');
      // The foot leaves the page to what is read.
      expect((await page.locator('#pulgar').boundingBox())!.height).toBeLessThanOrEqual(96);
      await escanea(page, una.folio);
      const title = (name: string) => page.getByRole('heading', { name });
      await expect(title(una.folio)).toBeVisible();
      await escanea(page, otra.folio);
      await expect(title(otra.folio)).toBeVisible();
      await page.reload();
      await expect(title(otra.folio)).toBeVisible();
      await page.goBack();
      await expect(title(una.folio)).toBeVisible();
      await page.goForward();
      await expect(title(otra.folio)).toBeVisible();
      await escanea(page, vuelta.numOrden);
      await expect(title(`Orden ${vuelta.numOrden}`)).toBeVisible();
      await page.reload();
      await page.getByText('Recibir una devolución').click();
      await expect(page.getByText('El costo es el de la venta.')).toBeVisible();
      await expect(page.getByLabel('Costo por pieza con IVA')).toBeHidden();
      await page.getByRole('button', { name: 'Crear devolución' }).click();
      await expect(page.getByRole('button', { name: 'Imprimir etiqueta' })).toBeVisible();
      await expect
        .poll(() =>
          withDatabase(async (db) => {
            const { rows } = await sql<{ costo: string }>`
            select costo::text from stock_interno where orden_id = ${vuelta.id}`.execute(db);
            return rows.map(({ costo }) => costo);
          }),
        )
        .toEqual(['116.00']);
      await escanea(page, una.folio);
      await expect(title(una.folio)).toBeVisible();
      // The session ends at the bench: who enters again stands where they stood.
      const cookies = await page.context().cookies();
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Dañado', exact: true }).click();
      await expect(page.getByRole('link', { name: 'Entrar' })).toHaveAttribute(
        'href',
        `/login?volver=${encodeURIComponent(`/user/bodega?ver=${una.folio}`)}`,
      );
      await page.context().addCookies(cookies);
      await vacia(page);
    },
  );
});
