import { useLocation, useRouteLoaderData } from '@remix-run/react';
import { isRol, type Usuario } from '~/core/usuario';

/** The address of the area we are in, '/sa': screens are mounted in several and link within their own. Outside any area, ''. */
export function useArea(): string {
  const [, first] = useLocation().pathname.split('/');
  return isRol(first) ? `/${first}` : '';
}

/** Who is signed in, on any screen of an area: its layout's loader tells. */
export function useUsuario(): Usuario {
  const area = useRouteLoaderData<() => { usuario: Usuario }>(useArea().slice(1));
  if (!area) throw new Error('useUsuario outside an area');
  return area.usuario;
}
