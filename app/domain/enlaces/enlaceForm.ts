import { z } from 'zod';
import { Id, Texto } from '~/core/fields';

/** The number of the sale a link is sent for. */
export const EnlacePorMensaje = z.object({ numero: Texto(40) });

export const UnEnlace = z.object({ enlace: Id });
