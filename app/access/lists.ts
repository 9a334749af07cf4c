import type { Rol } from './screens';
import { ROLES, screens } from './screens';

/**
 * Returns whether a person may read the windows of a list and export it: whoever may open its screen may. A list is named after its screen; one of
 * several has a word after a dot ('facturacionGeneral.ordenes').
 */
export function mayReadList(usuario: { rol: Rol }, lista: string): boolean {
  return screens.some(([key, screen]) => key === lista.split('.')[0] && screen.roles.includes(usuario.rol));
}

/** Returns the roles that may read a list. */
export const rolesOfList = (lista: string): Rol[] => ROLES.filter((rol) => mayReadList({ rol }, lista));
