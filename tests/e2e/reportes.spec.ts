import { readFileSync } from 'node:fs';
import type { Download, Page } from '@playwright/test';
import * as xlsx from 'xlsx';
import { expectFits } from './support/fits';
import { seedOrden } from './support/ordenes';
import { BESIDE, BOTH, LONG, expect, test } from './support/test';

/** Each way of telling a story has months of its own, long before those of the demo. */
const MESES = {
  mensual: { true: ['2024-02', 'febrero de 2024'], false: ['2024-03', 'marzo de 2024'] },
  llenar: { true: ['2024-04', 'abril de 2024'], false: ['2024-05', 'mayo de 2024'] },
  grafica: { true: ['2024-06', 'junio de 2024'], false: ['2024-07', 'julio de 2024'] },
} as const;
const FORMULA = '=HYPERLINK("https://malo.test","Gratis")';

const saleOf = (mes: string, day: string, sketch: Omit<Parameters<typeof seedOrden>[0], 'hours'>) =>
  seedOrden({ hours: 0, envio: null, fechaCreacion: new Date(`${mes}-${day}T18:00:00Z`), ...sketch });
const row = (page: Page, text: string) => page.locator('tbody tr[data-i]').filter({ hasText: text });
const foot = (page: Page) => page.locator('.lista-tabla tfoot');
const facturas = (page: Page) => page.getByRole('dialog', { name: /^Facturas de proveedor/ });

async function addFactura(page: Page, folio: string, monto: string) {
  await facturas(page).locator('select').selectOption('syscom');
  await facturas(page).getByLabel('Monto').fill(monto);
  await facturas(page).getByLabel('Folio').fill(folio);
  await facturas(page).getByRole('button', { name: 'Guardar' }).click();
}

/** Asks for the Excel and takes it once it is there; without JavaScript a reload tells. */
async function excel(page: Page, javaScriptEnabled: boolean, named: string): Promise<Download> {
  await page.getByRole('button', { name: 'Bajar Excel' }).click();
  const link = page
    .locator('.lista-corrida')
    .filter({ hasText: named })
    .first()
    .getByRole('link', { name: 'Descargar', exact: true });
  await expect(async () => {
    if (!javaScriptEnabled) await page.reload();
    await expect(link).toBeVisible({ timeout: 1_500 });
  }).toPass(BESIDE);
  const download = page.waitForEvent('download');
  await link.click();
  return download;
}

