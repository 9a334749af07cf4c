import type { SaleFacts } from '../support/mercadolibre';
import { png } from '../support/builders/archivos';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { answerYes, BESIDE, LONG, expect, test } from './support/test';

/** Nobody else's listing. */
const item = () => `MLM29${String(Date.now()).slice(-8)}`;
const ANTES = 'No la incluye: se vende por separado, de 12 V.';
const SUYA = 'Sí la incluye, de 12 V.';

const preguntaDe = (marketId: string) =>
  withDatabase((db) => db.selectFrom('pregunta').selectAll().where('marketId', '=', marketId).executeTakeFirst());

test('a question arrives while one looks, is answered with a template by keyboard alone, taken back and sent once; who was faster is shown', async ({
  as,
  sandbox,
  allowConsole,
}) => {
  allowConsole(/422 \(Unprocessable Entity\)/);
  const itemId = item();
  const nombre = `Saludo ${itemId}`;
  await sandbox.mercadolibre.post(`/publicaciones/${itemId}`, { sinAviso: true, title: `Cámara ${itemId}` });
  await withDatabase(async (db) => {
    await db
      .insertInto('pregunta')
      .values({
        market: 'ml',
        marketId: `antes-${itemId}`,
        publicacionId: itemId,
        texto: 'buenas, ¿trae la fuente de poder incluida?',
        estatus: 'respondida',
        respuesta: ANTES,
        respondidaEn: new Date(),
        fecha: new Date(Date.now() - 3_600_000),
        leidaEn: new Date(),
        datos: '{}',
      })
      .execute();
    await db.insertInto('plantilla').values({ nombre, texto: 'Con gusto, de parte de {tienda}.' }).execute();
  });
  const ask = async (text: string) =>
    (await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, itemId })).id;
  try {
    const page = await as('user');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`/user/responderPreguntas?q=${itemId}`);
    await expect(page.getByText('No encontre nada para ti')).toBeVisible();
    const una = await ask('¿Incluye la fuente de poder?');
    // Nobody is at the list: it shows what came by itself.
    await page.getByRole('link', { name: `Cámara ${itemId}` }).click();

    const respuesta = page.getByLabel('Respuesta', { exact: true });
    await respuesta.focus();
    // Letters that are shortcuts elsewhere, and keys that send other forms, are only typed here.
    await page.keyboard.type('we[]a');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(respuesta).toHaveValue('we[]a\n');
    await respuesta.fill('');
    await page.getByRole('button', { name: ANTES }).press('Enter');
    await expect(respuesta).toHaveValue(ANTES);
    await page.getByRole('button', { name: nombre }).press('Enter');
    await expect(respuesta).toHaveValue(/^Con gusto, de parte de [^{}]+\.$/);
    await expect(respuesta).toBeFocused();
    await expectAccessible(page, 'responder preguntas');
    const texto = await respuesta.inputValue();
    await page.keyboard.press('Control+Enter');
    // Nobody is asked: it leaves in eight seconds, and until then it is taken back by one press.
    await page.getByRole('button', { name: 'Deshacer', exact: true }).press('Enter');
    await expect(page.getByText('La respuesta no salió. Su texto está otra vez en la pregunta.')).toBeVisible(BESIDE);
    await expect(respuesta).toHaveValue(texto);
    await respuesta.press('Control+Enter');
    await expect(page.getByText('La respuesta sale en 8 segundos.')).toBeVisible(BESIDE);
    await expect.poll(async () => (await preguntaDe(una))?.respuesta, BESIDE).toBe(texto);
    const alla = await sandbox.mercadolibre.get<{ answer: { text: string } }>(`/preguntas/${una}`);
    expect(alla.answer.text).toBe(texto);

    const otra = await ask('¿Y el cable?');
    await expect.poll(async () => (await preguntaDe(otra))?.estatus, BESIDE).toBe('pendiente');
    await page.goto(`/user/responderPreguntas?ver=${(await preguntaDe(otra))!.id}`, { waitUntil: 'networkidle' });
    await respuesta.fill('No lo incluye.');
    await sandbox.mercadolibre.post(`/preguntas/${otra}`, { respuesta: SUYA, sinAviso: true });
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await preguntaDe(otra))?.estatus, BESIDE).toBe('respondida');
    // The answer of somebody else stands there, and what was sent from here is not lost.
    await page.goto(`/user/responderPreguntas?ver=${(await preguntaDe(otra))!.id}`);
    await expect(page.locator('.pregunta-respuesta')).toContainText(SUYA);
    await expect(page.getByText('No lo incluye.')).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    expect(await preguntaDe(otra)).toMatchObject({ estatus: 'respondida', respuesta: SUYA, respondidaPor: null });
  } finally {
    await withDatabase((db) => db.deleteFrom('plantilla').where('nombre', '=', nombre).execute());
  }
});

