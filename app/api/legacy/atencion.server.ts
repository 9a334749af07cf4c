import { z } from 'zod';
import { tableOf } from '~/core/table';
import { blockCliente, findComprador, readCliente } from '~/domain/atencion/preguntas/comprador.server';
import {
  findPregunta,
  pendientesOf,
  preguntasList,
  type PreguntaRow,
  responderList,
} from '~/domain/atencion/preguntas/listPreguntas.server';
import { reclamosList, type ReclamoRow } from '~/domain/atencion/reclamos/listReclamos.server';
import { preguntaUrl, RESPONDIDA } from '~/domain/atencion/preguntas/pregunta';
import { Respuesta } from '~/domain/atencion/preguntas/preguntaForm';
import { answerPregunta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { ApiProblem, found } from '../problem.server';
import { diasOf, Hecho, hecho, Instante, Rango, shapeOf } from './shapes';

/** The marketplace's own words, by which the old client tells an answered question. */
const STATUS: Readonly<Record<string, string>> = tableOf({ respondida: 'ANSWERED', pendiente: 'UNANSWERED' });

const pregunta = shapeOf<PreguntaRow>()({
  _id: [z.uuid(), 'id'],
  dateCreated: [Instante, 'fecha'],
  market: [z.string(), 'market'],
  marketLink: [z.string().nullable(), (fila) => preguntaUrl(fila) ?? null],
  datos: [
    z.object({
      id: z.string(),
      item_id: z.string(),
      status: z.string(),
      text: z.string(),
      answer: z.object({ text: z.string(), date_created: Instante.nullable() }).nullable(),
      from: z.object({ id: z.string().nullable() }),
    }),
    ({ marketId, publicacionId, estatus, texto, respuesta, respondidaEn, compradorId }) => ({
      id: marketId,
      item_id: publicacionId,
      status: STATUS[estatus] ?? estatus.toUpperCase(),
      text: texto,
      answer: respuesta === null ? null : { text: respuesta, date_created: respondidaEn },
      from: { id: compradorId },
    }),
  ],
  question_id: [z.string(), 'marketId'],
  item_id: [z.string(), 'publicacionId'],
  title: [z.string().nullable(), 'titulo'],
  sku: [z.string().nullable(), 'sku'],
  text: [z.string(), 'texto'],
  status: [z.string(), 'estatus'],
  answer: [z.string().nullable(), 'respuesta'],
  date_created: [Instante, 'fecha'],
});

const reclamo = shapeOf<ReclamoRow>()({
  _id: [z.uuid(), 'id'],
  marketId: [z.string(), 'marketId'],
  market: [z.string(), 'market'],
  dateCreated: [Instante, 'fecha'],
  estatus: [z.string(), 'estatus'],
  tipo: [z.string(), 'tipo'],
  recurso: [z.string(), 'recurso'],
  claim_id: [z.string(), 'marketId'],
  orden: [z.string().nullable(), 'numOrden'],
  resource: [z.string(), 'recurso'],
  status: [z.string(), 'estatus'],
  type: [z.string(), 'tipo'],
  stage: [z.string().nullable(), 'etapa'],
  due_date: [Instante.nullable(), 'venceEn'],
  date_created: [Instante, 'fecha'],
});

/** A listing with the questions that wait at it; the fields of its oldest one stand beside them. */
const porResponder = shapeOf<PreguntaRow & { preguntas: PreguntaRow[] }>()({
  idPML: [z.string(), 'publicacionId'],
  attributes: [
    z.array(z.object({ id: z.string(), value_name: z.string() })),
    ({ marca, modelo, sku }) =>
      Object.entries({ BRAND: marca, MODEL: modelo, SELLER_SKU: sku }).flatMap(([id, value_name]) =>
        value_name === null ? [] : [{ id, value_name }],
      ),
  ],
  preguntas: [z.array(pregunta.wire), ({ preguntas }) => preguntas.map(pregunta.of)],
});

const Comprador = z.object({ buyerId: z.string().regex(/^\d{1,20}$/) });
/** 'Detalle cliente' stands on Responder preguntas too, so who answers may block. */
const atender = { derecho: 'preguntas.responder' } as const;

const bloqueo = (method: 'POST' | 'DELETE', path: string, resumen: string, bloquear: boolean) =>
  defineCall({
    method,
    path,
    resumen,
    alcance: 'preguntas',
    acceso: atender,
    params: Comprador,
    answer: Hecho,
    async run(db, { params: { buyerId }, usuario }) {
      const request = { ...(await found(findComprador(db, buyerId))), bloquear };
      if (!(await blockCliente(db, request, usuario.id))) return hecho('El cambio va en camino a Mercado Libre.');
      return hecho(bloquear ? 'El cliente quedó bloqueado.' : 'El cliente quedó activo.');
    },
  });

export const atencionAnterior: Call[] = [
  defineCall({
    method: 'GET',
    path: '/api/preguntas2/{from}/{to}',
    resumen: 'Las preguntas de un rango.',
    alcance: 'preguntas',
    acceso: { pantalla: 'preguntas' },
    params: Rango,
    answer: z.array(pregunta.wire),
    run: async (db, { params, usuario }) => (await gather(db, preguntasList, diasOf(params), usuario)).map(pregunta.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/preguntasSinResponder/{from}/{to}',
    resumen: 'Las publicaciones con preguntas que esperan, con la más antigua de cada una.',
    alcance: 'preguntas',
    acceso: { pantalla: 'responderPreguntas' },
    params: Rango,
    answer: z.array(z.object({ ...pregunta.wire.shape, ...porResponder.wire.shape })),
    async run(db, { params, usuario }) {
      const filas = await gather(db, responderList, diasOf(params), usuario);
      const todas = await pendientesOf(
        db,
        filas.map(({ publicacionId }) => publicacionId),
      );
      return filas.map((fila) => {
        const preguntas = todas.filter(
          ({ market, publicacionId }) => market === fila.market && publicacionId === fila.publicacionId,
        );
        return { ...pregunta.of(fila), ...porResponder.of({ ...fila, preguntas }) };
      });
    },
  }),
  defineCall({
    method: 'POST',
    path: '/api/responderPregunta',
    resumen: 'Responde una pregunta, una sola vez.',
    alcance: 'preguntas',
    acceso: { derecho: 'preguntas.responder' },
    body: z.object({ question_id: z.coerce.string().max(40), text: Respuesta }),
    answer: Hecho,
    async run(db, { body: { question_id, text: texto }, usuario }) {
      const { id, version } = await found(findPregunta(db, question_id));
      const publicada = await answerPregunta(db, { pregunta: id, version, texto }, usuario.id);
      return hecho(publicada ? RESPONDIDA : 'La respuesta va en camino a Mercado Libre.');
    },
  }),
  defineCall({
    method: 'GET',
    path: '/api/reclamos/{from}/{to}',
    resumen: 'Los reclamos abiertos y los de un rango.',
    alcance: 'reclamos',
    acceso: { pantalla: 'reclamos' },
    params: Rango,
    answer: z.array(reclamo.wire),
    run: async (db, { params, usuario }) => (await gather(db, reclamosList, diasOf(params), usuario)).map(reclamo.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/apiML/cliente/{buyerId}',
    resumen: 'Un comprador de Mercado Libre, y si está bloqueado.',
    alcance: 'preguntas',
    acceso: atender,
    params: Comprador,
    answer: z.object({
      id: z.string(),
      nickname: z.string().nullable(),
      address: z.object({ city: z.string().nullable(), state: z.string().nullable() }),
      permalink: z.string().nullable(),
      blocked: z.boolean(),
    }),
    async run(db, { params: { buyerId } }) {
      const { market } = await found(findComprador(db, buyerId));
      const { comprador, fallo } = await readCliente(db, market, buyerId);
      if (!comprador) throw new ApiProblem('servicio-externo', fallo ?? 'Mercado Libre no dice quién es.');
      const { apodo, ciudad, estado, enlace, bloqueado } = comprador;
      return {
        id: buyerId,
        nickname: apodo,
        address: { city: ciudad, state: estado },
        permalink: enlace,
        blocked: bloqueado,
      };
    },
  }),
  bloqueo('POST', '/api/apiML/cliente/bloquear/{buyerId}', 'Bloquea a un comprador de Mercado Libre.', true),
  bloqueo('DELETE', '/api/apiML/cliente/activar/{buyerId}', 'Desbloquea a un comprador de Mercado Libre.', false),
];
