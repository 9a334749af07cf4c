import { z } from 'zod';
import { civilDay } from '~/core/time';
import { blockCliente, findComprador, readCliente } from '~/domain/atencion/preguntas/comprador.server';
import {
  findPregunta,
  preguntasList,
  type PreguntaRow,
  responderList,
} from '~/domain/atencion/preguntas/listPreguntas.server';
import { reclamosList, type ReclamoRow } from '~/domain/atencion/reclamos/listReclamos.server';
import { RESPONDIDA } from '~/domain/atencion/preguntas/pregunta';
import { Respuesta } from '~/domain/atencion/preguntas/preguntaForm';
import { answerPregunta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { defineCall, type Call } from '../call.server';
import { gather } from '../gather.server';
import { ApiProblem, found } from '../problem.server';
import { Hecho, hecho, Instante, Rango, shapeOf } from './shapes';

const days = ({ from, to }: z.output<typeof Rango>) => ({ desde: civilDay(from), hasta: civilDay(to) });

const pregunta = shapeOf<PreguntaRow>()({
  _id: [z.uuid(), 'id'],
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
  claim_id: [z.string(), 'marketId'],
  orden: [z.string().nullable(), 'numOrden'],
  resource: [z.string(), 'recurso'],
  status: [z.string(), 'estatus'],
  type: [z.string(), 'tipo'],
  stage: [z.string().nullable(), 'etapa'],
  due_date: [Instante.nullable(), 'venceEn'],
  date_created: [Instante, 'fecha'],
});

const Comprador = z.object({ buyerId: z.string().regex(/^\d{1,20}$/) });
const atender = { pantalla: 'preguntas', derecho: 'preguntas.responder' } as const;

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
    run: async (db, { params, usuario }) => (await gather(db, preguntasList, days(params), usuario)).map(pregunta.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/preguntasSinResponder/{from}/{to}',
    resumen: 'Las publicaciones con preguntas que esperan, con la más antigua de cada una.',
    alcance: 'preguntas',
    acceso: { pantalla: 'responderPreguntas' },
    params: Rango,
    answer: z.array(pregunta.wire),
    run: async (db, { params, usuario }) => (await gather(db, responderList, days(params), usuario)).map(pregunta.of),
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
    run: async (db, { params, usuario }) => (await gather(db, reclamosList, days(params), usuario)).map(reclamo.of),
  }),
  defineCall({
    method: 'GET',
    path: '/api/apiML/cliente/{buyerId}',
    resumen: 'Un comprador de Mercado Libre, y si está bloqueado.',
    alcance: 'preguntas',
    acceso: { pantalla: 'preguntas' },
    params: Comprador,
    answer: z.object({ id: z.string(), nickname: z.string().nullable(), blocked: z.boolean() }),
    async run(db, { params: { buyerId } }) {
      const { market } = await found(findComprador(db, buyerId));
      const { comprador, fallo } = await readCliente(db, market, buyerId);
      if (!comprador) throw new ApiProblem('servicio-externo', fallo ?? 'Mercado Libre no dice quién es.');
      return { id: buyerId, nickname: comprador.apodo, blocked: comprador.bloqueado };
    },
  }),
  bloqueo('POST', '/api/apiML/cliente/bloquear/{buyerId}', 'Bloquea a un comprador de Mercado Libre.', true),
  bloqueo('DELETE', '/api/apiML/cliente/activar/{buyerId}', 'Desbloquea a un comprador de Mercado Libre.', false),
];
