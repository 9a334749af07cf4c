import { z } from 'zod';
import { Id, REQUERIDO, Texto } from '~/core/fields';

/** The number of the sale a link is sent for. */
export const EnlacePorMensaje = z.object({ numero: Texto(40) });

export const UnEnlace = z.object({ enlace: Id });

/** The sale whose links a page shows; none before its number is typed. */
export const EnlacesDe = z.object({ numOrden: Texto(120).default('') });

/** The address that a link is sent to. The command tells what is wrong with an address, in its words. */
export const EnlacePorCorreo = z.object({ email: Texto(200, REQUERIDO) });
