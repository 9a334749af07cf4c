import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { createEnlace } from '~/domain/facturacion/enlaces/enlaces.server';
import { FOTO } from '../support/codigoQr';
import { constanciaPdf } from '../support/constancia';
import type { SandboxClient } from '../support/sandboxClient';
import { withDatabase } from './support/database';
import { expectAccessible, expectNoSideways } from './support/fits';
import { seedOrden } from './support/ordenes';
import { BESIDE, BOTH, downloaded, LONG, expect, test } from './support/test';

const MARIA = { rfc: 'RAOF850412K20', razonSocial: 'maria fernanda  ramirez ochoa', cp: '06600', regimen: '612' };
/** Of a public page in all without its script, and of that script. */
const LIMIT_BYTES = { page: 30 * 1024, script: 10 * 1024 };

test.use({ viewport: { width: 390, height: 844 } });

const sell = (sandbox: SandboxClient, scenario = 'simple') =>
  sandbox.mercadolibre.newOrden<{ numOrden: string; total: number }>(scenario);

/** Through the door of the home; the sale needs a moment to arrive. */
async function enter(page: Page, { numOrden, total }: { numOrden: string; total: number }) {
  await expect(async () => {
    await page.goto('/');
    await page.getByLabel('No. Orden').fill(numOrden);
    await page.getByLabel('Monto pagado').fill(total.toFixed(2));
    await page.getByRole('button', { name: 'Facturar' }).click();
    await expect(page).toHaveURL(/\/facturacion\//, { timeout: 2_000 });
  }).toPass(BESIDE);
}

async function fill(page: Page, email = 'maria@correo.test') {
  await page.getByLabel('Razón Social').fill(MARIA.razonSocial);
  await page.getByLabel('Código postal').fill(MARIA.cp);
  await page.getByLabel('Regimen a facturar').selectOption(MARIA.regimen);
  await page.getByLabel('Email', { exact: false }).first().fill(email);
}

/** Nothing a screen reader cannot tell, and nothing that needs scrolling sideways on a phone. */
async function expectGood(page: Page) {
  await expectAccessible(page, page.url());
  await expectNoSideways(page, page.url());
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });
    // axe is JavaScript in the page: without it the tree is looked at by hand.
    const look = (page: Page) => (javaScriptEnabled ? expectGood(page) : Promise.resolve());
    // Without JavaScript each answer is a page of its own, which begins at its beginning.
    const heard = (page: Page, name: string) =>
      javaScriptEnabled ? expect(page.getByRole('heading', { name })).toBeFocused() : Promise.resolve();

    test('from the number of the purchase to the stamped invoice, on a phone, in under a minute', async ({
      page,
      sandbox,
      allowConsole,
    }) => {
      allowConsole(/422/);
      const sale = await sell(sandbox);
      await enter(page, sale);
      const began = Date.now();
      await look(page);
      await expect(page.getByText('Aviso de privacidad.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Siguiente' })).toHaveCount(0);

      await page.getByLabel('RFC').fill(MARIA.rfc.toLowerCase());
      if (javaScriptEnabled) await page.keyboard.press('Tab');
      else await page.getByRole('button', { name: 'Buscar RFC' }).click();
      await expect(page.getByLabel('RFC')).toHaveValue(MARIA.rfc);
      await fill(page);
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await expect(page.getByText('Éxito, la información fue guardada correctamente.')).toBeVisible(BESIDE);
      await heard(page, 'Éxito, la información fue guardada correctamente.');
      await expect(page.getByLabel('Razón Social')).toHaveValue('MARIA FERNANDA RAMIREZ OCHOA');
      await look(page);

      await page.getByRole('button', { name: 'Siguiente' }).click();
      await heard(page, 'Tu factura');
      await expect(page.getByRole('row', { name: /Total/ }).last()).toContainText(
        sale.total.toLocaleString('es-MX', { minimumFractionDigits: 2 }),
      );
      await look(page);
      await page.getByRole('button', { name: 'Crear Factura' }).click();
      await expect(page.getByText('¿Estas seguro de generar la factura?')).toBeVisible();
      await look(page);
      await page.getByRole('button', { name: 'Si', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);
      expect(Date.now() - began).toBeLessThan(60_000);
      await heard(page, 'Factura Creada Correctamente');
      await look(page);

      const [stamped, ...others] = await sandbox.facturacom.stamped(sale.numOrden);
      expect(others).toEqual([]);
      expect(stamped).toMatchObject({ RFC: MARIA.rfc, total: sale.total.toFixed(2) });
      const folio = `${stamped!.serie}-${stamped!.folio}`;
      for (const kind of ['PDF', 'XML']) {
        const file = await downloaded(page, `Descargar ${kind}`);
        expect(file.headers()['content-disposition']).toContain(`${folio}.${kind.toLowerCase()}`);
      }
      await expect
        .poll(
          async () =>
            (await sandbox.correo.inbox({ to: 'maria@correo.test' })).filter((mail) => mail.subject.includes(folio))
              .length,
          BESIDE,
        )
        .toBe(1);
      await expect
        .poll(
          async () => (await sandbox.mercadolibre.get<string[]>(`/documentos?numOrden=${sale.numOrden}`)).sort(),
          BESIDE,
        )
        .toEqual([`${folio}.pdf`, `${folio}.xml`]);

      // The same link shows it again; another one of the sale tells its folio and no more.
      await page.reload();
      await expect(page.getByRole('link', { name: 'Descargar PDF' })).toBeVisible();
      await look(page);
      const here = page.url();

      // What was wrong is corrected by the same person, from the same link.
      await page.getByRole('button', { name: 'Corregir mis datos' }).click();
      await expect(page.getByText(`Corriges la factura ${folio}`)).toBeVisible();
      await look(page);
      await page.getByRole('button', { name: 'No corregir' }).click();
      await expect(page.getByRole('link', { name: 'Descargar PDF' })).toBeVisible();
      await page.getByRole('button', { name: 'Corregir mis datos' }).click();
      await page.getByRole('button', { name: 'Guardar edición' }).click();
      await expect(page.getByText('Éxito, la información fue guardada correctamente.')).toBeVisible(BESIDE);
      await page.getByRole('button', { name: 'Siguiente' }).click();
      await page.getByLabel('Uso de CFDI').selectOption('G01');
      await page.getByRole('button', { name: 'Crear Factura' }).click();
      await expect(page.getByText(`sustituye a la factura ${folio}, que se cancela`)).toBeVisible();
      await page.getByRole('button', { name: 'Si', exact: true }).click();
      await expect(page.getByText('Puedes hacerlo una vez más')).toBeVisible(BESIDE);
      await expect(page.getByText(`Sustituye a la factura ${folio}`)).toBeVisible();
      const corregidas = await sandbox.facturacom.stamped();
      const nueva = corregidas.find(({ relacionados }) => relacionados[0]?.uuids[0] === stamped!.UUID)!;
      expect(nueva).toMatchObject({ RFC: MARIA.rfc, total: sale.total.toFixed(2) });
      expect(page.url().split('?')[0]).toBe(here.split('?')[0]);

      await enter(page, sale);
      await expect(
        page.getByText(`La orden ya está facturada con el folio ${nueva.serie}-${nueva.folio}.`),
      ).toBeVisible();
      await expect(page.getByRole('link', { name: /Descargar/ })).toHaveCount(0);
      await look(page);
    });

    test(
      'the constancia of the SAT fills the form, which is looked over and saved',
      LONG,
      async ({ page, sandbox, allowConsole }) => {
        allowConsole(/422/);
        await enter(page, await sell(sandbox));
        await page.getByLabel('Email', { exact: false }).first().fill('maria@correo.test');
        const read = async (name: string, buffer: Buffer, mimeType = 'application/pdf') => {
          await page.getByLabel(/PDF de tu constancia/).setInputFiles({ name, mimeType, buffer });
          // With its script a file is read as soon as it is chosen.
          if (!javaScriptEnabled) await page.getByRole('button', { name: 'Leer mi constancia' }).click();
        };
        await read('foto.pdf', Buffer.from('una foto'));
        await expect(page.getByText('No se puede leer ese archivo.')).toBeVisible();
        // A photograph has only its code, which the SAT knows more of.
        await read('foto.jpg', await readFile(FOTO), 'image/jpeg');
        await expect(page.getByLabel('Razón Social')).toHaveValue('MARIA FERNANDA RAMIREZ OCHOA');
        await expect(page.getByLabel('Regimen a facturar')).toHaveValue('612');
        await read(
          'constancia.pdf',
          await constanciaPdf({
            rfc: MARIA.rfc,
            persona: ['MARIA FERNANDA', 'RAMIREZ', 'OCHOA'],
            cp: MARIA.cp,
            regimenes: [
              { texto: 'Régimen de las Personas Físicas con Actividades Empresariales y Profesionales' },
              { texto: 'Régimen de Arrendamiento' },
            ],
          }),
        );
        await expect(page.getByText('Leímos tu constancia. Compara los datos antes de guardar.')).toBeVisible();
        await expect(page.getByText('Tiene 2 regímenes')).toBeVisible();
        await expect(page.getByLabel('RFC')).toHaveValue(MARIA.rfc);
        await expect(page.getByLabel('Razón Social')).toHaveValue('MARIA FERNANDA RAMIREZ OCHOA');
        await expect(page.getByLabel('Código postal')).toHaveValue(MARIA.cp);
        await expect(page.getByLabel('Email', { exact: false }).first()).toHaveValue('maria@correo.test');
        await page.getByText('¿Dónde está cada dato en mi constancia?').click();
        await expect(page.getByRole('img', { name: 'Una constancia con los cuatro datos señalados' })).toBeVisible();
        await look(page);
        if (javaScriptEnabled) {
          await page.reload();
          await expect(page.getByText('Se recuperó lo que habías escrito y no se había guardado.')).toBeVisible();
          await expect(page.getByLabel('Razón Social')).toHaveValue('MARIA FERNANDA RAMIREZ OCHOA');
        }
        await page.getByLabel('Regimen a facturar').selectOption(MARIA.regimen);
        await page.getByRole('button', { name: 'Guardar', exact: true }).click();
        await expect(page.getByText('Éxito, la información fue guardada correctamente.')).toBeVisible({
          timeout: 20_000,
        });
      },
    );

    test('a name of two hundred letters is read whole', LONG, async ({ page, sandbox, allowConsole }) => {
      allowConsole(/422/);
      const nombre =
        'COMERCIALIZADORA Y DISTRIBUIDORA DE EQUIPOS DE SEGURIDAD VIDEOVIGILANCIA TELECOMUNICACIONES Y REDES DEL CENTRO Y SURESTE DE LA REPUBLICA MEXICANA ASOCIADOS Y SUCESORES DE HERMENEGILDO MARTINEZ SALDAÑA';
      const rfc = javaScriptEnabled ? 'CDE200101AB1' : 'CDE200101AB2';
      await sandbox.facturacom.addContribuyente({ rfc, nombre, cp: '06600', regimenes: ['601'] });
      await enter(page, await sell(sandbox));
      await page.getByLabel('RFC').fill(rfc);
      if (javaScriptEnabled) await page.keyboard.press('Tab');
      else await page.getByRole('button', { name: 'Buscar RFC' }).click();
      await expect(page.getByText('No tenemos datos guardados con ese RFC.')).toBeVisible();
      await page.getByLabel('Razón Social').fill(nombre);
      await page.getByLabel('Código postal').fill('06600');
      await page.getByLabel('Regimen a facturar').selectOption('601');
      await page.getByLabel('Email', { exact: false }).first().fill('compras@correo.test');
      await page.getByRole('button', { name: 'Guardar', exact: true }).click();
      await expect(page.getByText('Éxito, la información fue guardada correctamente.')).toBeVisible(BESIDE);
      const known = page.getByLabel('Razón Social');
      await expect(known).toHaveValue(nombre);
      // Six lines of a phone, at the least.
      expect((await known.boundingBox())!.height).toBeGreaterThan(120);
      expect(await known.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThanOrEqual(1);
      await look(page);
    });

    test(
      'a number that is not there and an amount that is not right read the same, and a dead link leads home',
      atLength,
      async ({ page, sandbox, allowConsole }) => {
        allowConsole(/40\d|422/);
        const sale = await sell(sandbox);
        for (const [numOrden, monto, entendido] of [
          [sale.numOrden, '$ 1 MXN', '$1.00'],
          [
            '2000000000000001',
            sale.total.toFixed(2),
            sale.total.toLocaleString('en', { style: 'currency', currency: 'USD' }),
          ],
        ] as const) {
          await page.goto('/');
          await page.getByLabel('No. Orden').fill(numOrden);
          await page.getByLabel('Monto pagado').fill(monto);
          await page.getByRole('button', { name: 'Facturar' }).click();
          await expect(page.getByRole('alertdialog', { name: 'Aviso' })).toContainText(
            'No encontramos una compra con ese número y ese monto.',
          );
          await expect(page.getByText(`Entendimos ${entendido}.`)).toBeVisible();
        }
        const answer = await page.goto('/facturacion/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
        expect(answer!.status()).toBe(404);
        await expect(page.getByRole('dialog', { name: 'Error de verificación.' })).toContainText(
          'Este enlace no es válido o ya venció.',
        );
        await look(page);
        await page.getByRole('link', { name: 'Entendido' }).click();
        await expect(page.getByRole('heading', { name: 'Factura tu compra' })).toBeVisible();
        await look(page);
      },
    );

    test(
      'staff create a link and the customer edits, is corrected and comes back to it',
      LONG,
      async ({ as, browser, sandbox, allowConsole }) => {
        allowConsole(/422|clipboard/i);
        const staff = await as('admin');
        const sale = await sell(sandbox);
        await expect(async () => {
          await staff.goto(`/admin/enlaces?numOrden=${sale.numOrden}`);
          await staff.getByRole('button', { name: 'Crear enlace' }).click({ timeout: 2_000 });
        }).toPass(BESIDE);
        const url = await staff.getByLabel('Enlace de facturación').inputValue();
        await look(staff);

        const customer = await (
          await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 844 } })
        ).newPage();
        await customer.goto(url);
        await customer.getByLabel('RFC').fill(MARIA.rfc);
        await fill(customer);
        await customer.getByLabel('Código postal').fill('06601');
        await customer.getByRole('button', { name: 'Guardar', exact: true }).click();
        await expect(customer.getByRole('button', { name: 'Siguiente' })).toBeVisible(BESIDE);
        await customer.getByRole('button', { name: 'Siguiente' }).click();
        await customer.getByRole('button', { name: 'Crear Factura' }).click();
        await customer.getByRole('button', { name: 'Si', exact: true }).click();
        await expect(customer.getByText('El Código Postal no es el del domicilio fiscal de ese RFC.')).toBeVisible(
          BESIDE,
        );
        await customer.getByRole('button', { name: 'Corregir' }).click();
        await customer.getByRole('button', { name: 'Editar' }).click();
        await customer.getByLabel('Código postal').fill(MARIA.cp);
        await customer.getByRole('button', { name: 'Guardar edición' }).click();
        await expect(customer.getByText('Éxito, la información fue guardada correctamente.')).toBeVisible(BESIDE);

        // Withdrawn, it is as if it had never been.
        await staff.getByRole('button', { name: 'Revocar' }).first().click();
        await staff.getByRole('button', { name: 'Si', exact: true }).click();
        await expect(staff.getByText('Revocado').first()).toBeVisible();
        expect((await customer.goto(url))!.status()).toBe(404);
        expect(await sandbox.facturacom.stamped(sale.numOrden)).toEqual([]);
        await customer.context().close();
      },
    );
  });
}

