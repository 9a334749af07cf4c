import { readFileSync } from 'node:fs';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetFailures } from '~/platform/connections/breaker.server';
import { bringPregunta, savePreguntas } from '~/domain/atencion/preguntas/preguntas.server';
import { readCliente, setBloqueo } from '~/domain/atencion/preguntas/comprador.server';
import { sugerenciasOf, openPregunta } from '~/domain/atencion/preguntas/preguntaAbierta.server';
import { MAX_RESPUESTA } from '~/domain/atencion/preguntas/pregunta';
import { Responder } from '~/domain/atencion/preguntas/preguntaForm';
import { acceptRespuesta, queueRespuesta, stopRespuesta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { openList } from '~/platform/lists/list.server';
import { preguntasSinResponder } from '~/domain/atencion/preguntas/internal/colaPreguntas.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { forgetEnv } from '~/core/env.server';
import { effectView } from '~/platform/effects/effects.server';
import { parseAviso } from '~/domain/mercados/ml/avisos.server';
import { drainInbox, receiveNotice } from '~/domain/sync/inbox.server';
import { syncVentas } from '~/domain/sync/syncVentas.server';
import { readForm } from '~/http/readForm.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { buildProductoDeStock } from '../../support/builders/stock';
import { buildOrden } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';
import { runJobs, runUntilSettled, withWorker } from '../../support/jobs';
import { buildUsuario, fuenteDe, linkSandbox } from '../../support/mercadolibre';
import { setPace } from '../../support/pac';
import { startTestSandbox } from '../../support/sandbox';

setPace(0.02);
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const ITEM = 'MLM2900010001';
const { db } = testDatabase();
let ml: Mercadolibre;
let usuarioId: string;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  usuarioId = (await buildUsuario(db)).id;
  await sandbox.mercadolibre.post(`/publicaciones/${ITEM}`, {
    sinAviso: true,
    title: 'Cámara Bala Exterior 1080p',
    sku: 'AMS|66f1c0a1|syscom|DS-2CE10DF0T-PF',
  });
});
beforeEach(async () => {
  await sandbox.clear('mercadolibre');
  await forgetFailures(db, 'mercadolibre');
});

const ask = async (text: string, more: Record<string, unknown> = {}) =>
  (await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, sinAviso: true, ...more })).id;
const change = (id: string, body: Record<string, unknown>) =>
  sandbox.mercadolibre.post(`/preguntas/${id}`, { sinAviso: true, ...body });
const there = (id: string) =>
  sandbox.mercadolibre.get<{ status: string; answer: { text: string } | null }>(`/preguntas/${id}`);
const row = (marketId: string) =>
  db.selectFrom('pregunta').selectAll().where('marketId', '=', marketId).executeTakeFirstOrThrow();
const atencion = () => fuenteDe(ml).open(db).atencion!;
/** One that waits, as a notice brought it. */
async function pending(text = '¿Tienen disponible?', more: Record<string, unknown> = {}) {
  const id = await ask(text, more);
  await bringPregunta(db, 'ml', atencion(), id);
  return row(id);
}
const answer = (pregunta: { id: string; version: number }, texto: string) =>
  db
    .transaction()
    .execute((trx) => acceptRespuesta(trx, { pregunta: pregunta.id, version: pregunta.version, texto }, usuarioId));
const sweep = () => syncVentas(db, fuenteDe(ml), { kind: 'atencion' });

test('an idle sweep of questions costs two calls', async () => {
  await sweep();
  const asked = async () =>
    (await sandbox.requests('mercadolibre', 1_000)).filter(({ path }) => /question/.test(path)).length;
  await sweep();
  const before = await asked();
  await sweep();
  expect((await asked()) - before).toBe(2);
});

test('a question comes by its notice, with what its listing is called', async () => {
  const id = await ask('¿Sirve para exterior?');
  await receiveNotice(db, 'mercadolibre', { topic: 'questions', resource: `/questions/${id}` });
  await drainInbox(db, { fuenteOf: () => fuenteDe(ml) });
  expect(await row(id)).toMatchObject({ texto: '¿Sirve para exterior?', estatus: 'pendiente', respuesta: null });
  expect((await row(id)).titulo).toMatch(/Cámara/);
  expect((await row(id)).sku).toMatch(/^AMS\|/);
  expect((await row(id)).compradorId).not.toBeNull();
});

