import { buildGuia } from '../support/builders/pedidos';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { seedOrden } from './support/ordenes';
import { LONG, answerYes, BESIDE, BOTH, expect, test } from './support/test';

const DIA = 86_400_000;

test('a sale whose buyer asked is invoiced in its card, by one press to the question that says all of the document', async ({
  as,
  sandbox,
  allowConsole,
}) => {
  // A question that somebody else answers meanwhile is gone when its card asks for it.
  allowConsole(/404 \(Not Found\).*responderPreguntas/);
  const { numOrden } = await sandbox.mercadolibre.newOrden<{ numOrden: string }>('cantidad', { rfc: 'EKU9003173C9' });
  const leida = (db: Parameters<Parameters<typeof withDatabase>[0]>[0]) =>
    db
      .selectFrom('orden')
      .select('id')
      .where('numOrden', '=', numOrden)
      .where('billingInfoId', 'is not', null)
      .execute();
  await expect.poll(async () => (await withDatabase(leida)).length, BESIDE).toBe(1);
  const page = await as('sa');
  page.on('dialog', (dialog) => void dialog.accept());
  // The receiver is saved once, on its screen.
  await page.goto(`/sa/facturacion?numOrden=${numOrden}`);
  await page.getByRole('button', { name: 'Siguiente' }).last().click();
  await expect(page.getByRole('heading', { name: 'Datos de Facturación' })).toBeVisible();
  const guardar = page.getByRole('button', { name: 'Guardar', exact: true });
  if (await guardar.isVisible()) {
    await page.getByLabel('Email', { exact: false }).first().fill('cliente@empresa.mx');
    await guardar.click();
  }
  await expect(page.getByRole('button', { name: 'Editar', exact: true })).toBeVisible(BESIDE);

  const carta = page.getByRole('region', { name: 'Listas para facturar' });
  const abierta = carta.locator('.abierta');
  const crear = carta.getByRole('button', { name: 'Crear Factura' });
  await expect(async () => {
    await page.goto('/sa/hoy');
    await expect(crear).toBeVisible({ timeout: 5_000 });
  }).toPass(BESIDE);
  const una = (await abierta.locator('.detalle').textContent())!.split(' · ')[0]!;
  await expect(carta.locator('.aqui')).toHaveCount(1);
  await expectAccessible(page, 'hoy');
  await crear.click();
  const pregunta = page.getByRole('alertdialog');
  await expect(pregunta.locator('.hechos')).toHaveText(
    new RegExp(`^Orden ${una} · .+ · Uso \\w+ - .+ · Pago \\d\\d - .+ · \\d\\d/\\d\\d/\\d{4} · \\$[\\d,]+\\.\\d\\d$`),
  );
  await answerYes(page);
  await expect(abierta.filter({ hasText: una })).toHaveCount(0, BESIDE);
  await expect(page).toHaveURL(/\/sa\/hoy$/);
  await expect.poll(async () => (await sandbox.facturacom.stamped(una)).length, BESIDE).toBe(1);
});

const edadMax = 91 * 24;

test('the label of the first parcel is printed in its card, and the next parcel stands there', LONG, async ({ as }) => {
  const vender = async (hours: number) => {
    const orden = await seedOrden({ hours, envio: { estatus: 'ready_to_ship' } });
    await withDatabase((db) => buildGuia(db, orden.envioId!));
    return orden.numOrden;
  };
  const [una, otra] = [await vender(edadMax - 1), await vender(edadMax - 2)];
  const page = await as('user');
  const carta = page.getByRole('region', { name: 'Por enviar hoy' });
  await expect(async () => {
    await page.goto('/user/hoy');
    await expect(carta.locator('.abierta')).toContainText(una, { timeout: 1_000 });
  }).toPass(BESIDE);
  const imprimir = carta.getByRole('link', { name: 'Imprimir guía' });
  await expect(imprimir).toHaveCount(1);
  const alto = (await carta.boundingBox())!.height;
  const [hoja] = await Promise.all([page.context().waitForEvent('page'), imprimir.click()]);
  expect(
    (
      await page.request.get(hoja.url() === 'about:blank' ? (await imprimir.getAttribute('href'))! : hoja.url())
    ).status(),
  ).toBe(200);
  await expect(carta.locator('.abierta')).toContainText(otra);
  await expect(imprimir).toHaveCount(1);
  expect(Math.abs((await carta.boundingBox())!.height - alto), 'the card keeps its height').toBeLessThanOrEqual(1);
});

