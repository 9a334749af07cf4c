import { z } from 'zod';
import { MARKETS } from '~/core/market';
import { preguntasList, readPregunta, responderList } from '~/domain/atencion/preguntas/listPreguntas.server';
import { reclamosList } from '~/domain/atencion/reclamos/listReclamos.server';
import { readReclamo } from '~/domain/atencion/reclamos/reclamos.server';
import {
  createPlantilla,
  listPlantillas,
  removePlantilla,
  savePlantilla,
} from '~/domain/atencion/preguntas/plantillas.server';
import { quienPregunto, readCliente, setBloqueo } from '~/domain/atencion/preguntas/comprador.server';
import { resolveReclamo, writeInReclamo } from '~/domain/atencion/reclamos/actuarEnReclamo.server';
import { mailReclamo } from '~/domain/atencion/reclamos/mailReclamo.server';
import { CorreoDeReclamo, EscribirEnReclamo, ResolverReclamo } from '~/domain/atencion/reclamos/reclamoForm';
import { EFFECTS } from '~/domain/operacion/effectCatalog.server';
import { SALE_EN_SEGUNDOS } from '~/domain/atencion/preguntas/pregunta';
import { answerPregunta, queueRespuesta, stopRespuesta } from '~/domain/atencion/preguntas/responderPregunta.server';
import { NuevaPlantilla, PlantillaEditada, Respuesta, UnaPlantilla } from '~/domain/atencion/preguntas/preguntaForm';
import { defineCall, type Call } from '../call.server';
import { etagOfVersion } from '../etag';
import { defineFormCall } from '../form.server';
import { defineListCall } from '../list.server';
import { ApiProblem, found } from '../problem.server';
import { Instante } from '../wire';
import type { Db, Trx } from '~db/client.server';
import { ById, Hecho } from './ordenes.server';

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

const Plantilla = z.object({ id: z.uuid(), nombre: z.string(), texto: z.string(), version: z.int() });
const plantillaOf = async (db: Db | Trx, id: string) =>
  found(Promise.resolve((await listPlantillas(db)).find((una) => una.id === id)));
const editarPlantillas = { alcance: 'preguntas', acceso: { derecho: 'plantillas.editar' } } as const;
const atender = { alcance: 'reclamos', acceso: { pantalla: 'reclamos', derecho: 'reclamos.atender' } } as const;
const responder = { alcance: 'preguntas', acceso: { derecho: 'preguntas.responder' } } as const;