test('notices of questions and claims have one spelling, whatever stands before it', () => {
  const of = (resource: string) => parseAviso('post_purchase', resource)?.resource;
  expect(parseAviso('questions', 'questions/13811110007')?.resource).toBe('/questions/13811110007');
  expect([of('/post-purchase/v1/claims/55'), of('v1/claims/55'), of('/claims/55')]).toEqual(
    Array(3).fill('/claims/55'),
  );
  expect(of('/claims/55/../../users/me')).toBeUndefined();
});

test('what no notice told is swept in: new ones, what was answered there, and what is gone', async () => {
  await sweep();
  const fresh = await ask('¿Y la memoria?');
  // Behind a whole page of newer ones, and older than what a sweep lists again: those are asked for by name.
  await ask('¿Nueva?', { veces: 50 });
  await ask('¿De hoy?', { veces: 50, hace: 200 });
  const old = { hace: 300 };
  const [elsewhere, gone, lost] = [await pending('¿A?', old), await pending('¿B?', old), await pending('¿C?', old)];
  await change(elsewhere.marketId, { respuesta: 'La contestó Lupita allá.' });
  await change(gone.marketId, { status: 'DELETED' });
  await sandbox.mercadolibre.failNext('refuse', { route: `/questions/${lost.marketId}`, times: 1 });
  await change(lost.marketId, { status: 'CLOSED_UNANSWERED' });
  expect(await sweep()).toMatchObject({ failed: 1 });
  expect(await row(fresh)).toMatchObject({ estatus: 'pendiente' });
  expect(await row(elsewhere.marketId)).toMatchObject({
    estatus: 'respondida',
    respuesta: 'La contestó Lupita allá.',
    respondidaPor: null,
  });
  expect(await row(gone.marketId)).toMatchObject({ estatus: 'borrada', texto: '¿B?' });
  // A plain refusal says nothing of the question: it is asked for again.
  await sweep();
  expect(await row(lost.marketId)).toMatchObject({ estatus: 'cerrada' });
});

test('an older reading never lies on top of a newer one, and an answered question never waits again', async () => {
  const { marketId } = await pending('¿Trae tornillos?');
  const before = await atencion().readPregunta(marketId);
  const leidaEn = new Date();
  await change(marketId, { respuesta: 'Sí, trae cuatro.' });
  await bringPregunta(db, 'ml', atencion(), marketId);
  const write = (at: Date) => savePreguntas(db, 'ml', [before], { leidaEn: at, publicaciones: new Map() });
  expect(await write(leidaEn)).toBe(0);
  // Two processes whose clocks disagree.
  expect(await write(new Date(Date.now() + 60_000))).toBe(0);
  expect(await row(marketId)).toMatchObject({ estatus: 'respondida', respuesta: 'Sí, trae cuatro.' });
});

test('what the marketplace takes away it empties; what was asked stays readable', async () => {
  const { marketId } = await pending('Llámame al 55 1234 5678');
  await change(marketId, { status: 'BANNED' });
  await bringPregunta(db, 'ml', atencion(), marketId);
  expect(await row(marketId)).toMatchObject({ estatus: 'retirada', texto: 'Llámame al 55 1234 5678' });
});

test('an answer leaves once, however often it is pressed, and is ours in the list', async () => {
  const pregunta = await pending();
  const [one, two] = [await answer(pregunta, 'Sí, hay.'), await answer(pregunta, 'Sí, hay.')];
  expect(two).toBe(one);
  await expect(answer(pregunta, 'Otra cosa')).rejects.toThrow('Otra respuesta va en camino: «Sí, hay.»');
  await runUntilSettled();
  expect(await there(pregunta.marketId)).toMatchObject({ status: 'ANSWERED', answer: { text: 'Sí, hay.' } });
  expect(await row(pregunta.marketId)).toMatchObject({
    estatus: 'respondida',
    respuesta: 'Sí, hay.',
    respondidaPor: usuarioId,
  });
  await expect(answer(pregunta, 'Sí, hay.')).rejects.toThrow('Ya la respondió Quien: «Sí, hay.»');
});

