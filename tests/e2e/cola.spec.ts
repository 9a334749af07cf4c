import type { Page } from '@playwright/test';
import { pdf } from '../support/builders/archivos';
import { withDatabase } from './support/database';
import { seedOrden } from './support/ordenes';
import { answerYes, BESIDE, expect, LONG, test } from './support/test';

const panel = (page: Page) => page.locator('aside.lado');
const respuesta = (page: Page) => page.getByLabel('Respuesta', { exact: true });
const posicion = (page: Page, texto: string) => expect(panel(page).getByText(texto, { exact: true })).toBeVisible();

test('questions are answered one after the other by keyboard: each opens the next, none is skipped, and the finished one is returned to', async ({
  as,
  sandbox,
}) => {
  const lote = `Fila${String(Date.now()).slice(-8)}`;
  const numero = (n: number) => `MLM3${lote.slice(-8)}${n}`;
  for (const n of [1, 2, 3, 4])
    await sandbox.mercadolibre.post(`/publicaciones/${numero(n)}`, { sinAviso: true, title: `${lote} ${n}` });
  const ask = async (n: number, text: string) => {
    const { id } = await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, itemId: numero(n) });
    const read = () =>
      withDatabase((db) => db.selectFrom('pregunta').select('id').where('marketId', '=', id).executeTakeFirst());
    await expect.poll(read, BESIDE).toBeDefined();
    return (await read())!.id;
  };
  const primera = await ask(1, '¿Es nueva?');
  await ask(2, '¿Trae cable?');
  // Two of one listing: it is done when both are.
  await ask(1, '¿Trae fuente?');
  await ask(3, '¿Trae base?');

  const page = await as('sa');
  await page.goto(`/sa/responderPreguntas?q=${lote}`, { waitUntil: 'networkidle' });
  // Other questions of the buyer, beside this one, name their listings too.
  const shows = (n: number) =>
    expect(
      panel(page)
        .locator('header, dl')
        .filter({ hasText: `${lote} ${n}` }),
    ).not.toHaveCount(0);
  const isAbout = async (n: number) => {
    await shows(n);
    await expect(respuesta(page).first()).toBeFocused();
  };
  const outlined = page.locator('tr[data-activa]');
  const answer = async (texto: string) => {
    await page.keyboard.type(texto);
    await page.keyboard.press('Control+Enter');
  };
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await isAbout(1);
  await posicion(page, '1 de 3');
  await expect(respuesta(page)).toHaveCount(2);

  // Half of it done keeps the panel, and what is typed next belongs to the other half.
  await answer('Sí, es nueva.');
  await expect(panel(page).getByText('La respuesta va en camino')).toBeVisible();
  await isAbout(1);
  // One comes meanwhile, at the end of the line.
  await ask(4, '¿Hay rojo?');
  await answer('Sí, de 12 V.');
  await isAbout(2);
  await posicion(page, '1 de 3');
  await expect(outlined).toContainText(`${lote} 2`);
  await expect(page.getByText(`Publicación ${numero(1)}: La respuesta sale en 8 segundos.`)).toBeVisible();

  // A draft that a step leaves behind sends nothing, and the way of the finished one leads on from where it stood.
  await page.goBack();
  await shows(1);
  await expect(page).toHaveURL(new RegExp(`ver=${primera}`));
  await page.keyboard.press(']');
  await shows(2);

  await respuesta(page).focus();
  await answer('Trae uno de 1 m.');
  await isAbout(3);
  await posicion(page, '1 de 2');
  await page.getByRole('button', { name: 'Deshacer', exact: true }).press('Enter');
  await expect(page.getByText('La respuesta no salió. Su texto está otra vez en la pregunta.')).toBeVisible(BESIDE);
  await shows(2);
  await expect(respuesta(page)).toHaveValue('Trae uno de 1 m.');
  await posicion(page, '1 de 3');
  await respuesta(page).press('Control+Enter');
  await isAbout(3);

  await answer('Sí, de metal.');
  await isAbout(4);
  await posicion(page, '1 de 1');
  await answer('Sí.');
  await expect(page.locator('aside.lado')).toHaveCount(0);
  await expect(page.getByText('No encontre nada para ti')).toBeVisible();
});

