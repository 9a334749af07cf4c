import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import * as xlsx from 'xlsx';
import { civilDay, nombreOfMes } from '~/core/time';
import { devolver, devolverParte, seedVentas } from './support/mes';
import { answerYes, BESIDE, BOTH, expect, test } from './support/test';

/** Months nobody else sells in: one per way of telling the story. */
const ANTERIOR = Number(civilDay(new Date()).slice(0, 4)) - 1;
const MES = { 'con JavaScript': '02', 'sin JavaScript': '03' } as const;
/** Told again, the month of the first telling holds its sales. */
const mesDe = (how: keyof typeof MES) => `${ANTERIOR - 3 * test.info().retry}-${MES[how]}`;

const tabla = (page: Page, titulo: string) => page.getByRole('region', { name: titulo, exact: true });

async function press(page: Page, titulo: string, boton: string, javaScript: boolean) {
  await tabla(page, titulo).getByRole('button', { name: boton }).click();
  await expect(page.getByText('¿Estas seguro de generar')).toBeVisible();
  if (javaScript) await answerYes(page);
  else await page.getByRole('button', { name: 'Si', exact: true }).click();
}

for (const { javaScriptEnabled, how, atLength } of BOTH) {
  test.describe(how, atLength, () => {
    test.use({ javaScriptEnabled });

    test('the month is closed: its global is refused and tried again, a sale comes back, whole or in part, and gets its credit note', async ({
      as,
      sandbox,
    }) => {
      const mes = mesDe(how);
      const numeros = await seedVentas(
        ['348.00', '116.00', '1298.00'].map((precio, at) => ({ fecha: `${mes}-1${at}T18:00:00Z`, precio })),
      );
      const page = await as('sa');
      await page.goto('/sa/facturacionGeneral');
      await page.getByLabel('Selecciona un Mes').selectOption(mes);
      await page.locator('.rango').getByRole('button', { name: 'Buscar', exact: true }).click();
      await expect(tabla(page, 'Ordenes')).toContainText('$1,762.00');

      // A row expands to what was sold.
      await page.getByRole('link', { name: `10/${mes.slice(5)}/${mes.slice(0, 4)}` }).click();
      await expect(page.getByText('AMS|CAM|SYSCOM|')).toBeVisible();

      await sandbox.facturacom.failNext('refuse', { code: 'CFDI40161', contains: `GLOBAL-${mes}-1` });
      await press(page, 'Ordenes', 'Generar Factura', javaScriptEnabled);
      // Once the batch stands still the page is read anew: a press while that answer is on its way is not lost.
      await expect(tabla(page, 'Ordenes')).toContainText('Factura global de');
      let release = () => {};
      const released = new Promise<void>((done) => (release = done));
      await page.route(/facturacionGeneral\.data\?(?!.*lote=)/, async (route) => {
        await released;
        await route.continue();
      });
      await expect(tabla(page, 'Ordenes')).toContainText('Error al facturar.', BESIDE);
      await tabla(page, 'Ordenes').getByRole('link', { name: 'Ver resultado' }).click();
      release();
      await expect(page.getByRole('row', { name: new RegExp(`GLOBAL-${mes}-1`) })).toContainText('Rechazad');
      await page.unrouteAll({ behavior: 'wait' });

      await tabla(page, 'Ordenes').getByRole('button', { name: 'Reintentar fallidas' }).click();
      await expect(tabla(page, 'Ordenes')).toContainText('La factura Se genero correctamente', BESIDE);
      await expect(tabla(page, 'Ordenes')).toContainText('$0.00');
      const [global, ...others] = (await sandbox.facturacom.stamped(`GLOBAL-${mes}-1`)).filter(
        ({ estado }) => estado === 'vigente',
      );
      expect([global?.total, others]).toEqual(['1762.00', []]);

      await exportOf(page, `Resultado ${nombreOfMes(mes)}`, javaScriptEnabled, (rows) =>
        expect(rows).toMatchObject([
          { Referencia: `GLOBAL-${mes}-1`, 'Folio fiscal (UUID)': global!.UUID, Total: 1762 },
        ]),
      );

      await devolver(numeros[0]!);
      await page.goto(`/sa/facturacionGeneral?mes=${mes}&tabla=devueltas`);
      await expect(tabla(page, 'Ordenes Devueltas')).toContainText('$348.00');
      await press(page, 'Ordenes Devueltas', 'Notas de Credito', javaScriptEnabled);
      await expect(tabla(page, 'Ordenes Devueltas')).toContainText('Notas Creadas Correctamente', BESIDE);
      await expect(tabla(page, 'Ordenes Devueltas')).toContainText('Las notas de credito se generaron correctamente');

      // A part that is given back is told by the balance, which leads to its note; after the note the month adds up.
      await devolverParte(numeros[1]!, '100.00');
      await page.goto(`/sa/balanceFiscal?mes=${mes}`);
      const descuadre = page.getByRole('row', { name: new RegExp(numeros[1]!) });
      await expect(descuadre).toContainText('Devuelta en parte');
      await expect(descuadre).toContainText('$16.00');
      // The accountant sees the remedy, and no link to a screen that is not theirs.
      const cont = await as('cont');
      await cont.goto(`/cont/balanceFiscal?mes=${mes}`);
      const suyo = cont.getByRole('row', { name: new RegExp(numeros[1]!) });
      await expect(suyo).toContainText('Nota de crédito');
      await expect(suyo.getByRole('link', { name: 'Nota de crédito' })).toHaveCount(0);
      await descuadre.getByRole('link', { name: 'Nota de crédito' }).click();
      await expect(tabla(page, 'Ordenes Devueltas en Parte')).toContainText('$16.00');
      await press(page, 'Ordenes Devueltas en Parte', 'Notas de Credito', javaScriptEnabled);
      await expect(tabla(page, 'Ordenes Devueltas en Parte')).toContainText('Notas Creadas Correctamente', BESIDE);
      await page.goto(`/sa/balanceFiscal?mes=${mes}`);
      await expect(page.getByText('El mes cuadra')).toBeVisible();

      await page.goto(`/sa/facturasClientes?q=${numeros[0]!}`);
      await page.getByRole('link', { name: 'Notas de crédito' }).click();
      const nota = page.getByRole('row', { name: new RegExp(numeros[0]!) });
      await expect(nota).toContainText(`${global!.serie}-${global!.folio}`);
      await expect(nota).toContainText('$348.00');
      const descarga = page.waitForEvent('download');
      await nota.getByRole('link', { name: /XML/ }).click();
      const xml = readFileSync(await (await descarga).path(), 'utf8');
      expect(xml).toContain(global!.UUID);
      expect(xml).toMatch(/TipoDeComprobante="E"/);
      await nota
        .getByRole('link', { name: /NC-\d+/ })
        .first()
        .click();
      await expect(page.getByText(`folio fiscal ${global!.UUID}`)).toBeVisible();
      if (!javaScriptEnabled) return;
      // Escape answers the question and leaves the document open.
      await page.getByRole('button', { name: 'Cancelar nota de crédito' }).click();
      await expect(page.getByRole('alertdialog')).toContainText(
        '¿Estas seguro de cancelar la nota de crédito ante el SAT?',
      );
      await expect(page.getByRole('button', { name: 'Si', exact: true })).toBeEnabled();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      await expect(page.getByRole('complementary', { name: /NC-\d+/ })).toBeVisible();
    });
  });
}

/** The Excel of the list on the page, asked for and taken. */
async function exportOf(page: Page, titulo: string, javaScript: boolean, check: (rows: unknown[]) => void) {
  await page.getByRole('button', { name: 'Exportar a Excel' }).click();
  const descargar = page.locator('.lista-corrida').filter({ hasText: titulo }).getByRole('link', { name: 'Descargar' });
  await expect(async () => {
    if (!javaScript) await page.reload();
    await expect(descargar).toBeVisible({ timeout: 1_000 });
  }).toPass(BESIDE);
  const begun = page.waitForEvent('download');
  await descargar.click();
  const book = xlsx.read(readFileSync(await (await begun).path()));
  check(xlsx.utils.sheet_to_json(book.Sheets.Resultado!));
}
