import { z } from 'zod';
import { Id, SiNo, Texto, Version } from '~/core/fields';
import { MAX_RESPUESTA } from './pregunta';

/** A character of two UTF-16 halves counts as two here: nobody knows how the marketplace counts it, and so the text is never too long. */
export const Respuesta = Texto(MAX_RESPUESTA).refine(
  (texto) => texto.length <= MAX_RESPUESTA,
  `Máximo ${MAX_RESPUESTA} caracteres`,
);

/** The form of an answer, with the version of the question that the screen showed. */
export const Responder = z.object({ pregunta: Id, version: Version, texto: Respuesta });
export type Responder = z.infer<typeof Responder>;

/** What a person says for many questions at once. A template counts as it is written: what it becomes at each listing is measured there. */
export const RespuestaAVarias = z.object({ texto: Respuesta });

/** The form that says it for a prepared batch. */
export const DecirRespuesta = RespuestaAVarias.extend({ lote: Id });

/** The form that stops an answer before it leaves; `respuesta` is the id of its effect. */
export const DetenerRespuesta = z.object({ pregunta: Id, respuesta: Id });
export type DetenerRespuesta = z.infer<typeof DetenerRespuesta>;

/** The form that blocks the buyer of a question, or lets the buyer in again. */
export const BloquearComprador = z.object({ pregunta: Id, bloquear: SiNo });

/** The form of a new template of an answer. */
export const NuevaPlantilla = z.object({ nombre: Texto(60), texto: Texto(MAX_RESPUESTA) });
export const PlantillaEditada = NuevaPlantilla.extend({ plantilla: Id, version: Version });
export const UnaPlantilla = z.object({ plantilla: Id, version: Version });
