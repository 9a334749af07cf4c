import { z } from 'zod';
import { Id, SiNo, Texto, Version } from '~/core/fields';

/** The most that the marketplace takes of an answer. */
export const MAX_RESPUESTA = 2_000;

/** One answer to one question, as its screen showed it. */
export const Responder = z.object({ pregunta: Id, version: Version, texto: Texto(MAX_RESPUESTA) });
export type Responder = z.infer<typeof Responder>;

/** Who asked it is kept out, or let in again. */
export const BloquearComprador = z.object({ pregunta: Id, bloquear: SiNo });

export const NuevaPlantilla = z.object({ nombre: Texto(60), texto: Texto(MAX_RESPUESTA) });
export const PlantillaEditada = NuevaPlantilla.extend({ plantilla: Id, version: Version });
export const UnaPlantilla = z.object({ plantilla: Id, version: Version });
