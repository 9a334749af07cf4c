import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import { readCodigos } from '~/platform/files/readFile.server';
import { createEtiquetas } from '~/domain/compras/stock/etiquetas.server';
import { app1, exifConLugar, pdf } from '../support/builders/archivos';
import { buildGuia } from '../support/builders/pedidos';
import { buildProductoDeStock } from '../support/builders/stock';
import { withDatabase } from './support/database';
import { expectNoSideways } from './support/fits';
import { seedOrden } from './support/ordenes';
import { LONG, answerYes, expect, signIn, test } from './support/test';

/** Pieces that came back, each with its folio. */
function seedPiezas(cuantas: number): Promise<{ id: string; folio: string }[]> {
  return withDatabase(async (db) => {
    const { rows } = await sql<{ id: string; folio: string }>`
      with folio as (
        insert into stock_folio (anio, ultimo) values (2026, ${cuantas})
        on conflict (anio) do update set ultimo = stock_folio.ultimo + excluded.ultimo returning ultimo
      ), alta as (insert into stock_alta (clave) values (gen_random_uuid()) returning id)
      insert into stock_interno (anio, numero, alta_id, estado, descripcion, costo)
      select 2026, n, alta.id, 'enRevision', 'Cámara que regresó', 100
      from alta, (select generate_series(ultimo - ${cuantas} + 1, ultimo) as n from folio) numeros
      returning id, folio`.execute(db);
    return rows;
  });
}

const estadosDe = (id: string) =>
  withDatabase(async (db) => {
    const { rows } = await sql<{
      a: string;
    }>`select a from stock_movimiento where pieza_id = ${id} order by id`.execute(db);
    return rows.map(({ a }) => a);
  });

/** What a camera sees, as the browser plays it: a code on white, in one grey picture after another. */
function filma(path: string, dice: string): void {
  const [ancho, alto, punto] = [640, 480, 8];
  const { modules } = QRCode.create(dice, { errorCorrectionLevel: 'M' });
  const [left, top] = [ancho, alto].map((side) => Math.floor((side - modules.size * punto) / 2)) as [number, number];
  const luma = Buffer.alloc(ancho * alto, 235);
  for (let y = 0; y < modules.size * punto; y++)
    for (let x = 0; x < modules.size * punto; x++)
      if (modules.data[Math.floor(y / punto) * modules.size + Math.floor(x / punto)])
        luma[(top + y) * ancho + left + x] = 16;
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((ancho * alto) / 2, 128)]);
  const head = Buffer.from(`YUV4MPEG2 W${ancho} H${alto} F10:1 Ip A1:1 C420\n`);
  writeFileSync(path, Buffer.concat([head, ...Array.from({ length: 10 }, () => frame)]));
}

const loQueGuarda = (page: Page) =>
  page.evaluate(async () => {
    const cajas = await caches.keys();
    const requests = await Promise.all(cajas.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

const vacia = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('bodega');
        request.onerror = () => reject(request.error ?? new Error('sin base'));
        request.onsuccess = () => {
          const trx = request.result.transaction('cola', 'readwrite');
          trx.objectStore('cola').clear();
          trx.oncomplete = () => resolve();
        };
      }),
  );

const piezasEn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open('bodega');
        request.onerror = () => reject(request.error ?? new Error('sin base'));
        request.onsuccess = () => {
          const cuenta = request.result.transaction('piezas').objectStore('piezas').count();
          cuenta.onsuccess = () => resolve(cuenta.result);
        };
      }),
  );

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
async function seedVueltaYVenta() {
  const { idProveedor, modelo } = await withDatabase((db) => buildProductoDeStock(db));
  const sku = `AMS|${idProveedor}|SYSCOM|${modelo}`;
  return { vuelta: await seedOrden({ hours: 40, sku }), venta: await seedOrden({ hours: 2, sku }) };
}