/** What the browser fetches for an address, with nothing kept from before, as it came over the wire. */
async function fetched(page: Page, address: string): Promise<[url: string, bytes: number][]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  const sizes = new Map<string, number>();
  const urls = new Map<string, string>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    sizes.set(urls.get(requestId) ?? requestId, encodedDataLength),
  );
  await page.goto(address, { waitUntil: 'networkidle' });
  await cdp.detach();
  return [...sizes];
}

for (const { javaScriptEnabled, how } of BOTH) {
  test.describe(how, () => {
    test.use({ javaScriptEnabled });

    // What comes without the script comes with it too.
    if (javaScriptEnabled)
      test(
        'every kind of public page weighs at most 30 kB, and its one script at most 10',
        LONG,
        async ({ page, sandbox, allowConsole }) => {
          allowConsole(/404|418|422/);
          const sale = await sell(sandbox, 'pack');
          await enter(page, sale);
          await page.getByLabel('RFC').fill(MARIA.rfc);
          await fill(page);
          await page.getByRole('button', { name: 'Guardar', exact: true }).click();
          await expect(page.getByRole('button', { name: 'Siguiente' })).toBeVisible(BESIDE);
          const here = page.url().split('?')[0]!;
          const weigh = async (address: string) => {
            const all = await fetched(page, address);
            const scripts = all.filter(([url]) => url.endsWith('.js'));
            const sum = (some: typeof all) => some.reduce((total, [, bytes]) => total + bytes, 0);
            console.log(
              address.replace(/\/facturacion\/.*(\?|$)/, '/facturacion/…$1'),
              sum(all) - sum(scripts),
              sum(scripts),
            );
            expect(sum(all) - sum(scripts), JSON.stringify(all)).toBeLessThanOrEqual(LIMIT_BYTES.page);
            expect(sum(scripts), JSON.stringify(all)).toBeLessThanOrEqual(LIMIT_BYTES.script);
            expect(
              scripts.map(([url]) =>
                url
                  .replace(/-\w+\.js$/, '')
                  .split('/')
                  .at(-1),
              ),
            ).toEqual(['publico']);
          };
          const { numOrden } = await seedOrden({ hours: 1, envioPropio: true, envio: null });
          const { token } = await withDatabase((db) =>
            db.transaction().execute((trx) =>
              createEnlace(trx, {
                market: 'ml',
                numOrden,
                origen: 'automatico',
                usuarioId: null,
                proposito: 'datosEnvio',
              }),
            ),
          );
          for (const address of [
            '/',
            '/login',
            '/terminosYCondiciones',
            '/no-existe',
            '/facturacion/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
            `/datosEnvio/${token}`,
            here,
            `${here}?paso=2`,
          ])
            await weigh(address);
          await page.getByRole('button', { name: 'Crear Factura' }).click();
          await page.getByRole('button', { name: 'Si', exact: true }).click();
          await expect(page.getByRole('link', { name: 'Descargar PDF' })).toBeVisible(BESIDE);
          await weigh(here);
        },
      );
  });
}
