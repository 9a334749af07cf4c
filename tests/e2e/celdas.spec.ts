import type { Page } from '@playwright/test';
import type { SandboxClient } from '../support/sandboxClient';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { answerYes, BESIDE, LONG, expect, listTakenOver, test } from './support/test';

/** Nobody else's listings: three with one word in their titles, the first of them the oldest. */
async function ponerALaVenta(sandbox: SandboxClient) {
  const palabra = `Celda${String(Date.now()).slice(-8)}`;
  const claves = [1, 2, 3].map((n) => `MLM37${String(Date.now()).slice(-7)}${n}`);
  for (const [at, clave] of claves.entries())
    await sandbox.mercadolibre.post(`/publicaciones/${clave}`, {
      title: `${palabra} ${at + 1}`,
      price: 500,
      quantity: 5,
    });
  await expect
    .poll(
      () =>
        withDatabase(async (db) => {
          const leidas = await db.selectFrom('publicacion').select('id').where('clave', 'in', claves).execute();
          return leidas.length;
        }),
      BESIDE,
    )
    .toBe(claves.length);
  return { palabra, claves };
}
const alla = (sandbox: SandboxClient, clave: string) =>
  sandbox.mercadolibre.get<{ price: number; quantity: number }>(`/publicaciones/${clave}`);

const fila = (page: Page, titulo: string) => page.locator('tbody tr[data-i]').filter({ hasText: titulo });
const celda = (page: Page, titulo: string, columna: 'Precio' | 'Stock') =>
  fila(page, titulo).locator(columna === 'Precio' ? 'td.t-monto' : 'td.t-fecha');
const campo = (page: Page, columna: 'Precio' | 'Stock', titulo: string) =>
  page.getByRole('textbox', { name: `${columna} de ${titulo}` });
const aviso = (page: Page) => page.locator('.noticia');

/** The top of each row, and how far the page and the box of the rows reach. */
const lugares = (page: Page) =>
  page.evaluate(() => ({
    filas: [...document.querySelectorAll('.lista-caja tbody tr[data-i]')].map((row) => row.getBoundingClientRect().y),
    alto: document.querySelector('.lista-caja')!.scrollHeight,
  }));
const expectStill = async (page: Page, antes: Awaited<ReturnType<typeof lugares>>) => {
  const { filas, alto } = await lugares(page);
  expect(filas).toEqual(antes.filas);
  // The browser rounds how far the box reaches, up or down.
  expect(Math.abs(alto - antes.alto)).toBeLessThanOrEqual(1);
};

const abrir = async (page: Page, query: string) => {
  await page.goto(`/sa/publicaciones?${query}`, { waitUntil: 'networkidle' });
  await expect(page.locator('td[data-edita]').first()).toBeVisible();
  await listTakenOver(page);
};

