import { z } from 'zod';
import { Id, SiNo, Texto, Version } from '~/core/fields';
import { MAX_RESPUESTA } from './pregunta';

/** Nothing tells whether the marketplace counts a figure of two halves as one: as two it is never too long for it. */
export const Respuesta = Texto(MAX_RESPUESTA).refine(
  (texto) => texto.length <= MAX_RESPUESTA,
  `Máximo ${MAX_RESPUESTA} caracteres`,
);

/** One answer to one question, as its screen showed it. */
export const Responder = z.object({ pregunta: Id, version: Version, texto: Respuesta });
export type Responder = z.infer<typeof Responder>;

/** Who asked it is kept out, or let in again. */
export const BloquearComprador = z.object({ pregunta: Id, bloquear: SiNo });

export const NuevaPlantilla = z.object({ nombre: Texto(60), texto: Texto(MAX_RESPUESTA) });
export const PlantillaEditada = NuevaPlantilla.extend({ plantilla: Id, version: Version });
export const UnaPlantilla = z.object({ plantilla: Id, version: Version });