test('a pedido that is taken off leaves its place to the next one; one that a colleague takes off keeps its panel', async ({
  as,
}) => {
  const ventas = [await seedOrden({ hours: 1 }), await seedOrden({ hours: 1 }), await seedOrden({ hours: 1 })];
  const folios: string[] = [];
  for (const [n, { id: ordenId, numOrden }] of ventas.entries())
    await withDatabase(async (db) => {
      // Before all others that wait.
      const venceEn = new Date(Date.now() - (9 - n) * 86_400_000);
      const { id, folio } = await db
        .insertInto('pedido')
        .values({ market: 'ml', numOrden, proveedor: 'ts', via: 'correo', venceEn })
        .returning(['id', 'folio'])
        .executeTakeFirstOrThrow();
      await db
        .insertInto('pedidoLinea')
        .values({ pedidoId: id, posicion: 1, ordenId, idProveedor: `COLA-${n}`, descripcion: 'Cola', cantidad: 1 })
        .execute();
      folios.push(folio);
    });
  const [uno, dos, tres] = folios;
  const discard = (folio: string) =>
    withDatabase((db) =>
      db.updateTable('pedido').set({ descartadoEn: new Date() }).where('folio', '=', folio).execute(),
    );
  try {
    const page = await as('sa');
    const titulo = panel(page).getByRole('heading', { level: 2 });
    await page.goto('/sa/ordenesPorConfirmar?proveedor=ts', { waitUntil: 'networkidle' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(titulo).toContainText(uno!);
    await panel(page).getByRole('button', { name: 'Quitar de la lista' }).press('Enter');
    await answerYes(page);
    await expect(titulo).toContainText(dos!);
    await expect(page.locator('tr[data-activa]')).toContainText(ventas[1]!.numOrden);
    await expect(page.getByText(`Pedido ${uno}: Se elimino de forma correcta.`)).toBeVisible();
    await page.getByRole('button', { name: 'Volver', exact: true }).press('Enter');
    await expect(titulo).toContainText(uno!);
    await page.goBack();
    await expect(titulo).toContainText(dos!);

    await discard(dos!);
    await page.getByRole('button', { name: 'Mostrar' }).click({ timeout: 30_000 });
    await expect(page.getByRole('grid')).not.toContainText(ventas[1]!.numOrden);
    await expect(titulo).toContainText(dos!);
    await page.keyboard.press(']');
    await expect(titulo).toContainText(tres!);
  } finally {
    for (const folio of folios) await discard(folio);
  }
});

test('sales are paid one after the other by keyboard: a payment opens the next sale, the count is true, and back returns', async ({
  as,
}) => {
  const palabra = `Pagadera${String(Date.now()).slice(-8)}`;
  for (const n of [1, 2, 3]) await seedOrden({ hours: n, titulo: `${palabra} ${n}`, sku: 'AMS|1|syscom|A' });
  const page = await as('sa');
  const titulo = panel(page).getByRole('heading', { level: 2 });
  await page.goto(`/sa/pagosProveedores?tabla=ordenes&pago=sinPago&q=${palabra}`, { waitUntil: 'networkidle' });
  const numeros = await page
    .locator('tbody tr[data-i]:not(.espera)')
    .evaluateAll((filas) => filas.map((fila) => /20009\d{11}/.exec(fila.textContent)![0]));
  expect(numeros).toHaveLength(3);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  for (const [at, numero] of numeros.slice(0, 2).entries()) {
    await expect(titulo).toContainText(numero);
    await posicion(page, `1 de ${3 - at}`);
    await titulo.focus();
    await page.keyboard.press('e');
    await panel(page)
      .getByRole('combobox', { name: /^Proveedor/ })
      .selectOption('syscom');
    await panel(page)
      .locator('input[name="archivos"]')
      .setInputFiles({ name: 'pago.pdf', mimeType: 'application/pdf', buffer: pdf() });
    await panel(page).getByLabel('Folio del pago').fill(`${palabra}-${at}`);
    await panel(page).getByRole('button', { name: 'GUARDAR', exact: true }).press('Enter');
    await expect(page.getByText(/Archivo enviado de forma correcta\./).last()).toBeVisible();
  }
  await expect(titulo).toContainText(numeros[2]!);
  await posicion(page, '1 de 1');
  await page.goBack();
  await expect(titulo).toContainText(numeros[1]!);
});

test('returns are received one after the other: each leads to the next that comes back', LONG, async ({ as }) => {
  const volver = (n: number) =>
    seedOrden({ hours: (116 - n) * 24, clase: 'cancelada', envio: { estatus: 'not_delivered' } });
  const [una, otra] = [await volver(0), await volver(1)];
  await withDatabase(async (db) => {
    for (const [at, { id }] of [una, otra].entries())
      await db
        .updateTable('orden')
        .set({ cambioEn: new Date(Date.now() - (330 - at) * 86_400_000) })
        .where('id', '=', id)
        .execute();
  });
  const page = await as('sa');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto('/sa/devoluciones', { waitUntil: 'networkidle' });
  await page
    .getByRole('link', { name: new RegExp(una.numOrden) })
    .first()
    .press('Enter');
  await expect(page.locator('main')).toContainText(`Orden ${una.numOrden}`);
  await page.getByLabel('Costo por pieza con IVA').fill('250');
  await page.getByRole('button', { name: 'Crear devolución' }).press('Enter');
  const creada = page.getByRole('dialog');
  await creada.getByRole('link', { name: 'Recibir la siguiente' }).press('Enter');
  await expect(page.locator('main')).toContainText(`Orden ${otra.numOrden}`);
  // What was received waits no more.
  await page.goto('/sa/devoluciones');
  await expect(page.getByRole('link', { name: new RegExp(otra.numOrden) }).first()).toBeVisible();
  await expect(page.getByRole('link', { name: new RegExp(una.numOrden) })).toHaveCount(0);
});
