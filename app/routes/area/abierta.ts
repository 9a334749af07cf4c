import type { Usuario } from '~/core/usuario';
import { askedByScript } from '~/platform/lists/list.server';

/**
 * The record that `?ver=` names, for a page that is opened with it; 'ausente' where it is not there. A page that stands reads it beside its list
 * (`files/fichas`).
 */
export async function abiertaIn<T>(
  request: Request,
  usuario: Usuario,
  leer: (id: string, search: URLSearchParams, usuario: Usuario) => Promise<T | null>,
): Promise<T | 'ausente' | null> {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver');
  if (!ver || askedByScript(request)) return null;
  return (await leer(ver, search, usuario)) ?? 'ausente';
}
