/** One text for many questions, sent to the marketplace of the sandbox. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { bringPregunta } from '~/domain/atencion/preguntas/preguntas.server';
import { queueRespuesta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { ACCIONES } from '~/domain/operacion/batchCatalog.server';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { beginChosen, readPreparedBatch, runBatch, startBatch, stopBatch } from '~/platform/batches/prepared.server';
import type { Mercadolibre } from '~/integrations/mercadolibre/client.server';
import { testDatabase } from '../../support/db';
import { runUntilSettled } from '../../support/jobs';
import { buildUsuario, fuenteDe, linkSandbox } from '../../support/mercadolibre';
import { setPace } from '../../support/pac';
import { startTestSandbox } from '../../support/sandbox';

setPace(0.02);
const sandbox = await startTestSandbox({ mercadolibre: { orders: 0 } });
const CAMARA = 'MLM2900010001';
const CABLE = 'MLM2900010002';
const { db } = testDatabase();
const accion = ACCIONES['pregunta.responder']!;
let ml: Mercadolibre;
let usuarioId: string;

beforeAll(async () => {
  ml = await linkSandbox(db, sandbox);
  usuarioId = (await buildUsuario(db)).id;
  for (const [id, title] of [
    [CAMARA, 'Cámara Bala'],
    [CABLE, 'Cable UTP'],
  ] as const)
    await sandbox.mercadolibre.post(`/publicaciones/${id}`, { sinAviso: true, title, sku: null });
});
beforeEach(() => sandbox.clear('mercadolibre'));

async function pending(text: string, item = CAMARA) {
  const { id } = await sandbox.mercadolibre.post<{ id: string }>('/preguntas', { text, itemId: item, sinAviso: true });
  await bringPregunta(db, 'ml', fuenteDe(ml).open(db).atencion!, id);
  return row(id);
}
const row = (marketId: string) =>
  db.selectFrom('pregunta').selectAll().where('marketId', '=', marketId).executeTakeFirstOrThrow();
const saidThere = async (marketId: string) =>
  (await sandbox.mercadolibre.get<{ answer: { text: string } | null }>(`/preguntas/${marketId}`)).answer?.text;

type Chosen = { id: string }[];
const prepare = (filas: Chosen, texto?: string, lista = 'preguntas') =>
  db.transaction().execute((trx) =>
    beginChosen(trx, accion, {
      lista,
      consulta: '',
      filas: filas.map(({ id }) => id),
      usuarioId,
      ...(texto !== undefined && { datos: { texto } }),
    }),
  );
const start = (id: string) => db.transaction().execute((trx) => startBatch(trx, accion, id, usuarioId));
const stop = (id: string) => db.transaction().execute((trx) => stopBatch(trx, EFFECTS, accion, id, usuarioId));
const run = (id: string) => runBatch(db, ACCIONES, id);
const seen = async (id: string) =>
  (await readPreparedBatch(db, ACCIONES, id, usuarioId))!.filas.map(({ clave, titulo, estado, motivo }) => [
    clave,
    titulo,
    estado,
    motivo,
  ]);

test('each answer is shown as its buyer will read it, and each buyer gets exactly that', async () => {
  const [una, otra] = [await pending('¿Tienen?'), await pending('¿Sirve afuera?', CABLE)];
  const id = await prepare([una, otra], '  {titulo}: sí, hay.  ');
  expect(await seen(id)).toEqual([
    ['¿Tienen?', 'Cámara Bala: sí, hay.', 'pendiente', null],
    ['¿Sirve afuera?', 'Cable UTP: sí, hay.', 'pendiente', null],
  ]);
  await start(id);
  await start(id);
  await run(id);
  await run(id);
  expect((await seen(id)).map(([, , estado]) => estado)).toEqual(['camino', 'camino']);
  await runUntilSettled();
  expect((await seen(id)).map(([, , estado]) => estado)).toEqual(['hecha', 'hecha']);
  expect(await saidThere(una.marketId)).toBe('Cámara Bala: sí, hay.');
  expect(await saidThere(otra.marketId)).toBe('Cable UTP: sí, hay.');
  expect(await row(una.marketId)).toMatchObject({ estatus: 'respondida', respondidaPor: usuarioId });
});

test('nothing is sent before the text is said, and an act that asks nothing takes no text', async () => {
  const id = await prepare([await pending('¿Hay?')]);
  expect(await seen(id)).toEqual([['¿Hay?', '', 'pendiente', null]]);
  await expect(start(id)).rejects.toThrow('Falta lo que es igual para todo lo elegido.');
  await expect(
    db
      .transaction()
      .execute((trx) =>
        beginChosen(trx, ACCIONES.entregar!, { lista: 'ordenes', consulta: '', filas: [id], usuarioId, datos: {} }),
      ),
  ).rejects.toThrow('Esta acción no pide nada.');
});

test('a question that gets no answer says why', async () => {
  const [buena, respondida, enCamino] = [await pending('¿1?'), await pending('¿2?'), await pending('¿3?')];
  await db.updateTable('pregunta').set({ estatus: 'respondida' }).where('id', '=', respondida.id).execute();
  await db
    .transaction()
    .execute((trx) =>
      queueRespuesta(trx, { pregunta: enCamino.id, version: enCamino.version, texto: 'Sí' }, usuarioId),
    );
  const todas = [buena, respondida, enCamino];
  expect((await seen(await prepare(todas, 'Va de {marca}'))).map(([, , , motivo]) => motivo)).toEqual([
    'Falta llenar {marca}.',
    'Ya está respondida.',
    'Otra respuesta va en camino.',
  ]);
  // What a template becomes may be longer than it is.
  const largo = `${'a'.repeat(1_990)} {titulo}`;
  expect((await seen(await prepare([buena], largo)))[0]![3]).toBe('A la respuesta le sobran 2 caracteres.');
});

test('a question that somebody answered meanwhile, or whose words would be others now, is left alone', async () => {
  const [movida, otroTitulo, igual] = [await pending('¿A?'), await pending('¿B?', CABLE), await pending('¿C?')];
  const id = await prepare([movida, otroTitulo, igual], '{titulo}');
  await start(id);
  await db
    .updateTable('pregunta')
    .set({ estatus: 'respondida', respuesta: 'Otra', version: movida.version + 1 })
    .where('id', '=', movida.id)
    .execute();
  await db.updateTable('pregunta').set({ titulo: 'Cable CAT6' }).where('id', '=', otroTitulo.id).execute();
  await run(id);
  expect((await seen(id)).map(([, , estado]) => estado)).toEqual(['fallida', 'fallida', 'camino']);
  await runUntilSettled();
  expect(await saidThere(movida.marketId)).toBeUndefined();
});

test('a listing stands for all that wait at it, a question for itself', async () => {
  const [una, otra] = [await pending('¿uno?', 'MLM2900010003'), await pending('¿dos?', 'MLM2900010003')];
  expect((await seen(await prepare([una], 'Sí', 'responderPreguntas'))).map(([clave]) => clave)).toEqual([
    una.texto,
    otra.texto,
  ]);
  expect(await seen(await prepare([una], 'Sí'))).toHaveLength(1);
});

test('what has not left is stopped: neither a waiting answer nor one not begun is sent', async () => {
  const [una, otra] = [await pending('¿x?'), await pending('¿y?')];
  const id = await prepare([una, otra], 'No');
  await start(id);
  await run(id);
  // The second one was not reached when the batch was stopped.
  await db.updateTable('loteFila').set({ resultado: null, effects: [] }).where('filaId', '=', otra.id).execute();
  expect(await stop(id)).toBe(2);
  expect(await stop(id)).toBe(0);
  await run(id);
  expect((await seen(id)).map(([, , estado, motivo]) => [estado, motivo])).toEqual([
    ['detenida', 'Se retiró antes de enviarse.'],
    ['detenida', 'Se detuvo antes de hacerla.'],
  ]);
  expect(await saidThere(una.marketId)).toBeUndefined();
  expect((await row(una.marketId)).estatus).toBe('pendiente');
});
