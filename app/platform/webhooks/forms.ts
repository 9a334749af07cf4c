import { z } from 'zod';
import { Id, Lista, Texto, Version } from '~/core/fields';
import { TIPOS } from './gancho';

const MAX_URL = 500;
const URL_NO_VALIDA = 'Escribe una dirección completa, sin usuario ni contraseña.';

export const NuevoGancho = z.object({
  nombre: Texto(60, 'Escribe un nombre.'),
  url: Texto(MAX_URL, 'Escribe la dirección.').refine(isDireccion, URL_NO_VALIDA),
  tipos: Lista(z.enum(TIPOS), TIPOS.length).min(1, 'Elige al menos un aviso.'),
});
export type NuevoGancho = z.infer<typeof NuevoGancho>;

export const UnGancho = z.object({ gancho: Id, version: Version });
export const UnaEntrega = z.object({ entrega: Id });
export const SusMuertas = z.object({ gancho: Id });

/** An address of the web that tells no name and password: those would stand in a list that others read. */
function isDireccion(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}