test('price and stock are changed in their row: Enter, Tab, a field that is left, Esc, empty, 0, and the way back', async ({
  as,
  sandbox,
}) => {
  test.setTimeout(180_000);
  const { palabra, claves } = await ponerALaVenta(sandbox);
  const [una, dos] = [`${palabra} 1`, `${palabra} 2`];
  const page = await as('sa');
  await abrir(page, `q=${palabra}&orden=titulo`);
  const antes = await lugares(page);

  // By a press: no panel opens and no row moves. Its keys are letters here.
  await celda(page, una, 'Precio').click();
  const precio = campo(page, 'Precio', una);
  await expect(precio).toBeFocused();
  await expect(precio).toHaveValue('500.00');
  await expect(page).not.toHaveURL(/ver=/);
  await page.keyboard.type('jkx].c5e');
  await page.keyboard.press('ArrowDown');
  await expect(precio).toHaveValue('jkx].c5e');
  await expect(page.locator('tr[data-activa], aside.lado, [role="menu"]:popover-open')).toHaveCount(0);
  await expectStill(page, antes);
  await expectAccessible(page, 'una celda abierta');
  await page.keyboard.press('Escape');
  await expect(precio).toHaveCount(0);
  await expect(page.getByRole('grid')).toBeFocused();
  await expect(celda(page, una, 'Precio')).toHaveText('$500.00');

  // An empty field leaves the price as it was, and says so. Nothing was sent so far.
  await page.keyboard.press('e');
  await expect(precio).toBeFocused();
  await precio.fill('');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Precio se quedó como estaba.')).toBeAttached();
  await page.keyboard.press('F2');
  await precio.fill('0');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Precio no puede ser 0: se quedó como estaba.')).toBeAttached();
  expect(await alla(sandbox, claves[0]!)).toMatchObject({ price: 500, quantity: 5 });

  // Enter sends once, the keyboard is at the row at once, and the notice names both and takes it back.
  await page.keyboard.press('e');
  await precio.fill('$1,250');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid')).toBeFocused();
  await expect(aviso(page)).toContainText('Precio: $500.00 → $1,250.00.', BESIDE);
  await expect(precio).toHaveCount(0);
  await expect(celda(page, una, 'Precio')).toHaveText('$1,250.00');
  await expect(page).toHaveURL(new RegExp(`q=${palabra}&orden=titulo$`));
  await expectStill(page, antes);
  expect((await alla(sandbox, claves[0]!)).price).toBe(1250);
  await aviso(page).getByRole('button', { name: 'Deshacer' }).click();
  await expect(aviso(page)).toContainText('Precio: $1,250.00 → $500.00.', BESIDE);
  await expect(celda(page, una, 'Precio')).toHaveText('$500.00');
  await expect(page).toHaveURL(new RegExp(`q=${palabra}&orden=titulo$`));

  // Tab goes on to the pieces while the price is under way; both arrive, each about the record as the other left it.
  await celda(page, dos, 'Precio').click();
  await campo(page, 'Precio', dos).fill('610');
  await page.keyboard.press('Tab');
  const stock = campo(page, 'Stock', dos);
  await expect(stock).toBeFocused();
  await stock.fill('8');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('grid')).toBeFocused();
  await expect(celda(page, dos, 'Precio')).toHaveText('$610.00', BESIDE);
  await expect(celda(page, dos, 'Stock')).toContainText('8', BESIDE);
  await expect(stock).toHaveCount(0);
  await expect.poll(() => alla(sandbox, claves[1]!), BESIDE).toMatchObject({ price: 610, quantity: 8 });

  // No pieces is asked about, and a no leaves what was typed.
  await celda(page, dos, 'Stock').click();
  await stock.fill('0');
  await page.keyboard.press('Enter');
  const pregunta = page.getByRole('alertdialog', { name: 'Sin piezas' });
  await expect(pregunta).toContainText('Stock: 8 → 0.');
  await expect(pregunta.getByRole('button', { name: 'No', exact: true })).toBeFocused();
  await page.waitForTimeout(500);
  await page.keyboard.press('Escape');
  await expect(stock).toBeFocused();
  await expect(stock).toHaveValue('0');
  await page.keyboard.press('Enter');
  await answerYes(page);
  await expect(aviso(page)).toContainText('Stock: 8 → 0.', BESIDE);

  // A field that is left sends what it holds, wherever the press went.
  await celda(page, una, 'Stock').click();
  await campo(page, 'Stock', una).fill('9');
  await fila(page, dos).locator('a.abre').click();
  await expect(page.locator('aside.lado')).toBeVisible();
  await expect(aviso(page)).toContainText('Stock: 5 → 9.', BESIDE);
  await expect(page).toHaveURL(/ver=/);
  expect((await alla(sandbox, claves[0]!)).quantity).toBe(9);

  // Beside an open panel another row is changed, and the open one stays the open one.
  const abierta = page.url();
  await celda(page, una, 'Stock').click();
  await expect(campo(page, 'Stock', una)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(campo(page, 'Stock', una)).toHaveCount(0);
  await expect(page.locator('aside.lado')).toBeVisible();
  expect(page.url()).toBe(abierta);
  await expect(page.locator('tr[data-activa]')).toContainText(dos);
});

test('a press on a cell opens its field and no record, however late the file of the fields is', async ({
  as,
  sandbox,
}) => {
  const { palabra } = await ponerALaVenta(sandbox);
  const una = `${palabra} 1`;
  const page = await as('sa');
  let llega = () => {};
  const tarde = new Promise<void>((resolve) => (llega = resolve));
  await page.route(/EditarCelda-.*\.js$/, async (route) => {
    await tarde;
    await route.continue();
  });
  await page.goto(`/sa/publicaciones?q=${palabra}&orden=titulo`);
  await listTakenOver(page);
  await celda(page, una, 'Precio').click();
  await expect(campo(page, 'Precio', una)).toHaveCount(0);
  llega();
  await expect(campo(page, 'Precio', una)).toBeFocused();
  await expect(page).not.toHaveURL(/ver=/);
  await page.unrouteAll({ behavior: 'wait' });
});