async function sheetOf(file: Download) {
  const book = xlsx.read(readFileSync(await file.path()), { cellNF: true, cellFormula: true });
  expect(book.SheetNames).toEqual(['Reporte Mensual']);
  const sheet = book.Sheets['Reporte Mensual']!;
  const rows = xlsx.utils.sheet_to_json<Record<string, unknown>>(sheet, { raw: true });
  const totales = rows.pop()!;
  expect(totales.Fecha).toBe('Total');
  // The last row says what the column adds up to.
  const total = (name: string) => {
    const suma = rows.reduce((sum, one) => sum + Math.round(Number(one[name] ?? 0) * 100), 0) / 100;
    expect(totales[name]).toBe(suma);
    return suma;
  };
  const cells = Object.entries(sheet)
    .filter(([address]) => /^[A-Z]+\d+$/.test(address))
    .map(([, cell]) => cell as xlsx.CellObject);
  return { rows, total, cells, sheet };
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });
    const key = String(javaScriptEnabled) as 'true' | 'false';

    test('the month, sale by sale: its totals, its supplier invoices, its Excel and what was cancelled', async ({
      as,
    }) => {
      const [mes, nombre] = MESES.mensual[key];
      const normal = await saleOf(mes, '10', { titulo: FORMULA, pagado: '1000.00' });
      const cancelada = await saleOf(mes, '11', {
        titulo: 'La que se canceló',
        pagado: '500.00',
        estatus: 'cancelado',
        marketStatus: 'cancelled',
        clase: 'cancelada',
      });
      await saleOf(mes, '12', { titulo: 'Sin SKU', pagado: '250.00', sku: null, clase: 'invalida' });
      const page = await as('admin');
      await page.goto('/admin/mensual');
      await expect(page.getByRole('heading', { name: 'Mensual' })).toBeVisible();
      await page.getByLabel('Selecciona un Mes').selectOption(mes);
      await page.getByRole('button', { name: 'Generar Reporte' }).click();
      await expect(page.getByRole('grid', { name: `Ventas de ${nombre}` })).toBeVisible();
      await expect(page.getByText('3 registros')).toBeVisible();
      for (const amount of ['$1,250.00', '$500.00', '$200.00']) await expect(foot(page)).toContainText(amount);
      await expect(row(page, cancelada.numOrden)).toHaveAttribute('data-tono', 'mal');

      await expect(row(page, normal.numOrden)).toContainText('Sin costo');
      await row(page, normal.numOrden).locator('a.abre').click();
      await expect(facturas(page)).toContainText(FORMULA);
      await addFactura(page, 'R-300', '300');
      await expect(page.getByText('Se agrego la factura correctamente.')).toBeVisible();
      await expect(facturas(page)).toHaveCount(0);
      await expect(row(page, normal.numOrden)).toContainText('$600.00');
      await expect(row(page, normal.numOrden)).toContainText('R-300');

      const { rows, total, cells, sheet } = await excel(page, javaScriptEnabled, nombre).then(async (file) => {
        expect(file.suggestedFilename()).toBe(`Mensual ${nombre}.xlsx`);
        return sheetOf(file);
      });
      expect(rows).toHaveLength(3);
      expect([
        total('Monto pagado'),
        total('Monto cancelado'),
        total('Comisión'),
        total('Factura'),
        total('Utilidad'),
      ]).toEqual([1250, 500, 200, 300, 600]);
      for (const amount of ['$1,250.00', '$500.00', '$200.00', '$300.00', '$600.00'])
        await expect(foot(page)).toContainText(amount);
      expect(cells.filter(({ f }) => f !== undefined)).toEqual([]);
      expect(cells.find(({ v }) => v === FORMULA)).toMatchObject({ t: 's' });
      expect([sheet['A2'], sheet['B2'], sheet['E2']].map((cell: xlsx.CellObject) => cell.t)).toEqual(['n', 's', 'n']);

      await page.getByRole('searchbox').fill(normal.numOrden);
      if (!javaScriptEnabled) await page.getByRole('search').getByRole('button', { name: 'Buscar' }).click();
      await expect(page.getByText('1 registro', { exact: true })).toBeVisible();
      await expect(foot(page)).toContainText('$1,000.00');
      await page.getByRole('link', { name: 'Abrir Cancelados' }).click();
      await expect(page.getByRole('heading', { name: 'Ordenes canceladas' })).toBeVisible();
      await expect(row(page, cancelada.numOrden)).toContainText('$500.00');
      await expect(page.getByText('1 registro', { exact: true })).toBeVisible();
    });

    test(
      'the report of a range says what each sale earned, a loss in red; a folio twice is refused and loaded again',
      LONG,
      async ({ as, allowConsole }) => {
        allowConsole(/422/);
        const [mes, nombre] = MESES.llenar[key];
        const una = await saleOf(mes, '03', { titulo: 'Venta con pérdida', pagado: '400.00' });
        await saleOf(mes, '28', { titulo: 'Otra venta', pagado: '100.00' });
        const page = await as('user');
        await page.goto('/user/llenarReporte');
        await page.getByLabel('Desde').fill(`${mes}-01`);
        await page.getByLabel('Hasta').fill(`${mes}-15`);
        await page.getByRole('button', { name: 'Generar Reporte' }).click();
        await expect(page.getByText('1 registro', { exact: true })).toBeVisible();
        await row(page, una.numOrden).locator('a.abre').click();
        await addFactura(page, 'P-1', '450.5');
        await expect(row(page, una.numOrden)).toContainText('-$150.50');
        await expect(row(page, una.numOrden).locator('.perdida')).toHaveCount(1);

        await row(page, una.numOrden).locator('a.abre').click();
        await addFactura(page, 'p-1', '1');
        const refusal = page
          .getByRole('alertdialog')
          .filter({ hasText: 'Error. Ya existe la factura con el folio indicado en la orden.' });
        await expect(refusal).toBeVisible();
        if (javaScriptEnabled) {
          await refusal.getByRole('button', { name: 'Entendido' }).click();
          await expect(page.getByRole('alertdialog')).toHaveCount(0);
        }
        await facturas(page).getByRole('link', { name: 'Ver la orden' }).click();
        await expect(
          page.getByRole('complementary', { name: `Orden ${una.numOrden}` }).locator('.cronologia'),
        ).toContainText('Se agregó una factura de proveedor $450.50');

        const last = `${mes}-${new Date(Date.UTC(Number(mes.slice(0, 4)), Number(mes.slice(5)), 0)).getUTCDate()}`;
        await page.goto(`/user/llenarReporte?desde=${mes}-01&hasta=${last}`);
        const file = await excel(page, javaScriptEnabled, nombre);
        expect(file.suggestedFilename()).toBe(`Llenar reporte ${nombre}.xlsx`);
        const { rows, total } = await sheetOf(file);
        expect([rows.length, total('Monto pagado'), total('Utilidad')]).toEqual([2, 500, -150.5]);
        await expect(foot(page)).toContainText('$500.00');
        await expect(foot(page)).toContainText('-$150.50');

        for (const [query, sentence] of [
          [`desde=${mes}-20&hasta=${mes}-01`, 'La fecha inicial del rango es posterior a la final.'],
          ['desde=2020-01-01&hasta=2026-01-01', 'El rango de fechas no puede pasar de 400 días.'],
          ['desde=ayer&hasta=2026-01-01', 'Las fechas del rango no son válidas.'],
        ] as const) {
          expect((await page.goto(`/user/llenarReporte?${query}`))!.status()).toBe(422);
          await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
        }
      },
    );

    test('the graph of a range, and the same figures as tables beside it', LONG, async ({ as, allowConsole }) => {
      allowConsole(/422/);
      const [mes, nombre] = MESES.grafica[key];
      await saleOf(mes, '05', { pagado: '1500.00', sku: 'AMS|1|syscom|A' });
      await saleOf(mes, '05', { pagado: '500.00', sku: 'AMS|1|tvc|B' });
      await saleOf(mes, '06', { pagado: '900.00', clase: 'cancelada', estatus: 'cancelado' });
      const page = await as('sa');
      await page.goto('/sa/grafica');
      await page.getByLabel('Desde').fill(`${mes}-01T00:00`);
      await page.getByLabel('Hasta').fill(`${mes}-30T23:59`);
      await page.getByRole('button', { name: 'Buscar' }).click();
      const [proveedores, periodos] = [page.locator('table').nth(0), page.locator('table').nth(1)];
      await expect(proveedores.getByRole('row', { name: /Syscom/ })).toContainText('$1,500.00');
      await expect(proveedores.getByRole('row', { name: /TVC/ })).toContainText('25.0%');
      await expect(proveedores.getByRole('row', { name: /Total/ })).toContainText('$2,000.00');
      await expect(periodos.locator('tbody').getByRole('row')).toHaveCount(30);
      const day = `05/${mes.slice(5)}/2024`;
      await expect(periodos.getByRole('row', { name: new RegExp(day) })).toContainText(/2\s*\$2,000\.00/);
      if (javaScriptEnabled) {
        await expect(page.locator('.recharts-pie-sector')).toHaveCount(2);
        // What was sold, with the profit, and the sales.
        await expect(page.locator('.recharts-area-area')).toHaveCount(3);
        await expect(page.locator('.lienzo').first()).toContainText('$2,000');
      } else
        await expect(page.locator('noscript p').first()).toHaveText(
          'La gráfica se dibuja con JavaScript. Sus cifras están en la tabla.',
        );

      await page.getByRole('link', { name: 'Mensual', exact: true }).and(page.locator('.boton')).click();
      await expect(periodos.locator('tbody').getByRole('row')).toHaveCount(1);
      await expect(periodos.getByRole('row', { name: new RegExp(nombre) })).toContainText('$2,000.00');

      expect((await page.goto(`/sa/grafica?desde=${mes}-20&hasta=${mes}-01`))!.status()).toBe(422);
      await expect(page.getByText('La fecha inicial del rango es posterior a la final.')).toBeVisible();
      expect((await page.goto('/sa/grafica?desde=2023-01-01&hasta=2024-12-31'))!.status()).toBe(422);
      await expect(page.getByText('El rango de fechas no puede pasar de 400 días.')).toBeVisible();
      await page.goto('/sa/grafica?desde=2019-01-01&hasta=2019-01-31');
      await expect(page.getByText('No encontre nada para ti')).toBeVisible();
    });
  });
}

