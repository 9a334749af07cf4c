import type { Page } from '@playwright/test';
import type { SandboxClient } from '../support/sandboxClient';
import { LONG, answerYes, BESIDE, BOTH, downloaded, expect, test } from './support/test';

/** A sale that just arrived by webhook, whose buyer gave tax data the SAT knows. */
async function newSale(sandbox: SandboxClient, scenario: string, facts: Record<string, unknown> = {}) {
  return sandbox.mercadolibre.newOrden<{ numOrden: string; total: number }>(scenario, {
    rfc: 'EKU9003173C9',
    ...facts,
  });
}

/** The webhook needs a moment: the search is pressed until the sale is there. */
async function search(page: Page, numOrden: string) {
  await expect(async () => {
    await page.goto('/sa/facturacion');
    await page.getByLabel('No. Orden').fill(numOrden);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible({ timeout: 2_000 });
  }).toPass(BESIDE);
}

/** The customer of step 2 as we keep it, whether or not somebody invoiced to them before. */
async function keepCliente(page: Page) {
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  if (await guardar.isVisible()) {
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await guardar.click();
  }
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);
}

async function passCliente(page: Page) {
  await keepCliente(page);
  await next(page);
  await expect(page.getByRole('button', { name: 'Crear Factura' })).toBeVisible();
}

const next = (page: Page) => page.getByRole('button', { name: 'Siguiente' }).last().click();

async function confirm(page: Page, javaScript: boolean) {
  await page.getByRole('button', { name: 'Crear Factura' }).click();
  await expect(page.getByText('¿Estas seguro de generar la factura?')).toBeVisible();
  if (javaScript) await answerYes(page);
  else await page.getByRole('button', { name: 'Si', exact: true }).click();
}