test.each(['reset-after-doing', '500-after-doing', 'half-answer', 'html'])(
  'an answer whose answer was lost (%s) is found in the question, and not sent again',
  async (mode) => {
    const pregunta = await pending(`¿Precio ${mode}?`);
    await sandbox.mercadolibre.failNext(mode, { route: 'POST /answers' });
    const effectId = await answer(pregunta, `Son 649 pesos.\nEnvío gratis (${mode}).`);
    await runUntilSettled();
    expect((await effectView(db, effectId))?.state).toBe('done');
    const sent = (await sandbox.requests('mercadolibre', 60)).filter(({ path }) => path.endsWith('/answers'));
    expect(sent.filter(({ fault }) => fault === mode)).toHaveLength(1);
    expect(await row(pregunta.marketId)).toMatchObject({ estatus: 'respondida', respondidaPor: usuarioId });
  },
);

test.each(['reset', '429'])('an answer that never arrived (%s) is sent again', async (mode) => {
  const pregunta = await pending(`¿Color ${mode}?`);
  await sandbox.mercadolibre.failNext(mode, { route: 'POST /answers' });
  const effectId = await answer(pregunta, 'Blanco.');
  await runUntilSettled();
  expect((await effectView(db, effectId))?.state).toBe('done');
  expect(await there(pregunta.marketId)).toMatchObject({ answer: { text: 'Blanco.' } });
});

test('who answered meanwhile is heard: ours is refused with their words, also when our answer was lost', async () => {
  const pregunta = await pending('¿Garantía?');
  await change(pregunta.marketId, { respuesta: 'Un año.' });
  const effectId = await answer(pregunta, 'Dos años.');
  await runUntilSettled();
  expect(await effectView(db, effectId)).toMatchObject({
    state: 'refused',
    reason: 'Ya la respondió alguien más: «Un año.»',
  });
  expect(await there(pregunta.marketId)).toMatchObject({ answer: { text: 'Un año.' } });
  // No notice told of it: their answer stands in the list at once, and is not ours.
  expect(await row(pregunta.marketId)).toMatchObject({
    estatus: 'respondida',
    respuesta: 'Un año.',
    respondidaPor: null,
  });

  // They are faster than our call, after our look: the refusal has no word of its own.
  const second = await pending('¿Y en negro?');
  await sandbox.mercadolibre.failNext('reset', { route: 'POST /answers' });
  const lost = await answer(second, 'Sí.');
  await change(second.marketId, { respuesta: 'No.' });
  await runUntilSettled();
  expect(await effectView(db, lost)).toMatchObject({ state: 'refused' });
  expect(await there(second.marketId)).toMatchObject({ answer: { text: 'No.' } });
});

test('a question that can no longer be answered says why, and nothing is asked of the marketplace', async () => {
  const pregunta = await pending('¿Siguen ahí?');
  await change(pregunta.marketId, { status: 'CLOSED_UNANSWERED' });
  await bringPregunta(db, 'ml', atencion(), pregunta.marketId);
  await expect(answer(pregunta, 'Sí')).rejects.toThrow('La publicación se cerró sin respuesta.');
});

