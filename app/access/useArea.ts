import { useLocation, useRouteLoaderData } from '@remix-run/react';
import { areaOf, type Usuario } from '~/core/usuario';

/** Returns the address of the area of this page ('/sa'), for links within it: a screen is mounted in several areas. '' outside every area. */
export function useArea(): string {
  return areaOf(useLocation().pathname);
}

/** Returns the person who is signed in, on any screen of an area, from the loader of the area's layout. */
export function useUsuario(): Usuario {
  const area = useRouteLoaderData<() => { usuario: Usuario }>(useArea().slice(1));
  if (!area) throw new Error('useUsuario outside an area');
  return area.usuario;
}
