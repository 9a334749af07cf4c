import type { Usuario } from '~/core/usuario';
import { askedByScript } from '~/platform/lists/list.server';

/**
 * Reads the record that `?ver=` names for a page that is opened with it; 'ausente' where the record does not exist. A page that already stands reads the record
 * beside its list (`files/fichas`).
 */
export async function openRecord<T>(
  request: Request,
  usuario: Usuario,
  leer: (id: string, search: URLSearchParams, usuario: Usuario) => Promise<T | null>,
): Promise<T | 'ausente' | null> {
  const search = new URL(request.url).searchParams;
  const ver = search.get('ver');
  if (!ver || askedByScript(request)) return null;
  return (await leer(ver, search, usuario)) ?? 'ausente';
}
