import type { Page } from '@playwright/test';
import { civilDay } from '~/core/time';
import { seedVentas } from './support/mes';
import { goByPalette, pressByKey, tabTo, withoutPointer } from './support/teclado';
import { answerYes, BESIDE, LONG, expect, test } from './support/test';

/** A month nobody else sells in. */
const MES = { anio: String(Number(civilDay(new Date()).slice(0, 4)) - 1), mes: '04' };

/** Where the keyboard is, as it would be read aloud; the page itself is nowhere. */
const focusIsSomewhere = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);

test('a sale is found and invoiced without a pointer', async ({ as, sandbox, allowConsole }) => {
  allowConsole(/422/);
  const page = await as('sa');
  await withoutPointer(page);
  const { numOrden } = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple', { rfc: 'EKU9003173C9' });
  await page.goto('/sa');
  await goByPalette(page, numOrden, `Facturar la orden ${numOrden}`);

  await expect(page.getByRole('heading', { name: 'Artículos' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  if (await guardar.isVisible()) {
    await tabTo(page, page.getByLabel('Email', { exact: false }).first());
    await page.keyboard.press('Control+a');
    await page.keyboard.type('cliente@empresa.mx');
    await pressByKey(page, guardar);
  }
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);
  await focusIsSomewhere(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Revisar Datos' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('¿Estas seguro de generar la factura?')).toBeVisible();
  await answerYes(page);
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);
  await tabTo(page, page.getByRole('link', { name: 'Descargar PDF' }));
  expect(await sandbox.facturacom.stamped(numOrden)).toHaveLength(1);
});

test('a month is closed without a pointer', LONG, async ({ as, sandbox }) => {
  const page = await as('sa');
  await withoutPointer(page);
  const mes = `${MES.anio}-${MES.mes}`;
  await seedVentas(['116.00', '232.00'].map((precio, at) => ({ fecha: `${mes}-1${at}T18:00:00Z`, precio })));
  await page.goto('/sa');
  await goByPalette(page, 'facturacion general', 'Facturación general');
  await expect(page.getByRole('heading', { name: 'Facturación general', exact: true })).toBeVisible();
  await tabTo(page, page.getByLabel('Selecciona un Mes'));
  await page.keyboard.type(`Abril de ${MES.anio}`);
  await pressByKey(page, page.getByRole('button', { name: 'Buscar', exact: true }));
  const tabla = page.getByRole('region', { name: 'Ordenes', exact: true });
  await expect(tabla).toContainText('$348.00');
  await focusIsSomewhere(page);

  await pressByKey(page, tabla.getByRole('button', { name: 'Generar Factura' }));
  await expect(page.getByText('¿Estas seguro de generar')).toBeVisible();
  await answerYes(page);
  await expect(tabla).toContainText('La factura Se genero correctamente', BESIDE);
  await focusIsSomewhere(page);
  const living = (await sandbox.facturacom.stamped(`GLOBAL-${mes}-1`)).filter(({ estado }) => estado === 'vigente');
  expect(living.map(({ total }) => total)).toEqual(['348.00']);
});

test(
  'a screen reader meets title, filters, table and totals in that order, and a step after its screen',
  LONG,
  async ({ as, sandbox }) => {
    const page = await as('sa');
    await page.goto('/sa/ordenes');
    await expect(page.locator('.lista-tabla tbody tr').first()).toBeVisible();
    const read = await page.locator('body').ariaSnapshot();
    const inOrder = [
      'link "Saltar al contenido"',
      'search:',
      'navigation "Menú principal"',
      'main:',
      'heading "Ordenes" [level=1]',
      'columnheader',
      'gridcell',
    ];
    for (const part of inOrder) expect(read).toContain(part);
    const places = inOrder.map((part) => read.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));

    const { numOrden } = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple', { rfc: 'EKU9003173C9' });
    await page.goto('/sa');
    await goByPalette(page, numOrden, `Facturar la orden ${numOrden}`);
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeFocused();
    const steps = await page.getByRole('main').ariaSnapshot();
    expect(steps).toContain('heading "Facturación" [level=1]');
    expect(steps.indexOf('heading "Facturación"')).toBeLessThan(steps.indexOf('heading "Artículos"'));
  },
);
