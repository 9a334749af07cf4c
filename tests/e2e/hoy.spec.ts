import { sql } from 'kysely';
import type { Locator, Page } from '@playwright/test';
import { withDatabase } from './support/database';
import { expectAccessible } from './support/fits';
import { BESIDE, expect, test } from './support/test';

const DIA = 86_400_000;

/** Nobody else's listing. */
const item = () => `MLM31${String(Date.now()).slice(-8)}`;
const cartaOf = (page: Page) => page.getByRole('region', { name: 'Preguntas sin responder' });
const preguntaDe = (marketId: string) =>
  withDatabase((db) => db.selectFrom('pregunta').selectAll().where('marketId', '=', marketId).executeTakeFirst());
/** Opens Hoy once it knows what was just written: a look of a moment before serves everybody. */
const openAt = (page: Page, texto: string) =>
  expect(async () => {
    await page.goto('/sa/hoy');
    await expect(cartaOf(page).locator('.abierta')).toContainText(texto, { timeout: 1_000 });
  }).toPass();
/** Moves a question before all others that wait. */
const envejecer = (marketId: string, dias: number) =>
  withDatabase((db) =>
    db
      .updateTable('pregunta')
      .set({ fecha: new Date(Date.now() - dias * DIA) })
      .where('marketId', '=', marketId)
      .execute(),
  );
const anotar = (marketId: string, texto: string, dias: number) =>
  withDatabase((db) =>
    db
      .insertInto('pregunta')
      .values({
        market: 'ml',
        marketId,
        publicacionId: marketId,
        texto,
        estatus: 'pendiente',
        fecha: new Date(Date.now() - dias * DIA),
        leidaEn: new Date(),
        datos: '{}',
      })
      .execute(),
  );
/** Ends questions as the product does: a row that is gone would be missed by a page of another story that shows it. */
const contestar = (marketId: string) =>
  withDatabase((db) =>
    db
      .updateTable('pregunta')
      .set((is) => ({ estatus: 'respondida', respuesta: 'Sí.', version: is('version', '+', 1) }))
      .where('marketId', '~', marketId)
      .where('estatus', '=', 'pendiente')
      .execute(),
  );
/** Questions asked at the marketplace, of this file alone. */
const preguntadas: string[] = [];
/** One that stays would stand before those of the next test. */
test.afterEach(() =>
  contestar([...preguntadas.splice(0), '(vieja|rapida|sigue|estatica)-'].map((id) => `^${id}`).join('|')),
);
/** Waits until the card counts what waits now: other stories ask questions too. */
const expectAlDia = (cuantas: Locator) =>
  expect.poll(async () => Number(await cuantas.textContent()) - (await sinResponder()), BESIDE).toBe(0);
const sinResponder = () =>
  withDatabase(async (db) => {
    const { n } = await db
      .selectFrom('pregunta')
      .select((is) => is.fn.countAll<number>().as('n'))
      .where('estatus', '=', 'pendiente')
      .where(
        sql<boolean>`not exists (select from effect_subject s join effect e on e.id = s.effect_id
          where s.entidad = 'pregunta' and s.entidad_id = pregunta.id::text and e.state in ('queued', 'sending', 'unknown', 'manual'))`,
      )
      .executeTakeFirstOrThrow();
    return Number(n);
  });

