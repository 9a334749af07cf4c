import type { Rol } from './screens';
import { screens } from './screens';

/** A list is named after its screen: who may open the screen may read the list's windows and export it. */
export function mayReadList(usuario: { rol: Rol }, lista: string): boolean {
  return screens.some(([key, screen]) => key === lista && screen.roles.includes(usuario.rol));
}
