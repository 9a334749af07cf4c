import type { Rol } from './screens';
import { ROLES, screens } from './screens';

/** A list is named after its screen, and one of several after a dot ('facturacionGeneral.ordenes'): who may open the screen may read the list's windows and export it. */
export function mayReadList(usuario: { rol: Rol }, lista: string): boolean {
  return screens.some(([key, screen]) => key === lista.split('.')[0] && screen.roles.includes(usuario.rol));
}

/** Who may read it. */
export const rolesOfList = (lista: string): Rol[] => ROLES.filter((rol) => mayReadList({ rol }, lista));