test(
  'the first return that arrives is received in its card, its label is there, and the next stands there',
  LONG,
  async ({ as }) => {
    const volver = (hours: number) => seedOrden({ hours, clase: 'cancelada', envio: { estatus: 'not_delivered' } });
    const [una, otra] = [await volver(119 * 24), await volver(118 * 24)];
    await withDatabase(async (db) => {
      for (const [at, { id }] of [una, otra].entries())
        await db
          .updateTable('orden')
          .set({ cambioEn: new Date(Date.now() - (3_000 - at) * DIA) })
          .where('id', '=', id)
          .execute();
    });
    const page = await as('user');
    page.on('dialog', (dialog) => void dialog.accept());
    const carta = page.getByRole('region', { name: 'Devoluciones por recibir' });
    const abierta = carta.locator('.abierta');
    await expect(async () => {
      await page.goto('/user/hoy');
      await expect(abierta).toContainText(una.numOrden, { timeout: 1_000 });
    }).toPass(BESIDE);
    await expect(carta.locator('.aqui')).toHaveCount(1);
    await carta.getByLabel('Costo por pieza con IVA').fill('250');
    await carta.getByRole('button', { name: 'Crear devolución' }).click();
    await expect(carta.getByText('La devolución quedó registrada.')).toBeVisible(BESIDE);
    await expect(carta.getByRole('button', { name: 'Imprimir etiqueta' })).toBeVisible();
    await expect(page).toHaveURL(/\/user\/hoy$/);
    const piezas = await withDatabase((db) =>
      db.selectFrom('stockInterno').select('costo').where('ordenId', '=', una.id).execute(),
    );
    expect(piezas.map(({ costo }) => costo.toFixed(2))).toEqual(['250.00']);
    await carta.getByRole('button', { name: 'Siguiente devolución' }).click();
    await expect(abierta).toContainText(otra.numOrden);
    await expect(carta.getByText(una.numOrden)).toHaveCount(0);
  },
);

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the first parcel and the first return are links to their screens', LONG, async ({ as }) => {
    await seedOrden({ hours: edadMax - 3, envio: { estatus: 'ready_to_ship' } });
    await seedOrden({ hours: 117 * 24, clase: 'cancelada', envio: { estatus: 'not_delivered' } });
    const page = await as('user');
    await page.goto('/user/hoy');
    for (const [name, screen] of [
      ['Por enviar hoy', 'ordenesActivas'],
      ['Devoluciones por recibir', 'devoluciones'],
    ] as const) {
      const carta = page.getByRole('region', { name });
      await expect(carta.locator('.aqui')).toBeHidden();
      await expect(carta.locator('a.que').first()).toHaveAttribute('href', new RegExp(`^/user/${screen}\\?`));
    }
  });
});

/** Brings back what these stories put aside, for the others. */
test.afterEach(() => withDatabase((db) => db.deleteFrom('encargo').where('motivo', '=', 'No ha llegado').execute()));

test('returns that are weeks late are put aside by one press of ‘Atrasado’, once its question was answered', async ({
  as,
}) => {
  const { id, numOrden } = await seedOrden({
    hours: 100 * 24,
    clase: 'cancelada',
    envio: { estatus: 'not_delivered' },
  });
  await withDatabase((db) =>
    db
      .updateTable('orden')
      .set({ cambioEn: new Date(Date.now() - 90 * DIA) })
      .where('id', '=', id)
      .execute(),
  );
  const page = await as('user');
  const lote = page.getByRole('button', { name: 'No ha llegado: lo atrasado de Devoluciones por recibir' });
  await expect(async () => {
    await page.goto('/user/hoy');
    await expect(lote).toBeVisible({ timeout: 1_000 });
  }).toPass(BESIDE);
  await lote.click();
  const fila = page.getByRole('row').filter({ hasText: numOrden });
  await expect(fila).toContainText('Califica');
  await page.getByRole('button', { name: /^No ha llegado \(/ }).click();
  await answerYes(page);
  await expect(fila).toContainText('Hecha', BESIDE);
  await page.goto('/user/hoy?cola=devolucionesPorRecibir');
  await expect(
    page.getByRole('region', { name: 'Pospuestas' }).getByRole('listitem').filter({ hasText: numOrden }),
  ).toContainText('No ha llegado');
});

for (const { javaScriptEnabled, how, atLength } of BOTH)
  test.describe(`‘No es de hoy’ ${how}`, atLength, () => {
    test.use({ javaScriptEnabled });

    test('one press puts one line aside until tomorrow, and ‘Deshacer’ brings it back', async ({ as }) => {
      const { numOrden } = await seedOrden({ hours: edadMax - 5, envio: { estatus: 'ready_to_ship' } });
      const page = await as('user');
      await page.goto('/user/hoy?cola=porEnviar');
      const pulsa = page.getByRole('button', { name: new RegExp(`^No es de hoy: .*${numOrden}`) });
      const aparte = page
        .getByRole('region', { name: 'Pospuestas' })
        .getByRole('listitem')
        .filter({ hasText: numOrden });
      if (javaScriptEnabled) {
        await expectAccessible(page, 'cola');
        await pulsa.focus();
        await page.keyboard.press('Enter');
      } else await pulsa.click();
      await expect(aparte).toContainText('No es de hoy');
      await expect(aparte).toContainText('09:00');
      await expect(pulsa).toHaveCount(0);
      if (javaScriptEnabled) await expect(page.getByRole('heading', { name: 'Por enviar hoy' })).toBeFocused();
      await page.getByRole('button', { name: 'Deshacer' }).click();
      await expect(pulsa).toBeVisible();
      await expect(aparte).toHaveCount(0);
    });
  });
