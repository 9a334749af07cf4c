import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import * as xlsx from 'xlsx';
import { buildLiquidacion } from '../support/builders/conciliacion';
import { withDatabase } from './support/database';
import { expectAccessible, expectFits } from './support/fits';
import { LONG, answerYes, BESIDE, expect, signIn, test } from './support/test';

const row = (page: Page, text: string) => page.locator('tbody tr[data-i]').filter({ hasText: text });

test(
  'a deposit is reconciled: the sale that differs, its reason, what was claimed, and all of it in Excel',
  LONG,
  async ({ as }) => {
    const numero = `20008${String(Date.now()).slice(-9)}`;
    const hecha = await withDatabase((db) => buildLiquidacion(db, [`${numero}01`, `${numero}02`]));
    const page = await as('sa');
    const busca = `q=${hecha.numDiferente}`;
    await page.goto(`/sa/conciliacion?${busca}`);
    const deposito = row(page, 'Con diferencia');
    await expect(deposito).toContainText('$845.00');
    await deposito.getByRole('link').first().press('Enter');
    const panel = page.locator('aside.lado');
    await expect(panel.getByRole('heading', { name: 'De qué está hecho' })).toBeVisible();
    await expect(panel.getByText('Con diferencia', { exact: true })).toBeVisible();
    await expectAccessible(page, 'depósito');

    await panel.getByRole('link', { name: hecha.numDiferente }).first().click();
    await expect(panel.getByText('-$85.00').first()).toBeVisible();
    await expect(panel.getByText('-$15.00').first()).toBeVisible();
    await panel.getByLabel('Motivo').fill('Cobraron la tarifa de otra categoría');
    await panel.getByLabel(/reclam/i).check();
    await panel.getByRole('button', { name: 'Guardar', exact: true }).click();
    await expect(page.getByText('Se guardó el motivo.')).toBeVisible();

    await page.goto(`/sa/conciliacion?por=ventas&difieren=1&${busca}`);
    await expect(row(page, hecha.numDiferente)).toContainText('Con diferencia');
    await page.getByRole('button', { name: 'Exportar a Excel' }).click();
    const link = page.locator('.lista-corrida').first().getByRole('link', { name: 'Descargar', exact: true });
    await expect(link).toBeVisible(BESIDE);
    const download = page.waitForEvent('download');
    await link.click();
    const { Sheets } = xlsx.read(readFileSync(await (await download).path()));
    const filas = xlsx.utils.sheet_to_json<Record<string, unknown>>(Sheets['Ventas']!);
    expect(filas.filter((fila) => fila['No. Orden'] === hecha.numDiferente)).toMatchObject([
      { Diferencia: -15, 'En la comisión': -15, Motivo: 'Cobraron la tarifa de otra categoría' },
    ]);

    // What is tolerated is no difference any more.
    await page.goto(`/sa/conciliacion?${busca}`);
    await page.getByRole('button', { name: /^Filtros/ }).click();
    for (const [tolerancia, estado] of [
      ['20', 'Cuadra'],
      ['1', 'Con diferencia'],
    ] as const) {
      await page.getByLabel('Tolerancia en pesos').fill(tolerancia);
      await page.getByRole('button', { name: 'Guardar tolerancia' }).click();
      await expect(row(page, '$845.00')).toContainText(estado);
    }
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page, 'conciliación en un teléfono');
  },
);

test('Amazon is linked by a yes at Seller Central, and a sale of its becomes a CFDI', async ({
  page,
  sandbox,
  allowConsole,
}) => {
  // Of Seller Central's page.
  allowConsole(/favicon\.ico/);
  // A link asks for a fresh proof of who it is.
  await signIn(page, 'admin');
  await page.goto('/admin/tokens?abrir=amazon');
  await page.getByRole('button', { name: 'Activar Amazon' }).click();
  await page.getByRole('button', { name: 'Confirmar' }).click();
  await expect(page.getByText('La cuenta de Amazon quedó activada. Las ventas están llegando.')).toBeVisible();
  await expect(page.getByText('access_token: vinculado')).toBeVisible();

  const sold = await sandbox
    .proveedor('amazon')
    .post<{ id: string; total: number }>('/ventas', { escenario: 'negocio', cantidad: 2 });
  await expect(async () => {
    await page.goto('/admin/facturacion');
    await page.getByLabel('No. Orden').fill(sold.id);
    await page.getByRole('button', { name: 'Buscar Orden' }).click();
    await expect(page.getByRole('heading', { name: 'Artículos' })).toBeVisible({ timeout: 4_000 });
  }).toPass(BESIDE);
  const next = () => page.getByRole('button', { name: 'Siguiente' }).last().click();
  await next();
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  if (await guardar.isVisible()) {
    await page.getByLabel('Regimen a facturar').selectOption('601');
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await guardar.click();
  }
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);
  await next();
  // Amazon tells no use, and nothing is chosen for the client.
  await page.getByLabel('Uso de CFDI').selectOption('G03');
  await page.getByRole('button', { name: 'Crear Factura' }).click();
  await answerYes(page);
  await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);
  const [stamped, ...others] = await sandbox.facturacom.stamped(sold.id);
  expect(others).toEqual([]);
  expect(stamped).toMatchObject({ RFC: 'EKU9003173C9', total: sold.total.toFixed(2), type: 'I' });
});