test(
  '«Facturar» of a sale leads straight to its items, and Back to where one came from',
  LONG,
  async ({ as, sandbox }) => {
    const page = await as('sa');
    const { numOrden } = await newSale(sandbox, 'cantidad');
    await page.goto('/sa');
    await expect(page.getByRole('link', { name: `Facturar la orden ${numOrden}` })).toBeVisible(BESIDE);
    await page.getByRole('link', { name: `Facturar la orden ${numOrden}` }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Últimas ventas' })).toBeVisible();
  },
);

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });

    test('«Guardar» of a customer waits until there is something to save, where a script can enable it', async ({
      as,
      sandbox,
    }) => {
      const page = await as('sa');
      const sale = await newSale(sandbox, 'cantidad');
      await search(page, sale.numOrden);
      await next(page);
      await keepCliente(page);
      const waits = async (name: string, nota: string) => {
        const guardar = page.getByRole('button', { name, exact: true });
        await (javaScriptEnabled ? expect(guardar).toBeDisabled() : expect(guardar).toBeEnabled());
        await expect(page.getByText(nota)).toHaveCount(javaScriptEnabled ? 1 : 0);
      };
      await page.getByRole('button', { name: 'Editar', exact: true }).click();
      await waits('Guardar edición', 'No hay cambios que guardar.');
      const email = page.getByLabel('Email', { exact: false }).first();
      const antes = await email.inputValue();
      await email.fill('otro@empresa.mx');
      await expect(page.getByRole('button', { name: 'Guardar edición' })).toBeEnabled();
      await email.fill(antes);
      await waits('Guardar edición', 'No hay cambios que guardar.');
      await page.getByRole('button', { name: 'Cancelar', exact: true }).click();
      await page.getByRole('button', { name: 'Otro RFC' }).click();
      await expect(page.getByLabel('RFC')).toHaveValue('');
      await waits('Guardar', 'Escribe el RFC del cliente.');
      await page.getByLabel('RFC').fill('XAXX010101000');
      await expect(page.getByRole('button', { name: 'Guardar', exact: true })).toBeEnabled();
    });

    test(
      'a sale of several pieces becomes a CFDI whose files and letter are there',
      atLength,
      async ({ as, sandbox, allowConsole }) => {
        allowConsole(/422/);
        const page = await as('sa');
        const sale = await newSale(sandbox, 'cantidad');
        await search(page, sale.numOrden);
        await next(page);
        await passCliente(page);
        await expect(page.getByRole('cell', { name: '$100.59' }).last()).toBeVisible();
        await confirm(page, javaScriptEnabled);
        await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);

        const [stamped, ...others] = await sandbox.facturacom.stamped(sale.numOrden);
        expect(others).toEqual([]);
        expect(stamped).toMatchObject({ RFC: 'EKU9003173C9', total: '100.59', type: 'I' });
        await expect(
          page.getByText(`La factura con folio: ${stamped!.serie}-${stamped!.folio} se ha creado correctamente.`),
        ).toBeVisible();
        for (const kind of ['PDF', 'XML']) {
          const file = await downloaded(page, `Descargar ${kind}`);
          expect(file.headers()['content-disposition']).toContain(
            `${stamped!.serie}-${stamped!.folio}.${kind.toLowerCase()}`,
          );
        }
        await expect
          .poll(
            async () =>
              (await sandbox.correo.inbox())
                .filter((mail) => mail.subject.includes(`${stamped!.serie}-${stamped!.folio}`))
                .map((mail) => mail.attachments.length),
            BESIDE,
          )
          .toEqual([2]);

        // Back and press again: the sale says its folio, nothing is stamped.
        await page.goto('/sa/facturacion');
        await page.getByLabel('No. Orden').fill(sale.numOrden);
        await page.getByRole('button', { name: 'Buscar Orden' }).click();
        await expect(page.getByText(/La orden ya está facturada con el folio/).first()).toBeVisible();
        expect(await sandbox.facturacom.stamped(sale.numOrden)).toHaveLength(1);
      },
    );

    test(
      'rows come and go, mistakes are told beside the field, and nothing typed is lost',
      javaScriptEnabled ? LONG : {},
      async ({ as, sandbox, allowConsole }) => {
        allowConsole(/422/);
        const page = await as('sa');
        const sale = await newSale(sandbox, 'pack');
        await search(page, sale.numOrden);
        const rows = page.locator('table.articulos tbody tr');
        await expect(page.getByRole('button', { name: 'Agregar artículo' })).toBeVisible();
        const before = await rows.count();
        await page.getByRole('button', { name: 'Agregar artículo' }).click();
        await expect(rows).toHaveCount(before + 1);
        await page.getByLabel(`Descripción del artículo ${before + 1}`).fill('Instalación de cámaras');
        await page.getByLabel(`Precio unitario del artículo ${before + 1}`).fill('doce');
        await next(page);
        await expect(
          page.getByText('El precio va de 0.01 a 9,999,999.99, con un máximo de 2 decimales.').last(),
        ).toBeVisible();
        await expect(page.getByLabel(`Descripción del artículo ${before + 1}`)).toHaveValue('Instalación de cámaras');
        await page.getByRole('button', { name: `Eliminar el artículo ${before + 1}` }).click();
        await expect(rows).toHaveCount(before);
        await next(page);
        await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();

        // A closed tab: the same search opens what was left half done.
        await search(page, sale.numOrden);
        await expect(rows).toHaveCount(before);
      },
    );
  });
}

test('an answer lost after stamping is found again and shown as one factura', async ({ as, sandbox }) => {
  const page = await as('sa');
  const sale = await newSale(sandbox, 'simple');
  await search(page, sale.numOrden);
  await next(page);
  await passCliente(page);
  await sandbox.facturacom.failNext('500-after-doing', { contains: sale.numOrden });
  await confirm(page, true);
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);
  expect(await sandbox.facturacom.stamped(sale.numOrden)).toHaveLength(1);
});

test('what the PAC refuses names the remedy and keeps what was typed', async ({ as, sandbox }) => {
  const page = await as('sa');
  const sale = await newSale(sandbox, 'simple');
  await search(page, sale.numOrden);
  await next(page);
  await passCliente(page);
  await sandbox.facturacom.failNext('refuse', { code: 'CFDI40148', contains: sale.numOrden });
  await confirm(page, true);
  await expect(
    page.getByText('El Código Postal no es el del domicilio fiscal de ese RFC.', { exact: false }),
  ).toBeVisible(BESIDE);
  await page.getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  await expect(page.getByLabel('RFC')).toHaveValue('EKU9003173C9');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 600 } });

  test('a step that is opened begins at its top', LONG, async ({ as, sandbox }) => {
    const page = await as('sa');
    const { numOrden } = await newSale(sandbox, 'pack');
    await search(page, numOrden);
    await page.reload();
    await page.waitForFunction(() => '__remixRouter' in window);
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });
});