test('a buyer is kept from asking and from buying, and let in again; saying it twice is no failure', async () => {
  const pregunta = await pending('¿Me das tu teléfono?');
  const blocked = () =>
    sandbox.mercadolibre.get<Record<'questions_blacklist' | 'order_blacklist', Record<string, number>>>('/bloqueados');
  expect((await readCliente(db, 'ml', pregunta.compradorId!)).comprador).toMatchObject({ bloqueado: false });
  expect(await withWorker(() => setBloqueo(db, pregunta.id, true, usuarioId))).toBe(true);
  expect(await withWorker(() => setBloqueo(db, pregunta.id, true, usuarioId))).toBe(true);
  expect(Object.keys((await blocked()).questions_blacklist)).toEqual([pregunta.compradorId]);
  expect(Object.keys((await blocked()).order_blacklist)).toEqual([pregunta.compradorId]);
  const { id: compra } = await buildOrden(db);
  await db.updateTable('orden').set({ compradorId: pregunta.compradorId }).where('id', '=', compra).execute();
  const cliente = await readCliente(db, 'ml', pregunta.compradorId!);
  expect(cliente.compras.map(({ id }) => id)).toEqual([compra]);
  expect(cliente).toMatchObject({ comprador: { bloqueado: true }, fallo: null });
  expect(cliente.preguntas.map(({ texto }) => texto)).toContain('¿Me das tu teléfono?');
  for (let times = 0; times < 2; times++)
    expect(await withWorker(() => setBloqueo(db, pregunta.id, false, usuarioId))).toBe(true);
  expect((await blocked()).order_blacklist).toEqual({});
  await sandbox.mercadolibre.failNext('503', { route: '/block-api', times: 2 });
  expect((await readCliente(db, 'ml', pregunta.compradorId!)).fallo).toMatch(/Mercado Libre/);
});

test('16: a refused answer is told in words, and a word nobody knows is Mercado Libre’s own', async () => {
  const { impostor } = JSON.parse(
    readFileSync(new URL('../../casos/16-pregunta-contestada.json', import.meta.url), 'utf8'),
  ) as { impostor: { body: { code: string; message: string } } };
  const suyo = impostor.body;
  for (const [code, message, dicho] of [
    [suyo.code, suyo.message, 'La pregunta ya tiene respuesta en Mercado Libre, o ya no se puede responder.'],
    [
      'item_not_active',
      'Item is paused',
      'La publicación está pausada o terminada: Mercado Libre no deja responder sus preguntas.',
    ],
    [
      'invalid_text',
      'Text has forbidden words',
      'Mercado Libre no admite ese texto: quita teléfonos, correos, enlaces y palabras prohibidas.',
    ],
    ['text_too_long', 'Max length is 2000', 'La respuesta es más larga de lo que admite Mercado Libre.'],
    ['algo_nuevo', 'Something of tomorrow.', 'Mercado Libre no aceptó la respuesta: «Something of tomorrow.».'],
  ] as const) {
    const pregunta = await pending(`¿Hay? ${code}`);
    await sandbox.mercadolibre.failNext('refuse', { route: 'POST /answers', code, message });
    const effectId = await answer(pregunta, 'Sí, hay.');
    await runUntilSettled();
    expect([code, (await effectView(db, effectId))?.reason]).toEqual([code, dicho]);
  }
});

test('an answer that the marketplace refused comes back with its reason and its text, until another leaves', async () => {
  const pregunta = await pending('¿Hay en azul?');
  const open = async () => (await openPregunta(db, pregunta.id, { todas: false, cliente: null }))!.preguntas[0]!;
  expect((await open()).noSalio).toBeNull();
  await sandbox.mercadolibre.failNext('refuse', { route: 'POST /answers', message: 'invalid_question' });
  await answer(pregunta, 'Sí, llámame al 55 1234 5678.');
  await runUntilSettled();
  expect((await open()).noSalio).toMatchObject({ texto: 'Sí, llámame al 55 1234 5678.' });
  expect((await open()).noSalio?.motivo).not.toBe('');
  await answer(await row(pregunta.marketId), 'Sí, en azul.');
  await runUntilSettled();
  expect(await open()).toMatchObject({ noSalio: null, respuesta: 'Sí, en azul.' });
});

test('an answer with a gap of a template in it does not leave; other braces are the words of who writes', async () => {
  const pregunta = await pending('¿Qué modelo es?');
  await expect(answer(pregunta, 'Es el {modelo}.')).rejects.toThrow('Falta llenar {modelo}.');
  await answer(pregunta, 'Es el {RX-4}.');
  await runUntilSettled();
  expect(await there(pregunta.marketId)).toMatchObject({ answer: { text: 'Es el {RX-4}.' } });
});