test(
  'who keeps the books looks at the month and at the invoices of its sales, and changes nothing',
  LONG,
  async ({ as }) => {
    const { id, numOrden } = await saleOf('2024-08', '10', { pagado: '80.00' });
    const page = await as('cont');
    await page.goto('/cont/mensual?mes=2024-08');
    await expect(page.getByRole('link', { name: 'Abrir Cancelados' })).toBeVisible();
    await row(page, numOrden).click();
    await expect(facturas(page)).toContainText('La orden no tiene facturas de proveedor.');
    await expect(facturas(page).getByRole('button')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(
      (
        await page.request.post(`/cont/mensual?proveedorFactura=${id}`, {
          form: { intent: 'agregarFactura', ordenId: id, proveedor: 'ct', folio: 'X', monto: '1' },
          headers: { Origin: new URL(page.url()).origin },
        })
      ).status(),
    ).toBeGreaterThanOrEqual(400);
  },
);

test('nothing for assistive technology to stumble on, and no page wider than its screen', LONG, async ({ as }) => {
  const { id } = await saleOf('2024-09', '10', {});
  const page = await as('sa');
  for (const address of [
    'llenarReporte',
    `mensual?mes=2024-09&proveedorFactura=${id}`,
    'mensual?mes=2024-09',
    'grafica',
    'grafica?paso=mes&desde=2024-06-01&hasta=2024-09-30',
    'rFacturacionGeneral?mes=2024-09',
  ]) {
    await page.goto(`/sa/${address}`);
    await expect(page.locator('table').first()).toBeVisible();
    await expectFits(page, address);
  }
  // On the telephone that it was last looked at on, the month over the list leaves the list in sight.
  expect((await page.locator('.lista-tabla tbody tr').first().boundingBox())!.y).toBeLessThan(300);
});
