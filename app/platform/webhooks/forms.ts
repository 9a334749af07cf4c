import { z } from 'zod';
import { Id, Lista, Texto, Version } from '~/core/fields';
import { TIPOS } from './gancho';

const MAX_URL = 500;
const URL_NO_VALIDA = 'Escribe una dirección completa, sin usuario ni contraseña.';

/** The form of a new receiver of notices: its name, its address, and the kinds of notice that it wants. */
export const NuevoGancho = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  url: Texto(MAX_URL, 'Escribe la dirección.').refine(isDireccion, URL_NO_VALIDA),
  tipos: Lista(z.enum(TIPOS), TIPOS.length).min(1, 'Elige al menos un aviso.'),
});
export type NuevoGancho = z.infer<typeof NuevoGancho>;

/** The receiver that a press is about, as the screen showed it. */
export const UnGancho = z.object({ gancho: Id, version: Version });
/** The delivery to be sent again. */
export const UnaEntrega = z.object({ entrega: Id });
/** The receiver that is sent a test, or its dead deliveries again. */
export const DeReceptor = z.object({ gancho: Id });

/** Returns whether a text is an address of the web without name and password, which would stand in a list that others read. */
function isDireccion(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}