const Comprador = z.object({
  id: z.string(),
  apodo: z.string().nullable(),
  bloqueado: z.boolean(),
  ciudad: z.string().nullable(),
  estado: z.string().nullable(),
  enlace: z.string().nullable(),
  preguntas: z.array(
    z.object({
      id: z.uuid(),
      fecha: Instante,
      titulo: z.string().nullable(),
      texto: z.string(),
      respuesta: z.string().nullable(),
      estatus: z.string(),
    }),
  ),
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
    etag: etagOfVersion,
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
    body: z.object({
      texto: Respuesta,
      detenible: z
        .boolean()
        .default(false)
        .meta({
          description: `La respuesta sale en ${SALE_EN_SEGUNDOS} segundos, y hasta entonces se puede detener.`,
        }),
    }),
    answer: z.object({
      id: z.uuid(),
      publicada: z.boolean(),
      respuesta: z.uuid().nullable().meta({ description: 'Con qué se detiene; null para la que sale de inmediato.' }),
    }),
    async run(db, { params: { id }, body: { texto, detenible }, version, usuario }) {
      const form = { pregunta: id, version, texto };
      if (!detenible) return { id, publicada: await answerPregunta(db, form, usuario.id), respuesta: null };
      const respuesta = await db.transaction().execute((trx) => queueRespuesta(trx, form, usuario.id));
      return { id, publicada: false, respuesta };
    },
  }),
  defineCall({
    method: 'DELETE',
    path: '/api/v1/preguntas/{id}/respuesta/{respuesta}',
    resumen: 'Detiene una respuesta que todavía no sale.',
    alcance: 'preguntas',
    acceso: { derecho: 'preguntas.responder' },
    params: ById.extend({ respuesta: z.uuid() }),
    answer: ById,
    async commit(trx, { params: { id, respuesta }, usuario }) {
      await stopRespuesta(trx, EFFECTS, { pregunta: id, respuesta }, usuario.id);
      return { id };
    },
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
    etag: etagOfVersion,
    run: (db, { params: { id } }) => found(readReclamo(db, id)),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/preguntas/{id}/comprador',
    resumen: 'Quién hizo una pregunta, como lo dice su mercado, con lo que preguntó antes.',
    ...responder,
    params: ById,
    answer: Comprador,
    async run(db, { params: { id } }) {
      const { market, compradorId } = await quienPregunto(db, id);
      const { comprador, fallo, preguntas } = await readCliente(db, market, compradorId);
      if (!comprador) throw new ApiProblem('servicio-externo', fallo ?? 'El mercado no dice quién es.');
      return { ...comprador, id: compradorId, preguntas };
    },
  }),
  defineCall({
    method: 'PUT',
    path: '/api/v1/preguntas/{id}/comprador',
    resumen: 'Bloquea a quien hizo una pregunta, o le deja volver.',
    ...responder,
    status: 202,
    params: ById,
    body: z.object({ bloqueado: z.boolean() }),
    answer: Hecho,
    run: async (db, { params: { id }, body: { bloqueado }, usuario }) => ({
      hecho: await setBloqueo(db, id, bloqueado, usuario.id),
    }),
  }),
  defineCall({
    method: 'GET',
    path: '/api/v1/plantillas',
    resumen: 'Las plantillas de respuestas.',
    alcance: 'preguntas',
    acceso: { derecho: 'preguntas.responder' },
    answer: z.array(Plantilla),
    run: (db) => listPlantillas(db),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/plantillas',
    resumen: 'Agrega una plantilla de respuestas.',
    ...editarPlantillas,
    status: 201,
    form: NuevaPlantilla,
    answer: z.array(Plantilla),
    async commit(trx, form, { usuario }) {
      await createPlantilla(trx, form, usuario.id);
      return listPlantillas(trx);
    },
  }),
  defineFormCall({
    method: 'PUT',
    path: '/api/v1/plantillas/{id}',
    resumen: 'Cambia una plantilla de respuestas.',
    ...editarPlantillas,
    conVersion: true,
    form: PlantillaEditada,
    de: { plantilla: 'id' },
    answer: Plantilla,
    etag: etagOfVersion,
    async commit(trx, form, { usuario }) {
      await savePlantilla(trx, form, usuario.id);
      return plantillaOf(trx, form.plantilla);
    },
  }),
  defineFormCall({
    method: 'DELETE',
    path: '/api/v1/plantillas/{id}',
    resumen: 'Elimina una plantilla de respuestas.',
    ...editarPlantillas,
    conVersion: true,
    form: UnaPlantilla,
    de: { plantilla: 'id' },
    answer: ById,
    async commit(trx, form, { usuario }) {
      await removePlantilla(trx, form, usuario.id);
      return { id: form.plantilla };
    },
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/reclamos/{id}/mensajes',
    resumen: 'Escribe al comprador o al mediador de un reclamo, con archivos o sin ellos.',
    ...atender,
    conVersion: true,
    status: 202,
    recibe: { campo: 'archivos', cuerpo: 'datos', opcional: true, varios: true },
    form: EscribirEnReclamo,
    de: { reclamo: 'id' },
    answer: Hecho,
    run: async (db, form, { usuario }) => ({ hecho: await writeInReclamo(db, form, usuario.id) }),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/reclamos/{id}/resolucion',
    resumen:
      'Resuelve un reclamo: devuelve el dinero, todo o en parte, pide la pieza, la acepta o la objeta con evidencia.',
    ...atender,
    conVersion: true,
    status: 202,
    recibe: { campo: 'archivos', cuerpo: 'datos', opcional: true, varios: true },
    form: ResolverReclamo,
    de: { reclamo: 'id' },
    answer: Hecho,
    run: async (db, form, { usuario }) => ({ hecho: await resolveReclamo(db, form, usuario.id) }),
  }),
  defineFormCall({
    method: 'POST',
    path: '/api/v1/reclamos/{id}/correo',
    resumen: 'Avisa de un reclamo por correo a los proveedores de lo vendido.',
    ...atender,
    status: 202,
    form: CorreoDeReclamo,
    de: { reclamo: 'id' },
    answer: Hecho,
    run: async (db, { reclamo }, { usuario }) => ({ hecho: await mailReclamo(db, reclamo, usuario.id) }),
  }),
];
