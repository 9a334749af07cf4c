import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { preguntasList, readPregunta, responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { reclamosList } from '~/domain/atencion/reclamos/listReclamos.server';
import { readReclamo } from '~/domain/atencion/reclamos/reclamos.server';
import { answerPregunta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { Respuesta } from '~/domain/atencion/preguntas/preguntaForm';
import { defineCall, type Call } from '../call.server';
import { etagOf } from '../etag';
import { defineListCall } from '../list.server';
import { found } from '../problem.server';
import { Instante } from '../wire';
import { ById } from './ordenes.server';

const PreguntaFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  publicacionId: z.string(),
  titulo: z.string().nullable(),
  sku: z.string().nullable(),
  texto: z.string(),
  estatus: z.string(),
  respuesta: z.string().nullable(),
  respondidaEn: Instante.nullable(),
  fecha: Instante,
});

const ReclamoFila = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  ordenId: z.uuid().nullable(),
  numOrden: z.string().nullable(),
  recurso: z.string(),
  estatus: z.string(),
  tipo: z.string(),
  etapa: z.string().nullable(),
  titulo: z.string().nullable(),
  venceEn: Instante.nullable(),
  fecha: Instante,
  actualizadoEn: Instante,
});

/** A claim as its webhook tells it. */
export const Reclamo = z.object({
  id: z.uuid(),
  market: z.enum(MARKETS),
  marketId: z.string(),
  ordenMarketId: z.string().nullable(),
  estatus: z.enum(['abierto', 'cerrado']),
  tipo: z.string(),
  etapa: z.string().nullable(),
  titulo: z.string().nullable(),
  problema: z.string().nullable(),
  responsable: z.enum(['vendedor', 'comprador', 'mediador']).nullable(),
  venceEn: Instante.nullable(),
  fecha: Instante,
  actualizadoEn: Instante,
  version: z.int(),
});

export const atencion: Call[] = [
  defineListCall({
    path: '/api/v1/preguntas',
    resumen: 'Las preguntas de un periodo.',
    alcance: 'preguntas',
    acceso: { pantalla: 'preguntas' },
    list: preguntasList,
    fila: PreguntaFila,
    totales: { respondidas: z.int(), enUnaHora: z.int() },
  }),
  defineListCall({
    path: '/api/v1/preguntas/por-responder',
    resumen: 'Las publicaciones con preguntas que esperan, bajo la más antigua de cada una.',
    alcance: 'preguntas',
    acceso: { pantalla: 'responderPreguntas' },
    list: responderList,
    fila: PreguntaFila.extend({ esperan: z.int() }),
    totales: { esperan: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/preguntas/{id}',
    resumen: 'Una pregunta.',
    alcance: 'preguntas',
    acceso: { pantalla: 'preguntas' },
    params: ById,
    answer: PreguntaFila.extend({ version: z.int() }),
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => found(readPregunta(db, id)),
  }),
  defineCall({
    method: 'POST',
    path: '/api/v1/preguntas/{id}/respuesta',
    resumen: 'Responde una pregunta, una sola vez.',
    alcance: 'preguntas',
    acceso: { derecho: 'preguntas.responder' },
    conVersion: true,
    status: 202,
    params: ById,
    body: z.object({ texto: Respuesta }),
    answer: z.object({ id: z.uuid(), publicada: z.boolean() }),
    run: async (db, { params: { id }, body: { texto }, version, usuario }) => ({
      id,
      publicada: await answerPregunta(db, { pregunta: id, version, texto }, usuario.id),
    }),
  }),
  defineListCall({
    path: '/api/v1/reclamos',
    resumen: 'Los reclamos abiertos y los de un periodo.',
    alcance: 'reclamos',
    acceso: { pantalla: 'reclamos' },
    list: reclamosList,
    fila: ReclamoFila,
    totales: { abiertos: z.int() },
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/reclamos/{id}',
    resumen: 'Un reclamo.',
    alcance: 'reclamos',
    acceso: { pantalla: 'reclamos' },
    params: ById,
    answer: Reclamo,
    etag: ({ version }) => etagOf(version),
    run: (db, { params: { id } }) => found(readReclamo(db, id)),
  }),
];
