import type { Page } from '@playwright/test';
import { withDatabase } from './support/database';
import { pressByKey, tabTo, withoutPointer } from './support/teclado';
import { answerYes, BESIDE, expect, LONG, test } from './support/test';
import { ventaDe } from './support/ventaDe';

const MINUTE_MS = 60_000;
const panel = (page: Page) => page.locator('aside.lado');

test('thirty questions are answered by keys alone within five minutes', LONG, async ({ as, sandbox }) => {
  test.setTimeout(10 * MINUTE_MS);
  const cuantas = 30;
  const lote = `Hora${String(Date.now()).slice(-8)}`;
  const ids: string[] = [];
  for (let n = 0; n < cuantas; n++) {
    const itemId = `MLM4${lote.slice(-8)}${String(n).padStart(2, '0')}`;
    await sandbox.mercadolibre.post(`/publicaciones/${itemId}`, { sinAviso: true, title: `${lote} ${n}` });
    const pregunta = { text: `¿Trae cable de ${n} m?`, itemId };
    ids.push((await sandbox.mercadolibre.post<{ id: string }>('/preguntas', pregunta)).id);
  }
  const those = () =>
    withDatabase((db) => db.selectFrom('pregunta').selectAll().where('marketId', 'in', ids).execute());
  await expect.poll(async () => (await those()).length, BESIDE).toBe(cuantas);

  const page = await as('sa');
  await withoutPointer(page);
  await page.goto(`/sa/responderPreguntas?q=${lote}`, { waitUntil: 'networkidle' });
  await tabTo(page, page.getByRole('grid'));
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const start = Date.now();
  const vistas: string[] = [];
  for (let n = 0; n < cuantas; n++) {
    const titulo = panel(page).locator('h2');
    // A record that is read has its noun for a title.
    await expect(async () => {
      const dice = (await titulo.textContent()) ?? '';
      expect(dice).toMatch(/^¿Trae cable/);
      expect(vistas).not.toContain(dice);
      vistas.push(dice);
    }).toPass(BESIDE);
    await expect(page.getByLabel('Respuesta', { exact: true })).toBeFocused();
    await page.keyboard.type(`Sí. A la pregunta «${vistas.at(-1)}».`);
    await page.keyboard.press('Control+Enter');
  }
  await expect(panel(page)).toHaveCount(0);
  expect(Date.now() - start).toBeLessThan(5 * MINUTE_MS);
  expect(new Set(vistas).size).toBe(cuantas);
  // Each answer went to the question that stood there.
  await expect
    .poll(async () => (await those()).filter(({ respuesta, texto }) => respuesta?.includes(texto)).length, {
      timeout: MINUTE_MS,
    })
    .toBe(cuantas);
});

test('twenty sales are invoiced by keys alone, each once', LONG, async ({ as, sandbox }) => {
  test.setTimeout(10 * MINUTE_MS);
  const ventas: string[] = [];
  for (let n = 0; n < 20; n++)
    ventas.push(
      (await sandbox.mercadolibre.newOrden<{ numOrden: string }>('simple', { rfc: 'EKU9003173C9' })).numOrden,
    );
  const read = () =>
    withDatabase((db) => db.selectFrom('orden').select('numOrden').where('numOrden', 'in', ventas).execute());
  await expect.poll(async () => (await read()).length, BESIDE).toBe(ventas.length);

  const page = await as('sa');
  await withoutPointer(page);
  for (const numOrden of ventas) {
    await page.goto('/sa/facturacion', { waitUntil: 'networkidle' });
    await page.keyboard.type(numOrden);
    await page.keyboard.press('Enter');
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
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { name: 'Revisar Datos' })).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await answerYes(page);
    await expect(page.getByRole('heading', { name: 'Factura Creada Correctamente' })).toBeVisible(BESIDE);
  }
  for (const numOrden of ventas) expect(await sandbox.facturacom.stamped(numOrden), numOrden).toHaveLength(1);
});

test('ten sales are ordered at their supplier by keys alone, each once', LONG, async ({ as, sandbox }) => {
  test.setTimeout(10 * MINUTE_MS);
  const ventas: string[] = [];
  for (let n = 0; n < 10; n++) ventas.push((await ventaDe(sandbox, 'ct', 40 + n)).numOrden);
  const page = await as('sa');
  await withoutPointer(page);
  for (const numOrden of ventas) {
    await page.goto(`/sa/ordenes?q=${numOrden}`, { waitUntil: 'networkidle' });
    await tabTo(page, page.getByRole('grid'));
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    // The next step of a sale is the main button of its panel.
    await pressByKey(page, panel(page).locator('footer').getByRole('button', { name: 'Hacer pedido a CT' }));
    await answerYes(page);
    await expect(page.getByText(/^Pedido creado\. Falta confirmarlo\.$|^El pedido va en camino a CT/)).toBeVisible(
      BESIDE,
    );
  }
  const pedidos = () =>
    withDatabase((db) =>
      db.selectFrom('pedido').select(['numOrden', 'estado']).where('numOrden', 'in', ventas).execute(),
    );
  await expect
    .poll(
      async () =>
        (await pedidos())
          .filter(({ estado }) => estado === 'solicitado')
          .map((p) => p.numOrden)
          .sort(),
      BESIDE,
    )
    .toEqual(ventas.toSorted());
});