test(
  'what somebody else changed meanwhile is told in the cell, and what was typed outlives what the list learns',
  LONG,
  async ({ as, sandbox, allowConsole }) => {
    allowConsole(/422/);
    const { palabra, claves } = await ponerALaVenta(sandbox);
    const [una, dos, tres] = [1, 2, 3].map((n) => `${palabra} ${n}`) as [string, string, string];
    const page = await as('sa');
    await abrir(page, `q=${palabra}&orden=titulo`);
    await celda(page, una, 'Precio').click();
    const precio = campo(page, 'Precio', una);
    await precio.fill('700');
    /** Somebody else, here and there: a reading of the marketplace would take back what only our row says. */
    const mover = async (clave: string, precio: string) => {
      await sandbox.mercadolibre.post(`/publicaciones/${clave}`, { price: Number(precio), sinAviso: true });
      await withDatabase((db) =>
        db
          .updateTable('publicacion')
          .set((is) => ({ precio, version: is('version', '+', 1) }))
          .where('clave', '=', clave)
          .execute(),
      );
    };
    await mover(claves[0]!, '650.00');
    // The list learns it within seconds; the field keeps what was typed and says what it would be typed over.
    const dicho = page.getByRole('alert').filter({ hasText: 'Cambió mientras lo veías.' });
    await expect(dicho).toContainText('aquí «$500.00», ahora «$650.00»', BESIDE);
    await expect(precio).toHaveValue('700');
    await expect(precio).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'Precio: aquí «700.00», ahora «650.00».' })).toBeVisible();
    await expect(precio).toHaveValue('700');
    await expect(precio).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, 'una celda que no se guardó');
    expect((await alla(sandbox, claves[0]!)).price).toBe(650);
    await precio.focus();
    await page.keyboard.press('Enter');
    await expect(aviso(page)).toContainText('Precio: $650.00 → $700.00.', BESIDE);
    expect((await alla(sandbox, claves[0]!)).price).toBe(700);

    // The way back of a notice is about what it said: who came later is not overwritten, and it is told.
    await mover(claves[0]!, '710.00');
    await aviso(page).getByRole('button', { name: 'Deshacer' }).click();
    const negado = page.getByRole('alertdialog');
    await expect(negado).toContainText('ahora «710.00»', BESIDE);
    await negado.getByRole('button', { name: 'Entendido' }).click();
    await expect(negado).toHaveCount(0);

    // A marketplace's no stands in the cell with its reason until a person says what becomes of it.
    await sandbox.mercadolibre.failNext('refuse', { route: `PUT /items/${claves[1]!}` });
    await celda(page, dos, 'Precio').click();
    await campo(page, 'Precio', dos).fill('800');
    await page.keyboard.press('Enter');
    const no = page.getByRole('alert').filter({ hasText: 'Error al actualizar' });
    await expect(no).toBeVisible(BESIDE);
    // Another cell can be changed beside it.
    await celda(page, tres, 'Stock').click();
    await campo(page, 'Stock', tres).fill('6');
    await page.keyboard.press('Enter');
    await expect(aviso(page)).toContainText('Stock: 5 → 6.', BESIDE);
    await expect(campo(page, 'Precio', dos)).toHaveValue('800');
    await no.getByRole('button', { name: 'Guardar otra vez' }).click();
    await expect(aviso(page)).toContainText('Precio: $500.00 → $800.00.', BESIDE);
    await expect(no).toHaveCount(0);
    expect((await alla(sandbox, claves[1]!)).price).toBe(800);
  },
);

test(
  'on a telephone, and for people who may only look, a press on a price opens its record',
  LONG,
  async ({ as, sandbox }) => {
    const { palabra } = await ponerALaVenta(sandbox);
    const page = await as('sa');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/sa/publicaciones?q=${palabra}`, { waitUntil: 'networkidle' });
    // The link of a card lies over all of it, and a press through it waits for nothing.
    await expect(celda(page, `${palabra} 1`, 'Precio')).toBeVisible();
    await celda(page, `${palabra} 1`, 'Precio').click({ force: true });
    await expect(page).toHaveURL(/ver=/);
    await expect(page.getByRole('textbox', { name: /^Precio de/ })).toHaveCount(0);

    const aux = await as('aux');
    await aux.goto(`/aux/publicaciones?q=${palabra}`, { waitUntil: 'networkidle' });
    await expect(fila(aux, `${palabra} 1`)).toBeVisible();
    await expect(aux.locator('td[data-edita]')).toHaveCount(0);
  },
);