test(
  'what is typed while the page is still arriving stays, and the page comes to life around it',
  LONG,
  async ({ as }) => {
    const page = await as('sa');
    // What the loaders said comes in the stream of the page: here, late.
    await page.addInitScript(() => {
      const { enqueue, close } = ReadableStreamDefaultController.prototype;
      ReadableStreamDefaultController.prototype.enqueue = function (chunk) {
        setTimeout(() => enqueue.call(this, chunk), 1_500);
      };
      ReadableStreamDefaultController.prototype.close = function () {
        setTimeout(() => close.call(this), 1_500);
      };
      // A key right before anything that React has put off: the first is its taking the page over.
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (message: unknown) {
        queueMicrotask(() =>
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true })),
        );
        postMessage.call(this, message);
      };
    });
    await page.goto('/sa/facturacion');
    expect(await page.evaluate(() => '__remixRouter' in window)).toBe(false);
    await page.getByLabel('No. Orden').pressSequentially('2000', { delay: 60 });
    await page.waitForFunction(() => '__remixRouter' in window);
    await page.getByLabel('No. Orden').pressSequentially('0091');
    await expect(page.getByLabel('No. Orden')).toHaveValue('20000091');
    await expect(page.getByRole('button', { name: 'Buscar Orden' })).toBeEnabled();
  },
);

test('a known client is invoiced by keyboard in under 15 seconds', async ({ as, sandbox }) => {
  const page = await as('sa');
  const sale = await newSale(sandbox, 'simple');
  await search(page, sale.numOrden);
  await next(page);
  await passCliente(page);
  const start = Date.now();
  await page.goto('/sa/facturacion');
  // The page has loaded before it is drawn, and the caret stands in the field once it is.
  await expect(page.getByLabel('No. Orden')).toBeFocused();
  await page.keyboard.type(sale.numOrden);
  await page.keyboard.press('Enter');
  for (const [paso, titulo] of Object.entries({ 1: 'Artículos', 2: 'Datos de Facturación', 3: 'Revisar Datos' })) {
    await expect(page.locator('.pasos [aria-current="step"]')).toHaveText(new RegExp(`^${paso}`));
    await expect(page.getByRole('heading', { name: titulo })).toBeFocused();
    // Nothing is pressed by a key that was meant for something else.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+Enter');
  }
  await answerYes(page);
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);
  expect(Date.now() - start).toBeLessThan(15_000);
});

test('two people at the factura of one sale see each other, and whoever reads the sale sees both', async ({
  as,
  sandbox,
}) => {
  const { numOrden } = await newSale(sandbox, 'simple');
  const una = await as('sa');
  await search(una, numOrden);
  const presencia = una.locator('.presencia');
  await expect(presencia).toHaveText('');
  const otra = await as('admin');
  await otra.goto(`/admin/ordenes?rango=todas&q=${numOrden}`, { waitUntil: 'networkidle' });
  await otra.locator('tbody tr[data-i="0"] a.abre').first().click();
  await expect(otra.locator('.lado .presencia')).toHaveText(/ lo tiene abierto$/, BESIDE);
  await expect(presencia).toHaveText(/ lo tiene abierto$/, BESIDE);
  const top = (await una.getByRole('heading', { name: 'Artículos' }).boundingBox())!.y;

  await otra.goto(`/admin/facturacion?numOrden=${numOrden}`);
  await expect(otra.getByRole('heading', { name: 'Artículos' })).toBeVisible();
  await otra.locator('.hoja input:not([type="hidden"])').last().press('End');
  await otra.keyboard.type(' ');
  await expect(presencia).toHaveText(/ escribe$/, BESIDE);
  expect((await una.getByRole('heading', { name: 'Artículos' }).boundingBox())!.y, 'nothing moves').toBe(top);
  await otra.close();
  await expect(presencia).toHaveText('', BESIDE);
});