test('what is counted is what was typed: an answer as long as the marketplace takes, with new lines and figures of two halves', async () => {
  const form = (texto: string) => {
    const data = new FormData();
    // As a browser sends it.
    data.set('texto', texto.replaceAll('\n', '\r\n'));
    data.set('pregunta', crypto.randomUUID());
    data.set('version', '1');
    return readForm(data, Responder);
  };
  const full = `${'😀\n'.repeat(300)}${'a'.repeat(MAX_RESPUESTA - 900)}`;
  const read = form(full);
  expect(read.status === 'success' && read.value.texto).toBe(full);
  expect(form(`${full}b`)).toMatchObject({ status: 'error', error: { texto: ['Máximo 2000 caracteres'] } });
  const pregunta = await pending('¿Largo?');
  const hostil = `<img src=x onerror=alert(1)> \u202Eoirbil\u202C ${full}`.slice(0, MAX_RESPUESTA);
  await answer(pregunta, hostil);
  await runUntilSettled();
  expect(await row(pregunta.marketId)).toMatchObject({ estatus: 'respondida', respuesta: hostil });
});

test('what is suggested was answered to who asked alike about the same listing, then about its product, the most alike first', async () => {
  const before = (texto: string, respuesta: string, publicacionId = ITEM) => ({
    market: 'ml' as const,
    marketId: crypto.randomUUID(),
    publicacionId,
    texto,
    estatus: 'respondida' as const,
    respuesta,
    respondidaEn: new Date(),
    fecha: new Date(),
    leidaEn: new Date(),
    datos: '{}',
  });
  await db
    .insertInto('pregunta')
    .values([
      before('¿Trae la fuente de poder?', 'No la trae.'),
      before('fuente de poder, la incluye?', 'No la trae.'),
      before('buenas, ¿la FUENTE va incluida con el poder?', 'Va aparte.'),
      before('¿Trae la fuente de poder?', 'Sí, de 12 V.', 'MLM999'),
      before('¿Llega mañana a Mérida?', 'Llega el jueves.'),
    ])
    .execute();
  const { id, texto } = await pending('¿Incluye fuente de poder?');
  expect(await sugerenciasOf(db, { market: 'ml', publicacionId: ITEM, texto, id })).toEqual([
    'No la trae.',
    'Va aparte.',
  ]);
  const { id: productoId } = await buildProductoDeStock(db);
  await db
    .insertInto('publicacion')
    .values(
      [ITEM, 'MLM998'].map((clave) => ({
        market: 'ml',
        clave,
        marketId: clave,
        titulo: 'Cámara',
        estatus: 'activa',
        productoId,
      })),
    )
    .onConflict((conflict) => conflict.columns(['market', 'clave']).doUpdateSet({ productoId }))
    .execute();
  await db
    .insertInto('pregunta')
    .values([
      before('¿Incluye fuente de poder?', 'Se compra aparte, es la de 12 V.', 'MLM998'),
      // The same words as an answer of its own are one of its own, and who asked was more alike.
      before('¿Incluye fuente de poder?', 'Va aparte.', 'MLM998'),
    ])
    .execute();
  expect(await sugerenciasOf(db, { market: 'ml', publicacionId: ITEM, texto, id })).toEqual([
    'Va aparte.',
    'No la trae.',
    'Se compra aparte, es la de 12 V.',
  ]);
  await db.updateTable('publicacion').set({ productoId: null }).where('productoId', '=', productoId).execute();
});

test('beside a question stand what else its buyer asked and bought, and what its listing was asked before', async () => {
  const item = { itemId: 'MLM2900010088' };
  const antes = await pending('¿Trae cargador?', item);
  await answer(antes, 'Sí, de 65 W.');
  await runUntilSettled();
  const [una, otra] = [await pending('¿Y funda?', item), await pending('¿La tienen en verde?')];
  const comprador = (id: string, compradorId: string) =>
    db.updateTable('pregunta').set({ compradorId }).where('id', '=', id).execute();
  await Promise.all([comprador(antes.id, '771'), comprador(una.id, '772'), comprador(otra.id, '772')]);
  const { id: orden } = await buildOrden(db);
  await db.updateTable('orden').set({ compradorId: '772' }).where('id', '=', orden).execute();
  const abierta = (await openPregunta(db, una.id, { todas: true, cliente: null }))!;
  expect(abierta.alLado.respondidas).toMatchObject([{ id: antes.id, respuesta: 'Sí, de 65 W.' }]);
  expect(abierta.alLado.compradores).toMatchObject({ 772: { preguntas: 1, compras: 1, otras: [{ id: otra.id }] } });
  // Nobody else's question is a buyer's own, and a question is not its own neighbour.
  const primera = (await openPregunta(db, antes.id, { todas: false, cliente: null }))!;
  expect(primera.alLado).toEqual({ compradores: {}, respondidas: [] });
});