test('the first question is answered in its card by keys alone, the next stands there, and neither who arrives nor a reload takes what is typed', async ({
  as,
  sandbox,
}) => {
  const itemId = item();
  await sandbox.mercadolibre.post(`/publicaciones/${itemId}`, { sinAviso: true, title: `Cámara ${itemId}` });
  const ask = async (text: string, dias: number) => {
    const { id } = await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, itemId });
    await expect.poll(async () => (await preguntaDe(id))?.estatus, BESIDE).toBe('pendiente');
    preguntadas.push(`${id}$`);
    await envejecer(id, dias);
    return id;
  };
  const una = await ask('¿Incluye la fuente de poder?', 9);
  const otra = await ask('¿Y el cable?', 8);
  const alla = async (id: string) =>
    (await sandbox.mercadolibre.get<{ answer: { text: string } | null }>(`/preguntas/${id}`)).answer?.text;
  const vieja = `vieja-${itemId}`;
  const page = await as('sa');
  page.on('dialog', (dialog) => void dialog.accept());
  await openAt(page, '¿Incluye la fuente de poder?');
  const carta = cartaOf(page);
  const abierta = carta.locator('.abierta');
  const cuantas = carta.locator('.cuantas');
  const respuesta = carta.getByLabel('Respuesta', { exact: true });
  await expect(respuesta).toBeVisible();
  await expect(abierta).toContainText('¿Incluye la fuente de poder?');
  await expect(respuesta, 'nobody asked for the field').not.toBeFocused();
  await expectAlDia(cuantas);
  await expectAccessible(page, 'hoy');

  await respuesta.focus();
  await page.keyboard.type('Sí la incluye');
  const stood = await respuesta.boundingBox();
  await anotar(vieja, '¿Sirve para exterior?', 10);
  await expectAlDia(cuantas);
  expect(await respuesta.boundingBox(), 'who arrives moves nothing').toEqual(stood);
  await expect(abierta).toContainText('¿Incluye la fuente de poder?');
  await expect(respuesta).toBeFocused();
  await page.keyboard.type(', de 12 V.');

  // The answer to the press comes late: by then the page knows from elsewhere that the question is answered, and its field is gone.
  await page.route(/responderPreguntas/, async (route) => {
    const answer = await route.fetch();
    if (route.request().postData()?.includes('responder')) await expect(respuesta).toHaveCount(0, BESIDE);
    await route.fulfill({ response: answer });
  });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('La respuesta sale en 8 segundos.')).toBeVisible(BESIDE);
  await expect(abierta).toContainText('¿Sirve para exterior?', BESIDE);
  await expectAlDia(cuantas);
  await expect(page).toHaveURL(/\/sa\/hoy$/);
  await expect.poll(() => alla(una), BESIDE).toBe('Sí la incluye, de 12 V.');
  await expect(respuesta).toBeFocused();
  await expect(respuesta).toHaveValue('');
  await page.unrouteAll();

  // Gone while nobody typed: the next stands there.
  await contestar(`^${vieja}$`);
  await expect(abierta).toContainText('¿Y el cable?', BESIDE);
  await respuesta.fill('También.');
  await page.reload();
  await expect(respuesta).toHaveValue('También.');
  await respuesta.focus();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => alla(otra), BESIDE).toBe('También.');
  await expect(carta.getByText('¿Y el cable?')).toHaveCount(0);
});

test('who was faster is told over what was typed, and the next is one press away', async ({ as, allowConsole }) => {
  allowConsole(/422 \(Unprocessable Entity\)/);
  const [primera, segunda] = [`rapida-${item()}`, `sigue-${item()}`];
  await anotar(primera, '¿Tiene garantía?', 9);
  await anotar(segunda, '¿Hacen factura?', 8);
  const page = await as('sa');
  page.on('dialog', (dialog) => void dialog.accept());
  const carta = cartaOf(page);
  const respuesta = carta.getByLabel('Respuesta', { exact: true });
  await openAt(page, '¿Tiene garantía?');
  await expect(respuesta).toBeVisible();
  await respuesta.fill('De un año.');
  await withDatabase((db) =>
    db
      .updateTable('pregunta')
      .set((is) => ({ estatus: 'respondida', respuesta: 'De dos años.', version: is('version', '+', 1) }))
      .where('marketId', '=', primera)
      .execute(),
  );
  await expect(carta.getByText('Lo que escribiste no se envió')).toBeVisible(BESIDE);
  await expect(carta.getByText('De un año.')).toBeVisible();
  await expect(carta.getByText('De dos años.')).toBeVisible();
  await carta.getByRole('button', { name: 'Siguiente pregunta' }).click();
  await expect(carta.locator('.abierta')).toContainText('¿Hacen factura?');
  await expect(respuesta).toHaveValue('');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the card of questions is the link to them', async ({ as }) => {
    const una = `estatica-${item()}`;
    await anotar(una, '¿Mandan a Mérida?', 9);
    const page = await as('sa');
    const carta = cartaOf(page);
    await openAt(page, '¿Mandan a Mérida?');
    await expect(carta.getByLabel('Respuesta')).toHaveCount(0);
    await expect(carta.locator('.aqui')).toBeHidden();
    await carta.locator('a.que', { hasText: '¿Mandan a Mérida?' }).click();
    await expect(page.getByLabel('Respuesta', { exact: true })).toBeVisible();
  });
});
