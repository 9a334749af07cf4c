import { z } from 'zod';
import { Id, REQUERIDO, Texto } from '~/core/fields';

/** The number of the sale a link is sent for. */
export const EnlacePorMensaje = z.object({ numero: Texto(40) });

export const UnEnlace = z.object({ enlace: Id });

/** The sale whose links a page shows; none before its number is typed. */
export const EnlacesDe = z.object({ numOrden: Texto(120).default('') });

/** Where a link is sent to; what is no address is said by the command. */
export const EnlacePorCorreo = z.object({ email: Texto(200, REQUERIDO) });
