/** The second marketplace of the tests is made to act: a list that publishes, changes a price and answers, through the effects of every marketplace. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { savePreguntas } from '~/domain/atencion/preguntas/preguntas.server';
import { acceptRespuesta, respuestas } from '~/domain/atencion/preguntas/responderPregunta.server';
import { registerFuente } from '~/domain/mercados/registro.server';
import { effectRuntime } from '~/domain/operacion/effectRuntime.server';
import { puestas } from '~/domain/publicaciones/publicador/internal/puestas.server';
import { cambios } from '~/domain/publicaciones/publicaciones/internal/cambios.server';
import { editPublicacion } from '~/domain/publicaciones/publicaciones/publicaciones.server';
import { effectCatalog } from '~/platform/effects/definition';
import { acceptEffect, effectView } from '~/platform/effects/effects.server';
import { runEffect } from '~/platform/effects/runEffect.server';
import { buildPorPublicar } from '../../support/builders/publicador';
import { buildQuien } from '../../support/builders/ordenes';
import { testDatabase } from '../../support/db';
import { fuenteDeLista, type Tienda } from '../../support/mercadoDeLista';

const { db } = testDatabase();
const tienda: Tienda = { anuncios: new Map(), respuestas: new Map() };
const SKU = 'AMS|P1|syscom|DS-1';
let usuarioId: string;
let undo: () => void;

beforeAll(async () => {
  undo = registerFuente(fuenteDeLista([], tienda));
  usuarioId = (await buildQuien(db)).id;
});
afterAll(() => undo());

/** Runs an effect as the worker does, with the effects that the registered marketplaces offer now. */
async function run(id: string) {
  const catalog = effectCatalog([...cambios.all(), ...puestas.all(), ...respuestas.all()]);
  await runEffect({ ...effectRuntime(db), catalog }, id);
  return await effectView(db, id);
}
const readListing = () =>
  db
    .selectFrom('publicacion')
    .select(['id', 'market', 'precio', 'stock', 'version', 'titulo', 'estatus'])
    .where('clave', '=', SKU)
    .executeTakeFirstOrThrow();

test('a product is put on sale there, and its listing is ours from then on', async () => {
  const { id: productoId } = await buildPorPublicar(db);
  const request = {
    productoId,
    proveedor: 'syscom',
    sku: SKU,
    tipo: 'unica' as const,
    titulo: 'Cámara',
    descripcion: null,
    cuerpo: { precio: '116.00', stock: 4 },
    imagenes: [],
    seguir: false,
    escrito: null,
  };
  const { id } = await db
    .transaction()
    .execute((trx) => acceptEffect(trx, puestas.require('amz'), { request, usuarioId }));
  expect(await run(id)).toMatchObject({ type: 'lista.publicar', state: 'done' });
  expect(tienda.anuncios.get(SKU)).toEqual({ precio: '116.00', stock: 4 });
  expect(await readListing()).toMatchObject({ market: 'amz', stock: 4, titulo: 'Cámara', estatus: 'DONE' });
});

test('its price is changed there by the form that changes any price', async () => {
  const { id, version, titulo, estatus } = await readListing();
  const editada = { id, version, titulo, estatus, precio: '99.50', stock: 4, autoSync: false };
  const aceptado = await db.transaction().execute((trx) => editPublicacion(trx, editada, usuarioId));
  expect(await run(aceptado!.id)).toMatchObject({ type: 'lista.publicacion', state: 'done' });
  expect(tienda.anuncios.get(SKU)).toEqual({ precio: '99.50', stock: 4 });
  expect(String((await readListing()).precio)).toBe('99.50');
});

test('a question of a buyer there is answered by the answer to any question', async () => {
  const pregunta = {
    marketId: 'q-1',
    publicacionId: SKU,
    compradorId: null,
    texto: '¿Tienen disponible?',
    estatus: 'pendiente' as const,
    retenida: false,
    fecha: new Date(),
    respuesta: null,
    documento: {},
  };
  await savePreguntas(db, 'amz', [pregunta], { leidaEn: new Date(), publicaciones: new Map() });
  const { id, version } = await db.selectFrom('pregunta').select(['id', 'version']).executeTakeFirstOrThrow();
  const effectId = await db
    .transaction()
    .execute((trx) => acceptRespuesta(trx, { pregunta: id, version, texto: 'Sí, hay cuatro.' }, usuarioId));
  expect(await run(effectId)).toMatchObject({ type: 'lista.responder', state: 'done' });
  expect(tienda.respuestas.get('q-1')).toBe('Sí, hay cuatro.');
  const kept = await db.selectFrom('pregunta').select(['estatus', 'respuesta']).executeTakeFirstOrThrow();
  expect(kept).toEqual({ estatus: 'respondida', respuesta: 'Sí, hay cuatro.' });
});

test('what it does not do, nobody asks of it', () => {
  expect(cambios.all()).toHaveLength(2);
  expect(respuestas.of('ml')).toBeDefined();
  expect(fuenteDeLista([], tienda).efectos?.bloquear).toBeUndefined();
});