test(
  'a claim shows its clock; it is answered with evidence, and ended once somebody has read what that costs',
  LONG,
  async ({ as, sandbox }) => {
    const sale = await sandbox.mercadolibre.newOrden<SaleFacts>('simple');
    const { id: marketId } = await sandbox.mercadolibre.post<{ id: string }>('/reclamos', {
      orden: sale.ordenes[0],
      horas: 3,
    });
    const row = () =>
      withDatabase((db) =>
        db
          .selectFrom('reclamo')
          .innerJoin('orden', 'orden.marketId', 'reclamo.ordenMarketId')
          .select(['reclamo.id', 'reclamo.estatus', 'orden.pagado'])
          .where('reclamo.marketId', '=', marketId)
          .executeTakeFirst(),
      );
    const alla = () =>
      sandbox.mercadolibre.get<{ asked: unknown[]; messages: { from: string; text: string; files: string[] }[] }>(
        `/reclamos/${marketId}`,
      );
    await expect.poll(async () => (await row())?.pagado ?? null, BESIDE).not.toBeNull();
    const page = await as('sa');
    let arrive = () => {};
    const arrived = new Promise<void>((done) => (arrive = done));
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(`/sa/reclamos?ver=${(await row())!.id}`, { waitUntil: 'commit' });
    const panel = page.getByRole('complementary', { name: new RegExp(marketId) });
    const mensaje = panel.getByLabel('Mensaje al comprador');
    // Typed before the page listens, and kept when it does.
    await mensaje.fill('Así salió');
    arrive();
    await expect(panel.getByText(/^quedan? [23] h$/).first()).toBeVisible();
    await expect(panel.getByText('Obligatorio')).toBeVisible();
    await expectAccessible(page, 'reclamo');

    await expect(mensaje).toHaveValue('Así salió');
    await mensaje.press('End');
    await mensaje.pressSequentially(' de aquí.');
    await panel.getByLabel('Evidencia').setInputFiles({ name: 'caja.png', mimeType: 'image/png', buffer: png() });
    await panel.getByRole('button', { name: 'Enviar mensaje' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('Así salió de aquí.');
    await answerYes(page);
    const nuestros = async () => (await alla()).messages.filter(({ from }) => from === 'respondent');
    await expect.poll(nuestros, BESIDE).toHaveLength(1);
    expect((await nuestros())[0]!.files).toEqual([expect.stringMatching(/caja\.png$/)]);
    await expect(panel.getByText(/Archivos: .*caja\.png/)).toBeVisible(BESIDE);

    await panel.getByRole('button', { name: 'Devolver el dinero' }).click();
    const pesos = sale.total.toLocaleString('es-MX', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    await expect(page.getByRole('alertdialog')).toContainText(
      `Mercado Libre le devuelve $${pesos} al comprador y nos lo cobra.`,
    );
    await answerYes(page);
    await expect.poll(async () => (await row())?.estatus, BESIDE).toBe('cerrado');
    expect((await alla()).asked).toHaveLength(1);
    await expect(panel.getByText(/Se devolvió el pago/)).toBeVisible(BESIDE);
  },
);

test('several questions are answered with one text by keyboard alone, each as it was shown; what has not left is stopped', async ({
  as,
  sandbox,
}) => {
  const [camara, cable] = [item(), item().replace('MLM29', 'MLM28')];
  const ask = async (text: string, itemId: string) =>
    (await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, itemId })).id;
  for (const itemId of [camara, cable])
    await sandbox.mercadolibre.post(`/publicaciones/${itemId}`, { sinAviso: true, title: `Equipo ${itemId}` });
  const preguntas = [await ask('¿Sale hoy?', camara), await ask('¿Y el lunes?', cable)];
  for (const id of preguntas) await expect.poll(async () => (await preguntaDe(id))?.estatus, BESIDE).toBe('pendiente');
  const page = await as('user');
  const choose = async () => {
    await page.goto(`/user/responderPreguntas?q=${camara}`, { waitUntil: 'networkidle' });
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Responder', exact: true }).press('Enter');
    await expect(page.getByText('¿Qué se responde?')).toBeVisible();
  };
  await choose();
  const respuesta = page.getByLabel('Respuesta', { exact: true });
  await expect(respuesta).toBeFocused();
  await page.keyboard.type('{titulo} sale el martes.');
  await expectAccessible(page, 'una respuesta para varias');
  await page.getByRole('button', { name: 'Ver las respuestas' }).press('Enter');
  await expect(page.getByText(`Equipo ${camara} sale el martes.`)).toBeVisible();
  await respuesta.fill('{titulo} sale el miércoles.');
  await page.getByRole('button', { name: 'Cambiar la respuesta' }).press('Enter');
  await expect(page.getByText(`Equipo ${camara} sale el miércoles.`)).toBeVisible();
  await page.getByRole('button', { name: 'Responder (1)' }).press('Enter');
  await answerYes(page);
  await page.getByRole('button', { name: 'Detener lo que falta' }).press('Enter');
  await expect(page.getByText('Se detuvo 1 pregunta.')).toBeVisible(BESIDE);
  await expect(page.getByText('Se retiró antes de enviarse.')).toBeVisible();
  await page.getByRole('button', { name: 'Hacer las detenidas' }).press('Enter');
  await page.getByRole('button', { name: 'Responder (1)' }).press('Enter');
  await answerYes(page);
  await expect
    .poll(async () => (await preguntaDe(preguntas[0]!))?.respuesta, BESIDE)
    .toBe(`Equipo ${camara} sale el miércoles.`);
  await expect(page.getByText('Las preguntas se respondieron de forma correcta.')).toBeVisible(BESIDE);
  expect((await preguntaDe(preguntas[1]!))?.estatus).toBe('pendiente');
});

test('two people at one question see each other, and which of them writes', LONG, async ({ as }) => {
  const itemId = item();
  const { id } = await withDatabase((db) =>
    db
      .insertInto('pregunta')
      .values({
        market: 'ml',
        marketId: `juntos-${itemId}`,
        publicacionId: itemId,
        texto: '¿Cuánto tarda?',
        estatus: 'pendiente',
        fecha: new Date(),
        leidaEn: new Date(),
        datos: '{}',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const una = await as('user');
  await una.goto(`/user/responderPreguntas?ver=${id}`);
  const otra = await as('admin');
  await otra.goto(`/admin/responderPreguntas?ver=${id}`);
  const junto = una.locator('.presencia');
  await expect(junto).toHaveText(/ lo tiene abierto$/, BESIDE);
  const head = await una.locator('.lado > header').boundingBox();
  await otra.getByLabel('Respuesta', { exact: true }).pressSequentially('Hoy mismo');
  await expect(junto).toHaveText(/ escribe$/, BESIDE);
  expect(await una.locator('.lado > header').boundingBox(), 'nothing moves under the reader').toEqual(head);
  await otra.close();
  await expect(junto).toHaveText('', BESIDE);
  // A row that is gone would be missed by a page of another story that shows it.
  await withDatabase((db) =>
    db.updateTable('pregunta').set({ estatus: 'respondida', respuesta: 'Sí.' }).where('id', '=', id).execute(),
  );
});