const piezasDe = (ordenId: string) =>
  withDatabase((db) =>
    db
      .selectFrom('stockInterno')
      .select(['id', 'folio', 'estado', 'ventaId'])
      .where('ordenId', '=', ordenId)
      .orderBy('numero')
      .execute(),
  );

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

  async function abreBodega(page: Page, rol: string) {
    await page.goto(`/${rol}/bodega`);
    await expect(page.locator('body[data-listo]')).toBeAttached();
  }

  /** What a scanner does: it types into whatever has the focus, and ends with Enter. */
  async function escanea(page: Page, dice: string) {
    await page.keyboard.type(dice);
    await page.keyboard.press('Enter');
  }

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
    'a server that fails is not a lost signal, and what it fails at holds up no other piece',
    LONG,
    async ({ as, allowConsole }, testInfo) => {
      const [una, otra] = (await seedPiezas(2)) as [{ id: string; folio: string }, { id: string; folio: string }];
      const page = await as('user');
      await abreBodega(page, 'user');
      allowConsole(/500 \(Internal Server Error\)/);
      await page.route('**/bodega/enviar', async (route) => {
        if (route.request().postData()?.includes(una.id)) await route.fulfill({ status: 500, body: '<h1>Error</h1>' });
        else await route.continue();
      });
      await escanea(page, una.folio);
      await page.getByRole('button', { name: 'Dañado', exact: true }).click();
      await expect(page.getByText('El servidor falla', { exact: true })).toBeVisible();
      await expect(page.getByText('Sin señal', { exact: true })).toBeHidden();
      await expect(page.getByText('El servidor falló con esto.')).toBeVisible();
      await expectNoSideways(page, 'falla');
      await page.screenshot({ path: testInfo.outputPath('falla.png'), fullPage: true });
      await escanea(page, otra.folio);
      await expect(page.getByRole('heading', { name: otra.folio })).toBeVisible();
      await page.getByRole('button', { name: 'Disponible', exact: true }).click();
      await expect.poll(() => estadosDe(otra.id)).toEqual(['enRevision', 'disponible']);
      expect(await estadosDe(una.id)).toEqual(['enRevision']);
      await page.unroute('**/bodega/enviar');
      await page.locator('#conexion').getByRole('button', { name: 'Intentar ahora' }).click();
      await expect(page.getByText('El servidor falla', { exact: true })).toBeHidden();
      expect(await estadosDe(una.id)).toEqual(['enRevision', 'danado']);
      await expect(page.getByRole('heading', { name: /^Por enviar/ })).toBeHidden();
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

  test('parcels are packed by scan: a wrong piece is said, a missing one goes to who buys, the last prints the label, and the next stands there', async ({
    as,
    allowConsole,
  }, testInfo) => {
    allowConsole(/ERR_INTERNET_DISCONNECTED|401 \(Unauthorized\)/);
    const gtin = `750${String(Date.now()).slice(-10)}`;
    // The oldest stand first.
    const ordenes = await withDatabase(async (db) => {
      const { id, idProveedor, modelo } = await buildProductoDeStock(db);
      await sql`update producto set gtins = array[${gtin}] where id = ${id}`.execute(db);
      const sku = `AMS|${idProveedor}|SYSCOM|${modelo}`;
      const made = [];
      for (const hours of [9_000, 8_999, 8_998]) {
        const orden = await seedOrden({ hours, sku });
        await buildGuia(db, orden.envioId!);
        made.push(orden);
      }
      await sql`update articulo set cantidad = 2 where orden_id = ${made[0]!.id}`.execute(db);
      return made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    });
    const [una, otra, tercera] = ordenes;
    const page = await as('user');
    // A browser without a window ends with the page that prints a PDF: here it prints a sheet.
    await page.route('**/descargas/guia/*', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script>print = () => {}</script>Guía impresa' }),
    );
    await abreBodega(page, 'user');
    await page.getByRole('button', { name: 'Empacar' }).click();
    await expect(page.getByRole('heading', { name: /^Por empacar/ })).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('por-empacar.png') });
    const title = ({ numOrden }: { numOrden: string }) => page.getByRole('heading', { name: `Paquete ${numOrden}` });
    const leidas = (dice: string) => page.locator('.linea .chip', { hasText: dice });
    await escanea(page, una.numOrden);
    await expect(title(una)).toBeVisible();
    await escanea(page, '7500000000000');
    await expect(page.locator('#aviso .mal')).toContainText('Pieza equivocada');
    await expect(leidas('0 de 2')).toBeVisible();
    await page.screenshot({ path: testInfo.outputPath('equivocada.png'), fullPage: true });
    await escanea(page, gtin);
    await expect(leidas('1 de 2')).toBeVisible();

    // A telephone whose session ends keeps the parcel open, and so does a page that is read again without signal.
    await page.reload();
    await expect(title(una)).toBeVisible();
    await expect(leidas('1 de 2')).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: /^Por empacar/ })).toBeVisible();
    await page.goForward();
    await expect(title(una)).toBeVisible();
    await expect(leidas('1 de 2')).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await expect(leidas('1 de 2')).toBeVisible();
    await page.context().setOffline(false);
    await page.screenshot({ path: testInfo.outputPath('paquete.png'), fullPage: true });

    // The answer to the last piece draws the next parcel again: what was opened in it meanwhile stays open, with the focus.
    let answer!: () => void;
    const opened = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/bodega/enviar', (route) => opened.then(() => route.continue()));
    await escanea(page, gtin);
    await expect(title(otra)).toBeVisible();
    const falta = page.getByText('Falta', { exact: true });
    await falta.click();
    await expect(falta).toBeFocused();
    const drawn = await falta.elementHandle();
    answer();
    await expect(page.locator('iframe[title="Guía"]').contentFrame().getByText('Guía impresa')).toBeAttached();
    await expect(page.getByRole('button', { name: 'Imprimir la guía otra vez' })).toBeVisible();
    await expect.poll(() => drawn!.evaluate((element) => element.isConnected)).toBe(false);
    await expect(falta).toBeFocused();
    await page.getByRole('button', { name: 'Llegó dañada' }).click();
    await expect(title(tercera)).toBeVisible();
    const { rows } = await withDatabase((db) =>
      sql<{ falta: string }>`select falta from empaque_lectura where orden_id = ${otra.id}`.execute(db),
    );
    expect(rows).toEqual([{ falta: 'danada' }]);

    // The session ends over an open parcel: what is scanned waits, and the login comes back to it.
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await escanea(page, gtin);
    await expect(
      page.getByRole('link', { name: 'Entrar' }).or(page.getByRole('button', { name: 'Entrar' })),
    ).toBeVisible();
    await page.context().addCookies(cookies);
    // The page may be on its own way to the login: a way that it begins now ends this one.
    await expect(async () => {
      await page.goto(`/user/bodega?ver=${encodeURIComponent(`empacar ${tercera.numOrden}`)}`);
      expect(page.url()).toContain('/user/bodega');
    }).toPass({ timeout: 10_000 });
    await expect
      .poll(() =>
        withDatabase(async (db) => {
          const found = await sql<{ listo: boolean }>`
            select terminado_en is not null as listo from empaque where envio_id = ${tercera.envioId}`.execute(db);
          return found.rows;
        }),
      )
      .toEqual([{ listo: true }]);
    await vacia(page);
  });

  test(
    'two phones on one piece, with signal and without: each press is done once or told why not',
    LONG,
    async ({ as, allowConsole }, testInfo) => {
      allowConsole(/ERR_INTERNET_DISCONNECTED|409 \(Conflict\)/);
      const desde = new Date();
      const [una] = (await seedPiezas(1)) as [{ id: string; folio: string }];
      const roles = ['user', 'admin'] as const;
      const phones = [await as('user'), await as('admin')] as const;
      for (const [at, page] of phones.entries()) {
        // A view that is drawn anew while the pointer travels takes no press: what counts is what reached a button.
        await page.addInitScript(() =>
          document.addEventListener(
            'click',
            ({ target }) => {
              if (target instanceof Element && target.closest('.pasos button'))
                localStorage.setItem('presses', String(Number(localStorage.getItem('presses')) + 1));
            },
            true,
          ),
        );
        await abreBodega(page, roles[at]!);
        await page.evaluate(() => localStorage.removeItem('presses'));
        await page.evaluate(() => navigator.serviceWorker.ready);
        await escanea(page, una.folio);
        await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();
      }
      const quien = [0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1];
      const sinSenal = [-1, 0, -1, -1, 1, -1, 1, -1, 0, -1, -1, -1];
      for (const [paso, at] of quien.entries()) {
        for (const [otro, page] of phones.entries()) await page.context().setOffline(sinSenal[paso] === otro);
        const page = phones[at]!;
        const botones = page.locator('.pasos button:not(:text-is("Baja"))');
        // A press on the view of before asks for the state that the piece has by now, and moves nothing: each waits for the view that it is about.
        const antes = await page.locator('#vista h2').elementHandle();
        await (paso % 2 ? botones.last() : botones.first()).click();
        await antes!.waitForElementState('hidden');
        // Half way through, one phone is closed and opened again with what it holds.
        if (paso !== 4) continue;
        await expect(page.locator('#cola li')).not.toHaveCount(0);
        await abreBodega(page, roles[at]!);
        await escanea(page, una.folio);
        await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();
      }
      for (const page of phones) {
        await page.context().setOffline(false);
        await expect(page.locator('#cola li.espera:not(:has(> .nota))')).toHaveCount(0);
        await expect(page.locator('#conexion')).toBeHidden();
      }
      // A press that asks for the state that the other phone has brought meanwhile is done, and moves nothing.
      const hechasPor = async (rol: string) => {
        const { rows } = await withDatabase((db) =>
          sql<{ hechas: number; movidas: number }>`select
            (select count(*)::int from bodega_envio e where e.usuario_id = u.id and e.en >= ${desde}) as hechas,
            (select count(*)::int from stock_movimiento m
              where m.pieza_id = ${una.id} and m.de is not null and m.usuario_id = u.id) as movidas
          from usuario u where u.rol = ${rol}`.execute(db),
        );
        return rows.reduce((sum, row) => ({
          hechas: sum.hechas + row.hechas,
          movidas: sum.movidas + row.movidas,
        }));
      };
      for (const [at, page] of phones.entries()) {
        const presses = Number(await page.evaluate(() => localStorage.getItem('presses')));
        expect(presses).toBeGreaterThan(2);
        // All that is left says why: moved by somebody else, or behind what was.
        await expect(async () => {
          const { hechas, movidas } = await hechasPor(roles[at]!);
          expect(movidas).toBeLessThanOrEqual(hechas);
          const quedan = await page.locator('#cola li:not(.nota)').count();
          const dichas = await page.locator('#cola li:not(.nota) > :is(.mal, .nota)').count();
          expect([hechas + quedan, dichas]).toEqual([presses, quedan]);
        }).toPass({ timeout: 10_000 });
        await page.screenshot({ path: testInfo.outputPath(`telefono-${at}.png`), fullPage: true });
        // A phone is shared by the stories: nothing is left on it for the next.
        await vacia(page);
      }
    },
  );

  test(
    'a photograph taken without signal is sent small, upright and without its place, once',
    LONG,
    async ({ as, baseURL, allowConsole }) => {
      allowConsole(/ERR_INTERNET_DISCONNECTED/);
      const [una] = (await seedPiezas(1)) as [{ id: string; folio: string }];
      const page = await as('user');
      await abreBodega(page, 'user');
      await page.evaluate(() => navigator.serviceWorker.ready);
      await escanea(page, una.folio);
      await expect(page.getByRole('heading', { name: una.folio })).toBeVisible();
      // As a telephone writes it that lies on its side: what is at the left in the file is above.
      const acostada = await page.evaluate(async () => {
        const canvas = new OffscreenCanvas(2_400, 1_200);
        const pen = canvas.getContext('2d')!;
        pen.fillStyle = '#ff0000';
        pen.fillRect(0, 0, 1_200, 1_200);
        pen.fillStyle = '#0000ff';
        pen.fillRect(1_200, 0, 1_200, 1_200);
        return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer())];
      });
      const buffer = Buffer.from(acostada);
      const exif = app1(exifConLugar(6));
      await page.context().setOffline(true);
      await page.getByLabel(/^Fotografiar/).setInputFiles({
        name: 'IMG_0001.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.concat([buffer.subarray(0, 2), exif, buffer.subarray(2)]),
      });
      await expect(page.getByText(`Fotografía de ${una.folio}`)).toBeVisible();
      await expect(page.getByText('Fotografiar (quedan 5)')).toBeVisible();
      await page.context().setOffline(false);
      const foto = page.getByRole('img', { name: `Fotografía 1 de ${una.folio}` });
      await expect(foto).toBeVisible();
      const vista = await foto.evaluate(async (img: HTMLImageElement) => {
        await img.decode();
        const canvas = new OffscreenCanvas(img.naturalWidth, img.naturalHeight);
        const pen = canvas.getContext('2d')!;
        pen.drawImage(img, 0, 0);
        const en = (y: number) =>
          [...pen.getImageData(img.naturalWidth / 2, y, 1, 1).data].slice(0, 3).map((n) => n > 128);
        return { ancho: img.naturalWidth, alto: img.naturalHeight, arriba: en(10), abajo: en(img.naturalHeight - 10) };
      });
      expect(vista).toEqual({ ancho: 800, alto: 1_600, arriba: [true, false, false], abajo: [false, false, true] });
      const kept = await page.request.get(`${baseURL}${await foto.getAttribute('src')}`);
      expect((await kept.body()).toString('latin1')).not.toContain('Exif');
      await expect(page.getByText('Fotografiar (quedan 5)')).toBeVisible();
    },
  );

  test(
    'without signal what was seen is shown again with its age, and no link leads out to the browser’s page',
    LONG,
    async ({ as, allowConsole }) => {
      allowConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
      const [una] = await seedPiezas(1);
      const page = await as('user');
      await abreBodega(page, 'user');
      await escanea(page, una!.folio);
      await expect(page.getByRole('heading', { name: una!.folio })).toBeVisible();
      const edad = page.getByText('Visto hace menos de 1 min', { exact: true });
      await expect(edad).toHaveCount(0);
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.context().setOffline(true);
      try {
        await escanea(page, una!.folio);
        await expect(edad).toBeVisible();
        await page.reload();
        await expect(page.getByRole('heading', { name: una!.folio })).toBeVisible();
        await expect(edad).toBeVisible();
        await page.getByRole('link', { name: /^Volver a/ }).click();
        await expect(page.getByText('Sin señal solo se puede seguir en Bodega.')).toBeVisible();
        await expect(page.getByRole('heading', { name: una!.folio })).toBeVisible();
      } finally {
        await page.context().setOffline(false);
      }
      await expect(edad).toHaveCount(0);
      await expect(page.getByRole('heading', { name: una!.folio })).toBeVisible();
    },
  );

  test(
    'a shelf is counted at the bench, also without signal, and what differs is settled where the count ends',
    LONG,
    async ({ as, allowConsole }, testInfo) => {
      allowConsole(/ERR_INTERNET_DISCONNECTED/);
      const piezas = await seedPiezas(3);
      const [una, otra, perdida] = piezas as [(typeof piezas)[0], (typeof piezas)[0], (typeof piezas)[0]];
      await withDatabase((db) =>
        sql`insert into stock_movimiento (pieza_id, de, a) select id, 'enRevision', 'danado' from stock_interno
          where folio in (${una.folio}, ${otra.folio}, ${perdida.folio})`.execute(db),
      );
      const page = await as('user');
      await abreBodega(page, 'user');
      await page.getByRole('button', { name: 'Contar' }).click();
      await page.getByRole('button', { name: /^Dañado/ }).click();
      await expect(page.getByRole('heading', { name: 'Contar: Dañado' })).toBeVisible();
      const van = page.locator('.cuenta strong');
      await escanea(page, una.folio);
      await expect(van).toHaveText('1');
      await escanea(page, una.folio);
      await expect(page.getByText(`${una.folio} ya se contó.`)).toBeVisible();
      await page.context().setOffline(true);
      await escanea(page, otra.folio);
      await expect(van).toHaveText('2');
      await page.getByRole('button', { name: 'Terminar y ver diferencias' }).click();
      await expect(page.getByText('Falta 1 lectura por enviar.')).toBeVisible();
      await page.screenshot({ path: testInfo.outputPath('contar.png'), fullPage: true });
      await page.context().setOffline(false);
      await expect(page.getByRole('heading', { name: /^Por enviar/ })).toBeHidden();
      await page.reload();
      await expect(van).toHaveText('2');
      await page.getByRole('button', { name: 'Terminar y ver diferencias' }).click();
      await page.getByRole('button', { name: 'Terminar' }).click();
      await answerYes(page);
      const falta = page.getByRole('listitem').filter({ hasText: perdida.folio });
      await falta.getByLabel('Por qué se da de baja').selectOption('Extraviada');
      await falta.getByRole('button', { name: 'Dar de baja' }).click();
      await answerYes(page);
      await expect(falta.getByText('Baja: Extraviada')).toBeVisible();
      expect(await estadosDe(perdida.id)).toEqual(['enRevision', 'danado', 'baja']);
      await page.screenshot({ path: testInfo.outputPath('diferencias.png'), fullPage: true });
    },
  );

  test(
    'two phones receive one parcel: the second is told, and makes none unless it has more',
    LONG,
    async ({ as, allowConsole }, testInfo) => {
      allowConsole(/409 \(Conflict\)/);
      const { vuelta } = await seedVueltaYVenta();
      const [una, otra] = [await as('user'), await as('admin')];
      for (const [page, area] of [
        [una, 'user'],
        [otra, 'admin'],
      ] as const) {
        await abreBodega(page, area);
        await escanea(page, vuelta.numOrden);
        await page.getByText('Recibir una devolución').click();
        await page.getByLabel('Costo por pieza con IVA').fill('900');
        // A field that is open ends with Enter too, and sends nothing.
        await page.keyboard.press('Enter');
      }
      await una.getByRole('button', { name: 'Crear devolución' }).click();
      await expect(una.getByText('Se crearon los siguientes folios')).toBeVisible();
      const [pieza] = await piezasDe(vuelta.id);
      await otra.getByRole('button', { name: 'Crear devolución' }).click();
      await expect(otra.getByText('Otra persona recibió piezas de esta orden.')).toContainText(pieza!.folio);
      await otra.screenshot({ path: testInfo.outputPath('dos.png'), fullPage: true });
      expect(await piezasDe(vuelta.id)).toHaveLength(1);
      await otra.getByRole('button', { name: 'Quitar' }).click();
      await expect(otra.getByRole('heading', { name: /^Por enviar/ })).toBeHidden();
      expect(await piezasDe(vuelta.id)).toHaveLength(1);
    },
  );

  test('a return is received, gets its printed label, is written off by mistake and taken back, and is picked for a sale', async ({
    as,
  }, testInfo) => {
    const { vuelta, venta } = await seedVueltaYVenta();
    const page = await as('user');
    const { codigo } = await withDatabase(async (db) => {
      const { id } = await db
        .selectFrom('usuario')
        .select('id')
        .where('usuario', '=', 'user')
        .executeTakeFirstOrThrow();
      const [etiqueta] = await db
        .transaction()
        .execute((trx) => createEtiquetas(trx, { clave: randomUUID(), cuantas: 1 }, id));
      return etiqueta!;
    });
    const look = async (name: string) => {
      await expectNoSideways(page, name);
      await page.screenshot({ path: testInfo.outputPath(`${name}.png`), fullPage: true });
    };
    const busca = async (texto: string) => {
      await page.getByLabel('Folio u orden').fill(texto);
      await page.getByRole('button', { name: 'Buscar' }).click();
    };
    await page.goto('/user');
    await page.getByRole('navigation', { name: 'Accesos' }).getByRole('link', { name: 'Escanear' }).click();
    await page.waitForURL('**/user/bodega');
    await busca(vuelta.numOrden);
    await page.getByText('Recibir una devolución').click();
    await page.getByLabel('Cantidad').fill('2');
    await page.getByLabel('Costo por pieza con IVA').fill('900');
    await look('recibir');
    await page.getByRole('button', { name: 'Crear devolución' }).click();
    await expect(page.getByText('Se crearon los siguientes folios')).toBeVisible();
    const { folio, id } = (await piezasDe(vuelta.id))[0]!;
    await look('folios');
    // A browser without a window ends with the page that prints a PDF: here it prints a sheet that notes it.
    await page.route('**/descargas/etiquetas?*', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script>print = () => document.documentElement.setAttribute("data-impresa", "")</script>Hoja',
      }),
    );
    await expect(page.getByRole('heading', { name: `Recibido de la orden ${vuelta.numOrden}` })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Crear devolución' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Imprimir 2 etiquetas' }).click();
    const etiquetas = page.locator('iframe[title="Etiquetas"]');
    await expect(etiquetas.contentFrame().getByText('Hoja')).toBeAttached();
    const impresas = await page.request.get((await etiquetas.getAttribute('src'))!);
    const { dice } = (await readCodigos(await impresas.body())) as { dice: string[] };
    expect(dice.map((direccion) => direccion.split('/siqr/')[1])).toContain(folio);
    await page.getByRole('button', { name: 'Otra pieza' }).click();
    await expect(page.getByRole('heading', { name: /^Recibido/ })).toHaveCount(0);

    await busca(codigo);
    await expect(page.getByText('Ligar a una de las que acaban de llegar')).toBeVisible();
    await look('etiqueta');
    // The piece is read before its label arrives, and answered after.
    let read = () => {};
    let linked = () => {};
    const piezaLeida = new Promise<void>((resolve) => (read = resolve));
    const etiquetaLigada = new Promise<void>((resolve) => (linked = resolve));
    await page.route(
      '**/bodega/leer?*',
      async (route) => {
        const answer = await route.fetch();
        read();
        await etiquetaLigada;
        await route.fulfill({ response: answer });
      },
      { times: 1 },
    );
    await page.route(
      '**/bodega/enviar',
      async (route) => {
        await piezaLeida;
        await route.fulfill({ response: await route.fetch() });
        await expect(page.locator('#cola')).toBeHidden();
        linked();
      },
      { times: 1 },
    );
    await page.locator('#vista').getByRole('button', { name: folio }).click();
    await expect(page.getByRole('heading', { name: folio })).toBeVisible();
    await expect(page.getByText(codigo, { exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Baja', exact: true }).click();
    await expect(page.getByRole('button', { name: 'No', exact: true })).toBeFocused();
    await look('baja');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Baja', exact: true }).click();
    // The thumb is as fast as the answer: the button is the one that the page showed before it knew what the change had left.
    let sale = () => {};
    const detenida = new Promise<void>((resolve) => (sale = resolve));
    await page.route('**/bodega/enviar', async (route) => {
      await detenida;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Si', exact: true }).click();
    const deshacer = await page.getByRole('button', { name: 'Deshacer: regresar a En revisión' }).elementHandle();
    sale();
    await expect(page.getByText('Por enviar', { exact: true })).toHaveCount(0);
    await deshacer!.evaluate((button: HTMLElement) => button.click());
    await expect(page.getByText('Se deshizo el cambio de estatus.')).toBeVisible();
    await page.unroute('**/bodega/enviar');
    // The sale is read before the press arrives, and offers the piece once it did.
    let ventaLeida = () => {};
    const leida = new Promise<void>((resolve) => (ventaLeida = resolve));
    await page.route(
      '**/bodega/enviar',
      async (route) => {
        await leida;
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Disponible', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Reservado', exact: true })).toBeVisible();

    await busca(venta.numOrden);
    await expect(page.getByText('No hay piezas nuestras de lo que se vendió.')).toBeVisible();
    ventaLeida();
    await expect(page.getByRole('button', { name: new RegExp(folio) })).toBeVisible();
    await look('surtir');
    await page.getByRole('button', { name: new RegExp(folio) }).click();
    await page.getByRole('button', { name: `Surtir en la orden ${venta.numOrden}` }).click();
    await expect(page.locator('#vista .chip', { hasText: 'Vendido' })).toBeVisible();
    // The view shows a press before the server has it.
    await expect(page.getByText('Por enviar', { exact: true })).toHaveCount(0);
    await look('vendida');
    expect(await estadosDe(id)).toEqual(['enRevision', 'baja', 'enRevision', 'disponible', 'vendido']);
  });
});
