import { z } from 'zod';
import { can } from '~/access/actions';
import { Id } from '~/core/fields';
import { toWire } from '~/core/list';
import { hasSegundoFactor } from '~/domain/personal/segundoFactor.server';
import { assignableRoles, type Usuario } from '~/core/usuario';
import { findUsuario, marcasOfUsuario } from '~/domain/personal/usuarios.server';
import { db } from '~db/shared.server';

/** Reads a person for their panel, as far as `actor` may see them; null when the id is unknown. */
export async function usuarioOfUrl(id: string, _search: URLSearchParams, actor: Usuario) {
  if (!z.safeParse(Id, id).success) return null;
  const [usuario, conSegundoFactor] = await Promise.all([
    findUsuario(db(), actor, id),
    id !== actor.id && can(actor, 'usuarios.segundoFactor') && hasSegundoFactor(db(), id),
  ]);
  if (!usuario) return null;
  return {
    id,
    usuario: toWire({ ...usuario, visto: marcasOfUsuario(usuario) }),
    actor,
    roles: assignableRoles(actor, usuario.rol),
    conSegundoFactor,
  };
}