/** An answer that can be stopped, and how. */
async function detenible(pregunta: { id: string; version: number }, texto: string) {
  const respuesta = await db
    .transaction()
    .execute((trx) => queueRespuesta(trx, { pregunta: pregunta.id, version: pregunta.version, texto }, usuarioId));
  const stop = (cual = respuesta) =>
    db
      .transaction()
      .execute((trx) => stopRespuesta(trx, EFFECTS, { pregunta: pregunta.id, respuesta: cual }, usuarioId));
  return { respuesta, stop };
}
/** The ids that wait in the list, and on 'Hoy'. */
const esperan = async () => {
  const { ventana } = await openList(
    db,
    responderList,
    new Request('http://trastienda.test/sa/responderPreguntas?q=MLM2900010077'),
    {
      id: usuarioId,
    },
  );
  const { cosas } = await preguntasSinResponder.mira(db, {
    ahora: new Date(),
    limite: 1_000,
    aparte: [],
    quien: { id: usuarioId, rol: 'sa' },
  });
  return { lista: ventana.filas.map(({ id }) => id), hoy: cosas.map(({ id }) => id) };
};

test('an answer that was stopped never leaves; the question waits again with its text, and the next answer leaves', async () => {
  const pregunta = await pending('¿Se detiene?', { itemId: 'MLM2900010077' });
  setPace(1);
  forgetEnv();
  const { respuesta, stop } = await detenible(pregunta, 'Sin pensarlo.');
  // Its eight seconds have not gone by: no worker sends it, and it waits for nobody meanwhile.
  await runJobs();
  expect(await effectView(db, respuesta)).toMatchObject({ state: 'queued' });
  expect((await there(pregunta.marketId)).answer).toBeNull();
  const meanwhile = await esperan();
  expect(meanwhile.lista).not.toContain(pregunta.id);
  expect(meanwhile.hoy).not.toContain(pregunta.id);
  const abierta = async () => (await openPregunta(db, pregunta.id, { todas: false, cliente: null }))!.preguntas[0]!;
  expect((await abierta()).enCamino).toEqual({ id: respuesta, texto: 'Sin pensarlo.', detenible: true });
  await stop();
  expect(await effectView(db, respuesta)).toMatchObject({ state: 'cancelled' });
  expect(await abierta()).toMatchObject({ enCamino: null, noSalio: { texto: 'Sin pensarlo.', detenida: true } });
  expect((await esperan()).lista).toContain(pregunta.id);
  expect((await esperan()).hoy).toContain(pregunta.id);
  setPace(0.02);
  forgetEnv();
  await answer(await row(pregunta.marketId), 'Ahora sí.');
  await runUntilSettled();
  expect((await there(pregunta.marketId)).answer).toMatchObject({ text: 'Ahora sí.' });
  expect(await row(pregunta.marketId)).toMatchObject({ estatus: 'respondida', respuesta: 'Ahora sí.' });
});

test('an answer leaves by itself after its time, and what left cannot be stopped', async () => {
  const pregunta = await pending('¿Sale sola?');
  const { respuesta, stop } = await detenible(pregunta, 'Sí, sola.');
  // A second press is not a second answer.
  expect((await detenible(pregunta, 'Sí, sola.')).respuesta).toBe(respuesta);
  await expect(stop('0198c0de-0000-7000-8000-000000000000')).rejects.toThrow('La respuesta ya salió');
  await runUntilSettled();
  expect((await there(pregunta.marketId)).answer).toMatchObject({ text: 'Sí, sola.' });
  await expect(stop()).rejects.toThrow('La respuesta ya salió: ya no se puede detener.');
  expect(await row(pregunta.marketId)).toMatchObject({ estatus: 'respondida', respuesta: 'Sí, sola.' });
});
